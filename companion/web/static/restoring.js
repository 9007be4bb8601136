// An exported game goes back to the companion in pieces, so that no request is large.

import { newKey, post } from "./api.js";

const SIGNS = 15_999; // one less than a piece may have: a sign that is two for JavaScript stays whole
const PIECES = 500;
const PACE_MS = 110; // the companion takes ten changes a second
const PATIENCE_MS = 1000; // where that was too fast all the same

function piecesOf(text) {
  const pieces = [];
  for (let at = 0; at < text.length;) {
    let end = Math.min(at + SIGNS, text.length);
    if (/[\ud800-\udbff]/.test(text[end - 1])) end += 1;
    pieces.push(text.slice(at, end));
    at = end;
  }
  return pieces.length ? pieces : [""];
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function patiently(body) {
  for (;;) {
    try {
      return await post("/api/restore", body);
    } catch (error) {
      if (error.name !== "too-fast") throw error;
      await pause(PATIENCE_MS);
    }
  }
}

// {game: its number, new: whether it was not there already}
export async function bringBack(text) {
  const [pieces, upload] = [piecesOf(text), newKey()];
  if (pieces.length > PIECES) throw new Error("This file is too large for an exported game.");
  let answer = null;
  for (const [part, piece] of pieces.entries()) {
    if (part) await pause(PACE_MS);
    answer = await patiently({ upload, part, parts: pieces.length, text: piece });
  }
  return answer;
}
