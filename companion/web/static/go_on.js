// The host goes on with a game that was closed before its end; another one that is on ends without a result.

import { command, get } from "./api.js";
import { byId } from "./dom.js";
import { ask, attempt } from "./widgets.js";

const number = Number(byId("replay-page").dataset.game);

function words(now) {
  const lies = "The table is asked for as it was then, and it is said what lies otherwise.";
  if (!["play", "set-up"].includes(now.phase)) return lies;
  return `${now.title} is ${now.phase === "play" ? "being played" : "being set up"}: that game ends without a result. ${lies}`;
}

byId("go-on").addEventListener("click", async () => {
  const now = await attempt(() => get("/api/state"));
  if (!now || !(await ask("Go on with this game?", words(now), [], "Go on"))) return;
  const done = await attempt(() => command("go_on_with", { number }));
  if (done !== undefined) location.assign("/game");
});
