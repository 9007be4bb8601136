// Taps on a drawn board. Drawing it anew under a finger would take away what the finger is on, and the tap with it:
// while `held`, the board is left as it is, and `free()` tells when it may be drawn again.

const DRAG_PX = 8;
export const CLICK_MS = 400; // a browser's click comes within so long of the finger's leaving
const TAPPED = "[data-cell], [data-piece], [data-ground]";

// hear({cell}), hear({piece}), the index of a placed piece, or hear({x_mm, y_mm}) on the bare table; a drag is no tap.
export function taps(board, hear, free) {
  const finger = { held: false };
  let [down, dragged, waiting] = [null, false, 0];
  const release = () => {
    if (!finger.held) return;
    finger.held = false;
    free();
  };
  board.addEventListener("pointerdown", (event) => {
    clearTimeout(waiting); // the finger before this one may have left just now
    [down, dragged] = [[event.clientX, event.clientY], false];
    finger.held = true;
  });
  board.addEventListener("pointermove", (event) => {
    if (!finger.held || Math.hypot(event.clientX - down[0], event.clientY - down[1]) <= DRAG_PX) return;
    dragged = true;
    release();
  });
  addEventListener("pointercancel", release);
  addEventListener("pointerup", () => {
    clearTimeout(waiting);
    waiting = setTimeout(release, CLICK_MS);
  });
  board.addEventListener("click", (event) => {
    const hit = dragged ? null : tapped(board, event);
    if (hit) hear(hit);
    release();
  });
  return finger;
}

function tapped(board, { clientX, clientY }) {
  const hit = document.elementsFromPoint(clientX, clientY)
    .map((element) => (board.contains(element) ? element.closest(TAPPED) : null)).find(Boolean);
  if (!hit) return null;
  const { cell, piece } = hit.dataset;
  if (cell !== undefined) return { cell };
  if (piece !== undefined) return { piece: Number(piece) };
  const at = new DOMPoint(clientX, clientY).matrixTransform(hit.getScreenCTM().inverse());
  return { x_mm: at.x, y_mm: -at.y };
}
