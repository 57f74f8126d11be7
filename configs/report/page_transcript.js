const IMPLICITNESS = { NA: "nominal anaphora", PE: "predicate ellipsis", AE: "abstract-event anaphora" };
const VERDICTS = { met: "✓ met", not_met: "✗ not met", cannot_tell: "? cannot tell" };
const PASS = 0.6;

function grade(score) {
  if (score === null || score === undefined) return "none";
  return score >= PASS ? "met" : "not_met";
}

function chip(score, title) {
  const sign = { met: "✓ ", not_met: "✗ ", none: "– " }[grade(score)];
  return el("span", { class: `chip ${grade(score)}`, title }, sign + (score?.toFixed(2) ?? "none"));
}

function transcriptOf(row, transcript) {
  const { patient, admission, at } = transcript.about;
  const where = patient ? `, patient ${patient}, admission ${admission}, at ${at}` : "";
  return [
    el("p", { class: "back" }, el("a", { href: "#/sessions" }, "← Sessions")),
    el("h2", { id: "session-title" }, row.id),
    el("p", { class: "quiet" }, `${words(row.scenario)}, tier ${row.tier}, ${row.arc}${where}`),
    about.text ? legend() : null,
    ...transcript.turns.map((turn) => turnOf(turn, transcript.results)),
  ].filter(Boolean);
}

function legend() {
  return el(
    "p",
    { class: "quiet legend" },
    "In answers: ",
    el("mark", { class: "item" }, "a met rubric item"),
    ", ",
    el("mark", { class: "result" }, "shown by a tool result, a question or the introduction"),
    ", ",
    el("mark", { class: "none" }, "number or date that none has shown"),
    " (it may be worked out).",
  );
}

function turnOf(turn, results) {
  const heading = `turn-${turn.index}-title`;
  const kind = IMPLICITNESS[turn.implicitness] ?? turn.implicitness;
  return el(
    "section",
    { class: "turn", id: `turn-${turn.index}`, tabindex: "-1", "aria-labelledby": heading },
    el("h3", { id: heading }, `Turn ${turn.index}: ${turn.task}, ${kind} `, chip(turn.outcome.score, "score")),
    el("p", { class: "quiet" }, ...brief([outcomeOf(turn), effortOf(turn)].filter(Boolean).join(" · "))),
    ...(turn.asked === undefined ? [] : dialogueOf(turn, results)),
    turn.verdicts.length ? verdictsOf(turn.verdicts) : null,
    turn.ballots.length ? ballotsOf(turn.ballots) : null,
  );
}

function outcomeOf({ outcome, rests }) {
  const why = outcome.why ? `: ${outcome.why}` : "";
  const told = {
    scored: outcome.capped ? "held down by a failed safety item" : "",
    unscored: `not scored${why}`,
    errored: `failed by the ${outcome.who}${why}`,
  }[outcome.kind];
  return [told, rests ? "rests on an earlier answer" : ""].filter(Boolean).join(" · ");
}

function effortOf(turn) {
  if (turn.termination === undefined) return "";
  const [read, written] = turn.tokens.map((count) => count.toLocaleString("en"));
  return [
    words(turn.termination),
    `${turn.seconds.toFixed(1)} s`,
    counted(turn.replies, "reply", "replies"),
    counted(turn.calls, "tool call", "tool calls"),
    ...(turn.tokens.some(Boolean) ? [`${read} tokens in, ${written} out`, cost(turn.usd)] : []),
  ].join(" · ");
}

function counted(number, one, more) {
  return `${number.toLocaleString("en")} ${number === 1 ? one : more}`;
}

function cost(usd) {
  return usd === null ? "cost unknown" : `$${usd.toFixed(4)}`;
}

function dialogueOf(turn, results) {
  return [
    ...questionsOf(turn),
    ...turn.steps.flatMap((step, place) => stepOf(step, place + 1, results)),
    changesOf(turn.writes),
    el("h4", null, "Answer"),
    turn.answer.length ? block(turn.answer, { class: "text answer" }) : el("p", { class: "none" }, "No answer was given."),
    turn.error ? el("p", { class: "none" }, ...brief(turn.error)) : null,
  ].filter(Boolean);
}

function questionsOf({ asked, implicit, explicit }) {
  const two = implicit !== explicit;
  const forms = [[two ? "Physician, as implied" : "Physician", implicit]];
  if (two) forms.push(["Physician, spelled out", explicit]);
  if (!forms.some(([, text]) => text === asked)) forms.unshift(["Physician", asked]);
  return forms.flatMap(([name, text]) => {
    const put = forms.length > 1 && text === asked;
    const tag = put ? el("span", { class: "tag" }, "put") : null;
    return [el("h4", null, `${name} `, tag), block([[text]], { class: put || forms.length === 1 ? "text" : "text other" })];
  });
}

function stepOf(step, number, results) {
  const told = [];
  if (step.content) told.push(el("h4", null, "Doctor, on the way"), block([[step.content]]));
  if (step.fault) told.push(el("p", { class: "none" }, `Reply ${number} was of no use: ${words(step.fault)}`));
  return told.concat(step.calls.map((call) => callOf(call, step, number, results)));
}

function callOf(call, step, number, results) {
  const state = !call.ran ? "not run" : call.ok ? "" : "refused";
  const made = el(
    "details",
    { class: "call" },
    el(
      "summary",
      null,
      el("code", null, ...brief(call.name)),
      " ",
      el("code", { class: "arguments", dir: "ltr" }, ...brief(call.arguments)),
      state ? el("span", { class: "tag bad" }, state) : null,
      step.seconds ? el("span", { class: "tag" }, `reply ${number}, ${step.seconds.toFixed(1)} s`) : null,
    ),
  );
  if (call.voice) made.append(el("p", { class: "quiet" }, ...brief(call.voice)));
  const fill = () => made.append(block([[call.result === null ? "This call was not run." : results[call.result]]], { class: "text result" }));
  made.addEventListener("toggle", fill, { once: true });
  return made;
}

function changesOf({ created, changed, refused }) {
  if (!created.length && !changed.length && !refused.length) return null;
  const rows = [
    ...created.map((write) => ["+ created", write.ref, fieldsOf(write.fields)]),
    ...changed.map((write) => ["± changed", write.ref, fieldsOf(write.fields)]),
    ...refused.map((write) => ["✗ refused", el("span", null, ...brief(write.tool)), el("div", null, block([[write.arguments]]), ...brief(write.error))]),
  ];
  return el("div", { class: "wide" }, table("What the turn wrote", ["state", "resource", "content"], rows));
}

function fieldsOf(fields) {
  const pairs = Object.entries(fields).map(([name, value]) =>
    el("div", null, el("dt", null, words(name)), el("dd", { dir: "auto" }, ...brief(value))),
  );
  return el("dl", { class: "facts" }, ...pairs);
}

function verdictsOf(verdicts) {
  const told = about.text ? ["wanted", "reason"] : [];
  const rows = verdicts.map((verdict) => [
    el("span", { class: verdict.verdict }, VERDICTS[verdict.verdict]),
    el("span", null, verdict.item, " ", ...kindsOf(verdict)),
    ...told.map((name) => el("span", { dir: "auto" }, ...brief(verdict[name]))),
    verdict.by,
  ]);
  return el("div", { class: "wide" }, table("Rubric", ["verdict", "item", ...told, "decided by"], rows));
}

// What each judge said of an item, beside what code had said.
function ballotsOf(ballots) {
  const told = about.text ? ["reason", "quotation"] : [];
  const rows = ballots.map((ballot) => [
    ballot.item,
    said(ballot.code),
    el("span", null, ...brief(ballot.judge)),
    ballot.fault ? el("span", { class: "none" }, `no verdict: ${words(ballot.fault)}`) : el("span", null, said(ballot.verdict), ...stance(ballot)),
    ...(about.text ? [el("span", { dir: "auto" }, ...brief(ballot.reason)), quoted(ballot.quote)] : []),
  ]);
  return el("div", { class: "wide" }, table("Judges", ["item", "code said", "judge", "judge said", ...told], rows));
}

const said = (verdict) => el("span", { class: verdict }, VERDICTS[verdict]);
const stance = ({ otherwise }) => (otherwise ? [" ", el("span", { class: "tag bad" }, "says otherwise")] : []);
const quoted = (text) => (text ? el("q", { dir: "auto", lang: about.language }, ...brief(text)) : el("span", { class: "quiet" }, "none"));

function kindsOf({ gate, safety }) {
  return gate ? [el("span", { class: "tag" }, "gate")] : safety ? [el("span", { class: "tag" }, "safety")] : [];
}

function table(caption, heads, rows) {
  const head = el("thead", null, el("tr", null, ...heads.map((name) => el("th", { scope: "col" }, name))));
  const cells = (row) => row.map((cell, place) => el("td", { "data-name": place ? heads[place] : null }, cell));
  const body = el("tbody", null, ...rows.map((row) => el("tr", null, ...cells(row))));
  return el("table", { class: "stacked" }, el("caption", null, caption), head, body);
}
