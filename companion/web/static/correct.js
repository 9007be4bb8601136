// Correct what the camera saw: what really stands on a square.

import { command } from "./api.js";
import { sideOf } from "./colours.js";
import { h } from "./dom.js";
import { ask, attempt, choose, field } from "./widgets.js";

const SIDES = [["N", "north"], ["E", "east"], ["S", "south"], ["W", "west"]];
const DIAGONALS = [["/", "rising  /"], ["\\", "falling  \\"]];
const FACINGS = {
  pyramid: [["NE", "north-east"], ["SE", "south-east"], ["SW", "south-west"], ["NW", "north-west"]],
  scarab: DIAGONALS,
  eye: DIAGONALS,
  anubis: SIDES,
  sphinx: SIDES,
};
const KINDS = {
  khet: ["pyramid", "scarab", "anubis", "pharaoh", "sphinx", "obelisk", "eye"],
  ataxx: ["disc"],
  hexxagon: ["disc"],
};

// Pieces are named by the catalogue's colours, whatever colours this set has: [catalogue's word, word shown].
const SETS = { khet: ["silver", "red"], ataxx: ["black", "white"], hexxagon: ["black", "white"] };

function coloursOf(state) {
  const set = SETS[state.game];
  if (set) return set.map((colour, seat) => [colour, state.seats[seat]?.colour || colour]);
  return [...new Set(state.pieces.map((piece) => piece.colour).filter(Boolean))].map((c) => [c, c]);
}

const catalogued = (colour, state) =>
  SETS[state.game] && colour ? SETS[state.game][sideOf(colour, state.seats)] : colour;

const VALUES = [["null", "null"], ["ace", "ace"], ["2", "2"], ["3", "3"], ["4", "4"], ["5", "5"]];
const SUITS = ["suns", "moons", "crowns", "arms"].map((suit) => [suit, suit]);

// What was said of the table that the dialog was opened over: hands may have moved the piece since.
const tell = (state, said) => command("correct", said, state.number);

// A place of the tower: the tile that lies there, and who stands on it.
async function correctPlace(state, cell) {
  const here = state.pieces.filter((piece) => piece.cell?.split("/")[0] === cell && piece.state !== "ghost");
  const tile = here.find((piece) => piece.kind === "tile") || { face: "none" };
  const pawns = state.pieces.filter((piece) => piece.kind === "pawn" && piece.cell).map((piece) => piece.suit);
  const standing = here.filter((piece) => piece.kind === "pawn").map((piece) => piece.suit);
  const lies = choose([["none", "no tile"], ["back", "a face-down tile"], ["front", "a face-up tile"]], tile.face);
  const suit = choose(SUITS, tile.suit);
  const value = choose(VALUES, tile.value);
  const who = choose([["", "as seen"], ...[...new Set(pawns)].map((name) => [name, `the pawn of ${name}`]), ["nobody", "nobody"]], "");
  const faces = [field("suit", "Suit", suit), field("value", "Value", value)];
  const adapt = () => faces.forEach((shown) => { shown.hidden = lies.value !== "front"; });
  lies.addEventListener("change", adapt);
  adapt();
  const fields = [field("lies", "What lies there", lies), ...faces, field("who", "Who stands there", who)];
  const data = await ask(`Tile ${cell}`, "What really lies here? The referee takes your word for it.", fields, "Correct");
  if (data === null) return;
  const face = data.get("lies");
  const piece = face === "none" ? { kind: "empty" } : { kind: "tile", face };
  if (face === "front") Object.assign(piece, { suit: data.get("suit"), value: data.get("value") });
  const said = [[cell, piece]];
  if (data.get("who") === "nobody") said.push(...standing.map((name) => [`${cell}/${name}`, { kind: "empty" }]));
  else if (data.get("who")) said.push([`${cell}/${data.get("who")}`, { kind: "pawn", suit: data.get("who") }]);
  await attempt(async () => { for (const [at, told] of said) await tell(state, { cell: at, piece: told }); });
}

const COLOURS = ["white", "clear", "red", "orange", "yellow", "green", "cyan", "blue", "purple", "black"];

// Those of the pieces that may lie there, and the one that is seen.
function coloursPlayed(place, state) {
  const all = [...(state.board.colours.length ? state.board.colours : COLOURS), place.colour];
  return [...new Set(all.filter(Boolean))].map((colour) => [colour, colour]);
}

const SIZES = ["large", "medium", "small"].map((size) => [size, size]);
const HEADINGS = [["", "as it is seen"], ["0", "right"], ["45", "up and right"], ["90", "up"], ["135", "up and left"],
  ["180", "left"], ["225", "down and left"], ["270", "down"], ["315", "down and right"]];

const FARTHEST_MM = 5000;

// Where a piece lies, for whoever did not tap there.
function placeFields() {
  const millimetres = (name, words) =>
    field(name, words, h("input", { type: "number", min: -FARTHEST_MM, max: FARTHEST_MM, required: true }));
  return [
    millimetres("x_mm", "Millimetres to the right of the table’s middle, with a minus to the left"),
    millimetres("y_mm", "Millimetres up from there, with a minus down"),
  ];
}

// A piece on a free table, or a place where none is drawn; a place without millimetres is asked for.
export async function correctAt(place, state) {
  const tapped = place.x_mm !== undefined;
  const card = place.kind === "robot_card";
  const kinds = [["empty", "nothing"], ["upright", "a pyramid that stands"], ["lying", "a pyramid that lies"]];
  if (card) kinds.push(["card", "Kaxxt’s card"]);
  const lies = choose(kinds, card ? "card" : place.kind === "pyramid" ? place.pose : tapped ? "empty" : "upright");
  const colour = choose(coloursPlayed(place, state), place.colour);
  const size = choose(SIZES, place.size);
  const heading = choose(HEADINGS, "");
  const looks = [field("colour", "Colour", colour), field("size", "Size", size)];
  const points = field("heading", "It points", heading);
  const adapt = () => {
    looks.forEach((shown) => { shown.hidden = ["empty", "card"].includes(lies.value); });
    points.hidden = !["lying", "card"].includes(lies.value);
  };
  lies.addEventListener("change", adapt);
  adapt();
  const [x, y] = [place.x_mm, place.y_mm].map(Math.round);
  const fields = [...(tapped ? [] : placeFields()), field("lies", "What lies there", lies), ...looks, points];
  const title = tapped ? `At ${x}, ${y} mm` : "A piece that is not drawn";
  const data = await ask(title, "What really lies here? The referee takes your word for it.", fields, "Correct");
  if (data === null) return;
  const pose = data.get("lies");
  const piece = { empty: { kind: "empty" }, card: { kind: "robot_card" } }[pose]
    || { kind: "pyramid", pose, colour: data.get("colour"), size: data.get("size") };
  const at = (name) => (tapped ? place[name] : Number(data.get(name)));
  const said = { x_mm: at("x_mm"), y_mm: at("y_mm"), piece };
  if (!points.hidden && data.get("heading") !== "") said.heading_deg = Number(data.get("heading"));
  else if (pose === "card") said.heading_deg = place.heading_deg || 0; // as it is drawn
  await attempt(() => tell(state, said));
}

export async function correct(state, cell) {
  if (state.board.kind === "tower") {
    await correctPlace(state, cell);
    return;
  }
  const now = state.pieces.find((piece) => piece.cell === cell) || { kind: "empty" };
  const kinds = KINDS[state.game] || [...new Set(state.pieces.map((piece) => piece.kind))];
  const colours = coloursOf(state);
  const kind = choose([["empty", "nothing"], ...kinds.map((k) => [k, k])], now.kind);
  const colour = choose(colours, catalogued(now.colour, state));
  const facing = h("select", {});
  const colourField = field("colour", "Colour", colour);
  const facingField = field("facing", "Facing", facing);
  const adapt = () => {
    const ways = FACINGS[kind.value] || [];
    facing.replaceChildren(...ways.map(([k, words]) => h("option", { value: k, selected: k === now.facing }, words)));
    colourField.hidden = kind.value === "empty";
    facingField.hidden = ways.length === 0;
  };
  kind.addEventListener("change", adapt);
  const fields = [field("kind", "What stands there", kind), colourField, facingField];
  adapt();
  const data = await ask(`Square ${cell}`, "What really stands here? The referee takes your word for it.", fields, "Correct");
  if (data === null) return;
  const piece = { kind: data.get("kind") };
  if (piece.kind !== "empty") piece.colour = data.get("colour") || undefined;
  if (FACINGS[piece.kind]) piece.facing = data.get("facing");
  await attempt(() => tell(state, { cell, piece }));
}
