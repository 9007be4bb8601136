// A button that steps through a recorded game by itself.

const STEP_MS = 2500;

export function playback(button, record) {
  let timer = null;

  function stop() {
    clearInterval(timer);
    timer = null;
    button.setAttribute("aria-pressed", "false");
  }

  button.addEventListener("click", () => {
    if (timer !== null) {
      stop();
      return;
    }
    button.setAttribute("aria-pressed", "true");
    record.go(record.at === null ? 0 : record.at);
    timer = setInterval(() => {
      if (record.at === null) stop();
      else record.go(record.at + 1);
    }, STEP_MS);
  });
}
