// What is most urgent of all that stands further down on the page, and the way there: [kind, target, text].
// `said`: why the referee waits is told elsewhere. `asked`: whoever holds the phone may answer the draw that is offered.

const BLIND = ["dark", "moved", "frozen", "lost", "no camera"]; // whatever is done at the table then is not seen

export function mostUrgent({ ruling, question, waiting, phase, result, sight, sight_text: why, draw_text: offer }, past, said, asked) {
  if (ruling) return ["ruling", "ruling", `Not allowed: ${ruling.text}`];
  if (question) return ["question", "question", question.text];
  if (past !== null) return ["past", "live", `Looking back, at ${where(past)}. Tap for the table as it is now.`];
  if (asked && offer) return ["question", "actions-card", offer];
  if (phase === "over" && result) return ["", "result", result.head];
  if (["set-up", "play"].includes(phase) && BLIND.includes(sight) && why) return ["blind", "referee", why];
  return ["", "referee", waitedFor(waiting, phase === "set-up" && !said)];
}

// What a press tells that made nothing final.
export function heard({ ruling, question }) {
  if (question) return "Answer the question first.";
  return ruling ? "What was refused does not become final: put it right first." : "Heard. As soon as an action is seen, it is final.";
}

const where = ({ number }) => (number ? `action ${number}` : "the set-up");

// Of a set-up the reason is what is still to be put right.
function waitedFor(waiting, withReason) {
  const step = (waiting?.steps || []).find(({ done }) => !done);
  const next = step?.text || (withReason && waiting?.why);
  return next ? `${waiting.text}: ${next}` : waiting?.text || "";
}
