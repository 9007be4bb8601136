// Small things that several pages share: base shapes of seats, icons, the toast, the dialog.

import { byId, h, s } from "./dom.js";
import { seatShades } from "./colours.js";

// The sign of a seat: a rounded square for the first, an octagon for the second, then hexagon and circle.
export function seatSign(seat, index) {
  const [, body, , edge] = seatShades(seat, index);
  const shapes = [
    () => s("rect", { x: 6, y: 6, width: 36, height: 36, rx: 8 }),
    () => s("polygon", { points: "16,6 32,6 42,16 42,32 32,42 16,42 6,32 6,16" }),
    () => s("polygon", { points: "24,4 42,14 42,34 24,44 6,34 6,14" }),
    () => s("circle", { cx: 24, cy: 24, r: 19 }),
    () => s("polygon", { points: "24,4 44,40 4,40" }),
  ];
  const drawn = (paint) => {
    const shape = shapes[index % shapes.length]();
    for (const [name, value] of Object.entries(paint)) shape.setAttribute(name, value);
    return shape;
  };
  return s("svg", { viewBox: "0 0 48 48", "aria-hidden": "true" },
    drawn({ fill: "none", stroke: "currentColor", "stroke-width": "7", opacity: "0.6" }), // black on black, white on white
    drawn({ fill: body, stroke: edge, "stroke-width": "4" }));
}

const ICONS = {
  seeing: "M2,12 Q12,2 22,12 Q12,22 2,12 Z M12,9 a3,3 0 1 0 .01,0",
  hand: "M7,12 V5 a1.5,1.5 0 0 1 3,0 V11 V4 a1.5,1.5 0 0 1 3,0 V11 V5 a1.5,1.5 0 0 1 3,0 V13 V8 a1.5,1.5 0 0 1 3,0 V15 Q19,22 12,22 Q8,22 6,18 L3,13 a1.6,1.6 0 0 1 3,-1 Z",
  dark: "M20,14 A9,9 0 1 1 10,4 A7,7 0 0 0 20,14 Z",
  moved: "M3,12 H21 M7,8 L3,12 L7,16 M17,8 L21,12 L17,16",
  frozen: "M12,2 V22 M3,7 L21,17 M21,7 L3,17",
  lost: "M4,4 L20,20 M2,12 Q7,6 12,6 Q17,6 22,12 Q20,15 17,16.5 M6,8 Q3,10 2,12 Q7,18 12,18 L14,17.8",
  "no camera": "M3,7 H15 V17 H3 Z M15,11 L21,8 V16 L15,13 M2,3 L22,21",
  starting: "M12,3 A9,9 0 1 0 21,12 M12,7 V12 L15,14",
  done: "M4,12 L10,18 L20,6",
  open: "M5,5 H19 V19 H5 Z",
};

export function icon(name) {
  return s("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, s("path", { d: ICONS[name] || ICONS.lost }));
}

let timer = null;

export function toast(text) {
  const line = byId("toast");
  line.textContent = text;
  line.hidden = false;
  line.onclick = () => (line.hidden = true); // it may lie over what is to be tapped next
  clearTimeout(timer);
  timer = setTimeout(() => (line.hidden = true), 7000);
}

// Runs an action and shows what went wrong in words, until another one succeeds.
export async function attempt(action) {
  try {
    const done = await action();
    byId("toast").hidden = true;
    return done;
  } catch (error) {
    toast(error.message || String(error));
    return undefined;
  }
}

// Asks in a dialog; `fields` are nodes of the form. Resolves to the form's data, or null when cancelled.
export function ask(title, text, fields = [], yes = "Yes", danger = false) {
  const dialog = byId("dialog");
  return new Promise((resolve) => {
    const form = h("form", { method: "dialog" },
      h("h2", { id: "dialog-head" }, title),
      text && h("p", {}, text),
      fields,
      h("div", { class: "buttons" },
        h("button", { value: "yes", class: danger ? "danger" : "main-button" }, yes),
        h("button", { value: "no", formnovalidate: true }, "Cancel")));
    form.addEventListener("submit", (event) => resolve(event.submitter?.value === "yes" ? new FormData(form) : null));
    dialog.replaceChildren(form);
    dialog.onclose = () => dialog.open || resolve(null); // else it is the dialog before this one that is told of late
    dialog.showModal();
  });
}

export const field = (name, words, control) => {
  control.setAttribute("name", name);
  control.setAttribute("id", `field-${name}`);
  return h("div", { class: "field" }, h("label", { for: `field-${name}` }, words), control);
};

export const choose = (options, value) =>
  h("select", {}, options.map(([key, words]) => h("option", { value: key, selected: key === value }, words)));

// A button that stays pressed.
export function pressed(id, get, set) {
  const button = byId(id);
  const paint = () => button.setAttribute("aria-pressed", String(get()));
  button.addEventListener("click", () => {
    set();
    paint();
  });
  paint();
}

export function stored(name, fallback) {
  try {
    return localStorage.getItem(name) ?? fallback;
  } catch {
    return fallback;
  }
}

export function store(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    // a private window may refuse: the choice then lasts as long as the page
  }
}
