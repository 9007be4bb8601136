// How taking back is asked for. `to`: the action after which play goes on, none for the last one; `ended`: players ended
// the game by what they said, and that alone is taken back.

import { ask } from "./widgets.js";

export function undoWords(to, ended) {
  if (to === 0) return "Undo all actions";
  if (to) return `Undo to after action ${to}`;
  return ended ? "Undo the end" : "Undo the last action";
}

export const sureToUndo = (to, ended) => ask("Undo?", `${takenBack(to, ended)} ${then(to, ended)}`, [], "Undo");

function takenBack(to, ended) {
  if (to === 0) return "All actions are taken back.";
  if (to) return `Everything after action ${to} is taken back.`;
  return ended ? "The end is taken back." : "The last action is taken back.";
}

const then = (to, ended) => (to === undefined && ended ? "Play goes on as the pieces stand." : "The referee then says how the pieces must stand.");
