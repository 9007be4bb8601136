// Lawful moves that the table does not show, as buttons: roll, draw, stay, end the turn.

import { h } from "./dom.js";
import { choose, field } from "./widgets.js";

const BUTTONS_MAX = 12; // more are easier to find in a list

export function offerButtons(state, send) {
  const found = [];
  if (state.rolls) {
    found.push(h("button", { type: "button", class: "main-button", onclick: () => send("roll") }, `Roll ${state.rolls}`));
  }
  const { offers } = state;
  const play = (offer) => send("play_move", { move: offer.move });
  if (offers.length <= BUTTONS_MAX) found.push(...offers.map((offer) => h("button", { type: "button", onclick: () => play(offer) }, offer.text)));
  else if (offers.every((offer) => offer.faces.length > 1)) found.push(throwOf(offers, play));
  else found.push(list(offers, play));
  return found;
}

function list(offers, play) {
  const select = h("select", { "aria-label": "What happened" }, offers.map((offer, i) => h("option", { value: String(i) }, offer.text)));
  const enter = h("button", { type: "button", onclick: () => play(offers[Number(select.value)]) }, "Enter");
  return h("div", { class: "field-row" }, select, enter);
}

// A throw of several dice is told die by die.
function throwOf(offers, play) {
  const dice = offers[0].faces.map((_, die) => [...new Set(offers.map((offer) => offer.faces[die]))]);
  const selects = dice.map((faces) => choose(faces.map((face) => [face, face])));
  const shown = () => offers.find((offer) => offer.faces.every((face, die) => face === selects[die].value));
  const fields = selects.map((select, die) => field(`die-${die + 1}`, `Die ${die + 1} shows`, select));
  return h("div", { class: "throw" }, fields, h("button", { type: "button", onclick: () => play(shown()) }, "Enter"));
}
