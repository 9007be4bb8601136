// The course of a game as a strip: what each seat had after each action; its turning points marked.

import { s } from "./dom.js";
import { lineShade } from "./colours.js";

const WIDTH = 340;
const HEIGHT = 84;
const EDGE = 12;
const POINTS_MAX = 5; // turning points that are marked
const DASHES = ["", "7 3", "2 3", "9 3 2 3", "1 5"]; // seats are told apart without colours, too

// draws into `root`; `onPick(index)` when a place of the strip is touched; false when there is nothing to draw
export function drawStrip(root, record, seats, at, onPick) {
  const lines = record.filter((line) => line.scores.length > 0);
  const still = lines.every((line) => line.scores.every((score, i) => score === lines[0].scores[i]));
  if (lines.length < 2 || still) return false;
  const x = scale(0, record.length - 1, EDGE, WIDTH - EDGE);
  const all = lines.flatMap((line) => line.scores);
  const y = scale(Math.min(0, ...all), Math.max(1, ...all), HEIGHT - EDGE, EDGE);
  const marks = turningPoints(record);
  root.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
  root.replaceChildren(
    s("title", {}, stripWords(record, seats, marks)),
    s("path", { class: "strip-ground", d: `M${EDGE},${HEIGHT - EDGE} H${WIDTH - EDGE}` }),
    ...marks.map((index) => s("path", { class: "strip-mark", d: `M${x(index)},${EDGE - 4} V${HEIGHT - EDGE}` })),
    ...seats.map((seat, i) => s("polyline", {
      class: "strip-line",
      points: record.map((line, index) => (line.scores.length ? `${x(index)},${y(line.scores[i])}` : "")).join(" "),
      stroke: lineShade(seat, i),
      "stroke-dasharray": DASHES[i % DASHES.length] || undefined,
    })),
    ...(at === null ? [] : [s("path", { class: "strip-now", d: `M${x(at)},${EDGE - 6} V${HEIGHT - EDGE + 6}` })]),
  );
  root.onclick = (event) => {
    const box = root.getBoundingClientRect();
    const share = ((event.clientX - box.left) / box.width) * WIDTH;
    onPick(Math.round(Math.min(1, Math.max(0, (share - EDGE) / (WIDTH - 2 * EDGE))) * (record.length - 1)));
  };
  return true;
}

const scale = (from, to, low, high) => (value) => low + ((value - from) / Math.max(1e-9, to - from)) * (high - low);

// The actions after which the leader is another, then those with the largest swings.
function turningPoints(record) {
  const leads = record.map((line) => lead(line.scores));
  const swings = record.map((line, i) => (i === 0 ? 0 : swing(record[i - 1].scores, line.scores)));
  const changed = leads.map((who, i) => i > 0 && who !== leads[i - 1]);
  return record.map((_, i) => i).filter((i) => swings[i] > 0)
    .sort((a, b) => Number(changed[b]) - Number(changed[a]) || swings[b] - swings[a] || a - b)
    .slice(0, POINTS_MAX).sort((a, b) => a - b);
}

function lead(scores) {
  const best = Math.max(...scores);
  return scores.filter((score) => score === best).length === 1 ? scores.indexOf(best) : -1;
}

const swing = (before, after) => after.reduce((sum, score, i) => sum + Math.abs(score - (before[i] ?? score)), 0);

function stripWords(record, seats, marks) {
  const last = record[record.length - 1].scores;
  const now = seats.map((seat, i) => `${seat.name} ${last[i]}`).join(", ");
  const turns = marks.map((i) => `action ${record[i].number}`).join(", ");
  return `The course of the game: ${now}.${turns ? ` Turning points: ${turns}.` : ""}`;
}
