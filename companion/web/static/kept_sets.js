// The sets that were taught and are kept under names: to use one, name it anew, delete it and bring it back.

import { command } from "./api.js";
import { byId, changes, h, show, when } from "./dom.js";
import { ask, attempt, field } from "./widgets.js";

const keep = (step, more) => attempt(() => command("keep_sets", { step, ...more }));

byId("keep-set").addEventListener("click", async () => {
  const name = await named("Keep this set?", "It can be used again after another one was learned.", "Keep");
  if (name) await keep("keep", { name });
});

async function named(title, text, yes, now = "") {
  const input = h("input", { maxlength: 40, required: true, autocomplete: "off", value: now });
  const data = await ask(title, text, [field("name", "Name of the set", input)], yes);
  return data?.get("name");
}

async function rename({ id, name: now }) {
  const name = await named("Another name?", "", "Rename", now);
  if (name) await keep("rename", { set: id, name });
}

const changed = changes();

export function drawSets(sets, keeps) {
  show(byId("keep-set"), keeps && !sets.some(({ used }) => used));
  show(byId("kept"), sets.length > 0);
  if (!changed("sets", sets)) return;
  byId("kept-sets").replaceChildren(...sets.map((one) => h("li", {},
    h("span", { class: "kept-name" }, one.deleted ? h("s", {}, one.name) : one.name),
    h("span", { class: "quiet-text" }, about(one)),
    h("div", { class: "buttons" }, buttons(one)))));
}

function about({ learned, version, used, deleted }) {
  const date = learned ? `learned ${when(learned)}, ` : "";
  return `${deleted ? "deleted; " : used ? "in use; " : ""}${date}version ${version}`;
}

function buttons(one) {
  const button = (words, step) => h("button", { type: "button", class: "small", "aria-label": `${words}: ${one.name}`, onclick: step }, words);
  const doing = (step) => () => keep(step, { set: one.id });
  if (one.deleted) return [button("Bring back", doing("restore"))];
  const others = one.used ? [] : [button("Use", doing("use")), button("Delete", doing("delete"))];
  return [button("Rename", () => rename(one)), ...others];
}
