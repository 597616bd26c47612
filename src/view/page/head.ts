/** The beginning of a page: the service, the verdict with what it requires, and the filters. */

import { counted, thousands } from "../../core/value-text.ts";
import { fingerprintOf } from "../../plan/checks/seal.ts";
import type { Action, Plan } from "../../plan/model/plan.ts";
import { html } from "../format/html.ts";
import { type NextStep, type PlanView, type RenameView, reservationLines } from "../plan/plan-view.ts";
import { countActions, type Verdict } from "../plan/verdict.ts";
import { ACTIONS, PLAN } from "../plan/wording.ts";
import { needsAttention } from "./cards.ts";
import { code, link, named, pill } from "./parts.ts";

/** Addresses of a reason to name before the rest is counted. */
const MAX_ADDRESSES = 20;
const MARKS: Readonly<Record<Verdict["concern"], string>> = {
  ...{ none: "✓", safe: "✓", attention: "!", blocked: "✕", destructive: "!" },
};

/** The header: what the page is of, and its verdict. */
export function pageHeader(view: PlanView): readonly string[] {
  const { plan, wording } = view;
  const { host, environment } = plan.target;
  const facts = [
    ["Requests", wording.isPlan ? requestCount(plan) : ""],
    ["Unchanged", plan.summary.unchanged === 0 ? "" : thousands(plan.summary.unchanged)],
    [wording.time, plan.seal.created_at.replace("T", " ").replace(/(:\d\d)(\.\d+)?Z$/, "$1 UTC")],
    ["Fingerprint", fingerprintOf(plan)],
    ["Base", view.base],
    ["Rolls back run", plan.undoes ?? ""],
  ].filter(([, value]) => value !== "");
  return [
    `<header><p class="kicker"><span class="logo" aria-hidden="true"></span>${html(plan.tool.name)} <span class="quiet">${html(plan.tool.version)}</span></p>`,
    `<h1>${html(wording.title)} <span class="host">${html(host)}</span>${environment === undefined ? "" : ` ${pill("environment", environment)}`}</h1>`,
    `<dl class="facts">${facts.map(([name = "", value = ""]) => `<div><dt>${html(name)}</dt><dd>${html(value)}</dd></div>`).join("")}</dl>`,
    ...verdictBox(view),
    "</header>",
  ];
}

/** The number of requests, and of the writes among them: the others read what the writes depend on. */
function requestCount({ summary: { requests, operations } }: Plan): string {
  return requests === operations ? thousands(requests) : `${thousands(requests)}, ${counted(operations, "write")}`;
}

function verdictBox(view: PlanView): readonly string[] {
  const { concern, summary, advice, command } = view.verdict;
  const below = view.wording === PLAN ? actionsThatOccur(view) : summary;
  return [
    `<div class="verdict ${concern}"><span class="mark" aria-hidden="true">${MARKS[concern]}</span><div>`,
    `<p class="headline">${unbroken(advice === "" ? summary : advice)}</p>`,
    ...(advice === "" ? [] : [`<p class="quiet">${html(below)}</p>`]),
    ...(view.blocked.length + view.renames.length === 0
      ? []
      : [
          `<ul>${[...view.blocked.map(blockedItem), ...view.renames.map(renameItem)].map((item) => `<li>${item}</li>`).join("")}</ul>`,
        ]),
    ...[...(command === "" ? [] : [{ purpose: "To approve", command }]), ...view.next].map(commandLine),
    ...originLines(view),
    ...reservationLines(view, "below").map((line) => `<p class="quiet">${html(line)}</p>`),
    "</div></div>",
  ];
}

function commandLine({ purpose, command }: NextStep): string {
  return `<p class="command"><span class="quiet">${html(purpose)}:</span> ${code(command)} <button type="button" class="copy" hidden>Copy</button></p>`;
}

/** How many changes are of the change of the files, and how many were there before. */
function originLines({ sections }: PlanView): readonly string[] {
  return sections.flatMap(({ title }) => (title === "" ? [] : [`<p class="quiet">${html(title)}</p>`]));
}

/** The summary of a plan below its advice. */
function actionsThatOccur({ plan: { changes, summary }, wording }: PlanView): string {
  const counts = countActions(changes, wording);
  return `${counts === "" ? "" : `${counts}. `}${counted(summary.requests, "request")}.`;
}

/** A sentence whose flags are not broken at their dashes. */
function unbroken(sentence: string): string {
  return html(sentence).replace(/--[a-z-]+/g, '<span class="flag">$&</span>');
}

function blockedItem({ message, addresses, flag }: Plan["blocked"][number]): string {
  const names = addresses.length === 0 ? "" : `: ${named(addresses, MAX_ADDRESSES, link)}`;
  const required = flag === undefined ? "" : `; requires <span class="flag">${code(flag)}</span>`;
  return `${unbroken(message)}${names}${required}`;
}

function renameItem({ sentence, at, line, orPull }: RenameView): string {
  return `${html(sentence)}; to keep it, write at ${code(at)}: ${code(line)}${orPull === "" ? "" : `; ${html(orPull)}`}`;
}

/** The filters, hidden unless the script runs, and the help for its keys. */
export function filterBar({ changes, kinds, wording }: PlanView): readonly string[] {
  if (changes.length === 0) return [];
  const attention = changes.filter((change) => needsAttention(change, wording)).length;
  const isUnfinished = changes.some(({ open }) => open.length > 0);
  const count = (action: Action): number =>
    changes.filter(({ change, open }) => change.action === action && open.length === 0).length;
  const chips = [
    chip("attention", "yes", "alarm", "!", isUnfinished ? "not as planned" : "needs attention", attention),
    ...ACTIONS.map((action) => {
      const { tone, symbol, column } = wording.actions[action];
      return chip("action", action, tone, symbol, column, count(action));
    }),
  ];
  const kindChips = kinds.map((each) => chip("kind", each.kind, "", "", each.kind, each.changes.length));
  return [
    '<form id="filters" class="filters" hidden aria-label="Filters">',
    '<div class="row"><input type="search" id="search" placeholder="Search changes" aria-label="Search changes" autocomplete="off" spellcheck="false">',
    `<output id="status">${counted(changes.length, "change")}</output>`,
    '<span class="buttons"><button type="button" id="open">Expand all</button><button type="button" id="close">Collapse all</button><button type="button" id="help" aria-label="Keys">?</button></span></div>',
    `<div class="row chips" role="group" aria-label="Attention and actions">${chips.join("")}</div>`,
    kinds.length < 2 ? "" : `<div class="row chips kinds" role="group" aria-label="Kinds">${kindChips.join("")}</div>`,
    "</form>",
    '<dialog id="keys" aria-labelledby="keys-title"><h2 id="keys-title">Keys</h2><dl>',
    ...KEYS.map(([key, does]) => `<div class="key"><dt><kbd>${key}</kbd></dt><dd>${does}</dd></div>`),
    '</dl><form method="dialog"><button>Close</button></form></dialog>',
  ];
}

const KEYS = [
  ["j", "next change"],
  ["k", "previous change"],
  ["Enter", "open or close the change"],
  ["/", "search"],
  ["Esc", "show all changes"],
  ["e", "expand all"],
  ["c", "collapse all"],
  ["?", "this help"],
] as const;

/** The button of a filter; nothing if it would show no change. */
function chip(name: string, value: string, tone: string, sign: string, words: string, count: number): string {
  if (count === 0) return "";
  const mark = sign === "" ? "" : `<span class="${tone}" aria-hidden="true">${html(sign)}</span> `;
  return `<button type="button" class="chip" aria-pressed="false" data-filter="${name}" data-value="${html(value)}">${mark}${html(words)} <b>${thousands(count)}</b></button>`;
}
