// What is most urgent of all that stands further down on the page, and the way there: [kind, target, text].

export function mostUrgent({ ruling, question, waiting, phase, result }, past) {
  if (ruling) return ["ruling", "ruling", `Not allowed: ${ruling.text}`];
  if (question) return ["question", "question", question.text];
  if (past !== null) return ["past", "live", `Looking back, at ${where(past)}. Tap for the table as it is now.`];
  if (phase === "over" && result) return ["", "result", result.head];
  return ["", "referee", waitedFor(waiting)];
}

const where = ({ number }) => (number ? `action ${number}` : "the set-up");

function waitedFor(waiting) {
  const step = (waiting?.steps || []).find(({ done }) => !done);
  return step ? `${waiting.text}: ${step.text}` : waiting?.text || "";
}
