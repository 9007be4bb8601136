// The camera's picture of the table under the drawing, for the host; fetched anew every few seconds while it is shown.

import { show } from "./dom.js";

const EVERY_MS = 3000;

export class Photo {
  constructor(button, redraw) {
    Object.assign(this, { button, redraw, number: 0, timer: null });
    button.addEventListener("click", () => {
      if (this.number) this.end();
      else this.begin();
      redraw();
    });
  }

  // `number` is 0 while no picture is shown, and another one for every picture.
  begin() {
    this.number = 1;
    this.timer = setInterval(() => {
      if (document.hidden) return;
      this.number += 1;
      this.redraw();
    }, EVERY_MS);
    this.button.setAttribute("aria-pressed", "true");
  }

  end() {
    clearInterval(this.timer);
    this.number = 0;
    this.button.setAttribute("aria-pressed", "false");
  }

  offer(offered) {
    show(this.button, offered);
    if (!offered) this.end();
  }
}
