// The guided steps of camera and table: what the companion waits for, and what it found in the picture.

import { command, get } from "./api.js";
import { byId, capital, changes, h, s, say, show, when } from "./dom.js";
import { drawSets } from "./kept_sets.js";
import { ask, attempt } from "./widgets.js";

const ASK_MS = 1000;
const figure = (value, digits, unit) => (value === null || value === undefined ? "" : ` (${value.toFixed(digits)} ${unit})`);

// Asks again and again while the page is looked at; draws what was found into the overlay's group.
export function follow(overlay) {
  let at = null; // the step that is shown
  const look = async () => {
    try {
      const state = await get("/api/calibration");
      at = state.running ? state.step : null;
      draw(state, overlay);
    } catch (refused) {
      say(byId("guide-text"), refused.message);
    }
  };
  for (const step of ["start", "next", "skip", "stop"]) {
    byId(`guide-${step}`).addEventListener("click", () => attempt(() => command("calibrate", at && ["next", "skip"].includes(step) ? { step, at } : { step })).then(look));
  }
  for (const [id, name] of [["learn", "learn_set"], ["call-off", "call_off_lesson"]]) {
    byId(id).addEventListener("click", () => attempt(() => command(name)).then(look));
  }
  byId("unlearn").addEventListener("click", () => forget().then(look));
  setInterval(() => document.hidden || look(), ASK_MS);
  look();
}

async function forget() {
  const sure = await ask("Forget what was learned?", "It cannot be brought back. Sets that are kept under a name stay. The pieces are read as usual ones until a set-up or a lesson teaches their looks anew.", [], "Forget it", true);
  if (sure) await attempt(() => command("forget_set"));
}

function draw(state, overlay) {
  const { running, step } = state;
  for (const id of ["guide-start", "learn", "unlearn"]) byId(id).disabled = state.camera === false;
  if (state.camera === false) {
    say(byId("guide-text"), "There is no camera that could be set up.");
    return;
  }
  for (const line of byId("guide-steps").children) {
    if (running && line.dataset.step === step) line.setAttribute("aria-current", "step");
    else line.removeAttribute("aria-current");
  }
  say(byId("guide-text"), state.text ? words(state) : "");
  say(byId("guide-lens"), `The lens is ${state.lens}${figure(state.error_px, 2, "pixels now")}.`);
  byId("guide-warnings").replaceChildren(...(state.warnings || []).map((text) => h("li", {}, text)));
  show(byId("guide-start"), !running);
  show(byId("guide-next"), running);
  show(byId("guide-skip"), running && step === "lens");
  show(byId("guide-stop"), running);
  say(byId("guide-next"), step === "markers" ? "Done" : "Measure the lens");
  say(byId("set-text"), state.lesson || `This set: ${state.set}${state.learned ? `, ${when(state.learned)}` : ""}.`);
  show(byId("call-off"), Boolean(state.waits));
  show(byId("unlearn"), Boolean(state.forgets));
  drawSets(state.sets || [], Boolean(state.keeps));
  drawLooks(state.pictures || [], state.learned);
  for (const part of [byId("by-corners"), byId("field")]) if (part) show(part, state.corners !== false);
  const [, , width, height] = (overlay.getAttribute("viewBox") || "0 0 1 1").split(" ").map(Number);
  const lines = (running && state.outlines) || [];
  byId("found")?.replaceChildren(...lines.map((points) =>
    s("polygon", { class: "found", points: points.map(([x, y]) => `${x * width},${y * height}`).join(" ") })));
}

const changed = changes();

// Pictures of what was learned, for a person to check.
function drawLooks(names, learned) {
  if (!changed("looks", names, learned)) return;
  const list = byId("set-pictures");
  const address = (name) => `/api/taught/${encodeURIComponent(name)}.png?t=${encodeURIComponent(learned || "")}`;
  list.replaceChildren(...names.map((name) =>
    h("li", {}, h("img", { src: address(name), alt: "", loading: "lazy" }), h("span", {}, name.replace(/^(pyramid|piecepack)-/, "").replaceAll("-", " ")))));
  show(list, names.length > 0);
}

function words({ text, step, taken, wanted }) {
  return step === "lens" && wanted ? `${capital(text)} (${taken} of ${wanted})` : capital(text);
}
