// What is new, for those who do not look: read out by a screen reader, and by the phone's own voice.

import { bare, byId, say } from "./dom.js";
import { waitedFor } from "./now.js";

const SIGHT = {
  seeing: "Seeing", hand: "Hand in view", lost: "Not seeing", dark: "Too dark", moved: "Camera moved",
  frozen: "Camera stuck", "no camera": "No camera", starting: "Starting", away: "No connection",
};
export const sightWord = (word) => SIGHT[word] || word;

// `speaks`: with the phone's own voice, too.
export function announce(before, state, speaks) {
  const news = [];
  const differs = (name) => before !== null && JSON.stringify(before[name]) !== JSON.stringify(state[name]);
  if (differs("last_text") && state.last_text) news.push(state.last_text);
  if (differs("result") && state.result) news.push(state.result.text);
  else if (differs("question") && state.question) news.push(`${state.question.text} ${answers(state.question)}`);
  else if (differs("waiting") && state.waiting.text) news.push(waitedFor(state.waiting));
  if (differs("draw_text") && state.draw_text) news.push(state.draw_text);
  if (differs("chosen_anew") && state.chosen_anew) news.push(state.chosen_anew);
  const watched = ["set-up", "play"].includes(state.phase); // hands that put the pieces away afterwards tell nothing
  if (differs("sight") && watched && state.sight !== "seeing") news.push(state.sight_text || sightWord(state.sight));
  if (news.length) say(byId("announce"), news.join(" "));
  const ruling = state.ruling ? `Not allowed. ${state.ruling.text} ${state.ruling.remedy || ""}` : "";
  say(byId("ruled"), ruling);
  if (speaks && before !== null) {
    if (differs("ruling") && ruling) speak(ruling);
    else if (differs("last_text") || differs("result")) speak(news.join(" "));
  }
}

const answers = (question) => question.choices.map((choice) => bare(choice.text)).join(", or ") + "?";

export function speak(text) {
  if (!("speechSynthesis" in window) || !text) return;
  speechSynthesis.cancel();
  speechSynthesis.speak(new SpeechSynthesisUtterance(text));
}
