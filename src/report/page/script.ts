/** The script of a plan's page: filters by kind, risk and text, and keys to move between changes. */

export const SCRIPT: string = `
"use strict";
const all = (selector) => [...document.querySelectorAll(selector)];
const bar = document.querySelector(".filters");
const changes = all(".change");
const search = document.querySelector("#search");
const status = document.querySelector("#status");
const texts = new Map(changes.map((change) => [change, change.textContent.toLowerCase()]));
const checked = (name) => new Set(all("input[name=" + name + "]:checked").map((box) => box.value));
function filter() {
  const kinds = checked("kind");
  const risks = checked("risk");
  const query = search.value.trim().toLowerCase();
  let shown = 0;
  for (const change of changes) {
    const fits = kinds.has(change.dataset.kind) && risks.has(change.dataset.risk) && texts.get(change).includes(query);
    change.hidden = !fits;
    if (fits) shown += 1;
  }
  for (const group of all(".group")) group.hidden = group.querySelector(".change:not([hidden])") === null;
  const [some, whole] = [shown, changes.length].map((count) => count.toLocaleString("en"));
  const noun = changes.length === 1 ? " change" : " changes";
  status.textContent = (some === whole ? whole : some + " of " + whole) + noun;
}
function fold(open) { for (const change of changes) if (!change.hidden) change.open = open; }
function step(by) {
  const heads = changes.filter((change) => !change.hidden).map((change) => change.querySelector("summary"));
  if (heads.length === 0) return;
  const at = heads.indexOf(document.activeElement);
  const next = heads[at < 0 ? (by > 0 ? 0 : heads.length - 1) : Math.min(heads.length - 1, Math.max(0, at + by))];
  next.focus();
  next.scrollIntoView({ block: "center" });
}
function reveal() {
  const change = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (change === null) return;
  change.hidden = false;
  change.open = true;
  change.querySelector("summary")?.focus();
}
if (bar !== null) {
  bar.hidden = false;
  bar.addEventListener("input", filter);
  document.querySelector("#open").addEventListener("click", () => fold(true));
  document.querySelector("#close").addEventListener("click", () => fold(false));
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" && document.activeElement === search) { search.value = ""; filter(); search.blur(); return; }
    if (document.activeElement === search) return;
    const keys = { "/": () => search.focus(), j: () => step(1), k: () => step(-1), e: () => fold(true), c: () => fold(false) };
    if (!Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    keys[event.key]();
  });
  filter();
}
let closed = [];
addEventListener("beforeprint", () => { closed = all("details:not([open])"); for (const each of closed) each.open = true; });
addEventListener("afterprint", () => { for (const each of closed) each.open = false; });
addEventListener("hashchange", reveal);
if (location.hash !== "") reveal();
`;
