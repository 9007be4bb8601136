// The host goes on with a game that was closed before its end; another one that is on ends without a result.

import { command, get } from "./api.js";
import { byId } from "./dom.js";
import { ask, attempt } from "./widgets.js";

const number = Number(byId("replay-page").dataset.game);

function warning(now) {
  const lies = "Put the pieces as they stood when it was closed: the table page says what lies otherwise.";
  if (!["play", "set-up"].includes(now.phase)) return lies;
  return `${now.title} is ${now.phase === "play" ? "being played" : "being set up"}: that game ends without a result. ${lies}`;
}

// What cannot be gone on with is told before anything is asked.
async function table() {
  await get(`/api/games/${number}/go-on`);
  return get("/api/state");
}

// Others may begin a game while the host reads: the one that ends is the one that was told of.
async function agreed() {
  for (let told = null; ;) {
    const now = await attempt(table);
    if (!now) return false;
    const on = JSON.stringify([now.game_number, now.phase]);
    if (on === told) return true;
    told = on;
    if (!(await ask("Go on with this game?", warning(now), [], "Go on"))) return false;
  }
}

byId("go-on").addEventListener("click", async () => {
  if (!(await agreed())) return;
  const done = await attempt(() => command("go_on_with", { number }));
  if (done !== undefined) location.assign("/game");
});
