// Lawful moves that the table does not show, as buttons: roll, draw, stay, end the turn.

import { h } from "./dom.js";

const BUTTONS_MAX = 12; // more are easier to find in a list

export function offerButtons(state, send) {
  const found = [];
  if (state.rolls) {
    found.push(h("button", { type: "button", class: "main-button", onclick: () => send("roll") }, `Roll ${state.rolls}`));
  }
  const offers = state.offers || [];
  const play = (offer) => send("play_move", { move: offer.move });
  if (offers.length > BUTTONS_MAX) found.push(list(offers, play));
  else found.push(...offers.map((offer) => h("button", { type: "button", onclick: () => play(offer) }, offer.text)));
  return found;
}

function list(offers, play) {
  const select = h("select", { "aria-label": "What happened" }, offers.map((offer, i) => h("option", { value: String(i) }, offer.text)));
  const enter = h("button", { type: "button", onclick: () => play(offers[Number(select.value)]) }, "Enter");
  return h("div", { class: "field-row" }, select, enter);
}
