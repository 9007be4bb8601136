// Khet's pieces from above, in a square of 100 units round the middle. Each is told by its shape alone:
// what reflects is a bright strip of glass, what shields a thick bar, what shoots a nozzle with a lens.

import { path, s } from "./dom.js";
import { GLASS, shades } from "./colours.js";

const TURN = { N: 0, E: 90, S: 180, W: 270, NE: 0, SE: 90, SW: 180, NW: 270, "\\": 0, "/": 90 };

export const KHET = {
  pyramid: { draw: pyramid, turns: true },
  scarab: { draw: scarab, turns: true },
  eye: { draw: eye, turns: true },
  anubis: { draw: anubis, turns: true },
  sphinx: { draw: sphinx, turns: true },
  pharaoh: { draw: pharaoh, turns: false },
  obelisk: { draw: obelisk, turns: false },
};

// `side` 0 stands on a rounded square, 1 on an octagon; `turned` = the board is seen from the other side
export function khetPiece(piece, colour, side, turned = false) {
  const kind = KHET[piece.kind];
  const tone = shades(colour);
  const angle = kind.turns ? (TURN[piece.facing] || 0) + (turned ? 180 : 0) : 0;
  return s(
    "g",
    {},
    base(side, tone),
    s("g", { transform: `rotate(${angle})`, "stroke-linejoin": "round" }, kind.draw(tone, piece.count || 1)),
  );
}

function base(side, [, body, dark, edge]) {
  const shape =
    side === 0
      ? { d: "M-31,-44 H31 Q44,-44 44,-31 V31 Q44,44 31,44 H-31 Q-44,44 -44,31 V-31 Q-44,-44 -31,-44 Z" }
      : { d: "M-22,-44 H22 L44,-22 V22 L22,44 H-22 L-44,22 V-22 Z" };
  return [
    s("path", { ...shape, transform: "translate(2,4)", fill: "#000", opacity: 0.35 }),
    s("path", { ...shape, fill: edge, stroke: body, "stroke-width": 3.5 }),
    s("path", { ...shape, transform: "scale(.9)", fill: dark, opacity: 0.3 }),
  ];
}

const poly = (points, attributes) => s("polygon", { points, ...attributes });

// A strip of mirror along the falling diagonal, seen edge-on: dark rim, glass, a gleam.
function strip(offset, width) {
  const at = { transform: `translate(${offset},${-offset})`, "stroke-linecap": "round" };
  return s(
    "g",
    at,
    path("M-33,-33 L33,33", { stroke: "#0d1a22", "stroke-width": width + 5 }),
    path("M-33,-33 L33,33", { stroke: GLASS[1], "stroke-width": width }),
    path("M-30,-30 L-6,-6 M4,4 L9,9", { stroke: GLASS[0], "stroke-width": width * 0.45 }),
  );
}

// The mirror faces north-east; the body, with its open sides, lies to the south-west.
function pyramid([light, body, dark, edge]) {
  return [
    poly("-28,-35 35,-35 35,28", { fill: GLASS[1], opacity: 0.16 }),
    poly("-37,-37 -37,37 -16,16", { fill: body, stroke: edge, "stroke-width": 2 }),
    poly("-37,37 37,37 -16,16", { fill: dark, stroke: edge, "stroke-width": 2 }),
    poly("-37,-37 37,37 -16,16", { fill: light, stroke: edge, "stroke-width": 2 }),
    strip(2.5, 8),
  ];
}

function scarab([light, body, dark, edge]) {
  const legs = "M-15,-9 L-27,-14 M-16,3 L-28,3 M-14,13 L-24,21 M15,-9 L27,-14 M16,3 L28,3 M14,13 L24,21";
  return [
    strip(-3.5, 5.5),
    strip(3.5, 5.5),
    s(
      "g",
      { transform: "rotate(-45)" },
      path(legs, { stroke: edge, "stroke-width": 6, "stroke-linecap": "round" }),
      path(legs, { stroke: body, "stroke-width": 3, "stroke-linecap": "round" }),
      path("M-11,-18 Q-11,-29 0,-29 Q11,-29 11,-18 Z", { fill: dark, stroke: edge, "stroke-width": 2.5 }),
      s("ellipse", { cx: 0, cy: 2, rx: 18, ry: 23, fill: body, stroke: edge, "stroke-width": 3 }),
      path("M-17,-6 Q0,-15 17,-6", { stroke: edge, "stroke-width": 2.5, fill: "none" }),
      path("M0,-10 V25", { stroke: edge, "stroke-width": 2.5 }),
      path("M-10,0 Q-12,10 -6,18", { stroke: light, "stroke-width": 3.5, fill: "none", "stroke-linecap": "round" }),
    ),
  ];
}

// A beam splitter: the glass is cut into dashes, half of the light goes through.
function eye([light, body, dark, edge]) {
  return [
    path("M-36,-36 L36,36", { stroke: "#0d1a22", "stroke-width": 15, "stroke-linecap": "round" }),
    path("M-36,-36 L36,36", { stroke: GLASS[1], "stroke-width": 9, "stroke-dasharray": "8 5.2" }),
    s(
      "g",
      { transform: "rotate(45)" },
      path("M-31,0 Q0,-29 31,0 Q0,25 -31,0 Z", { fill: light, stroke: edge, "stroke-width": 3.5 }),
      s("circle", { r: 11, fill: body, stroke: edge, "stroke-width": 2.5 }),
      s("circle", { r: 5, fill: edge }),
      path("M-28,-13 Q0,-37 30,-12", { stroke: body, "stroke-width": 5, fill: "none", "stroke-linecap": "round" }),
      path("M-3,13 L-7,30 M7,12 Q13,29 27,22", {
        stroke: body,
        "stroke-width": 4.5,
        fill: "none",
        "stroke-linecap": "round",
      }),
    ),
  ];
}

// The shield is held to the north; light from there is swallowed.
function anubis([light, body, dark, edge]) {
  return [
    path("M-22,-20 L-9,-1 Q0,-5 9,-1 L22,-20 L22,8 Q17,24 7,37 Q0,41 -7,37 Q-17,24 -22,8 Z", {
      fill: body,
      stroke: edge,
      "stroke-width": 3,
    }),
    path("M-18,-9 L-13,5 L-18,7 Z M18,-9 L13,5 L18,7 Z", { fill: dark }),
    path("M-13,10 L-4,14 M13,10 L4,14", { stroke: edge, "stroke-width": 4, "stroke-linecap": "round" }),
    path("M-3,34 Q0,37 3,34 Z", { fill: edge, stroke: edge, "stroke-width": 3 }),
    path("M-40,-24 Q0,-48 40,-24 L37,-15 Q0,-36 -37,-15 Z", { fill: "#e8edf1", stroke: "#0d1216", "stroke-width": 3 }),
    path("M-33,-24 Q0,-42 33,-24", { stroke: dark, "stroke-width": 3.5, fill: "none" }),
    [-25, 0, 25].map((x) => s("circle", { cx: x, cy: x === 0 ? -34.5 : -27.5, r: 2.6, fill: light, stroke: edge })),
  ];
}

// A lion of stone on its block: paws to the north, between them the nozzle with its lens.
function sphinx([light, body, dark, edge]) {
  const line = { stroke: edge, "stroke-width": 2.5 };
  return [
    s("rect", { x: -37, y: -37, width: 74, height: 75, rx: 5, fill: dark, ...line }),
    s("rect", { x: -30, y: -38, width: 14, height: 40, rx: 6, fill: body, ...line }),
    s("rect", { x: 16, y: -38, width: 14, height: 40, rx: 6, fill: body, ...line }),
    path("M-26,-2 H26 L22,33 Q0,42 -22,33 Z", { fill: body, ...line }),
    path("M0,-16 C15,-16 20,-8 22,4 L27,22 H-27 L-22,4 C-20,-8 -15,-16 0,-16 Z", { fill: light, ...line }),
    path("M-20,8 L-11,9 M-23,16 L-12,16 M20,8 L11,9 M23,16 L12,16", { stroke: edge, "stroke-width": 3 }),
    path("M-10,-4 Q0,-10 10,-4 V8 Q8,18 0,19 Q-8,18 -10,8 Z", { fill: body, ...line }),
    poly("-13,-20 13,-20 8,-45 -8,-45", { fill: light, ...line }),
    s("circle", { cx: 0, cy: -35, r: 7, fill: "#ff4436", stroke: "#fff", "stroke-width": 2.5 }),
  ];
}

function pharaoh([light, body, dark, edge]) {
  const stripes = "M-27,-16 L-17,-13 M-31,-3 L-18,-2 M-33,10 L-18,10 M-36,23 L-18,22";
  return [
    path("M0,-39 C22,-39 29,-22 31,-4 L39,34 L17,36 L15,18 H-15 L-17,36 L-39,34 L-31,-4 C-29,-22 -22,-39 0,-39 Z", {
      fill: body,
      stroke: edge,
      "stroke-width": 3,
    }),
    path(stripes, { stroke: edge, "stroke-width": 4.5, "stroke-linecap": "round" }),
    path(stripes, { stroke: edge, "stroke-width": 4.5, "stroke-linecap": "round", transform: "scale(-1,1)" }),
    path("M-17,-15 Q0,-26 17,-15 V5 Q14,22 0,24 Q-14,22 -17,5 Z", { fill: light, stroke: edge, "stroke-width": 2.5 }),
    path("M-17,-15 Q0,-26 17,-15 L17,-9 Q0,-19 -17,-9 Z", { fill: dark }),
    s("ellipse", { cx: -7, cy: -1, rx: 4, ry: 2.8, fill: edge }),
    s("ellipse", { cx: 7, cy: -1, rx: 4, ry: 2.8, fill: edge }),
    path("M-5,13 Q0,16 5,13", { stroke: edge, "stroke-width": 2.5, fill: "none", "stroke-linecap": "round" }),
    path("M-4.5,24 H4.5 L3,39 H-3 Z", { fill: "#f3c94b", stroke: edge, "stroke-width": 2 }),
    path("M0,-42 Q9,-34 0,-24 Q-9,-34 0,-42 Z", { fill: "#f3c94b", stroke: edge, "stroke-width": 2 }),
  ];
}

// Two obelisks stand as two: the lower one looks out from under the upper.
function obelisk(tone, count) {
  const single = (x, y, size) => {
    const [light, body, dark, edge] = tone;
    const q = size / 2;
    const c = size * 0.16;
    return s(
      "g",
      { transform: `translate(${x},${y})`, stroke: edge, "stroke-width": 2.5 },
      poly(`${-q},${-q} ${q},${-q} ${c},${-c} ${-c},${-c}`, { fill: light }),
      poly(`${q},${-q} ${q},${q} ${c},${c} ${c},${-c}`, { fill: body }),
      poly(`${q},${q} ${-q},${q} ${-c},${c} ${c},${c}`, { fill: dark }),
      poly(`${-q},${q} ${-q},${-q} ${-c},${-c} ${-c},${c}`, { fill: body }),
      s("rect", { x: -c, y: -c, width: 2 * c, height: 2 * c, fill: "#f3c94b" }),
    );
  };
  return count > 1 ? [single(-9, 9, 50), single(9, -9, 50)] : [single(0, 0, 56)];
}
