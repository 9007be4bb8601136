// The screen beside the table: what is going on, under the QR code.

import { byId, capital, say } from "./dom.js";
import { Live } from "./live.js";

// What is waited for (whose move it is, say) and the next thing to do.
function now({ result, waiting = {} }) {
  const next = waiting.why || waiting.steps?.find((step) => !step.done)?.text;
  return result?.text || [waiting.text, next].filter(Boolean).map((text) => capital(text).replace(/[.]?$/, ".")).join(" ");
}

new Live((state) => {
  say(byId("now-title"), state.phase === "idle" ? "No game is running" : state.title || "A game is running");
  say(byId("now-waiting"), now(state));
}, (linked) => {
  if (!linked) say(byId("now-waiting"), "The connection is lost; trying again.");
});
