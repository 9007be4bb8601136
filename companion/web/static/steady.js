// Buttons that do not move under a finger. While one is down on a button, `held`, the page is left as it is, and `free()`
// tells when it may be drawn again. A button that then stands elsewhere than it did, or is new, hears nothing for a
// moment: the finger that comes down there was on its way to what was there before. Nor does one hear the second tap of
// two whose first was for something else: a dialog opened, or another turn came, between them.

import { CLICK_MS } from "./taps.js";

const DEAF_MS = 350;
const TWICE_MS = 500; // two taps within so long and so far are one that was meant
const TWICE_PX = 30;
const REST_MS = 2000; // a finger that stays longer means nothing
const DEAF = "button:not(.record button):not(.scroll button)"; // those only look, or ask first

export function steady(place, free) {
  const came = new WeakMap(); // button -> when it came to where it is
  let [tap, before, waiting] = [NO_TAP, NO_TAP, 0];
  const buttons = {
    held: false,
    settle(draw) {
      const stood = new Set(seen(place).map(where));
      draw();
      const now = performance.now();
      for (const button of seen(place)) if (!stood.has(where(button))) came.set(button, now);
    },
  };
  const release = () => {
    clearTimeout(waiting);
    if (!buttons.held) return;
    buttons.held = false;
    free();
  };
  const releaseIn = (ms) => {
    clearTimeout(waiting);
    waiting = setTimeout(release, ms);
  };
  addEventListener("pointerdown", (event) => {
    const button = event.target.closest?.("button") ?? null;
    [before, tap] = [tap, { at: performance.now(), x: event.clientX, y: event.clientY, button }];
    if (button === null) return;
    buttons.held = true;
    releaseIn(REST_MS);
  }, true);
  addEventListener("pointercancel", release);
  addEventListener("pointerup", () => buttons.held && releaseIn(CLICK_MS));
  addEventListener("click", (event) => {
    const button = event.target.closest?.("button") ?? null;
    if (button === null || event.detail === 0) return; // by key
    const since = tap.at - came.get(button);
    const soon = since >= 0 && since <= DEAF_MS; // neither for a button that did not move, nor for a click without a finger
    if (!soon && !isSecond(tap, before)) return;
    event.preventDefault();
    event.stopPropagation();
    release();
  }, true);
  addEventListener("click", release);
  return buttons;
}

const NO_TAP = { at: -Infinity, x: 0, y: 0, button: null };

// The same button may be tapped again and again: one action back, and one more.
const isSecond = (tap, before) => tap.at - before.at < TWICE_MS && Math.hypot(tap.x - before.x, tap.y - before.y) < TWICE_PX
  && tap.button !== before.button;

const seen = (place) => [...place.querySelectorAll(DEAF)].filter((button) => button.getClientRects().length);

function where(button) {
  const { left, top } = button.getBoundingClientRect();
  return `${button.textContent} ${Math.round(left)} ${Math.round(top)}`;
}
