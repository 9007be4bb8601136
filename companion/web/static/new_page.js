// Choose a game and its options; each option says what it means.

import { command, get } from "./api.js";
import { drawBoard } from "./board.js";
import { byId, h, say, show } from "./dom.js";
import { isSwitch, optionControl, selectOf, valueOf } from "./option_control.js";
import { attempt, toast } from "./widgets.js";

let offered = []; // the options of the game that is chosen
let kept = {}; // what the game that was started last was started with, and what the host has said since

// A game is offered as it was played last, another one with what holds for the table, whatever is played on it.
const first = ({ name, table, choices: all, default: usual }) => ((table || isSame()) && all.includes(kept[name]) ? kept[name] : usual);

const picked = () => Object.fromEntries(offered.map((option) => [option.name, valueOf(option)]));

// What does not go with what is chosen above it is not offered; where that was chosen before, the usual is.
function limit() {
  const above = {};
  for (const option of offered) {
    const unfit = (option.unfit || []).filter(({ name, value }) => above[name] === value).map(({ choice }) => choice);
    const fits = (index) => !unfit.includes(option.choices[index]);
    if (!isSwitch(option)) {
      const select = selectOf(option);
      for (const line of select.options) line.hidden = line.disabled = !fits(line.index);
      const usual = option.choices.indexOf(option.default);
      if (!fits(select.selectedIndex)) select.selectedIndex = fits(usual) ? usual : option.choices.findIndex((_, at) => fits(at));
    }
    above[option.name] = valueOf(option);
  }
}

const chosen = () => choices[Number(byId("game").value)];
const isSame = () => (state?.game ? chosen().name === state.game : Boolean(chosen().last));

function draw(game) {
  offered = game.options;
  byId("options").replaceChildren(...offered.map((option) => optionControl(option, first(option))));
  limit();
  preview();
}

let asked = 0;

// The starting position as it is going to be asked for.
async function preview() {
  asked += 1;
  const number = asked;
  const query = new URLSearchParams({ game: chosen().name });
  for (const [name, value] of Object.entries(picked())) query.set(name, typeof value === "boolean" ? (value ? "yes" : "no") : value);
  const set = await attempt(() => get(`/api/preview?${query}`));
  if (!set || number !== asked) return;
  drawBoard(byId("preview"), set, { turned: false, animate: false });
}

let told = ""; // the game that is on, of which the page has told

// That starting another game ends the one that is on; "" where that was said, or none is. Others may begin one meanwhile.
function warned(now) {
  if (!["play", "set-up"].includes(now?.phase)) return "";
  const game = JSON.stringify([now.game, now.options, now.phase]);
  if (game === told) return "";
  told = game;
  const running = now.phase === "play" ? "A game is running" : `${now.title || "A game"} is being set up`;
  const words = `${running}: starting another one ends it without a result.`;
  say(byId("note"), words);
  show(byId("note"), true);
  return words;
}

const choices = (await attempt(() => get("/api/choices"))) || [];
const me = (await attempt(() => get("/api/me"))) || { role: "watcher" };
const state = await attempt(() => get("/api/state"));
byId("game").replaceChildren(...choices.map((game, index) => h("option", { value: index }, game.title)));
byId("game").addEventListener("change", () => draw(chosen()));
byId("options").addEventListener("change", () => {
  limit();
  preview();
});
// the one that is on, or is over; at a table without any, the one that was played last
const again = Math.max(0, choices.findIndex((game) => (state?.game ? game.name === state.game : game.last)));
// what was left to the table is left to it again; quiet may have been switched since
const now = state?.game ? Object.fromEntries(state.options) : {};
kept = { ...now, ...choices[again]?.last, quiet: Boolean(state?.quiet) };
if (choices.length) {
  byId("game").value = String(again);
  draw(choices[again]);
}
byId("go").disabled = me.role !== "host" || choices.length === 0;
if (me.role !== "host") {
  byId("note").replaceChildren("Only the host starts a game. ", h("a", { href: "/host" }, "Enter the PIN"), ".");
  show(byId("note"), true);
} else {
  warned(state);
}
// by the way back, and started anew: the button is spent, and who the phone is may have changed
addEventListener("pageshow", (event) => event.persisted && location.reload());
byId("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  byId("go").disabled = true; // a second tap would start a second game
  const words = warned(await get("/api/state").catch(() => null));
  if (words) {
    toast(words);
    byId("go").disabled = false;
    return;
  }
  const done = await attempt(() => command("new_game", { game: chosen().name, options: picked() }));
  if (done !== undefined) location.assign("/game");
  else byId("go").disabled = false;
});
