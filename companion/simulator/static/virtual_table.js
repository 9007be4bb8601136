// The virtual table: shows the camera's picture and sends what a person does with the pieces.

import { get, post } from "/static/api.js";

const root = document.getElementById("vt");
const base = root.dataset.base;
const image = document.getElementById("vt-image");
const view = document.getElementById("vt-view");
const svg = document.getElementById("vt-pieces");
const zoom = document.getElementById("vt-zoom");
const chosenText = document.getElementById("vt-chosen");
const said = document.getElementById("vt-said");
const others = document.getElementById("vt-others");
const goForm = document.getElementById("vt-go");
const goInput = document.getElementById("vt-where");
const bringForm = document.getElementById("vt-bring");
const reserve = document.getElementById("vt-reserve");
const bringInput = document.getElementById("vt-there");
const bringOver = document.getElementById("vt-other-side");
const faceForm = document.getElementById("vt-face");
const faceInput = document.getElementById("vt-value");
const thrown = root.querySelector("[data-act=throw]");
const over = root.querySelector("[data-act=over]");
const QUARTERS = { right: 1, left: -1, "bit-right": 1 / 9, "bit-left": -1 / 9 }; // clockwise
const DRAG_PX = 6;
const PICTURE_MS = 150;
const STATE_MS = 700;
const LOST = "The companion cannot be reached.";

let table = null; // which one it is: another demonstration brings another
let pieces = [];
let box = []; // what can be brought in
let chosen = null;
let drag = null;
let version = -1;

function nextPicture() {
  const loading = new Image();
  loading.onload = () => {
    image.setAttribute("href", loading.src);
    setTimeout(nextPicture, PICTURE_MS);
  };
  loading.onerror = () => setTimeout(nextPicture, 1000);
  loading.src = `${base}picture.jpg?t=${Date.now()}`;
}

async function refresh() {
  try {
    const state = await get(`${base}state`);
    if (said.textContent === LOST) said.textContent = ""; // that nothing was changed stays to be read
    if (table !== null && state.table !== table) location.reload(); // its view and its buttons are others, too
    table = state.table;
    others.hidden = !state.others;
    if (state.version !== version && !drag) {
      version = state.version;
      pieces = state.busy ? state.pieces.map(asCalled) : state.pieces;
      draw();
      fillReserve(state.reserve || []);
    }
  } catch {
    if (!said.textContent.startsWith(LOST)) said.textContent = LOST;
  }
}

// What is in a hand just now is told where it lay before: where it comes to lie is told once it does.
const asCalled = (piece) => ({ ...piece, words: pieces.find((p) => p.name === piece.name)?.words || piece.words });

async function send(what, body) {
  said.textContent = "";
  let done = false;
  try {
    await post(base + what, body);
    done = true;
  } catch (refused) {
    said.textContent = refused.message;
  }
  await refresh();
  return done;
}

// Outlines stay the same elements while their pieces move: the focus stays on them, and nothing is read out anew.
function draw() {
  const drawn = new Map([...svg.children].map((shape) => [shape.dataset.name, shape]));
  const shapes = pieces.map((piece) => shaped(drawn.get(piece.name) || outline(piece.name), piece));
  for (const shape of drawn.values()) if (!shapes.includes(shape)) shape.remove();
  shapes.forEach((shape, i) => svg.children[i] !== shape && svg.insertBefore(shape, svg.children[i] || null));
  choose(pieces.some((p) => p.name === chosen) ? chosen : null);
}

function fillReserve(now) {
  box = now;
  bringForm.hidden = box.length === 0;
  const kept = reserve.value;
  if (box.map(({ words }) => words).join() !== [...reserve.options].map((option) => option.value).join()) {
    reserve.replaceChildren(...box.map(({ words }) => new Option(words, words, false, words === kept)));
  }
  offerOtherSide();
}

// A pyramid that is laid down has not stood before.
function offerOtherSide() {
  const over = box.find(({ words }) => words === reserve.value)?.over;
  bringOver.closest("label").hidden = !over;
  if (over) document.getElementById("vt-over-words").textContent = over;
  else bringOver.checked = false;
}

function outline(name) {
  const shape = document.createElementNS("http://www.w3.org/2000/svg", "polygon");
  shape.setAttribute("tabindex", "0");
  shape.setAttribute("role", "button");
  shape.dataset.name = name;
  shape.addEventListener("pointerdown", (event) => begin(event, shape));
  shape.addEventListener("pointermove", move);
  shape.addEventListener("pointerup", end);
  shape.addEventListener("pointercancel", (event) => holds(event) && stop());
  shape.addEventListener("keydown", (event) => key(event, name));
  return shape;
}

function shaped(shape, piece) {
  shape.setAttribute("points", piece.hull_px.join(" "));
  if (shape.getAttribute("aria-label") !== piece.words) shape.setAttribute("aria-label", piece.words);
  return shape;
}

function choose(name) {
  chosen = name;
  const piece = pieces.find((p) => p.name === name);
  for (const shape of svg.children) {
    const is = shape.dataset.name === name;
    shape.classList.toggle("chosen", is);
    shape.setAttribute("aria-pressed", String(is));
  }
  const words = piece ? `Chosen: ${piece.words}` : "Drag a piece with mouse or finger. Tap it to choose it.";
  if (chosenText.textContent !== words) chosenText.textContent = words; // else it is read out again
  for (const control of root.querySelectorAll("[data-act]:not([data-act=nudge]), #vt-go button, #vt-go input")) {
    control.disabled = !piece;
  }
  over.hidden = !pieces.some((p) => p.over);
  over.disabled = !piece?.over;
  over.textContent = piece?.over || "Turn over";
  thrown.hidden = !pieces.some((p) => p.faces.length);
  thrown.disabled = !piece?.faces.length;
  offerFaces(piece);
}

// Of a die that is chosen; which one is picked stays so until another is chosen, or it shows another.
function offerFaces(piece) {
  const of = piece?.faces.length ? `${piece.name} ${piece.shows}` : "";
  faceForm.hidden = !of;
  if (!of || faceForm.dataset.of === of) return;
  faceForm.dataset.of = of;
  faceInput.replaceChildren(...piece.faces.map((face) => new Option(face, face, false, face === piece.shows)));
}

// One finger carries one piece; another finger meanwhile, or another button of the mouse, does nothing.
const holds = (event) => drag !== null && drag.pointer === event.pointerId;

function begin(event, shape) {
  if (event.button !== 0) return;
  event.preventDefault();
  if (drag) return;
  shape.focus({ preventScroll: true });
  shape.setPointerCapture(event.pointerId);
  const piece = pieces.find((p) => p.name === shape.dataset.name);
  drag = { piece, shape, pointer: event.pointerId, x: event.clientX, y: event.clientY, moved: false };
}

function delta(event) {
  const { a: scale } = view.getScreenCTM(); // the picture may be narrower than its room
  return [(event.clientX - drag.x) / scale, (event.clientY - drag.y) / scale];
}

function move(event) {
  if (!holds(event)) return;
  if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > DRAG_PX) drag.moved = true;
  if (!drag.moved) return;
  const [dx, dy] = delta(event);
  drag.shape.classList.add("dragged");
  drag.shape.setAttribute("transform", `translate(${dx} ${dy})`);
}

function end(event) {
  if (!holds(event)) return;
  const { piece, moved } = drag;
  const [dx, dy] = delta(event);
  stop();
  choose(piece.name);
  if (moved) send("move", { name: piece.name, x_px: piece.x_px + dx, y_px: piece.y_px + dy });
}

function stop() {
  drag.shape.classList.remove("dragged");
  drag.shape.removeAttribute("transform");
  drag = null;
}

function key(event, name) {
  const acts = { Enter: null, " ": null, r: "right", l: "left", o: "over", t: "throw", Delete: "off", Backspace: "off" };
  if (!(event.key in acts)) return;
  event.preventDefault();
  choose(name);
  if (acts[event.key]) act(acts[event.key]);
  else goInput.focus();
}

function act(what) {
  if (what === "nudge") send("nudge", {});
  else if (what === "off") send("take-off", { name: chosen });
  else if (what === "throw") send("throw", { name: chosen });
  else if (what === "over") send("turn-over", { name: chosen });
  else send("turn", { name: chosen, quarters: QUARTERS[what] });
}

// A cell's name, or millimetres from the table's middle as the pieces' places are told, and where it points: "-60, 100, 90".
function where(text) {
  if (!text.trim()) return {};
  if (goForm.dataset.cells) return { cell: text.trim().toLowerCase() };
  const [x, y, heading] = text.match(/-?\d+(\.\d+)?/g).map(Number);
  return { x_mm: x, y_mm: y, ...(heading === undefined ? {} : { heading_deg: heading }) };
}

for (const button of root.querySelectorAll("[data-act]")) {
  button.addEventListener("click", () => act(button.dataset.act));
}
zoom.addEventListener("click", () => {
  const far = zoom.getAttribute("aria-pressed") !== "true";
  zoom.setAttribute("aria-pressed", String(far));
  view.setAttribute("viewBox", far ? view.dataset.far : view.dataset.near);
});
bringForm.addEventListener("submit", async (event) => {
  event.preventDefault();
  const done = await send("bring", { piece: reserve.value, over: bringOver.checked, ...where(bringInput.value) });
  if (!done) return;
  bringInput.value = ""; // the next piece goes elsewhere
  bringOver.checked = false;
});
reserve.addEventListener("change", offerOtherSide);
goForm.addEventListener("submit", (event) => {
  event.preventDefault();
  send("move", { name: chosen, ...where(goInput.value) });
});

faceForm.addEventListener("submit", (event) => {
  event.preventDefault();
  send("face", { name: chosen, value: faceInput.value });
});

nextPicture();
refresh();
setInterval(refresh, STATE_MS);
