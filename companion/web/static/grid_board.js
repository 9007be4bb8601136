// A board of squares: a1 bottom left, files a.., ranks 1..; cells are 100 units.

import { SMALLEST_PX, calm, room, s } from "./dom.js";
import { shades, shown, sideOf } from "./colours.js";
import { drawBeams } from "./beam.js";
import { KHET, khetPiece } from "./khet_pieces.js";
import { freePiece } from "./other_pieces.js";
import { SIGNS, faint, hatched, helpMark } from "./signs.js";

const CELL = 100;
const RIM = 14;
const BELOW = 1.35; // room for the files' letters
const WASH = 0.55; // how much of the winner's colour covers the squares
export const MM_PER_CELL = 40; // free pieces on a grid are drawn as if its cells were this wide

export function gridBoard(root, state, view) {
  const { cols, rows } = state.board;
  const digits = rows > 9 ? 1.5 : 1.15; // room for those of the ranks' numbers
  const label = view.small ? 0 : labelSize(root, cols, rows, digits);
  const left = RIM + label * digits;
  const width = left + cols * CELL + RIM;
  const height = RIM + rows * CELL + label * BELOW + RIM / 2;
  root.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const place = placer(state.board, view.turned, left);
  root.replaceChildren(
    s("rect", { class: "board-frame", width, height, rx: 26 }),
    ...(view.small ? [] : labels(state.board, view.turned, left, label)),
    ...cells(state, place),
    winnersWash(state, place, view),
    ...lastCells(state, place),
    ...pieces(state, place, view),
    ...state.covered.map((name) => s("g", { transform: `translate(${place(...parseCell(name))})` }, hatched())),
    drawBeams(beams(state, place), CELL, view.animate),
  );
}

// Labels stay readable at every size: more than 14 pixels on the screen, on large boards only every other one.
function labelSize(root, cols, rows, digits) {
  const { wide, high } = room(root);
  const fit = (units, pixels, labels) => (SMALLEST_PX * units) / (pixels - labels * SMALLEST_PX);
  return Math.max(26, fit(cols * CELL + 2 * RIM, wide, digits), fit(rows * CELL + 1.5 * RIM, high, BELOW));
}

function placer(board, turned, left) {
  return (file, rank) => {
    const [x, y] = turned ? [board.cols - 1 - file, rank] : [file, board.rows - 1 - rank];
    return [left + (x + 0.5) * CELL, RIM + (y + 0.5) * CELL];
  };
}

// [letter, number] of a name like c4, both counted from 0
export const parseCell = (name) => [name.charCodeAt(0) - 97, Number(name.slice(1)) - 1];
export const cellName = (file, rank) => `${String.fromCharCode(97 + file)}${rank + 1}`;

function labels(board, turned, left, size) {
  const text = (x, y, word) =>
    s("text", { x, y, class: "board-label", "font-size": size, "text-anchor": "middle", "aria-hidden": "true" }, word);
  const files = Array.from({ length: board.cols }, (_, i) => {
    const file = turned ? board.cols - 1 - i : i;
    return text(left + (i + 0.5) * CELL, RIM + board.rows * CELL + size * 1.05, String.fromCharCode(97 + file));
  });
  const ranks = Array.from({ length: board.rows }, (_, i) => {
    const rank = turned ? board.rows - 1 - i : i;
    return text((RIM + left) / 2 - RIM * 0.3, RIM + (board.rows - i - 0.5) * CELL + size * 0.35, String(rank + 1));
  });
  const each = Math.ceil((size * 1.2) / CELL);
  return [files, ranks].flatMap((line) => line.filter((_, i) => i % each === 0));
}

function cells(state, place) {
  const marked = new Map(state.board.marked);
  const owner = { eye: state.seats[1]?.colour || "red", ankh: state.seats[0]?.colour || "silver" };
  const found = [];
  for (let rank = 0; rank < state.board.rows; rank += 1) {
    for (let file = 0; file < state.board.cols; file += 1) {
      const name = cellName(file, rank);
      const [x, y] = place(file, rank);
      const sign = marked.get(name);
      const group = s("g", { transform: `translate(${x},${y})`, "data-cell": name, class: "cell" });
      group.append(s("rect", { class: "square", x: -48, y: -48, width: 96, height: 96, rx: 9 }));
      if (sign) group.append(...printed(sign, owner[sign]));
      found.push(group);
    }
  }
  return found;
}

function printed(sign, colour) {
  const [, body] = shades(colour);
  return [
    s("rect", { x: -48, y: -48, width: 96, height: 96, rx: 9, fill: body, opacity: 0.13 }),
    s("g", { stroke: body, fill: "none", "stroke-width": 5, opacity: 0.62, "stroke-linejoin": "round" },
      SIGNS[sign] ? SIGNS[sign]() : []),
  ];
}

function lastCells(state, place) {
  return state.last_cells.map((name) => {
    const [x, y] = place(...parseCell(name));
    const d = "M-46,-28 V-46 H-28 M28,-46 H46 V-28 M46,28 V46 H28 M-28,46 H-46 V28";
    return s("path", { class: "last", d, transform: `translate(${x},${y})` });
  });
}

function pieces(state, place, view) {
  const { seats } = state;
  return state.pieces.filter((piece) => piece.cell).map((piece) => {
    const [x, y] = place(...parseCell(piece.cell));
    return s("g", { transform: `translate(${x},${y})`, "pointer-events": "none", class: "piece" },
      s("g", { opacity: faint(piece) ? 0.5 : undefined }, onePiece(piece, seats, view)),
      helpMark(piece.state));
  });
}

function onePiece(piece, seats, view) {
  if (KHET[piece.kind] && !piece.size) {
    return khetPiece(piece, shown(piece.colour, seats), sideOf(piece.colour, seats), view.turned);
  }
  return s("g", { transform: `scale(${CELL / MM_PER_CELL})` }, freePiece(piece));
}

function beams(state, place) {
  const edge = ([x, y]) => [
    Math.max(-0.56, Math.min(state.board.cols - 0.44, x)),
    Math.max(-0.56, Math.min(state.board.rows - 0.44, y)),
  ];
  return state.beams.map((beam) => ({
    ...beam,
    colour: beam.colour && state.seats.length ? shown(beam.colour, state.seats) : beam.colour,
    points: beam.points.map((point) => place(...edge(point))),
  }));
}

// At the end the winner's colour takes the whole board, from the middle outward, once and without a flash.
function winnersWash(state, place, view) {
  const winner = state.result?.winners[0];
  const group = s("g", { class: "wash", "pointer-events": "none" });
  if (winner === undefined) return group;
  const [light, body] = shades(state.seats[winner]?.colour);
  const { cols, rows } = state.board;
  for (let rank = 0; rank < rows; rank += 1) {
    for (let file = 0; file < cols; file += 1) {
      const [x, y] = place(file, rank);
      const far = Math.hypot(file - (cols - 1) / 2, rank - (rows - 1) / 2);
      const square = s("rect", {
        x: x - 50, y: y - 50, width: 100, height: 100, fill: body, stroke: light, "stroke-width": 3, opacity: WASH,
      });
      if (view.animate && !calm()) {
        square.animate([{ opacity: 0 }, { opacity: WASH }], { delay: 900 + far * 160, duration: 700, fill: "both" });
      }
      group.append(square);
    }
  }
  return group;
}
