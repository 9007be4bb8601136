// The stream of states: one for each page, closed while the page is hidden, opened again by itself.

const RETRY_MS = 8000;
const SILENT_MS = 15000; // the companion says something every 5 s: a longer silence is a line that leads nowhere

export class Live {
  // onState(state) for each state, onLink(true|false) when the connection comes or goes
  constructor(onState, onLink) {
    this.onState = onState;
    this.onLink = onLink;
    this.record = [];
    this.source = null;
    this.timer = null;
    this.watch = null;
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
    source.addEventListener("open", () => this.heard(true));
    source.addEventListener("here", () => this.heard(true));
    source.addEventListener("state", (message) => {
      this.heard(true);
      this.take(JSON.parse(message.data));
    });
    this.heard(false);
    source.addEventListener("error", () => {
      this.onLink(false);
      if (source.readyState !== EventSource.CLOSED) return; // the browser tries again by itself
      this.close();
      this.timer = setTimeout(() => this.open(), RETRY_MS);
    });
  }

  // A phone that lost its Wi-Fi is told by nobody: the browser takes minutes to notice.
  heard(linked) {
    if (linked) this.onLink(true);
    clearTimeout(this.watch);
    this.watch = setTimeout(() => {
      this.onLink(false);
      this.close();
      this.open();
    }, SILENT_MS);
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
    this.onState({ ...state, record: this.record });
  }
}
