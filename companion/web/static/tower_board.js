// K'Dak's tower as a section: six floors above each other, the back tiles behind the front ones; below it the track.

import { h, path, s } from "./dom.js";
import { SIGNAL } from "./colours.js";
import { freePiece, suit, value } from "./other_pieces.js";
import { faint } from "./signs.js";

const LEVELS = 6;
const WIDE = 420;
const TILE = [118, 33]; // of a tile on a floor, seen from in front and a little above
const LEAN = 40; // how far to the right its back edge lies
const FLOOR = 84; // from floor to floor
const LEFT = 64; // where the front left tiles begin
const TOP = 34;
const GROUND = TOP + LEVELS * FLOOR;
const YARD = 62; // in front of the door
const TRACK = { top: GROUND + YARD + 22, left: 10, columns: 13, rows: 5, cell: 400 / 13, high: 31 };
const SQUARES = 61;
const SHARED = { scale: 0.58, places: [[-5.9, -5.9], [5.9, 5.9], [5.9, -5.9], [-5.9, 5.9]] }; // coins on one square
const TITLES = { 37: "camel boy", 42: "big camel boy", 48: "lead camel boy", 53: "supreme camel boy" };
const CORNERS = "abcd"; // front left, front right, back left, back right

const text = (x, y, words, attributes = {}) => s("text", {
  x, y, "font-size": 20, "text-anchor": "middle", "dominant-baseline": "central", ...attributes,
}, words);

export function towerBoard(root, state, view) {
  const height = view.small ? TRACK.top - 10 : TRACK.top + TRACK.rows * TRACK.high + 16;
  root.setAttribute("viewBox", `0 0 ${WIDE} ${height}`);
  const all = state.pieces.filter((piece) => piece.cell).map((piece) => ({ ...piece, ...parsed(piece.cell) }));
  const on = (head) => all.filter((piece) => piece.head === head);
  const lit = new Set(state.last_cells.map((cell) => cell.split("/")[0]));
  root.replaceChildren(
    s("rect", { class: "board-frame", x: 0, y: 0, width: WIDE, height, rx: 22 }),
    ...walls(),
    ...Array.from({ length: LEVELS }, (_, i) => LEVELS - 1 - i).flatMap((level) => floor(level, on, lit, view.small)),
    ...(view.small ? [] : columns()),
    ...outside(on("beside the tower")),
    ...(view.small ? [] : track(all.filter((piece) => piece.track !== undefined))),
  );
}

// "2b/moons" stands on 2b; "on 14 of the track/arms" on square 14
function parsed(cell) {
  const [head] = cell.split("/");
  const square = /^on (\d+) of the track$/.exec(head);
  return { head, track: square ? Number(square[1]) : undefined };
}

// --- the tower ---------------------------------------------------------------------------------------------------

const ground = (level) => TOP + (LEVELS - level) * FLOOR - 10; // the front edge of a floor

// The corners of a tile, front left first, counter-clockwise as seen.
function corners(level, corner) {
  const back = corner >= 2 ? 1 : 0;
  const x = LEFT + (corner % 2) * TILE[0] + back * LEAN;
  const y = ground(level) - back * TILE[1];
  return [[x, y], [x + TILE[0], y], [x + TILE[0] + LEAN, y - TILE[1]], [x + LEAN, y - TILE[1]]];
}

function middle(level, corner) {
  const [[x, y]] = corners(level, corner);
  return [x + (TILE[0] + LEAN) / 2, y - TILE[1] / 2];
}

function walls() {
  const [left, right] = [LEFT, LEFT + 2 * TILE[0]];
  const [low, high] = [ground(0) + 8, ground(LEVELS - 1) - 2 * TILE[1] - 22];
  return [
    path(`M${left + 2 * LEAN},${low - 2 * TILE[1]} V${high} H${right + 2 * LEAN} V${low - 2 * TILE[1]} Z`, { class: "tower-back" }),
    path(`M${left},${low} V${high + 2 * TILE[1]} L${left + 2 * LEAN},${high} V${low - 2 * TILE[1]} Z`, { class: "tower-side" }),
    path(`M${left},${low} V${high + 2 * TILE[1]} L${left + 2 * LEAN},${high} H${right + 2 * LEAN} V${low - 2 * TILE[1]}`, { class: "tower-edge" }),
    ...battlements(left + 2 * LEAN, right + 2 * LEAN, high),
  ];
}

// The letters of the columns, as rulings name them: a and b before the front ones, c and d over those behind.
function columns() {
  return [...CORNERS].map((letter, corner) => {
    const [x] = middle(0, corner);
    const y = corner < 2 ? ground(0) + 13 : ground(LEVELS - 1) - 2 * TILE[1] - 11;
    return text(x - (corner < 2 ? LEAN / 2 : -LEAN / 2), y, letter, { class: "board-label", "font-size": 20 });
  });
}

function battlements(from, to, y) {
  const count = 7;
  const step = (to - from) / (2 * count - 1);
  return Array.from({ length: count }, (_, i) =>
    s("rect", { class: "tower-stone", x: from + 2 * i * step, y: y - 12, width: step, height: 13, rx: 1.5 }));
}

function floor(level, on, lit, small) {
  const [, y] = middle(level, 0);
  const coin = on(`by level ${level}`).find((piece) => piece.value);
  return [
    s("g", { transform: `translate(32,${y - 6})` },
      s("g", { transform: "scale(1.75)", opacity: faint(coin) ? 0.45 : 1 },
        freePiece({ kind: "coin", face: "value", value: "null" })),
      !small && text(0, 0.5, String(level), { class: "coin-number", "font-size": 20 }), mark(coin, 19)),
    ...[2, 3, 0, 1].map((corner) => tapped(place(level, corner, on, lit), `${level}${CORNERS[corner]}`)),
    ...on(`by level ${level}`).filter((piece) => !piece.value).map((piece) =>
      s("g", { transform: `translate(${LEFT + 2 * TILE[0] + LEAN + 22},${y + 8})` },
        s("g", { transform: "scale(1.6)", opacity: faint(piece) ? 0.45 : 1 }, freePiece({ kind: "coin", face: "suit", suit: "suns" })),
        mark(piece, 18))),
    ...[2, 3, 0, 1].flatMap((corner) => walkers(level, corner, on)),
  ];
}

function tapped(drawn, name) {
  drawn.setAttribute("data-cell", name);
  return drawn;
}

function place(level, corner, on, lit) {
  const name = `${level}${CORNERS[corner]}`;
  const points = corners(level, corner);
  const outline = points.join(" ");
  const tiles = on(name).filter((piece) => piece.kind === "tile");
  const tile = tiles.find((piece) => piece.state !== "ghost") || tiles[0];
  const [x, y] = middle(level, corner);
  if (!tile) return s("polygon", { class: "tower-hole", points: outline });
  const up = tile.face === "front";
  const thick = 7;
  const [a, b, c] = points;
  return s("g", { opacity: faint(tile) ? 0.5 : undefined },
    path(`M${a} L${b} l0,${thick} L${a[0]},${a[1] + thick} Z M${b} L${c} l0,${thick} L${b[0]},${b[1] + thick} Z`, { class: up ? "tile-rim up" : "tile-rim" }),
    s("polygon", { class: up ? "tile-face up" : "tile-face", points: outline }),
    up ? face(tile, x, y) : backSide(points),
    lit.has(name) && s("polygon", { class: "tower-lit", points: outline }),
    mark(tile, 0, points));
}

function face(tile, x, y) {
  if (!tile.suit) return []; // not told while the game is on
  const sign = (at, scale) => s("g", { transform: `translate(${at},${y}) scale(${scale})` }, suit(tile.suit));
  if (tile.value === "null") return sign(x, 1.25);
  if (tile.value === "ace") return [sign(x - 17, 1.25), s("g", { transform: `translate(${x + 17},${y})` }, value("ace", null, 1.2))];
  return [sign(x - 17, 1.25), s("g", { transform: `translate(${x + 17},${y})` }, value(tile.value, null, 1.25))];
}

function backSide([a, b, c, d]) {
  const half = (p, q) => [(p[0] + q[0]) / 2, (p[1] + q[1]) / 2];
  return path(`M${half(a, b)} L${half(d, c)} M${half(a, d)} L${half(b, c)}`, { class: "tile-cross" });
}

function walkers(level, corner, on) {
  const pawns = on(`${level}${CORNERS[corner]}`).filter((piece) => piece.kind === "pawn");
  const [x, y] = middle(level, corner);
  return pawns.map((pawn, i) => pawnAt(pawn, x + (i - (pawns.length - 1) / 2) * 30 + (pawns.length > 1 ? 0 : 40), y));
}

// An upright pawn that stands at (x, y).
function pawnAt(pawn, x, y) {
  return s("g", { transform: `translate(${x},${y})`, opacity: faint(pawn) ? 0.45 : undefined },
    s("ellipse", { cx: 3, cy: 4, rx: 15, ry: 6, class: "pawn-shade" }),
    path("M-12,3 Q-12,-6 -5,-12 L-4,-22 H4 L5,-12 Q12,-6 12,3 Q0,10 -12,3 Z", { class: `pawn-body ${pawn.suit || ""}` }),
    s("circle", { cy: -27, r: 8.5, class: `pawn-body ${pawn.suit || ""}` }),
    s("g", { transform: "translate(0,-3) scale(.75)", class: "pawn-sign" }, suit(pawn.suit, "#ffffff")),
    mark(pawn, 22));
}

function outside(pieces) {
  const y = GROUND + 36;
  const pawns = pieces.filter((piece) => piece.kind === "pawn");
  const tile = pieces.find((piece) => piece.kind === "tile");
  return [
    path(`M10,${GROUND + 12} H${WIDE - 10}`, { class: "tower-ground" }),
    ...pawns.map((pawn, i) => pawnAt(pawn, LEFT + 20 + 46 * i, y + 12)),
    tile && s("g", { transform: `translate(${WIDE - 60},${y})` }, s("g", { transform: "scale(1.1)" }, freePiece(tile)), mark(tile, 30)),
  ].filter(Boolean);
}

// --- the track ---------------------------------------------------------------------------------------------------

function square(number) {
  const row = Math.floor(number / TRACK.columns);
  const step = number % TRACK.columns;
  const column = row % 2 === 0 ? step : TRACK.columns - 1 - step;
  return [TRACK.left + (column + 0.5) * TRACK.cell, TRACK.top + (row + 0.5) * TRACK.high];
}

function track(coins) {
  const taken = new Set(coins.filter((coin) => !faint(coin)).map((coin) => coin.track));
  const squares = Array.from({ length: SQUARES }, (_, number) => {
    const [x, y] = square(number);
    return [
      s("rect", {
        class: TITLES[number] ? "track-square title" : "track-square",
        x: x - TRACK.cell / 2 + 1, y: y - TRACK.high / 2 + 1, width: TRACK.cell - 2, height: TRACK.high - 2, rx: 4,
      }, TITLES[number] && s("title", {}, `${number}: ${TITLES[number]}`)),
      taken.has(number) ? null : text(x, y, String(number), { class: TITLES[number] ? "track-number title" : "track-number" }),
    ];
  });
  return [...squares.flat(), ...coins.map((coin) => {
    const mates = coins.filter((other) => other.track === coin.track);
    const [x, y] = square(coin.track);
    const [right, down] = mates.length > 1 ? SHARED.places[mates.indexOf(coin) % SHARED.places.length] : [0, 0];
    const scale = mates.length > 1 ? SHARED.scale : 1;
    return s("g", { transform: `translate(${x + right},${y + down}) scale(${scale})`, opacity: faint(coin) ? 0.5 : undefined },
      s("circle", { r: 13.5, class: `score-coin ${coin.suit || ""}` }),
      s("g", { transform: "scale(1.05)" }, suit(coin.suit, "#ffffff")), mark(coin, 15));
  })].filter(Boolean);
}

// --- marks and words -----------------------------------------------------------------------------------------------

// Round a piece, or along a tile's edge, what is wrong with it.
function mark(piece, radius, points) {
  const colour = piece && SIGNAL[piece.state];
  if (!colour) return null;
  const line = { fill: "none", stroke: colour, "stroke-width": 4, "stroke-dasharray": piece.state === "missing" ? "9 6" : undefined };
  return points
    ? s("polygon", { points: points.join(" "), ...line })
    : s("circle", { r: radius, ...line });
}

// The tower floor by floor in words, then everything else; with `button(name, words)` every place is one.
export function towerTable(state, words, button = (name, shown) => shown) {
  const pieces = state.pieces.filter((piece) => piece.cell);
  const at = (name) => pieces.filter((piece) => piece.cell.split("/")[0] === name).map(words).join(", ") || "no tile";
  const levels = Array.from({ length: LEVELS }, (_, i) => LEVELS - 1 - i);
  const names = ["front left", "front right", "back left", "back right"];
  const rest = pieces.filter((piece) => !/^\d[a-d](\/|$)/.test(piece.cell) && !piece.cell.startsWith("by level"));
  return h("div", {},
    h("table", { class: "words-table" },
      h("caption", {}, "The tower, level by level"),
      h("thead", {}, h("tr", {}, h("td", {}), names.map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, levels.map((level) => h("tr", {}, h("th", { scope: "row" }, String(level)),
        [...CORNERS].map((corner) => h("td", {}, button(`${level}${corner}`, at(`${level}${corner}`)))))))),
    h("ul", {}, rest.map((piece) => h("li", {}, words(piece)))));
}

