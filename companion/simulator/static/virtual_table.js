// The virtual table: shows the camera's picture and sends what a person does with the pieces.

const root = document.getElementById("vt");
const base = root.dataset.base;
const image = document.getElementById("vt-image");
const view = document.getElementById("vt-view");
const svg = document.getElementById("vt-pieces");
const zoom = document.getElementById("vt-zoom");
const chosenText = document.getElementById("vt-chosen");
const said = document.getElementById("vt-said");
const cellForm = document.getElementById("vt-go");
const cellInput = document.getElementById("vt-cell");
const bringForm = document.getElementById("vt-bring");
const reserve = document.getElementById("vt-reserve");
const QUARTERS = { right: 1, left: -1, "bit-right": 1 / 9, "bit-left": -1 / 9 }; // clockwise
const DRAG_PX = 6;
const PICTURE_MS = 150;
const STATE_MS = 700;
const LOST = "The companion cannot be reached.";

let pieces = [];
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
    const answer = await fetch(`${base}state`, { headers: { Accept: "application/json" } });
    const state = await answer.json();
    if (said.textContent === LOST) said.textContent = ""; // that nothing was changed stays to be read
    if (state.version !== version && !drag) {
      version = state.version;
      pieces = state.pieces;
      draw();
      fillReserve(state.reserve || []);
    }
  } catch {
    if (!said.textContent.startsWith(LOST)) said.textContent = LOST;
  }
}

async function send(what, body) {
  said.textContent = "";
  try {
    const answer = await fetch(base + what, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Companion": "1" },
      body: JSON.stringify(body),
    });
    if (!answer.ok) said.textContent = (await answer.json()).text || "This was refused.";
  } catch {
    said.textContent = `${LOST} Nothing was changed.`;
  }
  await refresh();
}

function draw() {
  const focused = document.activeElement?.dataset?.name;
  svg.replaceChildren(...pieces.map(outline));
  if (focused) svg.querySelector(`[data-name="${CSS.escape(focused)}"]`)?.focus();
  if (chosen && !pieces.some((p) => p.name === chosen)) choose(null);
  else if (chosen) choose(chosen);
}

function fillReserve(box) {
  bringForm.hidden = box.length === 0;
  const kept = reserve.selectedOptions[0]?.textContent;
  reserve.replaceChildren(...box.map((one) => new Option(one.words, one.piece, false, one.words === kept)));
}

function outline(piece) {
  const shape = document.createElementNS("http://www.w3.org/2000/svg", "polygon");
  shape.setAttribute("points", piece.hull_px.map((p) => p.join(",")).join(" "));
  shape.setAttribute("tabindex", "0");
  shape.setAttribute("role", "button");
  shape.setAttribute("aria-label", piece.words);
  shape.setAttribute("aria-pressed", String(piece.name === chosen));
  shape.dataset.name = piece.name;
  shape.addEventListener("pointerdown", (event) => begin(event, piece, shape));
  shape.addEventListener("keydown", (event) => key(event, piece));
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
  chosenText.textContent = piece ? `Chosen: ${piece.words}` : "Drag a piece with mouse or finger. Tap it to choose it.";
  for (const control of root.querySelectorAll("[data-act]:not([data-act=nudge]), #vt-go button, #vt-go input")) {
    control.disabled = !piece;
  }
}

function begin(event, piece, shape) {
  event.preventDefault();
  shape.focus({ preventScroll: true });
  shape.setPointerCapture(event.pointerId);
  drag = { piece, shape, x: event.clientX, y: event.clientY, moved: false };
  shape.onpointermove = move;
  shape.onpointerup = end;
  shape.onpointercancel = () => stop();
}

function delta(event) {
  const scale = view.viewBox.baseVal.width / view.getBoundingClientRect().width;
  return [(event.clientX - drag.x) * scale, (event.clientY - drag.y) * scale];
}

function move(event) {
  if (!drag) return;
  if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > DRAG_PX) drag.moved = true;
  if (!drag.moved) return;
  const [dx, dy] = delta(event);
  drag.shape.classList.add("dragged");
  drag.shape.setAttribute("transform", `translate(${dx} ${dy})`);
}

function end(event) {
  if (!drag) return;
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

function key(event, piece) {
  const acts = { Enter: null, " ": null, r: "right", l: "left", o: "over", Delete: "off", Backspace: "off" };
  if (!(event.key in acts)) return;
  event.preventDefault();
  choose(piece.name);
  if (acts[event.key]) act(acts[event.key]);
  else if (!cellForm.hidden) cellInput.focus();
}

function act(what) {
  if (what === "nudge") send("nudge", {});
  else if (what === "off") send("take-off", { name: chosen });
  else if (what === "over") send("turn-over", { name: chosen });
  else send("turn", { name: chosen, quarters: QUARTERS[what] });
}

for (const button of root.querySelectorAll("[data-act]")) {
  button.addEventListener("click", () => act(button.dataset.act));
}
zoom.addEventListener("click", () => {
  const far = zoom.getAttribute("aria-pressed") !== "true";
  zoom.setAttribute("aria-pressed", String(far));
  view.setAttribute("viewBox", far ? view.dataset.far : view.dataset.near);
});
bringForm.addEventListener("submit", (event) => {
  event.preventDefault();
  send("bring", { piece: Number(reserve.value) });
});
cellForm.addEventListener("submit", (event) => {
  event.preventDefault();
  send("move", { name: chosen, cell: cellInput.value.trim().toLowerCase() });
});

nextPicture();
refresh();
setInterval(refresh, STATE_MS);
