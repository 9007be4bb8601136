// What lies on no table: shields, hands, captures, the bag, the array. Every card is a line that is always in view.

import { h, s } from "./dom.js";
import { seatShades, shades } from "./colours.js";

const TIP = { large: 19, medium: 15, small: 11 }; // half the width of a pyramid's sign
const PALE = ["white", "clear"]; // whose outline would not be seen on paper ...
const DARK = ["black"]; // ... or on slate
const LETTER = { clear: "l", black: "k", gray: "a", pink: "i" }; // as in the notation; else the first letter

export function cardList(state) {
  return state.cards.map((card) => h("li", { class: cardClass(state, card) },
    h("div", { class: "card-head" },
      dot(state, card), h("span", { class: "card-name" }, card.name),
      card.value !== undefined && figure(card)),
    (card.text || card.due) && h("div", { class: "card-text" }, [card.text, card.due].filter(Boolean).join("; ")),
    card.most && isShield(card) && meter(card),
    card.tokens.length > 0 && ring(card)));
}

// A shield runs down from its most; a count of captures has a token for each.
const isShield = (card) => card.tokens.every((token) => token.state === "hand");

function cardClass(state, card) {
  const turn = card.seat !== undefined && card.seat === state.to_move && state.phase === "play";
  return ["sheet", turn && "on-turn", card.out && "gone", card.tokens.length > 6 && "wide",
    card.past && "past", card.value === "" && "untold"].filter(Boolean).join(" ");
}

function dot(state, card) {
  if (card.seat === undefined) return null;
  const [, body] = seatShades(state.seats[card.seat] || {}, card.seat);
  return s("svg", { viewBox: "0 0 12 12", class: "card-dot", "aria-hidden": "true" },
    s("circle", { cx: 6, cy: 6, r: 5, fill: body, stroke: "currentColor", "stroke-width": 0.8 }));
}

function figure(card) {
  const change = card.change ? ` ${card.change > 0 ? "+" : "−"}${Math.abs(card.change)}` : "";
  return h("span", { class: "card-value" }, change && h("em", { class: card.change > 0 ? "up" : "down" }, `${change} `),
    `${card.value}`, card.most && h("span", { class: "card-most" }, `/${card.most}`));
}

function meter(card) {
  const share = Math.max(0, Math.min(1, card.value / card.most));
  return s("svg", { class: `meter${share <= 0.34 ? " low" : ""}`, viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" },
    s("rect", { class: "meter-fill", width: 100 * share, height: 8 }));
}

function ring(card) {
  return h("ul", { class: "tokens", "aria-label": card.name }, card.tokens.map((token) =>
    h("li", { class: `token ${token.state}`, title: token.words }, sign(token),
      h("span", { class: "unseen" }, token.words),
      token.count !== undefined && h("span", { class: "token-count", "aria-hidden": "true" }, `${token.count}`))));
}

const gap = (colour, body, dark) => (DARK.includes(colour) ? "var(--soft)" : PALE.includes(colour) ? dark : body);

// A pyramid seen from above; one that is missing is drawn by its outline.
function sign(token) {
  const [light, body, dark, edge] = shades(token.colour);
  const r = TIP[token.size] || TIP.large;
  const there = token.state !== "need" && token.state !== "out";
  const letter = LETTER[token.colour] || token.colour[0];
  return s("svg", { viewBox: "-22 -22 44 44", class: "token-sign", "aria-hidden": "true" },
    there
      ? s("g", { stroke: edge, "stroke-width": 1.5, "stroke-linejoin": "round" },
        s("polygon", { points: `${-r},${-r} ${r},${-r} 0,0`, fill: light }),
        s("polygon", { points: `${r},${-r} ${r},${r} 0,0`, fill: body }),
        s("polygon", { points: `${r},${r} ${-r},${r} 0,0`, fill: dark }),
        s("polygon", { points: `${-r},${r} ${-r},${-r} 0,0`, fill: body }))
      : s("rect", { x: -r + 1, y: -r + 1, width: 2 * r - 2, height: 2 * r - 2, rx: 3, class: "token-gap", stroke: gap(token.colour, body, dark) }),
    !there && s("text", { y: 8, "text-anchor": "middle", class: "token-letter" }, letter));
}
