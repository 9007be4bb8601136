// Looks closer at a free table: buttons, and dragging while it is close. `view` holds zoom and centre in millimetres.

import { byId } from "./dom.js";

const STEP = 1.6;
const CLOSEST = 6;
export const WHOLE = { zoom: 1, centre: [0, 0] };

// `size()`: width and height of the table, whose middle is the origin
export function zoomable(board, redraw, size) {
  const view = { ...WHOLE };
  let from = null;
  byId("closer").addEventListener("click", () => {
    view.zoom = Math.min(CLOSEST, view.zoom * STEP);
    redraw();
  });
  byId("wider").addEventListener("click", () => {
    Object.assign(view, WHOLE);
    redraw();
  });
  board.addEventListener("pointerdown", (event) => {
    if (view.zoom > 1) from = [event.clientX, event.clientY, ...view.centre];
  });
  board.addEventListener("pointermove", (event) => {
    if (from === null || event.buttons === 0) return;
    const mm = 1 / board.getScreenCTM().a;
    const centre = [from[2] - (event.clientX - from[0]) * mm, from[3] + (event.clientY - from[1]) * mm];
    view.centre = centre.map((at, axis) => Math.max(-size()[axis] / 2, Math.min(size()[axis] / 2, at)));
    redraw();
  });
  addEventListener("pointerup", () => (from = null));
  return view;
}
