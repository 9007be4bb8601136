// The host chooses otherwise for the table while a game is on it: whose dice, what a table that is put back means ...

import { command, get } from "./api.js";
import { h } from "./dom.js";
import { ask, attempt, choose, field } from "./widgets.js";

const SWITCH = { false: "No", true: "Yes" };

function control({ name, label, choices, said, meaning }, now) {
  const words = choices.map((choice, index) => [index, SWITCH[choice] ?? said[index]]);
  const select = choose(words, choices.indexOf(now[name]));
  select.setAttribute("aria-describedby", `about-${name}`);
  return [field(name, label, select), h("p", { class: "quiet-text", id: `about-${name}` }, meaning)];
}

export async function changeOptions(state) {
  const games = await attempt(() => get("/api/choices"));
  const known = games?.find((game) => game.name === state.game)?.options ?? [];
  const offered = known.filter((option) => option.table && option.name !== "quiet"); // which has its own button
  if (!offered.length) return;
  const now = Object.fromEntries(state.options);
  const data = await ask("Options of the table", "They hold from now on.", offered.map((option) => control(option, now)), "Change");
  if (!data) return;
  const chosen = offered.map(({ name, choices }) => [name, choices[Number(data.get(name))]]);
  const changed = chosen.filter(([name, value]) => value !== now[name]);
  if (changed.length) await attempt(() => command("set_options", { options: Object.fromEntries(changed) }));
}
