const at = (id) => document.getElementById(id);
const filters = document.querySelector("form.filters");
const list = at("list");
const article = at("transcript");
const narrow = matchMedia("(max-width: 55rem)");
const links = new Map();
let here = { view: "overview", session: null, turn: null };
let shown = listed;
let asked = 0;

const RESULTS = { passed: true, failed: false, "not scored": null };
const VALUES = {
  scenario: (row) => [row.scenario],
  tier: (row) => [String(row.tier)],
  arc: (row) => [row.arc],
  result: (row) => Object.keys(RESULTS).filter((name) => RESULTS[name] === row.passed),
  outcome: (row) => row.outcomes,
  fault: (row) => row.faults,
};

function offer() {
  for (const [name, values] of Object.entries(VALUES)) {
    const all = [...new Set(listed.flatMap(values))].sort();
    const options = all.map((value) => el("option", { value }, words(value)));
    filters.elements[name].append(el("option", { value: "" }, "all"), ...options);
  }
}

function rows() {
  for (const row of listed) {
    const mean = row.mean === null ? "not scored" : `score ${row.mean.toFixed(2)}`;
    const link = el(
      "a",
      { href: `#/s/${row.id}` },
      el("b", null, `${words(row.scenario)}, tier ${row.tier}`),
      el("span", { class: "quiet" }, `${row.arc}, ${mean}`),
      el("span", { class: "chips" }, ...row.scores.map((score, place) => chip(score, `turn ${place}`))),
      el("span", { class: "quiet id" }, row.id),
    );
    links.set(row.id, el("li", null, link));
  }
  list.append(...links.values());
}

function fits(row) {
  return Object.entries(VALUES).every(([name, values]) => {
    const wanted = filters.elements[name].value;
    return !wanted || values(row).includes(wanted);
  });
}

async function filter() {
  const turn = ++asked;
  const terms = filters.elements.text.value.toLowerCase().split(/\s+/).filter(Boolean);
  if (terms.length) at("count").textContent = "Searching …";
  const texts = terms.length ? await index().catch(() => null) : null;
  if (turn !== asked) return;
  if (terms.length && !texts) {
    at("count").textContent = "The transcripts cannot be unpacked, so that their text cannot be searched.";
    return;
  }
  shown = listed.filter((row) => fits(row) && terms.every((term) => texts.get(row.id).includes(term)));
  const kept = new Set(shown.map((row) => row.id));
  for (const [id, item] of links) item.hidden = !kept.has(id);
  at("count").textContent = `${shown.length} of ${listed.length} sessions`;
}

function route() {
  const [, view, id, turn] = /^#\/(overview|sessions|s)(?:\/([^/?]+))?(?:\/(\d+))?/.exec(location.hash) ?? [];
  if (location.hash && !view) return;
  const session = view === "s" && rowOf.has(id) ? id : null;
  const fault = new URLSearchParams(location.hash.split("?")[1]).get("fault");
  if (fault) {
    filters.reset();
    filters.elements.fault.value = fault;
    filter();
  }
  const changed = session !== here.session;
  here = { view: !view || view === "overview" ? "overview" : "sessions", session, turn: turn ? Number(turn) : null };
  at("overview").hidden = here.view !== "overview";
  at("sessions").hidden = here.view !== "sessions";
  document.body.classList.toggle("reading", session !== null);
  for (const link of document.querySelectorAll("[data-view]")) {
    if (link.dataset.view === here.view) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  if (changed) open(session);
  else seekTurn();
}

async function open(session) {
  for (const [id, item] of links) {
    if (id === session) item.firstChild.setAttribute("aria-current", "true");
    else item.firstChild.removeAttribute("aria-current");
  }
  if (session === null) {
    article.replaceChildren(el("p", { class: "quiet" }, "Choose a session, or press j."));
    return;
  }
  let made;
  try {
    made = transcriptOf(rowOf.get(session), await unpacked(session));
  } catch (error) {
    made = [el("p", { class: "none" }, `This transcript cannot be unpacked: ${error.message}`)];
  }
  if (here.session !== session) return;
  article.replaceChildren(...made);
  links.get(session).scrollIntoView({ block: "nearest" });
  if (!list.contains(document.activeElement) || narrow.matches) article.focus({ preventScroll: true });
  if (here.turn === null) scrollTo(0, 0);
  else seekTurn();
}

function seekTurn() {
  const section = here.turn === null ? null : at(`turn-${here.turn}`);
  if (!section) return;
  section.focus({ preventScroll: true });
  section.scrollIntoView({ block: "start" });
}

function moveSession(by) {
  if (!shown.length) return;
  const place = shown.findIndex((row) => row.id === here.session);
  const next = place < 0 ? (by > 0 ? 0 : shown.length - 1) : Math.min(Math.max(place + by, 0), shown.length - 1);
  location.replace(`#/s/${shown[next].id}`);
}

function moveTurn(by) {
  if (here.session === null) return;
  const last = rowOf.get(here.session).scores.length - 1;
  const next = here.turn === null ? (by > 0 ? 0 : last) : Math.min(Math.max(here.turn + by, 0), last);
  location.replace(`#/s/${here.session}/${next}`);
}

function search() {
  if (here.view !== "sessions") location.hash = "#/sessions";
  setTimeout(() => filters.elements.text.focus());
}

const KEYS = {
  j: () => moveSession(1),
  k: () => moveSession(-1),
  ArrowRight: () => moveTurn(1),
  ArrowLeft: () => moveTurn(-1),
  "/": search,
  o: () => (location.hash = "#/overview"),
  "?": () => at("help").showModal(),
};

function press(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || at("help").open) return;
  if (event.target.matches("input, select, textarea")) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  const along = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (along && list.contains(event.target)) {
    event.preventDefault();
    moveSession(along);
    setTimeout(() => links.get(here.session)?.firstChild.focus());
  } else if (KEYS[event.key]) {
    event.preventDefault();
    if (event.key === "j" || event.key === "k") document.activeElement.blur();
    KEYS[event.key]();
  }
}

offer();
rows();
filters.addEventListener("input", filter);
filters.addEventListener("submit", (event) => event.preventDefault());
filters.addEventListener("reset", () => setTimeout(filter));
filters.elements.text.addEventListener("focus", () => index());
at("keys").hidden = false;
at("keys").addEventListener("click", KEYS["?"]);
at("close").addEventListener("click", () => at("help").close());
addEventListener("keydown", press);
addEventListener("hashchange", route);
filter();
open(null);
route();
performance.mark("ready");
