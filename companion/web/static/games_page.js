// Show only the games that have the words that were typed, and are what was chosen.

import { byId, show } from "./dom.js";

// accents are signs of their own on some phones
const plain = (text) => text.normalize("NFC").toLowerCase();
const chosen = (id, value) => ["", value].includes(byId(id).value);

function sift() {
  const wanted = plain(byId("filter").value).split(/\s+/).filter(Boolean);
  let any = false;
  for (const line of byId("games").children) {
    const text = plain(line.textContent);
    const fits = chosen("of-game", line.dataset.game) && chosen("ended", line.dataset.ended)
      && wanted.every((word) => text.includes(word));
    show(line, fits);
    any ||= fits;
  }
  show(byId("none"), !any);
}

if (byId("games")) for (const id of ["filter", "of-game", "ended"]) byId(id).addEventListener("input", sift);
