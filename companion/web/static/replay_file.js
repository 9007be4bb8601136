// A shared game: everything it shows is in the file itself.

import { byId, show } from "./dom.js";
import { replay } from "./replay.js";

show(byId("plain"), false); // what is read where no script runs: in a mail program, in a browser of long ago
show(byId("drawn"), true);

const state = JSON.parse(byId("game").textContent);
const byNumber = new Map(state.record.map((line) => [line.number, line]));
replay(state, async (number) => byNumber.get(number));
