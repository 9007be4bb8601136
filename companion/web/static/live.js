// The stream of states: one for each page, closed while the page is hidden, opened again by itself. A page that gets
// none (the companion gives so many to a browser and no more) asks for the state again and again instead.

import { get } from "./api.js";

const RETRY_MS = 3000;
const SILENT_MS = 15000; // the companion says something every 5 s: a longer silence is a line that leads nowhere

export class Live {
  // onState(state) for each state, onLink(true|false) when the connection comes or goes, onHere(role and seat) now and then
  constructor(onState, onLink, onHere = () => {}) {
    this.onState = onState;
    this.onLink = onLink;
    this.onHere = onHere;
    this.record = [];
    this.shown = "";
    this.source = null;
    this.timer = null;
    this.watch = null;
    document.addEventListener("visibilitychange", () => (document.hidden ? this.close() : this.open()));
    addEventListener("pagehide", () => this.close());
    addEventListener("pageshow", () => this.open());
    for (const turn of ["offline", "online"]) addEventListener(turn, () => this.anew()); // the phone has noticed itself
    this.open();
  }

  open() {
    if (this.source !== null || document.hidden) return;
    clearTimeout(this.timer);
    const source = new EventSource("/api/stream");
    this.source = source;
    source.addEventListener("open", () => this.heard(true));
    source.addEventListener("here", (message) => {
      this.heard(true);
      this.onHere(message.data);
    });
    source.addEventListener("state", (message) => {
      this.heard(true);
      this.take(JSON.parse(message.data));
    });
    this.heard(false);
    source.addEventListener("error", () => {
      if (source.readyState === EventSource.CLOSED) this.refused();
      else this.onLink(false); // the browser tries again by itself
    });
  }

  async refused() {
    this.close();
    this.timer = setTimeout(() => this.open(), RETRY_MS);
    const state = await get("/api/state").catch(() => null);
    if (this.source !== null || document.hidden) return; // a stream knows better
    this.onLink(state !== null);
    if (state !== null) this.take(state);
  }

  // A phone that lost its Wi-Fi is told by nobody: the browser takes minutes to notice.
  heard(linked) {
    if (linked) this.onLink(true);
    clearTimeout(this.watch);
    this.watch = setTimeout(() => this.anew(), SILENT_MS);
  }

  // The line leads nowhere: another one is tried.
  anew() {
    this.onLink(false);
    this.close();
    this.open();
  }

  close() {
    clearTimeout(this.timer);
    clearTimeout(this.watch);
    if (this.source !== null) this.source.close();
    this.source = null;
  }

  take(state) {
    if (state.record_from > this.record.length) {
      this.close(); // lines are missing: ask for the whole
      this.record = [];
      this.open();
      return;
    }
    this.record = this.record.slice(0, state.record_from).concat(state.record);
    const whole = { ...state, record: this.record, record_from: 0 };
    const text = JSON.stringify(whole);
    if (text === this.shown) return; // drawn anew, buttons would go from under the finger
    this.shown = text;
    this.onState(whole);
  }
}
