/** The changes of a page: one card for each, those that a reviewer must look at first, then by kind. */

import { groupBy } from "../../core/lists.ts";
import { thousands } from "../../core/value-text.ts";
import type { Change, Plan } from "../../plan/model/plan.ts";
import type { Outcome } from "../../run/journal/outcome.ts";
import { plain } from "../format/ansi.ts";
import { html } from "../format/html.ts";
import { isSwitch, positionText, quotedLabel, reportContext, takeoverText } from "../plan/change-lines.ts";
import { fieldRows } from "../plan/field-rows.ts";
import { countActions } from "../plan/overview.ts";
import { reviewReason } from "../plan/verdict.ts";
import { PLAN, type Wording } from "../plan/wording.ts";
import { OUTCOMES } from "../run/progress.ts";
import { fieldsLine, fieldTable } from "./fields.ts";
import { code, pill } from "./parts.ts";

/** Changes up to which those with several fields are open. */
const MAX_OPEN = 12;
/** Resources to name before the rest is counted. */
const MAX_NAMES = 50;

/** The title of the changes of a run that did not end as planned. */
const NOT_AS_PLANNED = "Not as planned";

/** A group of cards under one heading. */
export interface CardGroup {
  readonly title: string;
  /** The title is the name of a kind. */
  readonly isKind: boolean;
  readonly changes: readonly Change[];
}

/** The outcome of an operation that did not end as planned, and its reasons. */
export interface OpenOutcome {
  readonly status: Outcome["status"];
  readonly reasons: readonly string[];
}

/** The values that the cards of a page share. */
export interface CardContext {
  readonly wording: Wording;
  /** The note on a blocked change, by address. */
  readonly blocked: ReadonlyMap<string, string>;
  /** Operations of a run that did not end as planned, by id; empty for a plan. */
  readonly open: ReadonlyMap<string, OpenOutcome>;
  readonly isOpen: boolean;
}

/** The context of a plan's cards. */
export function cardContext(plan: Plan, wording: Wording, open: CardContext["open"] = new Map()): CardContext {
  const { blocked } = reportContext(plan, wording, { paint: plain, verbose: false });
  return { wording, blocked, open, isOpen: plan.changes.length <= MAX_OPEN };
}

/** Whether a card belongs to those that a reviewer must look at first. */
export function needsAttention(change: Change, { wording, blocked, open }: CardContext): boolean {
  if (hasOpenOutcome(change, { open })) return true;
  if (wording !== PLAN) return false;
  return change.risk === "destructive" || change.attention !== undefined || blocked.has(change.address);
}

/** Whether an operation of the change did not end as planned. */
export function hasOpenOutcome({ operations }: Change, { open }: Pick<CardContext, "open">): boolean {
  return operations.some((id) => open.has(id));
}

/** The groups in their order. Each change is in one of them. */
export function cardGroups({ changes }: Plan, context: CardContext): readonly CardGroup[] {
  const first = changes.filter((change) => needsAttention(change, context));
  const isFirst = new Set(first);
  const titleOf = (change: Change): string =>
    hasOpenOutcome(change, context)
      ? NOT_AS_PLANNED
      : change.risk === "destructive"
        ? "Cannot be undone"
        : "Needs attention";
  const inOrder = [NOT_AS_PLANNED, "Cannot be undone", "Needs attention"].map((title) => ({
    title,
    isKind: false,
    changes: first.filter((change) => titleOf(change) === title),
  }));
  const others = changes.filter((change) => !isFirst.has(change));
  const byKind = [...groupBy(others, ({ kind }) => kind)].map(([title, own]) => ({
    title,
    isKind: true,
    changes: [...groupBy(own, ({ address }) => address).values()].flat(),
  }));
  return [...inOrder, ...byKind].filter((group) => group.changes.length > 0);
}

/** The groups as HTML. */
export function cards(groups: readonly CardGroup[], context: CardContext): readonly string[] {
  const seen = new Set<string>();
  return groups.flatMap(({ title, isKind, changes }) => [
    `<section class="group"><h2>${isKind ? code(title) : html(title)} <span class="quiet">${html(countActions(changes, title === NOT_AS_PLANNED ? PLAN : context.wording))}</span></h2>`,
    ...changes.map((change) => {
      const isFirst = !seen.has(change.address);
      seen.add(change.address);
      return card(change, isFirst, context);
    }),
    "</section>",
  ]);
}

function card(change: Change, isFirst: boolean, context: CardContext): string {
  const { wording, isOpen } = context;
  const isUnfinished = hasOpenOutcome(change, context);
  const { symbol, tone, column, single = column } = (isUnfinished ? PLAN : wording).actions[change.action];
  const rows = isSwitch(change) ? [] : fieldRows(change.fields);
  const line = fieldsLine(rows, change);
  const notes = [
    positionText(change, wording),
    wording.isPlan && !isPlain(change) ? reviewReason(change) : "",
    ...(wording.isPlan ? takeoverText(change) : []),
  ].filter((part) => (part ?? "") !== "");
  const details = [
    // A single field is on the first line already, unless it is too long for it.
    rows.length === 1 && !line.startsWith('<span class="quiet">') ? "" : fieldTable(rows, change, wording.legend),
    ...cascades(change),
    ...reasons(change, context),
    source(change),
  ].filter((part) => part !== "");
  const attributes = [
    `data-action="${isUnfinished ? "unfinished" : change.action}" data-kind="${html(change.kind)}"`,
    needsAttention(change, context) ? ' data-attention="yes"' : "",
    change.risk === "destructive" && wording.isPlan ? ' data-risk="destructive"' : "",
    isFirst ? ` id="${html(change.address)}"` : "",
    isOpen && rows.length > 1 ? " open" : "",
  ].join("");
  const label = quotedLabel(change);
  const at = change.address.indexOf("/") + 1;
  const [kind, name] = [change.address.slice(0, at), change.address.slice(at)];
  return [
    `<details class="card"${attributes === "" ? "" : ` ${attributes}`}><summary>`,
    `<span class="sign ${tone}" aria-hidden="true">${html(symbol)}</span><span class="name"><code><span class="quiet">${html(kind)}</span>${html(name)}</code>${label === undefined ? "" : ` <span class="label">${html(label)}</span>`}</span>`,
    `<span class="pills">${pill(tone, single)}${pills(change, context)}</span>`,
    line === "" && notes.length === 0
      ? ""
      : `<span class="line">${line}${notes.map((note) => `<span class="note">${html(note ?? "")}</span>`).join("")}</span>`,
    "</summary>",
    `<div class="inside">${details.length === 0 ? `<p class="quiet">${noDetails(rows.length, change)}</p>` : details.join("\n")}</div></details>`,
  ].join("");
}

/** The sentence of a card that says everything on its first lines. */
function noDetails(fields: number, { action }: Change): string {
  if (fields === 1) return "No other field changes.";
  return action === "delete" ? "Its fields are not known here." : "No fields change.";
}

/** Whether the card says by itself why there is a change: the resource is new, or its fields differ. */
function isPlain({ action, risk, attention }: Change): boolean {
  return risk === "safe" && attention === undefined && ["create", "update", "move"].includes(action);
}

function pills(change: Change, { wording, blocked, open }: CardContext): string {
  const outcomes = change.operations.flatMap((id) => open.get(id) ?? []);
  if (outcomes.length > 0) {
    const words = [...new Set(outcomes.map(({ status }) => status))].map((status) => OUTCOMES[status]);
    return words.map(([word, tone]) => pill(tone, word)).join("");
  }
  if (!wording.isPlan) return "";
  return [
    ...(change.risk === "destructive" ? [pill("alarm", "cannot be undone")] : []),
    ...(change.risk !== "destructive" && change.attention !== undefined ? [pill("attention", "attention")] : []),
    ...(blocked.has(change.address) ? [pill("alarm", blocked.get(change.address) ?? "")] : []),
  ].join("");
}

function cascades({ cascades: also = [] }: Change): readonly string[] {
  if (also.length === 0) return [];
  const rest = also.length > MAX_NAMES ? ` and ${thousands(also.length - MAX_NAMES)} more` : "";
  return [`<p>Also deletes ${also.slice(0, MAX_NAMES).map(code).join(", ")}${rest}.</p>`];
}

/** The reasons why operations of the change did not end as planned. */
function reasons(change: Change, { open }: CardContext): readonly string[] {
  return change.operations.flatMap((id) => {
    const outcome = open.get(id);
    if (outcome === undefined || outcome.reasons.length === 0) return [];
    return [`<p>${html(OUTCOMES[outcome.status][0])}: ${outcome.reasons.map(html).join("<br>")}</p>`];
  });
}

function source({ source: at, action }: Change): string {
  if (at === undefined) return "";
  if (action === "delete" || action === "disable")
    return `<p class="quiet">The list at ${code(`${at.file}:${at.line}:${at.column}`)} does not declare it.</p>`;
  return `<p class="quiet">Declared at ${code(`${at.file}:${at.line}:${at.column}`)}.</p>`;
}
