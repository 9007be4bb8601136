// A beam of light, hop by hop: each path grows along its corners, branches start when their parent reaches them.

import { calm, s } from "./dom.js";
import { shades } from "./colours.js";

const MS_PER_CELL = 110;
const LAYERS = [
  ["beam-glow", 22, 0.3],
  ["beam-light", 8, 0.9],
  ["beam-core", 3.2, 1],
];

// paths: [{points, colour, end}] already in drawing units; `unit` is the length of one cell
export function drawBeams(paths, unit, animate) {
  const group = s("g", { class: "beams", "pointer-events": "none" });
  const starts = startTimes(paths, unit);
  paths.forEach((beam, index) => {
    const [light, body] = lightOf(beam.colour);
    const length = total(beam.points);
    const d = beam.points.map(([x, y], i) => `${i ? "L" : "M"}${x},${y}`).join(" ");
    for (const [name, width, opacity] of LAYERS) {
      const line = s("path", {
        d, class: name, fill: "none", stroke: name === "beam-core" ? "#fff" : name === "beam-glow" ? body : light,
        "stroke-width": (width * unit) / 100, opacity, "stroke-linecap": "round", "stroke-linejoin": "round",
      });
      group.append(line);
      if (animate && !calm()) grow(line, length, starts[index], (length / unit) * MS_PER_CELL);
    }
    marks(group, beam, unit, starts[index], body, animate && !calm());
  });
  return group;
}

// [bright, glow]: light has no body, so silver, white and black need hues of their own
function lightOf(colour) {
  const own = { silver: ["#c9f3ff", "#4fd0ff"], white: ["#fff", "#d9e8ff"], black: ["#e6dcff", "#9c7bff"] };
  if (!colour || colour === "red") return ["#ff7a6d", "#ff2a1c"];
  return own[colour] || shades(colour);
}

function grow(line, length, delay, duration) {
  line.setAttribute("stroke-dasharray", `${length} ${length}`);
  line.animate([{ strokeDashoffset: length }, { strokeDashoffset: 0 }], { delay, duration, fill: "both" });
}

// A dot at each mirror, and a star where a piece is struck.
function marks(group, beam, unit, start, colour, animate) {
  let far = 0;
  beam.points.forEach(([x, y], i) => {
    if (i > 0) far += distance(beam.points[i - 1], [x, y]);
    const last = i === beam.points.length - 1;
    if (i === 0 || (last && beam.end !== "hit")) return;
    const mark = last ? star(x, y, unit, colour) : s("circle", { cx: x, cy: y, r: unit * 0.06, fill: "#fff" });
    group.append(mark);
    if (animate) {
      const timing = { delay: start + (far / unit) * MS_PER_CELL, duration: 160, fill: "both" };
      mark.animate([{ opacity: 0 }, { opacity: 1 }], timing);
    }
  });
}

function star(x, y, unit, colour) {
  const spikes = 9;
  const points = [];
  for (let i = 0; i < spikes * 2; i += 1) {
    const r = unit * (i % 2 ? 0.24 : 0.46);
    const a = (Math.PI * i) / spikes;
    points.push(`${x + r * Math.sin(a)},${y - r * Math.cos(a)}`);
  }
  return s("polygon", {
    class: "hit", points: points.join(" "), fill: colour, "fill-opacity": 0.45, stroke: "#fff",
    "stroke-width": unit * 0.05, "stroke-linejoin": "round",
  });
}

function startTimes(paths, unit) {
  const starts = [];
  paths.forEach((beam, index) => {
    let start = 0;
    for (let parent = 0; parent < index; parent += 1) {
      let far = 0;
      paths[parent].points.forEach((point, i) => {
        if (i > 0) far += distance(paths[parent].points[i - 1], point);
        if (i > 0 && distance(point, beam.points[0]) < unit / 10) start = starts[parent] + (far / unit) * MS_PER_CELL;
      });
    }
    starts.push(start);
  });
  return starts;
}

const distance = ([ax, ay], [bx, by]) => Math.hypot(ax - bx, ay - by);
const total = (points) => points.slice(1).reduce((sum, point, i) => sum + distance(points[i], point), 0);
