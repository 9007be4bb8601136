// The demonstrations: sends which script is wanted and waits until the companion has started again with it.

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
    const answer = await fetch(`${demos.dataset.base}play`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Companion": "1" },
      body: JSON.stringify({ script }),
    });
    if (!answer.ok) {
      said.textContent = (await answer.json()).text || "This was refused.";
      return;
    }
  } catch {
    said.textContent = "The companion cannot be reached. Nothing was changed.";
    return;
  }
  setTimeout(() => wait(script, PATIENCE), 2 * POLL_MS);
}

async function wait(script, left) {
  try {
    const answer = await fetch(`${demos.dataset.base}state`, { headers: { Accept: "application/json" } });
    if ((await answer.json()).playing === script) {
      location.href = demos.dataset.table;
      return;
    }
  } catch {
    // it is starting again
  }
  if (left > 0) setTimeout(() => wait(script, left - 1), POLL_MS);
  else said.textContent = "The companion did not come back. Load this page again.";
}
