// Where a tapped piece can go, as the referee told: marks on the cells, and a line of words.

import { s } from "./dom.js";

// the entry of the tapped cell; undefined when its piece can go nowhere now
export const reachOf = (state, cell) => state.reach.find((entry) => entry.cell === cell);

export function markReach(root, entry) {
  const marks = [[entry.cell, "from"], ...entry.drops.map((cell) => [cell, "drop"]),
    ...entry.moves.map((cell) => [cell, "move"])];
  for (const [cell, kind] of marks) {
    root.querySelector(`[data-cell="${CSS.escape(cell)}"]`)?.append(sign(kind));
  }
}

// a new piece is a full dot, a piece that goes there an open one
function sign(kind) {
  const radius = { from: 45, drop: 15, move: 17 }[kind];
  return s("circle", { r: radius, class: `reach ${kind}`, "pointer-events": "none" });
}

export function reachWords(entry, corrects) {
  const parts = [];
  if (entry.drops.length) parts.push(`a new piece on ${entry.drops.join(", ")}`);
  if (entry.moves.length) parts.push(`go to ${entry.moves.join(", ")}`);
  const again = corrects ? ` Tap ${entry.cell} again to correct what was seen there.` : "";
  return `From ${entry.cell}: ${parts.join("; or ")}.${again}`;
}
