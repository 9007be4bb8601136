// Elements made from data: text goes in as text, never as markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export const h = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);

export const s = (tag, attributes = {}, ...children) =>
  fill(document.createElementNS(SVG, tag), attributes, children);

export const path = (d, attributes) => s("path", { d, ...attributes });

export const byId = (id) => document.getElementById(id);

export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

// "to move." in the middle of another sentence
export const bare = (text) => text?.replace(/[.]$/, "");

// A date as all of the companion's: "2026-11-25 19:04", in the phone's own time.
export const when = (date) => new Date(date).toLocaleString("sv", { dateStyle: "short", timeStyle: "short" });

// Changes the text only when it differs, so that a live region speaks once.
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export function show(element, visible) {
  element.toggleAttribute("hidden", !visible); // drawings have no property of that name
}

// changed(part, ...what): whether a part of the page would show something else than it does. Drawn anew all the same, its
// buttons would go from under the finger, its fields lose what was chosen, and the keyboard its place.
export function changes() {
  const shown = new Map();
  return (part, ...what) => {
    const text = JSON.stringify(what);
    const differs = shown.get(part) !== text;
    shown.set(part, text);
    return differs;
  };
}

export const SMALLEST_PX = 14.5; // of letters in a drawing, so that they can be read

// The room that a drawing has on the screen, in pixels: the style may let it be less high than it would be.
export const room = (drawing) => ({
  wide: drawing.clientWidth || 340, high: parseFloat(getComputedStyle(drawing).maxHeight) || Infinity,
});

export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
