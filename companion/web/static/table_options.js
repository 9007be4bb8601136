// The host chooses otherwise for the table while a game is on it: whose dice, what a table that is put back means ...

import { command, get } from "./api.js";
import { byId } from "./dom.js";
import { optionControl, valueOf } from "./option_control.js";
import { ask, attempt } from "./widgets.js";

export async function changeOptions(newest) {
  const games = await attempt(() => get("/api/choices"));
  if (byId("dialog").open) return; // by another tap meanwhile
  const state = newest(); // another game may have begun meanwhile
  const known = games?.find((game) => game.name === state.game)?.options ?? [];
  const offered = known.filter((option) => option.table && option.name !== "quiet"); // which has its own button
  if (!offered.length) return;
  const now = Object.fromEntries(state.options);
  const controls = offered.map((option) => optionControl(option, now[option.name]));
  if (!(await ask("Options of the table", "They hold from now on.", controls, "Change"))) return;
  const changed = offered.map((option) => [option.name, valueOf(option)]).filter(([name, value]) => value !== now[name]);
  if (changed.length) await attempt(() => command("set_options", { options: Object.fromEntries(changed) }));
}
