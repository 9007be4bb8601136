// The stream of states: one for each page, closed while the page is hidden, opened again by itself.

const RETRY_MS = 8000;

export class Live {
  // onState(state) for each state, onLink(true|false) when the connection comes or goes
  constructor(onState, onLink) {
    this.onState = onState;
    this.onLink = onLink;
    this.record = [];
    this.source = null;
    this.timer = null;
    document.addEventListener("visibilitychange", () => (document.hidden ? this.close() : this.open()));
    addEventListener("pagehide", () => this.close());
    addEventListener("pageshow", () => this.open());
    this.open();
  }

  open() {
    if (this.source !== null || document.hidden) return;
    clearTimeout(this.timer);
    const source = new EventSource("/api/stream");
    this.source = source;
    source.addEventListener("open", () => this.onLink(true));
    source.addEventListener("state", (message) => this.take(JSON.parse(message.data)));
    source.addEventListener("error", () => {
      this.onLink(false);
      if (source.readyState !== EventSource.CLOSED) return; // the browser tries again by itself
      this.close();
      this.timer = setTimeout(() => this.open(), RETRY_MS);
    });
  }

  close() {
    clearTimeout(this.timer);
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
    this.onState({ ...state, record: this.record });
  }
}
