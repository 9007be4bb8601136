// Draws whatever board a state has, and tells it in words beside the drawing.

import { h, s } from "./dom.js";
import { freeBoard } from "./free_board.js";
import { cellName, gridBoard } from "./grid_board.js";
import { hexBoard, hexNames } from "./hex_board.js";
import { holdsDiscs } from "./other_pieces.js";
import { towerBoard, towerTable } from "./tower_board.js";

const DRAW = { grid: gridBoard, hex: hexBoard, free: freeBoard, tower: towerBoard };

// The state as it was after one line of the record, as far as that tells.
export function asItWas(state, ply) {
  const cards = state.cards.map((card) => {
    const value = ply.scores[card.seat] ?? "";
    const out = card.out && !(value > 0);
    return { ...card, value, change: 0, text: "", due: "", out, past: true }; // what else it says is of now
  });
  return { ...state, pieces: ply.pieces, beams: ply.beams, cards, last_cells: [], covered: [], to_move: null, result: null };
}

// A small picture beside words that say the same: without labels, numbers and scale.
export function drawSmall(root, state, view) {
  root.classList.toggle("discs", holdsDiscs(state));
  if (DRAW[state.board?.kind]) DRAW[state.board.kind](root, state, { ...view, small: true });
}

// view: {turned, animate, zoom, centre, photo, small}
export function drawBoard(root, state, view) {
  if (!state.board || !DRAW[state.board.kind]) return;
  root.classList.toggle("discs", holdsDiscs(state)); // whatever was drawn before
  root.classList.toggle("tall", state.board.kind === "tower");
  DRAW[state.board.kind](root, state, view);
  root.prepend(s("title", { id: `${root.id}-title` }, boardWords(state)));
  root.setAttribute("role", "img");
  root.setAttribute("aria-labelledby", `${root.id}-title`);
}

function boardWords(state) {
  const count = state.pieces.filter((piece) => piece.state !== "ghost").length;
  const wrong = state.pieces.filter((piece) => piece.state && piece.state !== "ghost").length;
  const trouble = wrong ? `, ${wrong} of them not as they should be` : "";
  return `${state.title || "The table"}: ${count} ${count === 1 ? "piece" : "pieces"}${trouble}. The table below the board lists them.`;
}

function pieceWords(piece) {
  const state = {
    missing: "missing: ", wrong: "wrong: ", turned: "turned: ", extra: "too many: ", ghost: "to be taken away: ",
  }[piece.state] || "";
  const parts = [piece.count > 1 ? `${piece.count} stacked` : "", piece.colour, piece.size, piece.suit, piece.value,
    piece.kind, piece.pose === "lying" ? "lying" : "", piece.facing ? `facing ${facing(piece.facing)}` : ""];
  return state + (piece.words || parts.filter(Boolean).join(" "));
}

const facing = (word) => ({ "/": "rising diagonal", "\\": "falling diagonal" })[word] || word;

// The board as a table of words; with `onCell` every cell is a button.
export function boardTable(state, onCell, corrects = true, onPiece = null) {
  const doing = corrects ? "Correct" : "Show where it can go";
  const board = state.board || {};
  if (board.kind === "free" || !board.kind) return pieceList(state, onPiece);
  if (board.kind === "tower") {
    return towerTable(state, pieceWords, onCell ? (name, words) => cellButton(name, words, onCell, doing) : undefined);
  }
  const [byCell, marked, under] = [new Map(state.pieces.map((p) => [p.cell, p])), new Map(board.marked), new Set(state.covered)];
  const words = (name) => [
    byCell.has(name) ? pieceWords(byCell.get(name)) : marked.get(name) || "empty", under.has(name) && "covered",
  ].filter(Boolean).join(", ");
  if (board.kind === "hex") {
    return cellList(hexNames(board.rows).filter((name) => onCell || byCell.has(name) || under.has(name)), words, onCell, doing);
  }
  const files = Array.from({ length: board.cols }, (_, i) => i);
  const ranks = Array.from({ length: board.rows }, (_, i) => board.rows - 1 - i);
  return h("table", { class: "words-table" },
    h("caption", {}, "The board, rank by rank"),
    h("thead", {}, h("tr", {}, h("td", {}), files.map((f) => h("th", { scope: "col" }, cellName(f, 0)[0])))),
    h("tbody", {}, ranks.map((rank) => h("tr", {}, h("th", { scope: "row" }, String(rank + 1)),
      files.map((file) => {
        const name = cellName(file, rank);
        return h("td", {}, onCell ? cellButton(name, words(name), onCell, doing) : words(name));
      })))));
}

function cellButton(name, words, onCell, doing) {
  return h("button", { type: "button", class: "plain", "aria-label": `${name}: ${words}. ${doing}`, onclick: () => onCell(name) },
    words);
}

function cellList(names, words, onCell, doing) {
  return h("ul", { class: "words-list" }, names.map((name) =>
    h("li", {}, `${name}: `, onCell ? cellButton(name, words(name), onCell, doing) : words(name))));
}

const far = (mm = 0, ahead, back) => `${Math.abs(Math.round(mm))} mm ${mm < 0 ? back : ahead}`;

// With `onPiece` every piece is a button, and so is one that is not drawn, for whoever cannot tap the bare table.
function pieceList(state, onPiece) {
  const other = onPiece && h("button", { type: "button", class: "small", id: "undrawn", onclick: () => onPiece({ kind: "empty" }) }, "A piece that is not drawn");
  if (!state.pieces.length) return h("div", {}, h("p", {}, "No piece is on the table."), other);
  const list = h("ul", { class: "words-list" }, state.pieces.map((piece) => {
    const words = `${pieceWords(piece)}, ${far(piece.x_mm, "right", "left")}, ${far(piece.y_mm, "up", "down")}`;
    return h("li", {}, onPiece
      ? h("button", { type: "button", class: "plain", "aria-label": `${words}. Correct`, onclick: () => onPiece(piece) }, words)
      : words);
  }));
  return h("div", {}, list, other);
}
