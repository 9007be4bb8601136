// A game played here, ply by ply.

import { get } from "./api.js";
import { asItWas, boardTable, drawBoard } from "./board.js";
import { byId, say } from "./dom.js";
import { playback } from "./playback.js";
import { Record } from "./record.js";
import { attempt } from "./widgets.js";

const game = byId("replay-page").dataset.game;
const state = await attempt(() => get(`/api/games/${game}`));

let drawn = null;
const draw = (animate) => drawn && drawBoard(byId("board"), drawn, { turned: false, animate });

const record = new Record((number) => get(`/api/games/${game}?ply=${number}`), (ply) => {
  const atEnd = ply === null;
  drawn = atEnd ? state : asItWas(state, ply);
  draw(true);
  byId("words").replaceChildren(boardTable(drawn, null));
  say(byId("last"), atEnd ? state.result?.text || "" : `${ply.number}. ${ply.text || ply.move}`);
}, "the end");

addEventListener("resize", () => draw(false));

playback(byId("play"), record);

if (state) {
  say(byId("ending"), state.ending);
  record.set(state.record, state.seats);
  if (state.record.length) record.go(0);
  else record.leave();
}
