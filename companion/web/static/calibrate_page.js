// The playing field's corners, dragged over the live picture, beside the guided steps.

import { command } from "./api.js";
import { byId, s, say, show } from "./dom.js";
import { follow } from "./guide.js";
import { attempt, toast } from "./widgets.js";

const PICTURE_MS = 1000;
const HANDLE_PX = 14; // no smaller on the screen, so that its number can be read
const STEP_PX = { small: 2, large: 20 };
const picture = byId("picture");
const overlay = byId("corners");
let corners = null; // in the picture's own pixels
let live = true;

function load() {
  picture.src = `/api/picture.jpg?t=${Date.now()}`;
}

picture.addEventListener("load", () => {
  show(byId("note"), false);
  show(picture.parentElement, true);
  const [w, h] = [picture.naturalWidth, picture.naturalHeight];
  overlay.setAttribute("viewBox", `0 0 ${w} ${h}`);
  if (corners === null) {
    corners = [[0.2, 0.2], [0.8, 0.2], [0.8, 0.8], [0.2, 0.8]].map(([x, y]) => [x * w, y * h]);
    build(w);
  }
});
picture.addEventListener("error", () => {
  say(byId("note"), "There is no picture from the camera now.");
  show(byId("note"), true);
  show(picture.parentElement, false); // rather than a torn picture
});

function build(width) {
  const r = width * Math.max(1 / 45, HANDLE_PX / (overlay.clientWidth || 340));
  overlay.replaceChildren(s("g", { id: "found" }), s("g", { id: "field" },
    s("polygon", { id: "outline", fill: "#ffd257", "fill-opacity": 0.12, stroke: "#ffd257", "stroke-width": r / 6 }),
    ...corners.map((_, index) => {
      const handle = s("g", { class: "corner", tabindex: "0", role: "slider", "data-index": index, "aria-valuemin": 0, "aria-valuemax": width },
        s("circle", { r: r * 1.6, fill: "#000", "fill-opacity": 0.01 }),
        s("circle", { r, fill: "#10151b", "fill-opacity": 0.55, stroke: "#ffd257", "stroke-width": r / 5, class: "corner-ring" }),
        s("text", { "text-anchor": "middle", y: r * 0.4, "font-size": r * 1.15, fill: "#fff", "font-weight": 700, "aria-hidden": "true" }, String(index + 1)));
      handle.addEventListener("pointerdown", (event) => handle.setPointerCapture(event.pointerId));
      handle.addEventListener("pointermove", (event) => {
        if (handle.hasPointerCapture(event.pointerId)) move(index, pixels(event));
      });
      handle.addEventListener("keydown", (event) => keyed(index, event));
      return handle;
    })));
  draw();
}

function pixels(event) {
  const box = overlay.getBoundingClientRect();
  return [((event.clientX - box.left) / box.width) * picture.naturalWidth, ((event.clientY - box.top) / box.height) * picture.naturalHeight];
}

function keyed(index, event) {
  const step = event.shiftKey ? STEP_PX.large : STEP_PX.small;
  const by = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[event.key];
  if (!by) return;
  event.preventDefault();
  move(index, [corners[index][0] + by[0], corners[index][1] + by[1]]);
}

function move(index, [x, y]) {
  corners[index] = [Math.max(0, Math.min(picture.naturalWidth, x)), Math.max(0, Math.min(picture.naturalHeight, y))];
  draw();
}

const NAMES = ["top left", "top right", "bottom right", "bottom left"];

function draw() {
  byId("outline").setAttribute("points", corners.map((c) => c.join(",")).join(" "));
  overlay.querySelectorAll(".corner").forEach((handle, index) => {
    const [x, y] = corners[index];
    handle.setAttribute("transform", `translate(${x},${y})`);
    handle.setAttribute("aria-valuenow", Math.round(x));
    handle.setAttribute("aria-valuetext", `${Math.round(x)} right, ${Math.round(y)} down`);
    handle.setAttribute("aria-label", `Corner ${index + 1}, ${NAMES[index]} of the field`);
  });
}

byId("save").addEventListener("click", async () => {
  if (corners === null) {
    toast("Wait for a picture first.");
    return;
  }
  const rounded = corners.map(([x, y]) => [Math.round(x * 10) / 10, Math.round(y * 10) / 10]);
  if ((await attempt(() => command("set_corners", { corners: rounded }))) !== undefined) toast("The corners are used from now on.");
});
byId("forget").addEventListener("click", async () => {
  if ((await attempt(() => command("set_corners"))) !== undefined) toast("The board is looked for without corners.");
});
byId("light").addEventListener("click", async () => {
  if ((await attempt(() => command("measure_light"))) !== undefined) toast("The camera measures the light again.");
});
byId("refresh").addEventListener("click", () => {
  live = !live;
  byId("refresh").setAttribute("aria-pressed", String(live));
});
follow(overlay);
setInterval(() => live && !document.hidden && load(), PICTURE_MS);
load();
