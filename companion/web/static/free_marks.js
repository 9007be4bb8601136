// What a free table's drawing says beside its pieces: who sits where, and the power of a beam at every hop.

import { s } from "./dom.js";
import { seatShades, shades } from "./colours.js";

// Lengths are in units of the labels' letters, which `size` millimetres are high on the table.
const PAD = 0.9; // round a seat's words
const BADGE = 0.6;
const ASIDE = 0.75; // a label stands to the right of its beam, so that there and back do not meet

const WORDS = { hit: "hits", absorbed: "recharges", annihilated: "annihilated", lost: "away", kaxxt: "hits Kaxxt" };

export function seatLabels(state, upright, size) {
  return state.cards.filter((card) => card.x_mm !== undefined).map((card) => {
    const [light, body] = seatShades(state.seats[card.seat] || {}, card.seat);
    const turn = card.seat === state.to_move && state.phase === "play";
    const words = card.out ? `${card.name} out` : `${card.name} ${card.value}`;
    const width = (words.length * 0.58 + PAD) * size;
    return s("g", { transform: `translate(${card.x_mm},${-card.y_mm}) rotate(${upright})`, opacity: card.out ? 0.6 : 1 },
      s("rect", { x: -width / 2, y: -0.78 * size, width, height: 1.56 * size, rx: 0.78 * size, fill: "#12181d", stroke: turn ? "#ffd257" : body,
        "stroke-width": turn ? 4 : 2.5 }),
      s("text", { y: 0.35 * size, "text-anchor": "middle", "font-size": size, "font-weight": 700, fill: turn ? "#ffe69b" : light }, words));
  });
}

// Each hop's power in a badge at its middle; what ends there by a sign at its end.
export function beamBadges(beams, upright, size) {
  return beams.filter((beam) => beam.power !== undefined && beam.points.length > 1).map((beam) => {
    const [from, to] = longest(beam.points);
    const length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
    const [ux, uy] = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
    const x = (from[0] + to[0]) / 2 + uy * ASIDE * size;
    const y = -((from[1] + to[1]) / 2) + ux * ASIDE * size;
    const [light, body] = shades(beam.colour);
    return s("g", { class: "badge", transform: `translate(${x},${y}) rotate(${upright})` },
      s("title", {}, `${beam.colour} ${beam.power}${WORDS[beam.end] ? `, ${WORDS[beam.end]}` : ""}`),
      s("circle", { r: BADGE * size, fill: "#12181d", stroke: body === "#3a3f46" ? light : body, "stroke-width": 3.5 }),
      s("text", { y: 0.35 * size, "text-anchor": "middle", "font-size": size, "font-weight": 700, fill: "#fff" }, `${beam.power}`));
  }).concat(beams.map((beam) => ending(beam, upright)).filter(Boolean));
}

function longest(points) {
  let best = [points[0], points[1]];
  for (let i = 1; i < points.length; i += 1) {
    const far = ([a, b]) => Math.hypot(b[0] - a[0], b[1] - a[1]);
    if (far([points[i - 1], points[i]]) > far(best)) best = [points[i - 1], points[i]];
  }
  return best;
}

const ENDS = {
  absorbed: (light) => [
    s("circle", { r: 13, fill: "#10331e", stroke: "#7fe0a0", "stroke-width": 3 }),
    s("path", { d: "M-7,0 H7 M0,-7 V7", stroke: "#7fe0a0", "stroke-width": 3.5, "stroke-linecap": "round" })],
  kaxxt: () => [
    s("circle", { r: 18, fill: "none", stroke: "#ffd257", "stroke-width": 4 }),
    s("circle", { r: 9, fill: "none", stroke: "#ffd257", "stroke-width": 3 })],
  annihilated: () => s("path", { d: "M-20,-20 L20,20 M20,-20 L-20,20 M0,-26 V26 M-26,0 H26", stroke: "#ffec8f",
    "stroke-width": 5, "stroke-linecap": "round" }),
  lost: (light) => s("circle", { r: 12, fill: "none", stroke: light, "stroke-width": 3, "stroke-dasharray": "5 4" }),
  target: () => [
    s("circle", { r: 15, fill: "none", stroke: "#ffd257", "stroke-width": 3 }),
    s("path", { d: "M-21,0 H-9 M9,0 H21 M0,-21 V-9 M0,9 V21", stroke: "#ffd257", "stroke-width": 3 })],
};

function ending(beam, upright) {
  const draw = ENDS[beam.end];
  if (!draw) return null;
  const [x, y] = beam.points[beam.points.length - 1];
  return s("g", { transform: `translate(${x},${-y}) rotate(${upright})`, "aria-hidden": "true" }, draw(shades(beam.colour)[0]));
}
