// A board of hexagons, a hexagon itself: rows a.. from below, cells numbered along the falling diagonals (a1..i9).

import { SMALLEST_PX, room, s } from "./dom.js";
import { drawBeams } from "./beam.js";
import { MM_PER_CELL, cellName, parseCell } from "./grid_board.js";
import { freePiece } from "./other_pieces.js";
import { SIGNS, faint, hatched, helpMark } from "./signs.js";

const STEP = 100; // between the middles of two neighbours
const RISE = (STEP * Math.sqrt(3)) / 2;
const RADIUS = STEP / Math.sqrt(3);
const GAP = 30;

export function hexBoard(root, state, view) {
  const rows = state.board.rows;
  const side = (rows + 1) / 2;
  const label = view.small ? 0 : labelSize(root, rows * STEP + GAP, rows * RISE + 40);
  const width = rows * STEP + 2 * label + GAP;
  const height = rows * RISE + 2 * label + 40;
  root.setAttribute("viewBox", `${-width / 2} ${-height / 2} ${width} ${height}`);
  const turn = view.turned ? -1 : 1;
  const place = (name) => {
    const [row, number] = parseCell(name);
    const middle = (rows - 1) / 2;
    return [turn * (number - middle - (row - middle) / 2) * STEP, -turn * (row - middle) * RISE];
  };
  const names = hexNames(rows);
  root.replaceChildren(
    s("rect", { class: "board-frame", x: -width / 2, y: -height / 2, width, height, rx: 26 }),
    ...names.map((name) => cell(name, place(name), state)),
    ...(view.small ? [] : labels(rows, side, place, label)),
    ...state.pieces.filter((piece) => piece.cell).map((piece) => {
      const [x, y] = place(piece.cell);
      return s("g", { transform: `translate(${x},${y})`, "pointer-events": "none" },
        s("g", { transform: `scale(${STEP / MM_PER_CELL / 1.12})`, opacity: faint(piece) ? 0.5 : undefined },
          freePiece(piece)),
        s("g", { transform: "scale(.8)" }, helpMark(piece.state)));
    }),
    ...state.covered.map((name) => s("g", { transform: `translate(${place(name)}) scale(.8)` }, hatched())),
    drawBeams([], STEP, false),
  );
}

// The labels' height in drawing units: on a small screen large enough to read, though they make the drawing wider.
function labelSize(root, across, down) {
  const { wide, high } = room(root);
  const fit = (units, pixels) => (SMALLEST_PX * units) / (pixels - 2 * SMALLEST_PX);
  return Math.max(30, fit(across, wide), fit(down, high));
}

export function hexNames(rows) {
  const side = (rows + 1) / 2;
  const names = [];
  for (let row = 0; row < rows; row += 1) {
    const first = Math.max(0, row - side + 1);
    const last = Math.min(rows - 1, row + side - 1);
    for (let n = first; n <= last; n += 1) names.push(cellName(row, n));
  }
  return names;
}

function cell(name, [x, y], state) {
  const corners = Array.from({ length: 6 }, (_, i) => {
    const a = (Math.PI / 3) * i + Math.PI / 6;
    return `${(RADIUS - 3) * Math.cos(a)},${(RADIUS - 3) * Math.sin(a)}`;
  });
  const last = state.last_cells.includes(name);
  const sign = SIGNS[new Map(state.board.marked).get(name)];
  return s("g", { transform: `translate(${x},${y})`, "data-cell": name, class: "cell" },
    s("polygon", { class: "square", points: corners.join(" ") }),
    sign && s("g", { class: "printed-sign" }, sign()),
    last && s("polygon", { class: "last", points: corners.join(" "), transform: "scale(.9)" }));
}

function labels(rows, side, place, size) {
  const text = ([x, y], dx, dy, word) => s("text", {
    x: x + dx, y: y + dy + size * 0.35, class: "board-label", "font-size": size, "text-anchor": "middle",
    "aria-hidden": "true",
  }, word);
  const found = [];
  for (let row = 0; row < rows; row += 1) {
    const first = cellName(row, Math.max(0, row - side + 1));
    found.push(text(place(first), -RADIUS - size * 0.45, 0, first[0]));
  }
  for (let n = 0; n < rows; n += 1) {
    const row = Math.max(0, n - side + 1);
    found.push(text(place(cellName(row, n)), STEP * 0.36, RISE * 0.6 + size * 0.2, String(n + 1)));
  }
  return found;
}
