// The end of a game: who won and why, and where the next one is begun; said once.

import { bare, h } from "./dom.js";

export const startLink = (words) => h("a", { class: "button main-button", href: "/new" }, words);

export const resultLines = (result, host) => [
  h("h2", {}, result.head), h("p", {}, result.text), host && h("p", {}, startLink("Play another game")),
].filter(Boolean);

// True when why the referee waits stands elsewhere on the page.
export const saidAlready = ({ waiting, sight_text: sight, ruling, result, question }) =>
  [sight, ruling?.remedy, result?.text, question?.text].some((text) => bare(text) === bare(waiting.why));
