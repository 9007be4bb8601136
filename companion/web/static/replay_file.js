// A shared game: everything it shows is in the file itself.

import { asItWas, boardTable, drawBoard } from "./board.js";
import { byId, say, show } from "./dom.js";
import { playback } from "./playback.js";
import { Record } from "./record.js";

show(byId("plain"), false); // what is read where no script runs: in a mail program, in a browser of long ago
show(byId("drawn"), true);

const state = JSON.parse(byId("game").textContent);
const byNumber = new Map(state.record.map((line) => [line.number, line]));

let drawn = null;
const draw = (animate) => drawn && drawBoard(byId("board"), drawn, { turned: false, animate });

const record = new Record(async (number) => byNumber.get(number), (ply) => {
  drawn = ply === null ? state : asItWas(state, ply);
  draw(true);
  byId("words").replaceChildren(boardTable(drawn, null));
  say(byId("last"), ply === null ? state.result?.text || state.ending : `${ply.number}. ${ply.text || ply.move}`);
}, "the end");

addEventListener("resize", () => draw(false));
playback(byId("play"), record);
say(byId("ending"), state.ending);
record.set(state.record, state.seats);
if (state.record.length) record.go(0);
else record.leave();
