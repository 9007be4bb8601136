// The answers to a question, each with a small picture of the table as it would be.

import { h, s, show } from "./dom.js";
import { drawSmall } from "./board.js";

const ROUND_MM = 70; // so much of a free table is shown round what differs
const CLOSEST = 6;

// The question of a state, or none; where `answer` is null somebody else answers.
export function drawQuestion(card, state, answer, turned) {
  const question = state.question;
  show(card, Boolean(question));
  if (!question) return card.replaceChildren();
  const drawn = question.choices.map((choice) => [choice, differs(choice)
    ? s("svg", { class: "answer-picture", "aria-hidden": "true" }) : null]);
  card.replaceChildren(
    h("h2", { id: "question-head" }, question.text),
    answer
      ? h("div", { class: "buttons" }, drawn.map(([choice, picture]) => h("button",
        { type: "button", onclick: () => answer({ question: question.id, choice: choice.id }) }, picture, h("span", {}, choice.text))))
      : h("ul", { class: "answers" }, drawn.map(([choice, picture]) => h("li", {}, picture, h("span", {}, choice.text)))),
    answer ? "" : h("p", { class: "quiet-text" }, "The host answers."));
  for (const [choice, picture] of drawn) if (picture) drawOne(picture, state, choice, turned);
}

const differs = (choice) => choice.added.length + choice.removed.length + choice.beams.length > 0;

function drawOne(picture, state, choice, turned) {
  const gone = new Set(choice.removed.map(asDrawn));
  const stays = state.pieces.filter((piece) => piece.state !== "ghost" && !gone.has(asDrawn(piece)));
  const pieces = [
    ...stays.map((piece) => ({ ...piece, state: "" })),
    ...choice.removed.map((piece) => ({ ...piece, state: "ghost" })),
    ...choice.added.map((piece) => ({ ...piece, state: "new" })),
  ];
  drawSmall(picture, { ...state, pieces, beams: choice.beams, last_cells: [], covered: [], result: null }, { turned, ...near(state, choice) });
}

const asDrawn = (piece) => JSON.stringify({ ...piece, state: "", words: "" });

// Of a free table the part where something differs.
function near(state, choice) {
  const points = [...choice.added, ...choice.removed]
    .filter((piece) => piece.x_mm !== null && piece.x_mm !== undefined)
    .map((piece) => [piece.x_mm, piece.y_mm])
    .concat(...choice.beams.filter((beam) => beam.unit === "mm").map((beam) => beam.points));
  if (!points.length) return {};
  const span = [0, 1].map((axis) => {
    const at = points.map((point) => point[axis]);
    return [(Math.min(...at) + Math.max(...at)) / 2, Math.max(...at) - Math.min(...at) + 2 * ROUND_MM];
  });
  const zoom = Math.min((state.board.width_mm || 600) / span[0][1], (state.board.height_mm || 400) / span[1][1]);
  return { centre: [span[0][0], span[1][0]], zoom: Math.max(1, Math.min(CLOSEST, zoom)) };
}
