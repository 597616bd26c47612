/** A plan, drift or outcome as a web page in one file: the verdict, a card for each change, pictures, and the requests. */

import { SCRIPT, STYLE } from "#page-assets";
import { counted, fieldPath, valueText } from "../../core/value-text.ts";
import type { Drift } from "../../plan/drift/drift.ts";
import type { Plan } from "../../plan/model/plan.ts";
import type { Diagrams } from "../../preview/diagrams/diagrams.ts";
import { html, htmlDocument } from "../format/html.ts";
import { driftSections } from "../plan/drift-status.ts";
import { leftAloneSections, type PlaceSection } from "../plan/left-alone.ts";
import { countActions } from "../plan/overview.ts";
import { targetName } from "../plan/summary.ts";
import { transitionSentences } from "../plan/transitions.ts";
import { type Verdict, verdictOf } from "../plan/verdict.ts";
import { APPLIED, DRIFT, PARTLY_APPLIED, PLAN, type Wording } from "../plan/wording.ts";
import { type Applied, headline, isComplete, nextSteps, reasonsOf, verificationLines } from "../run/text.ts";
import { type CardContext, cardContext, cardGroups, cards } from "./cards.ts";
import { diagramData, drawnLists, formPanel, ladderPanels, rulePanels } from "./diagrams.ts";
import { filterBar, pageHeader } from "./head.ts";
import { code, link, section } from "./parts.ts";
import { removalPictures } from "./removals.ts";
import { orderPicture, referenceGraph } from "./svg.ts";

/** Changes above which the browser renders only those in view. */
const MANY_CHANGES = 200;

/** The page of a plan, with a final line feed. A saved plan has no diagrams of what does not change. */
export function planPage(plan: Plan, diagrams?: Diagrams): string {
  return page(plan, PLAN, { verdict: verdictWithCounts(plan), diagrams });
}

/** The verdict on a plan, with the actions that occur instead of all of them. */
function verdictWithCounts(plan: Plan): Verdict {
  const verdict = verdictOf(plan, PLAN);
  if (verdict.advice === undefined) return verdict;
  const counts = countActions(plan.changes, PLAN);
  return { ...verdict, summary: `${counts}. ${counted(plan.summary.requests, "request")}.`.replace(/^\. /, "") };
}

/** The page of drift, with the accepted differences. */
export function driftPage(plan: Plan, drift?: Drift, diagrams?: Diagrams): string {
  const first = placeSections(drift === undefined ? [] : driftSections(drift));
  return page(plan, DRIFT, { verdict: verdictOf(plan, DRIFT, drift), first, diagrams });
}

/** The page of a run's outcome, with its plan. A continued run has no diagrams: what was there before it is not known. */
export function outcomePage(applied: Applied, diagrams?: Diagrams): string {
  const { plan, result, verification, journal, explain } = applied;
  const open = result.outcomes.filter(({ status }) => status !== "done");
  const isGood = isComplete(result.counts) && (verification === null || verification.status === "verified");
  const next = [
    ...nextSteps(applied).map((step) => html(step.replace(/^Next: /, ""))),
    ...(journal === undefined || isComplete(result.counts) ? [] : [`Journal: ${code(journal)}`]),
  ];
  const context = cardContext(
    plan,
    APPLIED,
    new Map(
      open.map((outcome) => [outcome.operation.id, { status: outcome.status, reasons: reasonsOf(outcome, explain) }]),
    ),
  );
  const verdict: Verdict = {
    concern: isGood ? "safe" : "destructive",
    summary: verificationLines(applied).join(" "),
    advice: headline(result.counts, result.outcomes.length),
  };
  const isAsPlanned = open.length === 0 && verification?.status === "verified";
  const drawnAs = isAsPlanned ? APPLIED : PARTLY_APPLIED;
  return page(plan, APPLIED, { verdict, first: section("Next", next), context, diagrams, drawnAs });
}

/** Why a page has no pictures of what its plan has read. */
const NOT_SAVED =
  "A saved plan does not hold the live state. For pictures of ordered lists, routing and forms, write the page when you plan: <code>incidentctl plan --report html=plan.html</code>";
const UNKNOWN_BEFORE =
  "There are no pictures of ordered lists, routing and forms: a continued run does not know the state before it.";

/** The parts in which pages differ. */
interface PageParts {
  readonly verdict: Verdict;
  /** Sections before all others, as HTML. */
  readonly first?: readonly string[];
  readonly context?: CardContext;
  /** The values of the pictures; absent if what the plan has read is not known. */
  readonly diagrams: Diagrams | undefined;
  /** The words of the pictures. Default: those of the page. */
  readonly drawnAs?: Wording;
}

function page(
  plan: Plan,
  wording: Wording,
  { verdict, first = [], context = cardContext(plan, wording), diagrams, drawnAs = wording }: PageParts,
): string {
  return htmlDocument({
    title: `${wording.title}: ${targetName(plan)}`,
    style: STYLE,
    script: SCRIPT,
    body: [
      '<a class="skip" href="#changes">To the changes</a>',
      ...pageHeader(plan, wording, verdict),
      "<main>",
      ...first,
      ...filterBar(plan, context),
      `<div id="changes"${plan.changes.length > MANY_CHANGES ? ' class="many"' : ""}>`,
      ...cards(cardGroups(plan, context), context),
      '<p id="nothing" class="quiet" hidden>No change matches. <button type="button" id="clear">Show all changes</button></p>',
      "</div>",
      ...pictures(plan, diagrams, drawnAs),
      ...section("Warnings", plan.warnings.map(warningItem)),
      ...section(
        "Could not be compared",
        plan.unreadable.map(
          ({ address, path, reason }) => `${code(address)} ${code(fieldPath(path))}: ${html(reason)}`,
        ),
      ),
      ...placeSections(leftAloneSections(plan, wording.isPlan)),
      ...section(
        "Side effects (not counted)",
        plan.derived.map(
          ({ address, path, before, after, reason }) =>
            `${code(address)} ${code(fieldPath(path))} <del>${html(valueText(before))}</del> → <ins>${html(valueText(after))}</ins> <span class="quiet">${html(reason)}</span>`,
        ),
      ),
      ...(wording.isPlan ? requests(plan) : []),
      "</main>",
    ],
  });
}

function pictures(plan: Plan, diagrams: Diagrams | undefined, wording: Wording): readonly string[] {
  const graph = referenceGraph(plan, diagrams?.references);
  const caption =
    diagrams === undefined
      ? "A line connects a change to one that it needs or that is deleted with it. References to unchanged resources are not known here. To see them, run <code>incidentctl refs ADDRESS</code>"
      : "A line connects a resource to one that it references or needs, or that is deleted with it. Dashed resources do not change.";
  const removals = removalPictures(plan, diagrams?.references ?? [], wording);
  const flows = new Set(diagrams === undefined ? [] : drawnLists(diagrams).map(({ address }) => address));
  const orders = (plan.transitions ?? [])
    .filter(({ address }) => !flows.has(address))
    .map((transition) => {
      const [first = "", ...rest] = transitionSentences(transition);
      const sentences = [first, ...rest].map(html).join("; ");
      return `<figure tabindex="0"><figcaption>${wording.isPlan && !wording.isPast ? sentences : code(transition.address)}</figcaption>${orderPicture(transition, wording.sides)}</figure>`;
    });
  return [
    ...(diagrams === undefined
      ? missingPictures(plan, wording)
      : [
          ...ladderPanels(diagrams, wording),
          ...rulePanels(diagrams, plan, wording),
          ...formPanel(diagrams, wording),
          ...diagramData(diagrams),
        ]),
    ...(removals.length === 0
      ? []
      : [
          `<section class="panel"><h2>References around ${wording === DRIFT ? "what is not in the configuration" : "removals"}</h2>`,
          ...removals,
          "</section>",
        ]),
    ...(orders.length === 0 ? [] : ['<section class="panel"><h2>Order of rules</h2>', ...orders, "</section>"]),
    ...(graph === ""
      ? []
      : [
          '<section class="panel"><h2>References</h2><details><summary>References of all changes</summary>',
          `<figure tabindex="0"><figcaption class="quiet">${caption}</figcaption>${graph}</figure></details></section>`,
        ]),
  ];
}

/** Says why a page has no pictures of what its plan has read. */
function missingPictures({ changes }: Plan, { isPast }: Wording): readonly string[] {
  return changes.length === 0 ? [] : [`<p class="quiet">${isPast ? UNKNOWN_BEFORE : NOT_SAVED}</p>`];
}

function requests({ operations }: Plan): readonly string[] {
  if (operations.length === 0) return [];
  const rows = operations.map(
    ({ id, method, path, address, why, depends_on }) =>
      `<tr><td>${code(id)}</td><td>${code(`${method} ${path}`)}</td><td>${link(address)}</td><td>${html(why)}</td><td>${depends_on.map(code).join(" ")}</td></tr>`,
  );
  return [
    `<section class="panel"><h2>Writes, in order</h2><details><summary>${counted(operations.length, "write")}</summary>`,
    '<div class="wide" tabindex="0" role="region" aria-label="Writes"><table>',
    '<thead><tr><th scope="col">Id</th><th scope="col">Request</th><th scope="col">Resource</th><th scope="col">Why</th><th scope="col">Depends on</th></tr></thead><tbody>',
    ...rows,
    "</tbody></table></div></details></section>",
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
