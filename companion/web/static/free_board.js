// The table as it lies: millimetres, X to the right, Y up, headings counter-clockwise; zoomed by its buttons.

import { SMALLEST_PX, room, s } from "./dom.js";
import { drawBeams } from "./beam.js";
import { beamBadges, seatLabels } from "./free_marks.js";
import { freePiece } from "./other_pieces.js";
import { faint, helpMark } from "./signs.js";

const BEAM_UNIT_MM = 30;
const BARS_MM = [100, 50, 20, 10];
const BAR_LETTERS = 6; // the bar is no longer than so many letters are high
const [LABEL_WIDE_MM, LABEL_HIGH_MM] = [96, 34]; // from the middle of a seat's label
const MARGIN_MM = 40; // from the middle of the outermost piece to the edge of the drawing

export function freeBoard(root, state, view) {
  const [width, height] = extent(state);
  const zoom = view.zoom || 1;
  const [cx, cy] = view.centre || [0, 0];
  root.setAttribute("viewBox", `${cx - width / 2 / zoom} ${-cy - height / 2 / zoom} ${width / zoom} ${height / zoom}`);
  const turn = view.turned ? 180 : 0;
  const { wide, high } = room(root);
  const letters = (SMALLEST_PX * Math.max(width / wide, height / high)) / zoom;
  const table = s("g", { transform: `rotate(${turn})` },
    ground(width, height, view.photo),
    ...placed(state.pieces).map((piece, index) => s("g", {
      transform: `translate(${piece.x_mm},${-piece.y_mm})`, "data-piece": index, class: "cell",
    }, s("g", {
      transform: `rotate(${-(piece.heading_deg || 0)})`, opacity: view.photo ? 0 : faint(piece) ? 0.5 : undefined,
    },
      freePiece(piece)),
    s("g", { transform: `rotate(${-turn}) scale(.36)` }, helpMark(piece.state)))),
    drawBeams(state.beams.filter((beam) => beam.unit === "mm").map((beam) => ({
      ...beam, points: beam.points.map(([x, y]) => [x, -y]),
    })), BEAM_UNIT_MM, view.animate),
    ...(view.small ? [] : beamBadges(state.beams.filter((beam) => beam.unit === "mm"), -turn, letters)),
    ...(view.small ? [] : seatLabels(state, -turn, letters)));
  root.replaceChildren(table, ...(view.small ? [] : [scale(cx + width / 2 / zoom, -cy + height / 2 / zoom, letters)]));
}

// Those that have a place on the table, in the order in which they are drawn and numbered.
export const placed = (things) => things.filter((thing) => thing.x_mm !== undefined);

// The table, made wide enough for all that lies on it.
function extent(state) {
  const reach = (of, size, margin) => Math.max(size,
    ...placed(state.pieces).map((piece) => 2 * (Math.abs(of(piece)) + MARGIN_MM)),
    ...placed(state.cards).map((card) => 2 * (Math.abs(of(card)) + margin)));
  return [
    reach((thing) => thing.x_mm, state.board.width_mm || 600, LABEL_WIDE_MM),
    reach((thing) => thing.y_mm, state.board.height_mm || 400, LABEL_HIGH_MM),
  ];
}

// A plain table, or its picture from above; then the pieces are on it, and are not drawn again.
function ground(width, height, photo) {
  const place = { x: -width / 2, y: -height / 2, width, height, "data-ground": true };
  if (!photo) return s("rect", { class: "felt", ...place, rx: 8 });
  const href = `/api/table.jpg?width_mm=${width.toFixed(1)}&height_mm=${height.toFixed(1)}&n=${photo}`;
  return s("image", { ...place, href, preserveAspectRatio: "none" });
}

// A bar in the corner of what is shown, and how long it is on the table; letters are `size` millimetres high.
function scale(right, low, size) {
  const long = BARS_MM.find((mm) => mm <= BAR_LETTERS * size) || BARS_MM[BARS_MM.length - 1];
  const [x, y] = [right - 0.6 * size, low - 0.6 * size];
  return s("g", {},
    s("path", { class: "scale", d: `M${x - long},${y - 0.3 * size} V${y} H${x} V${y - 0.3 * size}` }),
    s("text", { class: "scale-text", x, y: y - 0.5 * size, "text-anchor": "end", "font-size": size }, `${long} mm`));
}
