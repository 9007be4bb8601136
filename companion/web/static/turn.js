// Whose turn it is, or how far the game is, and how well the table is seen; in the name of the window, too.

import { sightWord } from "./announce.js";
import { byId, h } from "./dom.js";
import { icon, seatSign } from "./widgets.js";

// `mine`: the seat that this phone plays, or null; `linked`: to the companion
export function turnLines(state, mine, linked) {
  const sight = linked ? state.sight : "away";
  const seat = state.seats[state.to_move];
  const words = h("div", { class: "whose" });
  if (state.phase === "over") words.append(h("div", { class: "who" }, "The game is over"));
  else if (state.phase === "set-up") words.append(h("div", { class: "who" }, "Setting up"));
  else if (seat) words.append(h("div", { class: "who" }, `${seat.name} to move`));
  else words.append(h("div", { class: "who" }, state.phase === "idle" ? "No game is running" : "Wait"));
  const yours = seat && mine === state.to_move && state.phase === "play";
  if (yours) words.append(h("div", { class: "yours" }, "Your turn"));
  else if (seat?.player) words.append(h("div", { class: "player" }, h("bdi", {}, seat.player)));
  document.title = yours ? "Your turn" : seat ? `${seat.name} to move` : ended(state) || "The table";
  byId("turn").replaceChildren(...[
    seat && state.phase === "play" ? seatSign(seat, state.to_move) : null,
    words,
    h("div", { class: "see", "data-sight": sight }, icon(sight), h("span", {}, sightWord(sight))),
  ].filter(Boolean));
}

const ended = ({ phase, result }) => (phase === "over" && result ? result.head : "");
