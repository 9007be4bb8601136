// A recorded game over its board, ply by ply; `load(number)` fetches a line with its picture.

import { asItWas, boardTable, drawBoard } from "./board.js";
import { byId, say } from "./dom.js";
import { playback } from "./playback.js";
import { Record } from "./record.js";

export function replay(state, load) {
  let drawn = null;
  const draw = (animate) => drawn && drawBoard(byId("board"), drawn, { turned: false, animate });
  const record = new Record(load, (ply) => {
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
}
