// Show only the games whose lines hold the words that were typed.

import { byId, show } from "./dom.js";

byId("filter")?.addEventListener("input", () => {
  const wanted = byId("filter").value.toLowerCase().split(/\s+/).filter(Boolean);
  let any = false;
  for (const line of byId("games").children) {
    const text = line.textContent.toLowerCase();
    const fits = wanted.every((word) => text.includes(word));
    show(line, fits);
    any ||= fits;
  }
  show(byId("none"), !any);
});
