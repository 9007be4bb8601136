// What was refused, its rule, how it is put right, and what the host may let stand.

import { get } from "./api.js";
import { h } from "./dom.js";
import { attempt } from "./widgets.js";

const opened = new Set(); // rulings whose rule is shown

// letStand.action and letStand.table are what the host's buttons do
export function rulingLines(ruling, host, letStand) {
  const words = h("blockquote", { id: "rule-words" }, ruling.rule_text || "…");
  words.hidden = !opened.has(key(ruling));
  const button = (said, act) => h("button", { type: "button", class: "small", onclick: act }, said);
  return [
    h("h2", { id: "ruling-head" }, "Not allowed"),
    h("p", {}, ruling.text),
    ruling.remedy && h("p", { class: "remedy" }, ruling.remedy),
    h("div", { class: "buttons" }, ruling.rule && whyButton(ruling, words),
      host && ruling.allows === "action" && button("We allow it", letStand.action),
      host && ruling.allows === "table" && button("Go on from this", letStand.table)),
    h("p", {}, `Was a piece seen wrongly? ${host ? "Tap it on the board and say what it is." : "The host can say what it is."}`),
    h("p", { class: "rule-number" }, ruling.rule ? `Rule ${ruling.rule}` : ""),
    words,
  ].filter(Boolean);
}

const key = (ruling) => ruling.rule + ruling.text;

function whyButton(ruling, words) {
  const why = h("button", { type: "button", class: "small", "aria-expanded": String(!words.hidden), "aria-controls": "rule-words" }, "Why?");
  why.addEventListener("click", async () => {
    words.hidden = !words.hidden;
    why.setAttribute("aria-expanded", String(!words.hidden));
    if (words.hidden) opened.delete(key(ruling));
    else opened.add(key(ruling));
    if (!ruling.rule_text) {
      const rule = await attempt(() => get(`/api/rule?number=${encodeURIComponent(ruling.rule)}`));
      if (rule) words.textContent = rule.text;
    }
  });
  return why;
}
