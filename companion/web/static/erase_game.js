// The host erases a game that was played here, and takes that back while the page is open.

import { command, text } from "./api.js";
import { byId, show } from "./dom.js";
import { bringBack } from "./restoring.js";
import { ask, attempt } from "./widgets.js";

const game = byId("replay-page").dataset.game;

// What is erased stays with this page alone, until it is left.
let kept = null;

byId("erase").addEventListener("click", async () => {
  const words = "It goes for everybody and for good, with the names of its players. "
    + "Save it as JSON first if you may want it again.";
  if (!(await ask("Erase this game?", words, [], "Erase", true))) return;
  await attempt(async () => {
    kept = await text(`/api/games/${game}/export.json`);
    await command("erase_game", { number: Number(game) });
    for (const [id, visible] of [["erase", false], ["bring-back", true], ["erased", true]]) show(byId(id), visible);
    if (byId("go-on-card")) show(byId("go-on-card"), false);
  });
});

byId("bring-back").addEventListener("click", async () => {
  const back = await attempt(() => bringBack(kept));
  if (back) location.replace(`/games/${back.game}`);
});
