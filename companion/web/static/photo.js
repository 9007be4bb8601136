// The camera's picture of the table under the drawing, for the host; fetched anew every few seconds while it is shown.

import { show } from "./dom.js";

const EVERY_MS = 3000;

export class Photo {
  constructor(button, redraw) {
    Object.assign(this, { button, redraw, number: 0, offered: false, timer: null });
    button.addEventListener("click", () => (this.number ? this.end() : this.begin()));
  }

  // `number` is 0 while no picture is shown, and another one for every picture.
  begin() {
    const next = () => {
      if (document.hidden) return;
      this.number += 1;
      this.redraw();
    };
    this.timer = setInterval(next, EVERY_MS);
    this.button.setAttribute("aria-pressed", "true");
    next();
  }

  end() {
    clearInterval(this.timer);
    this.number = 0;
    this.button.setAttribute("aria-pressed", "false");
    this.redraw();
  }

  offer(offered) {
    show(this.button, offered);
    if (!offered && this.number) {
      this.number = 0;
      clearInterval(this.timer);
      this.button.setAttribute("aria-pressed", "false");
    }
  }
}
