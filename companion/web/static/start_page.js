// The screen beside the table: what is going on, under the QR code.

import { byId, capital, say } from "./dom.js";
import { Live } from "./live.js";

// What is waited for (whose move it is, say) and the next thing to do.
function now({ result, waiting }) {
  const next = waiting.why || waiting.steps.find((step) => !step.done)?.text;
  const told = result ? [result.text] : [waiting.text, next];
  return told.filter(Boolean).map((text) => capital(text).replace(/[^.!?:]$/, "$&.")).join(" ");
}

let state = null;
let linked = true;

function draw() {
  if (state !== null) say(byId("now-title"), state.phase === "idle" ? "No game is running" : state.title || "A game is running");
  if (state !== null || !linked) say(byId("now-waiting"), linked ? now(state) : "The connection is lost; trying again.");
}

new Live((next) => {
  state = next;
  draw();
}, (found) => {
  linked = found;
  draw();
});
