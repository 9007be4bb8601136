// Requests to the companion. A refused request throws Refused with words that can be shown.

export class Refused extends Error {
  constructor(name, text, state) {
    super(text);
    this.name = name;
    this.state = state;
  }
}

export async function get(path) {
  const answer = await fetch(path, { headers: { Accept: "application/json" } });
  return read(answer);
}

export async function post(path, body = {}) {
  let answer;
  try {
    answer = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Companion": "1" },
      body: JSON.stringify(body),
    });
  } catch {
    throw new Refused("offline", "The companion cannot be reached. Nothing was changed.");
  }
  return read(answer);
}

// The key makes a request that is sent twice over bad Wi-Fi count once.
export function command(name, args = {}, expects = undefined) {
  return post(`/api/commands/${name}`, { arguments: args, expects, key: newKey() });
}

function newKey() {
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
  if (!answer.ok) throw new Refused(data.error, data.text || "This was refused.", data.state);
  return data;
}
