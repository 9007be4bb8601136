// Signs printed on squares, and the badges of set-up help; 100 units round the middle.

import { path, s } from "./dom.js";
import { SIGNAL } from "./colours.js";

const line = (d, attributes) => path(d, { fill: "none", "stroke-linecap": "round", ...attributes });

export const SIGNS = {
  blocked: () => [line("M-30,-30 L30,30 M30,-30 L-30,30")],
  ankh: () => [
    s("ellipse", { cx: 0, cy: -16, rx: 11, ry: 15, fill: "none" }),
    line("M0,0 V33 M-19,6 H19"),
  ],
  eye: () => [
    line("M-31,2 Q0,-23 31,2 Q0,20 -31,2 Z"),
    s("circle", { cx: 0, cy: 0, r: 7 }),
    line("M-31,-12 Q0,-35 33,-10 M-4,14 L-8,32 M6,13 Q13,31 28,24"),
  ],
};

const BADGE = {
  missing: "M-8,0 H8 M0,-8 V8",
  extra: "M-7,-7 L7,7 M7,-7 L-7,7",
  wrong: "M0,-9 V2 M0,9 V9.5",
  turned: "M-8,2 A8,8 0 1 1 1,8 M-8,2 L-13,-4 M-8,2 L-2,-2",
};

// What does not lie there, or no longer should.
export const faint = (piece) => ["missing", "ghost"].includes(piece?.state);

// Over a cell that no camera sees: something lies over it.
export const hatched = () =>
  s("path", { class: "covered", d: "M-46,-46 H46 V46 H-46 Z M-46,0 L0,-46 M-46,46 L46,-46 M0,46 L46,0" });

// A frame and a badge round a cell whose piece is not as it should be.
export function helpMark(state) {
  const colour = SIGNAL[state];
  if (colour === undefined) return null;
  const dash = { missing: "14 9", wrong: undefined, turned: "4 8", extra: "26 8" }[state];
  return s(
    "g",
    {},
    s("rect", {
      x: -46, y: -46, width: 92, height: 92, rx: 12, fill: "none",
      stroke: colour, "stroke-width": 6, "stroke-dasharray": dash, "stroke-linecap": "round",
    }),
    BADGE[state] && s("g", { transform: "translate(30,-30)" },
      s("circle", { r: 19, fill: colour, stroke: "#10151b", "stroke-width": 3 }),
      line(BADGE[state], { stroke: "#10151b", "stroke-width": 5, "stroke-linejoin": "round" })),
  );
}
