/** The beginning of a page: the service, the verdict with what it requires, and the filters. */

import { groupBy } from "../../core/lists.ts";
import { counted, thousands } from "../../core/value-text.ts";
import type { Plan } from "../../plan/model/plan.ts";
import { html } from "../format/html.ts";
import { reservationLines } from "../plan/summary.ts";
import { approvalCommand, type Verdict } from "../plan/verdict.ts";
import { ACTIONS, type Wording } from "../plan/wording.ts";
import { type CardContext, hasOpenOutcome, needsAttention } from "./cards.ts";
import { code, link, pill } from "./parts.ts";

/** Addresses of a reason to name before the rest is counted. */
const MAX_ADDRESSES = 20;
const MARKS: Readonly<Record<Verdict["concern"], string>> = {
  ...{ none: "✓", safe: "✓", attention: "!", blocked: "✕", destructive: "!" },
};

/** The header: what the page is of, and its verdict. */
export function pageHeader(plan: Plan, wording: Wording, verdict: Verdict): readonly string[] {
  const { host, environment } = plan.target;
  const facts = [
    ["Requests", wording.isPlan ? requestCount(plan) : ""],
    ["Unchanged", plan.summary.unchanged === 0 ? "" : thousands(plan.summary.unchanged)],
    [wording.time, plan.seal.created_at.replace("T", " ").replace(/(:\d\d)(\.\d+)?Z$/, "$1 UTC")],
    ["Fingerprint", plan.seal.fingerprint],
    ["Rolls back run", plan.undoes ?? ""],
  ].filter(([, value]) => value !== "");
  return [
    `<header><p class="kicker"><span class="logo" aria-hidden="true"></span>${html(plan.tool.name)} <span class="quiet">${html(plan.tool.version)}</span></p>`,
    `<h1>${html(wording.title)} <span class="host">${html(host)}</span>${environment === undefined ? "" : ` ${pill("environment", environment)}`}</h1>`,
    `<dl class="facts">${facts.map(([name = "", value = ""]) => `<div><dt>${html(name)}</dt><dd>${html(value)}</dd></div>`).join("")}</dl>`,
    ...verdictBox(plan, wording, verdict),
    "</header>",
  ];
}

/** The number of requests, and of the writes among them: the others read what the writes depend on. */
function requestCount({ summary: { requests, operations } }: Plan): string {
  return requests === operations ? thousands(requests) : `${thousands(requests)}, ${counted(operations, "write")}`;
}

function verdictBox(plan: Plan, wording: Wording, { concern, summary, advice }: Verdict): readonly string[] {
  const command = wording.isPlan ? approvalCommand(plan) : undefined;
  const reasons = wording.isPlan ? plan.blocked.map(blockedItem) : [];
  return [
    `<div class="verdict ${concern}"><span class="mark" aria-hidden="true">${MARKS[concern]}</span><div>`,
    `<p class="headline">${unbroken(advice ?? summary)}</p>`,
    ...(advice === undefined ? [] : [`<p class="quiet">${html(summary)}</p>`]),
    ...(reasons.length === 0 ? [] : [`<ul>${reasons.map((reason) => `<li>${reason}</li>`).join("")}</ul>`]),
    ...(command === undefined
      ? []
      : [
          `<p class="command"><span class="quiet">To approve:</span> ${code(command)} <button type="button" class="copy" hidden>Copy</button></p>`,
        ]),
    ...reservationLines(plan, wording, "below").map((line) => `<p class="quiet">${html(line)}</p>`),
    "</div></div>",
  ];
}

/** A sentence whose flags are not broken at their dashes. */
function unbroken(sentence: string): string {
  return html(sentence).replace(/--[a-z-]+/g, '<span class="flag">$&</span>');
}

function blockedItem({ message, addresses, flag }: Plan["blocked"][number]): string {
  const names = addresses.slice(0, MAX_ADDRESSES).map(link).join(", ");
  const rest = addresses.length > MAX_ADDRESSES ? ` and ${thousands(addresses.length - MAX_ADDRESSES)} more` : "";
  const required = flag === undefined ? "" : `; requires <span class="flag">${code(flag)}</span>`;
  return `${unbroken(message)}${names === "" ? "" : `: ${names}`}${rest}${required}`;
}

/** The filters, hidden unless the script runs, and the help for its keys. */
export function filterBar(plan: Plan, context: CardContext): readonly string[] {
  const { changes } = plan;
  if (changes.length === 0) return [];
  const { actions } = context.wording;
  const attention = changes.filter((change) => needsAttention(change, context)).length;
  const byAction = groupBy(
    changes.filter((change) => !hasOpenOutcome(change, context)),
    ({ action }) => action,
  );
  const attentionWords = context.open.size > 0 ? "not as planned" : "needs attention";
  const byKind = [...groupBy(changes, ({ kind }) => kind)];
  return [
    '<form id="filters" class="filters" hidden aria-label="Filters">',
    '<div class="row"><input type="search" id="search" placeholder="Search changes" aria-label="Search changes" autocomplete="off" spellcheck="false">',
    `<output id="status">${counted(changes.length, "change")}</output>`,
    '<span class="buttons"><button type="button" id="open">Expand all</button><button type="button" id="close">Collapse all</button><button type="button" id="help" aria-label="Keys">?</button></span></div>',
    `<div class="row chips" role="group" aria-label="Attention and actions">${[
      ...(attention === 0 ? [] : [chip("attention", "yes", "alarm", "!", attentionWords, attention)]),
      ...ACTIONS.flatMap((action) => {
        const own = byAction.get(action)?.length ?? 0;
        const { tone, symbol, column } = actions[action];
        return own === 0 ? [] : [chip("action", action, tone, symbol, column, own)];
      }),
    ].join("")}</div>`,
    byKind.length < 2
      ? ""
      : `<div class="row chips kinds" role="group" aria-label="Kinds">${byKind.map(([kind, own]) => chip("kind", kind, "", "", kind, own.length)).join("")}</div>`,
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

function chip(name: string, value: string, tone: string, sign: string, words: string, count: number): string {
  const mark = sign === "" ? "" : `<span class="${tone}" aria-hidden="true">${html(sign)}</span> `;
  return `<button type="button" class="chip" aria-pressed="false" data-filter="${name}" data-value="${html(value)}">${mark}${html(words)} <b>${thousands(count)}</b></button>`;
}
