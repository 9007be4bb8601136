// Show only the games that have the words that were typed, and are what was chosen; the host brings saved ones back.

import { byId, h, show } from "./dom.js";
import { bringBack } from "./restoring.js";
import { attempt } from "./widgets.js";

// "emile" finds "Émile", whose accent is a sign of its own on some phones
const plain = (text) => text.normalize("NFD").replace(/[\u0300-\u036f]/g, "").toLowerCase();
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

byId("restore")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const [form, told] = [event.target, byId("restored")];
  const button = form.querySelector("button");
  show(told, false);
  button.disabled = true;
  const done = await attempt(async () => bringBack(await byId("file").files[0].text()));
  button.disabled = false;
  if (!done) return;
  form.reset();
  const words = done.new ? "It is back: " : "It was here already: ";
  told.replaceChildren(words, h("a", { href: `/games/${done.game}` }, `game ${done.game}`), ".");
  show(told, true);
});
