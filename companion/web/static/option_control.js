// An option of a game or of the table, to be chosen: a switch or a list, with the sentence that says what it means.

import { byId, capital, h } from "./dom.js";

const spoken = (words) => capital(words.replaceAll("_", " "));

const idOf = ({ name }) => `option-${name}`;

export const isSwitch = ({ choices }) => choices.length === 2 && choices.every((choice) => typeof choice === "boolean");

export const selectOf = (option) => byId(idOf(option));

// What is chosen for an option that is on the page, with its own type.
export function valueOf(option) {
  const chosen = byId(idOf(option));
  return isSwitch(option) ? chosen.checked : option.choices[Number(chosen.value)];
}

export function optionControl(option, now) {
  const id = idOf(option);
  const rule = option.rule ? ` (${option.rule})` : "";
  const about = h("p", { class: "quiet-text", id: `${id}-about` }, `${option.meaning}${rule}`);
  if (isSwitch(option)) {
    const box = h("input", { type: "checkbox", id, "aria-describedby": `${id}-about` });
    box.checked = now;
    return h("div", {}, h("label", { class: "check", for: id }, box, spoken(option.label)), about);
  }
  const select = h("select", { id, "aria-describedby": `${id}-about` },
    option.choices.map((choice, index) => h("option", { value: index, selected: choice === now }, spoken(option.said[index]))));
  return h("div", { class: "field" }, h("label", { for: id }, spoken(option.label)), select, about);
}
