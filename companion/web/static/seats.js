// The seats of a game, who sits there, and the dialog in which one is taken.

import { command } from "./api.js";
import { h } from "./dom.js";
import { ask, field, seatSign } from "./widgets.js";

// `me`: role and seat of this phone; take(seat) and leave(seat) are what its buttons do
export const seatLines = (seats, me, take, leave) => seats.map((seat, index) => {
  const name = h("div", { class: "name" }, seat.name, h("span", {}, h("bdi", {}, seat.player || "free seat")));
  const [free, host] = [!seat.player, me.role === "host"];
  const button = (words, said, act) =>
    h("button", { type: "button", class: "small", "aria-label": said, onclick: () => act(seat) }, words);
  return h("li", {}, seatSign(seat, index), name, h("div", { class: "buttons" },
    (free || host) && me.seat !== seat.seat
      && button(free ? "Join" : "Replace", `${free ? "Join" : "Replace"} ${seat.name}`, take),
    !free && host && button("Free", `Free the seat of ${seat.name}`, leave)));
});

// `typed` was refused, for what is `wrong` with it or with the PIN; `joined` is told when it was not.
export async function join(seat, me, joined, typed = "", wrong = "") {
  const host = me.role === "host";
  const name = h("input", { maxlength: "40", required: true, autocomplete: "nickname", value: typed, dir: "auto" });
  const fields = [field("player", "Name of the player", name)];
  if (!host && !me.open_seats) {
    fields.push(field("pin", "Host’s PIN (the host types it)", h("input", {
      type: "password", inputmode: "numeric", pattern: "[0-9]*", maxlength: "12", required: true, autocomplete: "off",
    })));
  }
  if (host) {
    const claim = h("input", { type: "checkbox", name: "claim", id: "field-claim" });
    fields.push(h("label", { class: "check", for: "field-claim" }, claim, "This phone plays this seat"));
  }
  const data = await ask(`Join as ${seat.name}`, wrong, fields, "Join");
  if (data === null) return;
  const args = { seat: seat.seat, player: data.get("player"), claim: host ? data.has("claim") : true };
  if (data.get("pin")) args.pin = data.get("pin");
  try {
    await command("join", args);
  } catch (error) {
    await join(seat, me, joined, args.player, error.message);
    return;
  }
  await joined();
}
