// The record as a list and a slider, stepped through by keys, too. `onShow(ply)` gets a line with its picture, or null
// for the table at the slider's right end.

import { byId, h, show } from "./dom.js";
import { get } from "./api.js";
import { drawStrip } from "./strip.js";
import { attempt } from "./widgets.js";

const END_PX = 8; // so near its end a list is at its end

export class Record {
  // load(number) fetches a line with its picture; `end` says what the slider's right end shows
  constructor(load, onShow, end) {
    this.load = load;
    this.end = end;
    this.onShow = onShow;
    this.lines = [];
    this.at = null; // index of the line shown; null = now
    this.pictures = new Map();
    this.wanted = 0;
    this.slider = byId("slider");
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value) - 1));
    byId("back").addEventListener("click", () => this.go((this.at ?? this.lines.length - 1) - (this.at === null ? 0 : 1)));
    byId("forward").addEventListener("click", () => this.go((this.at ?? this.lines.length) + 1));
    addEventListener("keydown", (event) => this.keyed(event));
  }

  // Arrows step, but where they have a use of their own: in fields, drawings and dialogs; Alt belongs to the browser.
  keyed(event) {
    const step = { ArrowLeft: "back", ArrowRight: "forward" }[event.key];
    if (!step || !this.lines.length || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.target.closest?.("input, select, textarea, dialog, svg, [role=slider]")) return;
    byId(step).click();
  }

  set(lines, seats) {
    const same = lines.length === this.lines.length && lines.every((line, i) => key(line) === key(this.lines[i]));
    if (same) return;
    const grown = this.lines.every((line, i) => lines[i] && key(line) === key(lines[i]));
    this.lines = lines;
    this.seats = seats;
    if (!grown) this.pictures.clear();
    if (this.at !== null && this.at >= lines.length) this.leave();
    this.list(seats);
    this.mark();
    if (!grown && this.at !== null) this.go(this.at); // what is looked at may be another action by now
  }

  list(seats) {
    const box = byId("record");
    const atEnd = box.scrollHeight - box.scrollTop - box.clientHeight < END_PX; // else somebody reads further up
    box.replaceChildren(...this.lines.map((line, index) => h("li", {},
      h("button", { type: "button", onclick: () => this.go(index) },
        h("span", { class: "number" }, String(line.number)),
        h("span", {}, line.text || line.move,
          line.hits.map((hit) => h("span", { class: "struck" }, `Hit: ${hit}`)),
          line.changes.map((change) => h("span", { class: "led" }, change)),
          seats[line.seat] && h("span", { class: "unseen" }, ` (${seats[line.seat].name})`))))));
    if (this.at === null && atEnd) box.scrollTop = box.scrollHeight;
  }

  async go(index) {
    const at = Math.max(0, index);
    if (at >= this.lines.length) {
      this.leave();
      return;
    }
    const before = this.at;
    this.at = at;
    this.mark();
    const line = this.lines[this.at];
    this.wanted += 1;
    const asked = this.wanted;
    const picture = this.pictures.get(line.number) || (await attempt(() => this.load(line.number)));
    if (asked !== this.wanted || this.at === null) return;
    if (picture === undefined) { // not to be had: what is shown stays, and its mark
      this.at = before;
      this.mark();
      return;
    }
    this.pictures.set(line.number, picture);
    this.onShow(picture);
  }

  leave() {
    this.at = null;
    this.wanted += 1;
    this.mark();
    this.onShow(null);
  }

  mark() {
    const strip = byId("strip");
    if (strip) show(strip, drawStrip(strip, this.lines, this.seats, this.at, (index) => this.go(index)));
    this.slider.max = String(this.lines.length + 1);
    this.slider.min = "1";
    const value = this.at === null ? this.lines.length + 1 : this.at + 1;
    this.slider.value = String(value);
    const line = this.at === null ? null : this.lines[this.at];
    this.slider.setAttribute("aria-valuetext", line ? `${line.number}: ${line.text || line.move}` : this.end);
    [...byId("record").querySelectorAll("button")].forEach((button, index) => {
      if (index === this.at) {
        button.setAttribute("aria-current", "step");
        bringIntoView(button, byId("record"));
      } else button.removeAttribute("aria-current");
    });
  }
}

// Within its box alone: the board above stays where it is looked at.
function bringIntoView(line, box) {
  const [at, seen] = [line.getBoundingClientRect(), box.getBoundingClientRect()];
  if (at.top < seen.top) box.scrollTop -= seen.top - at.top;
  else if (at.bottom > seen.bottom) box.scrollTop += at.bottom - seen.bottom;
}

const key = (line) => `${line.number} ${line.seat} ${line.move} ${line.text}`;

export const livePly = (number) => get(`/api/ply/${number}`);
