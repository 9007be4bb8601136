// Pieces that lie free on the table, in millimetres round their own middle, pointing to +X; and discs on boards.

import { path, s } from "./dom.js";
import { shades } from "./colours.js";

const PYRAMID = { small: [14.29, 26.39], medium: [19.84, 36.31], large: [25.4, 46.23] }; // base, slant of a face
const PIPS = { small: 1, medium: 2, large: 3 };
const TILE = 50.8;
const COIN = 19.1;
const PAWN = 15.9;
const DIE = 12.7;
const DISC = 34;
const SUIT_COLOUR = { suns: "red", moons: "black", crowns: "green", arms: "blue" };

const poly = (points, attributes) => s("polygon", { points: points.join(" "), ...attributes });

const DRAW_MM = { pyramid, tile, coin, pawn, die, disc, robot_card: robotCard };

// null when the kind is not known
export function freePiece(piece) {
  const draw = DRAW_MM[piece.kind];
  return draw ? s("g", { "stroke-linejoin": "round" }, draw(piece)) : unknown();
}

function pyramid(piece) {
  const [light, body, dark, edge] = shades(piece.colour);
  const [base, slant] = PYRAMID[piece.size] || PYRAMID.medium;
  const line = { stroke: edge, "stroke-width": 0.9 };
  const count = PIPS[piece.size] || 0;
  const pips = Array.from({ length: count }, (_, i) => (i - (count - 1) / 2) * 4);
  const h = base / 2;
  if (piece.pose === "lying") {
    const back = -slant / 2;
    return [
      poly([[back, -h], [back, h], [slant / 2, 0]], { fill: body, ...line }),
      poly([[back, -h], [back - base * 0.27, -h], [back - base * 0.27, h], [back, h]], { fill: dark, ...line }),
      poly([[back, 0], [back, h], [slant / 2, 0]], { fill: light, opacity: 0.45 }),
      pips.map((y) => s("circle", { cx: back + 4.8, cy: y, r: 1.3, fill: edge })),
      path(`M${slant / 2 - 6},0 H${slant / 2 - 1.5}`, { stroke: edge, "stroke-width": 1.4, "stroke-linecap": "round" }),
    ];
  }
  const corners = [[-h, -h], [h, -h], [h, h], [-h, h]];
  const fills = [light, body, dark, body];
  return [
    corners.map((corner, i) => poly([corner, corners[(i + 1) % 4], [0, 0]], { fill: fills[i], ...line })),
    pips.map((x) => s("circle", { cx: x, cy: h - 2.6, r: 1.3, fill: light, stroke: edge, "stroke-width": 0.4 })),
  ];
}

// A face-down tile shows its back and nothing else, a face that is not told while the game is on nothing at all.
function tile(piece) {
  const h = TILE / 2;
  const plate = s("rect", {
    x: -h, y: -h, width: TILE, height: TILE, rx: 2, fill: "#e9d3a8", stroke: "#5a4522", "stroke-width": 1,
  });
  if (piece.face === "back" || piece.face === "down") {
    return [plate, path(`M0,${-h} V${h} M${-h},0 H${h}`, { stroke: "#3b2d14", "stroke-width": 0.9 })];
  }
  if (!piece.suit) return [plate];
  return [
    plate,
    s("g", { transform: "translate(-18,-18) scale(.7)" }, suit(piece.suit)),
    value(piece.value, piece.suit, 1.4),
  ];
}

function coin(piece) {
  const rim = { r: COIN / 2, fill: "#dcc08a", stroke: "#5a4522", "stroke-width": 0.8 };
  const sign = piece.face === "suit" || (piece.suit && !piece.value) ? suit(piece.suit) : value(piece.value, null, 0.75);
  return [s("circle", rim), sign, path(`M${COIN / 2 - 2.6},0 h2`, { stroke: "#5a4522", "stroke-width": 1.2 })];
}

function pawn(piece) {
  const [light, body, , edge] = shades(piece.colour || SUIT_COLOUR[piece.suit]);
  return [
    s("circle", { r: PAWN / 2, fill: body, stroke: edge, "stroke-width": 1 }),
    s("circle", { r: PAWN / 4, fill: light, stroke: edge, "stroke-width": 0.8 }),
  ];
}

function die(piece) {
  const [, body, , edge] = shades(piece.colour || SUIT_COLOUR[piece.suit]);
  const plate = s("rect", {
    x: -DIE / 2, y: -DIE / 2, width: DIE, height: DIE, rx: 2, fill: "#fffdf6", stroke: body, "stroke-width": 1.2,
  });
  return [plate, value(piece.value, null, 0.55, edge)];
}

// Boards for discs are green: dark and light ones are both seen there.
export const holdsDiscs = (state) => state.pieces.some((piece) => piece.kind === "disc");

function disc(piece) {
  const [light, body, dark, edge] = shades(piece.colour);
  const pale = piece.colour === "white";
  return [
    s("circle", { r: DISC / 2, fill: body, stroke: pale ? edge : "#c9d1da", "stroke-width": 1.4 }),
    s("circle", { r: DISC / 2.9, fill: "none", stroke: pale ? dark : light, "stroke-width": pale ? 1 : 2.2 }),
    pale && s("circle", { r: 3.2, fill: dark }),
  ];
}

// Kaxxt's card: its arrow points where the robot looks.
function robotCard() {
  return [
    s("rect", { x: -44, y: -31.5, width: 88, height: 63, rx: 4, fill: "#f3ecdc", stroke: "#3a3228", "stroke-width": 1.4 }),
    s("rect", { x: -16, y: -16, width: 32, height: 32, rx: 6, fill: "#8fa3ad", stroke: "#2b3840", "stroke-width": 1.6 }),
    s("circle", { cx: 7, cy: -7, r: 3.6, fill: "#ff4436", stroke: "#2b3840" }),
    s("circle", { cx: 7, cy: 7, r: 3.6, fill: "#ff4436", stroke: "#2b3840" }),
    path("M20,0 H36 M29,-7 L36,0 L29,7", {
      stroke: "#a11f16", "stroke-width": 3, fill: "none", "stroke-linecap": "round",
    }),
  ];
}

function unknown() {
  return s("g", {}, s("circle", { r: 10, fill: "#454d57", stroke: "#fff", "stroke-dasharray": "3 2" }),
    path("M-3.5,-3 Q0,-8 3.5,-3 Q3.5,0 0,1.5 M0,5.5 v.3", {
      stroke: "#fff", "stroke-width": 1.6, fill: "none", "stroke-linecap": "round",
    }));
}

export function suit(name, ink) {
  const fill = ink || { suns: "#b3261e", moons: "#1a1a1a", crowns: "#1d6b30", arms: "#1d4f9c" }[name] || "#5a4522";
  const shapes = {
    suns: () => [s("circle", { r: 3.2 }), path("M0,-7 V7 M-7,0 H7 M-5,-5 L5,5 M5,-5 L-5,5", { stroke: fill })],
    moons: () => path("M2,-7 A7,7 0 1 0 7,3 A5.5,5.5 0 1 1 2,-7 Z", {}),
    crowns: () => path("M-7,5 L-7,-5 L-3,0 L0,-7 L3,0 L7,-5 L7,5 Z", {}),
    arms: () => path("M0,-8 Q4,-3 1,1 Q7,-3 7,2 Q6,5 2,3 L3,7 H-3 L-2,3 Q-6,5 -7,2 Q-7,-3 -1,1 Q-4,-3 0,-8 Z", {}),
  };
  return s("g", { fill, "stroke-width": 1.3 }, shapes[name] ? shapes[name]() : []);
}

// Strokes of the figures 2 to 5, so that no font is needed.
const FIGURES = {
  2: "M-4,-4 Q-4,-8 0,-8 Q4.5,-8 4.5,-4 Q4.5,-1 -4,8 H5",
  3: "M-4,-7 Q5,-10 4,-4 Q3,0 -1,0 Q5,0 5,4 Q4,10 -4.5,7",
  4: "M3,8 V-8 L-5,3 H6",
  5: "M4.5,-8 H-3 L-3.5,-1 Q5,-3 5,3 Q4,9 -4,8",
};

export function value(name, suitName, scale, ink = "#1b1711") {
  if (name === "ace") {
    if (suitName) return s("g", { transform: `scale(${scale * 1.2})` }, suit(suitName));
    return path("M0,0 q2,-2 3,1 q0,4 -4,4 q-5,-1 -5,-6 q1,-6 7,-6 q7,1 7,8", {
      transform: `scale(${scale})`, fill: "none", stroke: ink, "stroke-width": 1.8,
    });
  }
  if (!FIGURES[name]) return null; // the null has no sign
  return path(FIGURES[name], {
    transform: `scale(${scale})`, fill: "none", stroke: ink, "stroke-width": 2.2, "stroke-linecap": "round",
    "stroke-linejoin": "round",
  });
}
