// A game played here, ply by ply.

import { get } from "./api.js";
import { asItWas, boardTable, drawBoard } from "./board.js";
import { byId, say } from "./dom.js";
import { Record } from "./record.js";
import { attempt } from "./widgets.js";

const STEP_MS = 2500;
const game = byId("replay-page").dataset.game;
const state = await attempt(() => get(`/api/games/${game}`));
let timer = null;

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

function stop() {
  clearInterval(timer);
  timer = null;
  byId("play").setAttribute("aria-pressed", "false");
}

byId("play").addEventListener("click", () => {
  if (timer !== null) {
    stop();
    return;
  }
  byId("play").setAttribute("aria-pressed", "true");
  record.go(record.at === null ? 0 : record.at);
  timer = setInterval(() => {
    if (record.at === null) stop();
    else record.go(record.at + 1);
  }, STEP_MS);
});

if (state) {
  say(byId("ending"), state.ending);
  record.set(state.record, state.seats);
  if (state.record.length) record.go(0);
  else record.leave();
}
