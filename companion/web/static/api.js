// Requests to the companion. A refused request throws Refused with words that can be shown.

class Refused extends Error {
  constructor(name, text, state) {
    super(text);
    this.name = name;
    this.state = state;
  }
}

const AWAY = "The companion cannot be reached.";

export function get(path) {
  return ask(path, { headers: { Accept: "application/json" } });
}

// A file's text as it is.
export async function text(path) {
  const answer = await reach(path, {});
  return answer.ok ? answer.text() : read(answer);
}

export function post(path, body = {}) {
  const headers = { "Content-Type": "application/json", "X-Companion": "1" };
  const request = { method: "POST", headers, body: JSON.stringify(body) };
  return ask(path, request, `${AWAY} Nothing was changed.`);
}

async function ask(path, request, offline = AWAY) {
  return read(await reach(path, request, offline));
}

async function reach(path, request, offline = AWAY) {
  try {
    return await fetch(path, request);
  } catch {
    throw new Refused("offline", offline);
  }
}

// The key makes a request that is sent twice over bad Wi-Fi count once.
export function command(name, args = {}, expects = undefined) {
  return post(`/api/commands/${name}`, { arguments: args, expects, key: newKey() });
}

export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");
}

async function read(answer) {
  let data = null;
  try {
    data = await answer.json();
  } catch {
    throw new Refused("unreadable", `The companion answered ${answer.status} without words.`);
  }
  if (answer.ok) return data;
  if (data.error === "not-allowed") dispatchEvent(new Event("not-allowed")); // its role is not what the page takes it for
  throw new Refused(data.error, data.text || "This was refused.", data.state);
}
