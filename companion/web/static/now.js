// What is most urgent of all that stands further down on the page, and the way there: [kind, target, text].
// `said`: why the referee waits is told elsewhere. `asked`: whoever holds the phone is to answer the draw that is offered,
// which can wait until hands have done what they are asked for.

const BLIND = ["dark", "moved", "frozen", "lost", "no camera"]; // whatever is done at the table then is not seen

export function mostUrgent({ ruling, question, waiting, phase, result, sight, sight_text: why, draw_text: offer }, past, said, asked) {
  if (ruling) return ["ruling", "ruling", `Not allowed: ${ruling.text}`];
  if (question) return ["question", "question", question.text];
  if (past !== null) return ["past", "live", `Looking back, at ${where(past)}. Tap for the table as it is now.`];
  if (phase === "over" && result) return ["", "result", result.head];
  if (["set-up", "play"].includes(phase) && BLIND.includes(sight) && why) return ["blind", "referee", why];
  if (asked && offer && !nextStep(waiting)) return ["question", "actions-card", offer];
  return ["", "referee", waitedFor(waiting, phase === "set-up" && !said)];
}

// What a press tells that made nothing final.
export function heard({ ruling, question }) {
  if (question) return "Answer the question first.";
  return ruling ? "What was refused does not become final: put it right first." : "Heard. As soon as an action is seen, it is final.";
}

const where = ({ number }) => (number ? `action ${number}` : "the set-up");

const nextStep = (waiting) => waiting.steps.find(({ done }) => !done);

// Of a set-up the reason is what is still to be put right.
export function waitedFor(waiting, withReason = false) {
  const next = nextStep(waiting)?.text || (withReason && waiting.why);
  return next ? `${waiting.text}: ${next}` : waiting.text || "";
}
