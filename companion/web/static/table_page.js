// The running game. Everything shown comes from the state; nothing is computed here.

import { command, get } from "./api.js";
import { drawQuestion } from "./answers.js";
import { offerButtons } from "./offers.js";
import { announce, speak } from "./announce.js";
import { asItWas, boardTable, drawBoard } from "./board.js";
import { cardList } from "./cards.js";
import { correct, correctAt } from "./correct.js";
import { byId, capital, changes, h, say, show } from "./dom.js";
import { placed } from "./free_board.js";
import { Live } from "./live.js";
import { heard, mostUrgent } from "./now.js";
import { markReach, reachOf, reachWords } from "./reach.js";
import { Record, livePly } from "./record.js";
import { Photo } from "./photo.js";
import { resultLines, saidAlready, startLink } from "./result.js";
import { rulingLines } from "./ruling.js";
import { join, seatLines } from "./seats.js";
import { steady } from "./steady.js";
import { changeOptions } from "./table_options.js";
import { taps } from "./taps.js";
import { turnLines } from "./turn.js";
import { sureToUndo, undoWords } from "./undo.js";
import { WHOLE, zoomable } from "./zoom.js";
import { ask, attempt, choose, field, icon, pressed, store, stored, toast } from "./widgets.js";

let state = null;
let drawn = null; // what is on the board: the state, or an older one
let me = { role: "watcher", seat: null, pin_set: true, open_seats: false };
let past = null; // a line of the record that is looked at
let picked = null; // the cell whose piece was tapped, to see where it can go
let lit = ""; // the beams that were drawn last: drawn hop by hop only once
let turned = stored("turned", "no") === "yes";
let speaks = stored("speak", "no") === "yes";
let linked = true; // to the companion
let known = ""; // role and seat of this phone, as the companion told them last

const changed = changes();

const TWICE_MS = 500; // a tap so soon after another one is the same
const sent = new Set(); // what was ordered just now
const HEARD_MS = 1500; // what makes an action final is told by then

const record = new Record(livePly, (ply) => {
  past = ply;
  drawStage(true);
  if (state !== null) drawHostTools();
}, "as it is now");
byId("live").addEventListener("click", () => record.leave());
byId("now").addEventListener("click", (event) => {
  if (event.currentTarget.hash !== "#live") return;
  event.preventDefault();
  record.leave();
});

const zoom = zoomable(byId("board"), () => drawStage(false), () => [state.board.width_mm, state.board.height_mm]);
const finger = taps(byId("board"), tapped, () => drawStage(false));
const photo = new Photo(byId("photo"), () => drawStage(false));

const host = () => me.role === "host";
const mine = () => mySeat() ?? (host() ? state.to_move ?? null : null); // a host without a seat acts for whoever moves
// a seat of an earlier game with more of them is none in this one
const mySeat = () => (state?.seats[me.seat] ? me.seat : null);
const players = ({ seats }) => JSON.stringify(seats.map((seat) => seat.player ?? ""));
const gameOf = ({ game, game_number: number }) => JSON.stringify([game, number]); // an option the table may tell later
const begun = ({ phase }) => ["play", "over"].includes(phase);
const isAnother = (before, now) => gameOf(before) !== gameOf(now) || (begun(before) && !begun(now));
const turnOf = ({ game, to_move: seat, record, ruling }) => JSON.stringify([game, seat, record.length, ruling?.text]);
const seatName = (index) => state.seats[index]?.name || "";
// `seen`: the number of the state that was looked at when it was asked for, which a dialog may outlast
async function send(name, args = {}, seen = state.number) {
  const order = JSON.stringify([name, args]);
  if (sent.has(order)) return undefined; // a finger that taps twice means it once, though the first was heard meanwhile
  sent.add(order);
  const done = await attempt(() => command(name, args, seen));
  setTimeout(() => sent.delete(order), TWICE_MS);
  return done;
}

// Under a finger on a button the page is left as it is; the newest state is drawn once it has gone.
let newest = null;
const buttons = steady(document.querySelector("main"), () => newest !== null && arrived(newest));

function arrived(next) {
  newest = buttons.held ? next : null;
  if (buttons.held) return;
  if (state === null) take(next);
  else buttons.settle(() => take(next));
}

function take(next) {
  const before = state;
  state = next;
  if (before !== null && isAnother(before, state)) forget();
  if (before !== null && turnOf(before) !== turnOf(state)) picked = null; // whoever looked has moved, or was refused
  if (before !== null && players(before) !== players(state)) learnMe(); // the host may have freed this phone's seat
  say(byId("title"), state.title || "The table");
  drawTurn();
  show(byId("record-card"), state.record.length > 0); // first: what is hidden cannot be scrolled to its end
  show(byId("replay"), state.record.length > 0);
  record.set(state.beginning ? [state.beginning, ...state.record] : state.record, state.seats);
  drawStage(false);
  drawReferee();
  drawRuling();
  if (changed("question", state.question, host(), turned)) {
    drawQuestion(byId("question"), state, host() ? (answer) => send("answer", answer) : null, turned);
  }
  drawResult();
  drawOffers();
  drawActions();
  drawSeats();
  drawHostTools();
  drawNotices();
  announce(before, state, speaks);
}

// What was looked at, or asked about, is of the game before.
function forget() {
  byId("dialog").close();
  Object.assign(zoom, WHOLE);
}

function drawStage(replayed) {
  if (state === null || finger.held) return;
  const shown = past === null ? state : asItWas(state, past);
  const beams = JSON.stringify(shown.beams);
  const animate = beams !== lit && beams !== "[]";
  lit = beams;
  const { onCell, onPiece, corrects } = onTap();
  const reach = past === null && picked !== null ? reachOf(state, picked) : undefined;
  byId("board").classList.toggle("may-correct", Boolean(onCell || onPiece));
  const game = state.phase !== "idle"; // else there is no board to show
  for (const part of [byId("board"), byId("words").closest("details")]) show(part, game);
  show(byId("zoom"), game && state.board.kind === "free");
  photo.offer(host() && past === null && state.board.kind === "free");
  byId("board").classList.toggle("close", state.board.kind === "free" && zoom.zoom > 1);
  drawn = shown;
  drawBoard(byId("board"), shown, { turned, animate: animate || replayed, ...zoom, photo: photo.number });
  if (reach) markReach(byId("board"), reach);
  say(byId("reach"), reach ? reachWords(reach, corrects) : "");
  if (changed("words", shown.board, shown.pieces, shown.covered, [onCell, onPiece].map(Boolean), corrects)) {
    byId("words").replaceChildren(boardTable(shown, onCell, corrects, onPiece));
  }
  drawCards(shown);
  drawNow();
  const last = past === null ? state.last_text || "" : `${past.number}. ${past.text || past.move}`;
  say(byId("last"), last);
  byId("live").setAttribute("aria-pressed", String(past === null));
}

// What a tap does now, on a cell or on a piece (or bare place) of a free table: null is nothing.
function onTap() {
  const now = state !== null && past === null;
  const free = state?.board.kind === "free";
  const corrects = now && host() && !free;
  const onCell = corrects || (now && state.reach.length) ? (cell) => pick(cell, corrects) : null;
  return { onCell, onPiece: now && host() && free ? (place) => correctAt(place, state) : null, corrects };
}

function tapped({ cell, piece, ...at }) {
  const { onCell, onPiece } = onTap();
  if (cell !== undefined) onCell?.(cell);
  else onPiece?.(piece === undefined ? { kind: "empty", ...at } : placed(drawn.pieces)[piece]);
}

// The first tap shows where the piece can go; the host's next one on the same cell corrects it.
function pick(cell, corrects) {
  if (corrects && (picked === cell || !reachOf(state, cell))) {
    correct(state, cell);
    return;
  }
  picked = picked === cell ? null : cell;
  drawStage(false);
}

const drawTurn = () => turnLines(state, me.seat, linked);

function drawNow() {
  const asked = drawAnswerer() !== undefined && state.draw_offered_by !== me.seat;
  const [kind, target, text] = mostUrgent(state, past, saidAlready(state), asked);
  const line = byId("now");
  line.setAttribute("href", `#${target}`);
  line.setAttribute("class", `urgent ${kind}`);
  say(line, text);
  show(line, text !== ""); // a link without words leads nowhere
}

function drawReferee() {
  const { waiting } = state;
  say(byId("waiting"), waiting.text || "Nothing to wait for.");
  say(byId("why"), saidAlready(state) ? "" : waiting.why || "");
  const told = { draw: state.draw_text, sight: state.sight_text, chosen: state.chosen_anew };
  for (const [id, text] of Object.entries(told)) say(byId(id), text || "");
  byId("steps").replaceChildren(...waiting.steps.map((step) =>
    h("li", { class: step.done ? "done" : "" }, icon(step.done ? "done" : "open"),
      h("span", {}, capital(step.text), h("span", { class: "unseen" }, step.done ? " (done)" : " (to do)")))));
}

function drawRuling() {
  if (!changed("ruling", state.ruling, host())) return;
  show(byId("ruling"), Boolean(state.ruling));
  byId("ruling").replaceChildren(...(state.ruling ? rulingLines(state.ruling, host(), { action: allow, table: takeUp }) : []));
}

// Once the host is sure, of the state that was looked at when it was asked.
async function sendIfSure(name, title, text, yes) {
  const seen = state.number;
  if (await ask(title, text, [], yes)) await send(name, {}, seen);
}

const allow = () => sendIfSure("allow", "Allow this action?",
  "The game goes on as if it were lawful. The record says that the host allowed it.", "Allow it");
const begin = () => sendIfSure("begin", "Begin anyway?",
  "Play begins as if every piece lay where it is drawn. The record says that the host began.", "Begin");

async function takeUp() {
  const seen = state.number;
  const seats = state.seats.map((seat, index) => [index, seat.name]);
  const data = await ask("Go on from this?", "Whatever happened, play goes on from what lies there. The record says that the host went on from it.",
    [field("seat", "To move", choose(seats, state.to_move))], "Go on");
  if (data) await send("take_up", { seat: Number(data.get("seat")) }, seen);
}

function drawResult() {
  const result = state.phase === "over" ? state.result : null;
  show(byId("result"), Boolean(result));
  if (result && changed("result", result, host())) byId("result").replaceChildren(...resultLines(result, host()));
}

// The seat for which this phone answers the draw that is offered: who has no phone answers through the host's.
function drawAnswerer() {
  const open = state.draw_open;
  return open.includes(me.seat) ? me.seat : host() ? open[0] : undefined;
}

function drawActions() {
  const seat = mine();
  const moves = seat !== null && seat === state.to_move;
  const { phase, to_move, claims, draw_offered_by, draw_open, draw_between, seats } = state;
  if (!changed("actions", phase, to_move, claims, draw_offered_by, draw_open, draw_between, seats, seat, me)) return;
  const buttons = [];
  const button = (words, act, kind = "") => buttons.push(h("button", { type: "button", class: kind, onclick: act }, words));
  if (state.phase === "play" && seat !== null) {
    const offered = state.draw_offered_by;
    const answerer = drawAnswerer();
    if (answerer !== undefined) {
      const whose = answerer === seat ? "" : ` for ${seatName(answerer)}`;
      button(`Accept ${seatName(offered)}’s draw${whose}`, () => send("answer_draw", { seat: answerer, accept: true }));
      button(`Decline the draw${whose}`, () => send("answer_draw", { seat: answerer, accept: false }));
    } else if (offered === undefined && state.draw_between.includes(seat)) {
      button("Offer a draw", () => send("offer_draw", { seat }));
    }
    for (const claim of moves ? state.claims : []) button(`Claim: ${claim}`, () => send("claim_draw", { seat }));
    if (state.seats[seat].resigns) button("Resign", () => resign(seat), "danger"); // who is out has nothing to give up
  }
  if (!host() && mySeat() !== null) button("Leave the seat", () => act(() => command("withdraw", { seat: me.seat })));
  drawFinal(state.phase === "play" && seat !== null, moves);
  byId("actions").replaceChildren(...buttons);
  say(byId("actions-head"), mySeat() === null ? `For ${seatName(seat)}` : `Your seat: ${seatName(me.seat)}`);
  show(byId("actions-card"), buttons.length > 0);
}

// The main button has a place of its own at the lower edge of the window, which nothing that is told moves.
function drawFinal(plays, moves) {
  const bar = byId("main-bar");
  const words = moves ? "My action is final" : host() ? `${seatName(state.to_move)}’s action is final` : "";
  show(bar, plays && words !== "");
  bar.replaceChildren(h("button", { type: "button", class: moves ? "main-button" : "", onclick: final }, words));
}

// What is seen is final now; pressed before anything is seen, it counts as soon as something is.
async function final() {
  const ply = state.record.length;
  if ((await send("end_turn")) === undefined) return;
  setTimeout(() => {
    if (state.record.length === ply) toast(heard(state));
  }, HEARD_MS);
}

function drawCards(shown) {
  if (!changed("cards", shown.cards, shown.to_move, shown.phase, shown.seats)) return;
  const cards = cardList(shown);
  byId("cards").replaceChildren(...cards);
  show(byId("cards"), cards.length > 0);
}

function drawOffers() {
  const may = host() || (me.seat !== null && me.seat === state.to_move);
  if (!changed("offers", may, state.phase, state.rolls, state.offers)) return;
  const buttons = may && state.phase === "play" ? offerButtons(state, send) : [];
  byId("offers").replaceChildren(...buttons);
  show(byId("offers-card"), buttons.length > 0);
}

async function resign(seat) {
  const sure = await ask(`${seatName(seat)} resigns?`, state.seats[seat].resigns, [], "Resign", true);
  if (sure) await send("resign", { seat });
}

async function act(action) {
  await attempt(action);
  await learnMe();
}

function drawSeats() {
  show(byId("seats-card"), state.seats.length > 0);
  if (!changed("seats", state.seats, me)) return;
  const leave = (seat) => act(() => command("withdraw", { seat: seat.seat }));
  byId("seats").replaceChildren(...seatLines(state.seats, me, (seat) => join(seat, me, learnMe), leave));
}

function drawHostTools() {
  show(byId("host-card"), host());
  if (!host() || !changed("host-tools", state.phase, state.record.length, state.result?.said, undoneTo(), state.quiet)) return;
  show(byId("host-help"), state.phase !== "idle");
  show(byId("move-form"), state.phase === "play"); // before it and after it every action is refused
  const button = (words, act, extra = {}) => h("button", { type: "button", ...extra, onclick: act }, words);
  byId("host-tools").replaceChildren(...[
    state.phase === "idle" && startLink("Start a game"),
    (state.record.length > 0 || state.phase === "over") && button(undoWords(undoneTo(), state.result?.said), undo),
    state.phase === "set-up" && button("Begin anyway", begin),
    button("Quiet", () => send("set_quiet", { on: !state.quiet }), { "aria-pressed": String(Boolean(state.quiet)) }),
    state.phase !== "idle" && button("Options", () => changeOptions(() => state)),
    button("Measure the light", () => send("measure_light")),
    state.phase === "over" && button("Put the game away", () => send("reset")),
    ["set-up", "play"].includes(state.phase) && button("End without result", reset, { class: "danger" }),
  ].filter(Boolean));
}

// The action after which play goes on; none while the last line is looked at, which is how it is now.
const undoneTo = () => (past !== null && past.number < state.record.length ? past.number : undefined);

async function undo() {
  const [to, seen] = [undoneTo(), state.number];
  const sure = await sureToUndo(to, state.result?.said);
  if (!sure) return;
  await send("undo", to === undefined ? {} : { ply: to }, seen);
  record.leave();
}

async function reset() {
  if (await ask("End this game?", "It is kept in the list of games without a result.", [], "End it", true)) await send("reset");
}

function drawNotices() {
  if (!changed("notices", state.notices, me.pin_set)) return;
  const lines = state.notices.map((text) => h("p", { class: "banner" }, text));
  if (!me.pin_set) lines.push(h("p", { class: "banner" }, "No PIN is set yet. ", h("a", { href: "/host" }, "Set it on the host page"), "."));
  byId("notices").replaceChildren(...lines);
}

pressed("turn-board", () => turned, () => {
  turned = !turned;
  store("turned", turned ? "yes" : "no");
  drawStage(false);
});
pressed("speak", () => speaks, () => {
  speaks = !speaks;
  store("speak", speaks ? "yes" : "no");
  if (speaks) speak("I will speak the rulings.");
});
show(byId("speak"), "speechSynthesis" in window); // some phones have no voice
byId("move-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const input = byId("move-text");
  if ((await send("enter_move", { move: input.value })) !== undefined) input.value = "";
});
addEventListener("resize", () => drawStage(false));
let wide = 0;
new ResizeObserver(([{ contentRect: { width } }]) => {
  if (width !== wide && wide !== 0) drawStage(false); // larger text makes the board narrower, too
  wide = width;
}).observe(byId("board"));

// Who this phone is; nothing is said of it, for something else may just have been.
async function learnMe() {
  const answer = await get("/api/me").catch(() => null); // asked again once the line is back
  if (answer === null || JSON.stringify(answer) === JSON.stringify(me)) return;
  me = answer;
  if (state) take(state);
}

new Live(arrived, (now) => {
  if (now && (!linked || !me.pin_set)) learnMe(); // another phone may set the first PIN
  linked = now;
  if (state !== null) drawTurn();
  const line = byId("link");
  show(line, !linked);
  say(line, linked ? "" : "The connection to the companion is lost. The game at the table goes on; this page tries again.");
}, (who) => {
  if (who !== known) learnMe(); // another phone took this one's seat, or logged it out
  known = who;
});
addEventListener("not-allowed", learnMe); // before that was heard
document.addEventListener("visibilitychange", () => document.hidden || learnMe()); // or in, in another window
addEventListener("pageshow", (event) => event.persisted && learnMe());
learnMe();
if (navigator.onLine === false) toast("This phone is not on a network.");
