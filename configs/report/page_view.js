"use strict";
const read = (id) => JSON.parse(document.getElementById(id).textContent);
const about = read("about");
const listed = read("listed");
const packs = read("packs");
const rowOf = new Map(listed.map((row) => [row.id, row]));

// Longest stretch of text that is laid out unasked.
const LONGEST = 20000;
// Characters that hide, turn or break text: they are named instead of obeyed.
const HIDDEN =
  /([\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff])/;

// The only maker of elements: what models and records wrote goes in as text nodes, never as markup.
function el(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value !== null && value !== undefined && value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
  return made;
}

const words = (name) => name.replaceAll("_", " ");

function codePoint(character) {
  return el("span", { class: "control" }, "U+" + character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0"));
}

// Text as nodes, with every hidden character made visible.
function visible(text) {
  return text.split(HIDDEN).map((piece, place) => (place % 2 ? codePoint(piece) : piece));
}

// The beginning of a text that is to take a line or a cell.
function brief(text) {
  return visible(text.length > LONGEST ? text.slice(0, LONGEST) + " …" : text);
}

// Parts of a text, each [text] or [text, support, by], in a block of its own direction and language.
function block(parts, attributes) {
  const length = parts.reduce((sum, part) => sum + part[0].length, 0);
  const made = el("div", { class: "text", dir: "auto", lang: about.language, ...attributes });
  const fill = (most) => {
    let left = most;
    made.replaceChildren();
    for (const [text, support, by] of parts) {
      if (left <= 0) break;
      const nodes = visible(text.slice(0, left));
      left -= text.length;
      made.append(...(support ? [marked(nodes, support, by)] : nodes));
    }
    if (length > most) {
      const all = el("button", { type: "button", class: "more" }, `Show all ${length.toLocaleString("en")} characters`);
      all.addEventListener("click", () => fill(Infinity));
      made.append("… ", all);
    }
  };
  fill(LONGEST);
  return made;
}

function marked(nodes, support, by) {
  const told = {
    item: `rubric item ${by}`,
    result: `shown by ${by}`,
    none: "shown by nothing so far",
  }[support];
  return el("mark", { class: support, title: told }, ...nodes);
}

async function unpacked(id) {
  const bytes = Uint8Array.from(atob(packs[id]), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}

function strings(value) {
  if (typeof value === "string") return [value];
  return value && typeof value === "object" ? Object.values(value).flatMap(strings) : [];
}

// The words of an answer in one piece: a mark must not hide a phrase from the search.
function spoken(transcript) {
  return transcript.turns.map((turn) => (turn.answer ?? []).map((part) => part[0]).join(""));
}

let searchable = null;

// What each session says, in small letters; made once, when it is first searched.
function index() {
  searchable ??= (async () => {
    const all = new Map();
    for (const { id } of listed) {
      const transcript = await unpacked(id);
      all.set(id, [id, ...spoken(transcript), ...strings(transcript)].join("\n").toLowerCase());
    }
    return all;
  })();
  return searchable;
}
