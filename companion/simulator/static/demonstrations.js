// The demonstrations: sends which script is wanted and waits until the companion has started again with it.

import { get, post } from "/static/api.js";

const demos = document.getElementById("demos");
const said = document.getElementById("demo-said");
const POLL_MS = 700;
const PATIENCE = 60; // polls

for (const button of demos.querySelectorAll("button[data-script]")) {
  button.addEventListener("click", () => play(button.dataset.script));
}

async function play(script) {
  said.textContent = "The table is being set up …";
  try {
    await post(`${demos.dataset.base}play`, { script });
  } catch (refused) {
    said.textContent = refused.message;
    return;
  }
  setTimeout(() => wait(script, PATIENCE), 2 * POLL_MS);
}

async function wait(script, left) {
  const state = await get(`${demos.dataset.base}state`).catch(() => null); // it is starting again
  if (state?.playing === script) location.href = demos.dataset.table;
  else if (left > 0) setTimeout(() => wait(script, left - 1), POLL_MS);
  else said.textContent = "The companion did not come back. Load this page again.";
}
