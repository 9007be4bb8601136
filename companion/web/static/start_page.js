// The screen beside the table: what is going on, under the QR code.

import { byId, say } from "./dom.js";
import { Live } from "./live.js";

new Live((state) => {
  say(byId("now-title"), state.phase === "idle" ? "No game is running" : state.title || "A game is running");
  const seat = state.seats?.[state.to_move];
  const turn = seat && state.phase === "play" ? `${seat.name} to move. ` : "";
  say(byId("now-waiting"), `${turn}${state.result?.text || state.waiting?.text || ""}`);
}, (linked) => {
  if (!linked) say(byId("now-waiting"), "The connection is lost; trying again.");
});
