/** A plan, drift or outcome as a web page: verdict, risks, filters, changes side by side, pictures, and requests. */

import type { Drift } from "../../drift/drift.ts";
import type { Change, Plan, Risk } from "../../plan/plan.ts";
import { driftSections } from "../drift/text.ts";
import { html, htmlDocument } from "../format/html.ts";
import type { DiffLine } from "../format/line-diff.ts";
import { counted, fieldPath, thousands, valueText } from "../format/value.ts";
import { positionText, quotedLabel } from "../plan/change-lines.ts";
import { diffOf, type FieldRow, fieldRows } from "../plan/field-rows.ts";
import { leftAloneSections, type PlaceSection } from "../plan/left-alone.ts";
import { countActions, groupBy } from "../plan/overview.ts";
import { reservationLines, targetName } from "../plan/summary.ts";
import { transitionSentences } from "../plan/transitions.ts";
import { reviewGroups, reviewReason, type Verdict, verdictOf } from "../plan/verdict.ts";
import { ACTIONS, DRIFT, PLAN, type Wording } from "../plan/wording.ts";
import { OUTCOMES } from "../run/progress.ts";
import { type Applied, headline, isComplete, nextSteps, reasonsOf, verificationLines } from "../run/text.ts";
import { SCRIPT } from "./script.ts";
import { STYLE } from "./style.ts";
import { anchor, type GraphEdge, orderPicture, referenceGraph } from "./svg.ts";

const RISKS: readonly Risk[] = ["destructive", "attention", "safe"];
/** Changes above which the browser renders only those in view. */
const MANY_CHANGES = 500;
/** Changes up to which all of them are open. */
const MAX_OPEN = 20;

/** The page of a plan, with a final line feed. The references of unchanged resources are drawn if known. */
export function planPage(plan: Plan, references?: readonly GraphEdge[]): string {
  return planPageWith(plan, PLAN, pageHead(plan, PLAN), references);
}

/** The page of drift, with the accepted differences. */
export function driftPage(plan: Plan, drift?: Drift, references?: readonly GraphEdge[]): string {
  const first = placeSections(drift === undefined ? [] : driftSections(drift));
  return planPageWith(plan, DRIFT, { ...pageHead(plan, DRIFT, drift), first }, references);
}

/** The page of a run's outcome, with its plan. */
export function outcomePage(applied: Applied): string {
  const { plan, result, verification, journal, explain } = applied;
  const open = result.outcomes.filter(({ status }) => status !== "done");
  const good = isComplete(result.counts) && (verification === null || verification.status === "verified");
  const items = open.map((outcome) => {
    const reasons = reasonsOf(outcome, explain).map(html).join("; ");
    return `<strong class="removed">${html(OUTCOMES[outcome.status][0])}</strong> ${link(outcome.operation.address)} ${html(outcome.operation.why)}${reasons === "" ? "" : `: ${reasons}`}`;
  });
  const next = [
    ...nextSteps(applied).map(html),
    ...(journal === undefined || isComplete(result.counts) ? [] : [`Journal: ${code(journal)}`]),
  ];
  return planPageWith(plan, PLAN, {
    title: "Apply",
    verdict: {
      concern: good ? "safe" : "destructive",
      summary: headline(result.counts, result.outcomes.length),
      advice: verificationLines(applied).join(" "),
    },
    first: [...section("Not as planned", items), ...section("Next", next)],
  });
}

/** The beginning of a page. */
interface PageHead {
  readonly title: string;
  readonly verdict: Verdict;
  /** Sections before all others, as HTML. */
  readonly first: readonly string[];
}

function pageHead(plan: Plan, wording: Wording, drift?: Drift): PageHead {
  return { title: wording.title, verdict: verdictOf(plan, wording, drift), first: [] };
}

function planPageWith(
  plan: Plan,
  wording: Wording,
  { title: noun, verdict, first }: PageHead,
  references?: readonly GraphEdge[],
): string {
  const { concern, summary, advice = "", flags = "" } = verdict;
  const advised = flags === "" ? html(advice) : advice.split(flags).map(html).join(code(flags));
  const title = `${noun}: ${targetName(plan)}`;
  const groups = [...groupBy(plan.changes, ({ kind }) => kind)];
  return htmlDocument({
    title,
    style: STYLE,
    script: SCRIPT,
    body: [
      '<a class="skip" href="#changes">To the changes</a>',
      `<header><h1>${html(title)}</h1>`,
      `<p class="verdict ${concern}"><strong>${html(summary)}</strong>${advised}</p>`,
      ...reservationLines(plan, wording, "below").map((line) => `<p class="quiet">${html(line)}</p>`),
      "</header>",
      "<main>",
      ...first,
      ...(wording.isPlan ? attention(plan, wording) : []),
      ...totalsTable(plan, groups, wording),
      ...section("Warnings", plan.warnings.map(warningItem)),
      "<div>",
      ...filters(plan, groups),
      ...changes(groups, plan, wording),
      "</div>",
      ...placeSections(leftAloneSections(plan, wording.isPlan)),
      ...pictures(plan, wording, references),
      ...section(
        "Side effects (not counted)",
        plan.derived.map(
          ({ address, path, before, after, reason }) =>
            `${code(address)} ${code(fieldPath(path))}: ${code(valueText(before))} → ${code(valueText(after))} <span class="quiet">${html(reason)}</span>`,
        ),
      ),
      ...section(
        "Could not be compared",
        plan.unreadable.map(
          ({ address, path, reason }) => `${code(address)} ${code(fieldPath(path))}: ${html(reason)}`,
        ),
      ),
      ...(wording.isPlan ? requests(plan) : []),
      "</main>",
      `<footer class="quiet">${html(`${plan.tool.name} ${plan.tool.version}`)}, plan <code>${html(plan.seal.fingerprint)}</code>${plan.undoes === undefined ? "" : `, rolls back run ${html(plan.undoes)}`}</footer>`,
    ],
  });
}

function attention(plan: Plan, wording: Wording): readonly string[] {
  return section("Needs attention", [
    ...plan.blocked.map(({ message, addresses, flag }) => {
      const addressList = addresses.length === 0 ? "" : `: ${addresses.slice(0, 50).map(link).join(", ")}`;
      const rest = addresses.length > 50 ? ` and ${thousands(addresses.length - 50)} more` : "";
      const required = flag === undefined ? "" : `; requires ${code(flag)}`;
      return `<strong class="removed">blocked</strong> ${html(message)}${addressList}${rest}${required}`;
    }),
    ...reviewGroups(plan).map((group) => riskItem(group, wording)),
  ]);
}

function riskItem(group: readonly Change[], wording: Wording): string {
  const [change] = group;
  if (change === undefined) return "";
  const { note, symbol } = wording.actions[change.action];
  const tone = change.risk === "destructive" ? "removed" : "changed";
  const verb = note ?? (symbol === "+" ? "create" : symbol === ">" ? "move" : "change");
  const addressList = group
    .slice(0, 20)
    .map((each) => link(each.address) + (each.label === undefined ? "" : ` ${code(valueText(each.label))}`))
    .join(", ");
  const rest = group.length > 20 ? ` and ${thousands(group.length - 20)} more` : "";
  const why = reviewReason(change);
  const cascades = group.flatMap(({ cascades = [] }) => cascades);
  const also =
    cascades.length === 0
      ? ""
      : `; also deletes ${cascades.slice(0, 50).map(code).join(", ")}${cascades.length > 50 ? ` and ${thousands(cascades.length - 50)} more` : ""}`;
  return `<strong class="${tone}">${html(verb)}</strong> ${addressList}${rest}${why === "" ? "" : `: ${html(why)}`}${also}`;
}

function totalsTable(
  plan: Plan,
  groups: readonly (readonly [string, readonly Change[]])[],
  wording: Wording,
): readonly string[] {
  const actions = ACTIONS.filter((action) => plan.changes.some((change) => change.action === action));
  if (actions.length === 0) return [];
  const row = (head: string, some: readonly Change[]): string => {
    const cells = actions.map((action) => some.filter((change) => change.action === action).length);
    return `<tr><th scope="row">${head}</th>${cells.map((count) => `<td>${count === 0 ? "" : thousands(count)}</td>`).join("")}</tr>`;
  };
  return [
    "<h2>Totals</h2>",
    `<div class="wide"><table class="totals"><thead><tr><th>Kind</th>${actions.map((action) => `<th>${html(wording.actions[action].column)}</th>`).join("")}</tr></thead><tbody>`,
    ...groups.map(([kind, some]) => row(code(kind), some)),
    row("all", plan.changes),
    "</tbody></table></div>",
  ];
}

/** The filters; hidden unless the script runs. */
function filters(plan: Plan, groups: readonly (readonly [string, readonly Change[]])[]): readonly string[] {
  if (plan.changes.length === 0) return [];
  const box = (name: string, value: string, count: number): string =>
    `<label><input type="checkbox" name="${name}" value="${html(value)}" checked> ${html(value)} <span class="quiet">${thousands(count)}</span></label>`;
  const risks = RISKS.map((risk) => [risk, plan.changes.filter((change) => change.risk === risk).length] as const);
  return [
    '<form class="filters" hidden aria-label="Filters">',
    `<fieldset><legend>Risk</legend>${risks
      .filter(([, count]) => count > 0)
      .map(([risk, count]) => box("risk", risk, count))
      .join("")}</fieldset>`,
    `<fieldset><legend>Kind</legend>${groups.map(([kind, some]) => box("kind", kind, some.length)).join("")}</fieldset>`,
    '<p><label>Text <input type="search" id="search" autocomplete="off"></label> <button type="button" id="open">Open all</button> <button type="button" id="close">Close all</button> <output id="status" aria-live="polite"></output> <span class="quiet">Keys: / to search, j and k for the next and previous change, e and c to open and close all</span></p>',
    "</form>",
  ];
}

function changes(
  groups: readonly (readonly [string, readonly Change[]])[],
  plan: Plan,
  wording: Wording,
): readonly string[] {
  const open = plan.changes.length <= MAX_OPEN;
  const blocked = new Set(wording.isPlan ? plan.blocked.flatMap(({ addresses }) => addresses) : []);
  const seen = new Set<string>();
  return [
    `<div id="changes"${plan.changes.length > MANY_CHANGES ? ' class="many"' : ""}>`,
    ...groups.flatMap(([kind, some]) => [
      '<section class="group">',
      `<h2>${code(kind)} <span class="quiet">${html(countActions(some, wording))}</span></h2>`,
      ...some.map((change) => {
        const first = !seen.has(change.address);
        seen.add(change.address);
        return changeItem(change, wording, { open, first, blocked: blocked.has(change.address) });
      }),
      "</section>",
    ]),
    "</div>",
  ];
}

function changeItem(
  change: Change,
  wording: Wording,
  { open, first, blocked }: { readonly open: boolean; readonly first: boolean; readonly blocked: boolean },
): string {
  const { symbol, tone, note } = wording.actions[change.action];
  const notes = [quotedLabel(change), note, positionText(change, wording), wording.isPlan ? change.reason : ""].filter(
    (part) => (part ?? "") !== "",
  );
  const badges = [
    ...(change.risk === "safe" || !wording.isPlan
      ? []
      : [[change.risk === "destructive" ? "removed" : "changed", change.risk]]),
    ...(blocked ? [["removed", "blocked"]] : []),
  ].map(([name = "", words = ""]) => `<span class="badge ${name}">${html(words)}</span>`);
  const source = change.source;
  const where =
    source === undefined
      ? ""
      : `<p class="quiet">declared at ${code(`${source.file}:${source.line}:${source.column}`)}</p>`;
  const rows = fieldRows(change.fields).map((row) => fieldPart(row, change.action === "create"));
  const [was, is] = wording.legend?.split(" → ") ?? ["before", "after"];
  const head = `<thead><tr><th>Field</th><th>${html(was ?? "")}</th><th>${html(is ?? "")}</th></tr></thead>`;
  const fields = rows.length === 0 ? "" : `<table class="fields">${head}<tbody>${rows.join("")}</tbody></table>`;
  return [
    `<details class="change" data-kind="${html(change.kind)}" data-risk="${change.risk}"${first ? ` id="${html(change.address)}"` : ""}${open ? " open" : ""}>`,
    `<summary><span class="symbol ${tone}">${html(symbol)}</span> <code>${html(change.address)}</code>${badges.join("")} <span class="quiet">${html(notes.join("; "))}</span></summary>`,
    `<div class="inside">${where}${fields}${rows.length + where.length === 0 ? '<p class="quiet">No fields change.</p>' : ""}</div></details>`,
  ].join("\n");
}

function fieldPart(row: FieldRow, isNew: boolean): string {
  if (!("sides" in row)) {
    const cell = (name: string, value: string | null): string =>
      `<td class="mono ${name}">${value === null ? "" : html(value)}</td>`;
    return `<tr><th class="mono">${html(row.label)}</th>${cell("was", row.before)}${cell("is", row.after)}</tr>`;
  }
  const lines = sideBySide(diffOf(row.sides, isNew)).map(([was, is]) => {
    if (was?.sign === "@") return `<tr><th></th><td class="mono hunk" colspan="2">${html(was.text)}</td></tr>`;
    const cell = (line: DiffLine | undefined, name: string): string =>
      line === undefined
        ? "<td></td>"
        : `<td class="mono ${line.sign === " " ? "" : name}">${html(line.sign)} ${html(line.text)}</td>`;
    return `<tr><th></th>${cell(was, "was")}${cell(is, "is")}</tr>`;
  });
  return `<tr><th class="mono label" colspan="3">${html(row.label)}</th></tr>${lines.join("")}`;
}

/** The lines in pairs: each removed line beside the added one that replaces it. */
function sideBySide(lines: readonly DiffLine[]): readonly (readonly [DiffLine | undefined, DiffLine | undefined])[] {
  const pairs: (readonly [DiffLine | undefined, DiffLine | undefined])[] = [];
  let [removed, added]: [DiffLine[], DiffLine[]] = [[], []];
  const flush = (): void => {
    const length = Math.max(removed.length, added.length);
    for (let at = 0; at < length; at += 1) pairs.push([removed[at], added[at]]);
    [removed, added] = [[], []];
  };
  for (const line of lines) {
    if (line.sign === "-") {
      if (added.length > 0) flush();
      removed.push(line);
    } else if (line.sign === "+") added.push(line);
    else {
      flush();
      pairs.push([line, line]);
    }
  }
  flush();
  return pairs;
}

function pictures(plan: Plan, wording: Wording, references?: readonly GraphEdge[]): readonly string[] {
  const graph = referenceGraph(plan, references);
  const drawn =
    references === undefined
      ? "A line connects a change to one that it needs or that is deleted with it. A saved plan does not hold references to unchanged resources. To see them, run <code>incidentctl refs ADDRESS</code>"
      : "A line connects a resource to one that it references or needs, or that is deleted with it. Dashed resources do not change.";
  const orders = (plan.transitions ?? []).map((transition) => {
    const [first = "", ...rest] = transitionSentences(transition);
    const words = [first, ...(wording.isPlan ? rest : [])].map(html).join("; ");
    return `<figure><figcaption>${wording.isPlan ? words : code(transition.address)}</figcaption>${orderPicture(transition)}</figure>`;
  });
  return [
    ...(graph === ""
      ? []
      : ["<h2>References</h2>", `<figure><figcaption class="quiet">${drawn}</figcaption>${graph}</figure>`]),
    ...(orders.length === 0 ? [] : ["<h2>Order of rules</h2>", ...orders]),
  ];
}

function requests({ operations }: Plan): readonly string[] {
  if (operations.length === 0) return [];
  const rows = operations.map(
    ({ id, method, path, address, why, depends_on }) =>
      `<tr><td>${code(id)}</td><td>${code(`${method} ${path}`)}</td><td>${link(address)}</td><td>${html(why)}</td><td>${depends_on.map(code).join(" ")}</td></tr>`,
  );
  return [
    `<h2>Requests, in order</h2><details><summary>${counted(operations.length, "request")}</summary>`,
    '<div class="wide">',
    "<table><thead><tr><th></th><th>Request</th><th>Resource</th><th>Why</th><th>Depends on</th></tr></thead><tbody>",
    ...rows,
    "</tbody></table></div></details>",
  ];
}

function warningItem({ code: name, message, address, source }: Plan["warnings"][number]): string {
  const at = source === undefined ? "" : ` ${code(`${source.file}:${source.line}:${source.column}`)}`;
  const subject = address === undefined || message.startsWith(address) ? "" : `${code(address)}: `;
  return `${subject}${html(message)} <span class="quiet">${html(name)}</span>${at}`;
}

function placeSections(sections: readonly PlaceSection[]): readonly string[] {
  return sections.flatMap(({ title, items }) =>
    section(
      title,
      items.map(({ where, note }) => [...where.map(code), ...(note === "" ? [] : [html(note)])].join(" ")),
    ),
  );
}

function section(title: string, items: readonly string[]): readonly string[] {
  return items.length === 0
    ? []
    : [`<h2>${html(title)}</h2>`, "<ul>", ...items.map((item) => `<li>${item}</li>`), "</ul>"];
}

function link(address: string): string {
  return `<a href="#${anchor(address)}">${code(address)}</a>`;
}

function code(text: string): string {
  return `<code>${html(text)}</code>`;
}
