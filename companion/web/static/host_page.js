// The PIN: set it, log in with it, change it, log out.

import { get, post } from "./api.js";
import { byId, say, show } from "./dom.js";
import { attempt } from "./widgets.js";

async function refresh() {
  const me = await get("/api/me").catch(() => null); // says nothing: what was refused is to be read
  if (!me) return;
  const host = me.role === "host";
  show(byId("inside"), host);
  show(byId("login"), !host && me.pin_set);
  if (byId("setup")) show(byId("setup"), !me.pin_set);
  show(byId("role"), true);
  say(byId("role"), host ? "You are logged in as host." : me.pin_set ? "You are watching." : "No PIN is set yet.");
}

function on(id, path, names) {
  byId(id)?.addEventListener("submit", async (event) => {
    event.preventDefault();
    const data = new FormData(event.target);
    const body = Object.fromEntries(names.map((name) => [name, data.get(name)]));
    if ((await attempt(() => post(path, body))) !== undefined) event.target.reset();
    await refresh();
  });
}

on("setup", "/api/setup", ["code", "pin"]);
on("login", "/api/login", ["pin"]);
on("change", "/api/pin", ["old", "new"]);
for (const [id, path] of [["logout", "/api/logout"], ["logout-all", "/api/logout-all"]]) {
  byId(id).addEventListener("click", async () => {
    await attempt(() => post(path));
    await refresh();
  });
}
document.addEventListener("visibilitychange", () => document.hidden || refresh()); // changed in another window, or here
addEventListener("pageshow", (event) => event.persisted && refresh());
refresh();
