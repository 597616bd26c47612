/** A plan, drift or outcome as a web page in one file: the verdict, a card for each change, pictures, and the requests. */

import { SCRIPT, STYLE } from "#page-assets";
import type { Repeated } from "../../core/findings.ts";
import { programLine } from "../../core/sanitise.ts";
import { joinWords } from "../../core/suggest.ts";
import { counted, fieldPath, placeText, valueText } from "../../core/value-text.ts";
import type { Plan, Unreadable } from "../../plan/model/plan.ts";
import type { Diagrams } from "../../preview/diagrams.ts";
import { html, htmlDocument } from "../format/html.ts";
import { othersText } from "../format/shorten.ts";
import type { PlaceSection } from "../plan/left-alone.ts";
import { type PlanView, planView, transitionSentences, type WarningView } from "../plan/plan-view.ts";
import { environmentWords, verdictOf } from "../plan/verdict.ts";
import { APPLIED, DRIFT, PARTLY_APPLIED, type Wording } from "../plan/wording.ts";
import { type Applied, outcomeView } from "../run/outcome-view.ts";
import { cards } from "./cards.ts";
import { diagramData, drawnLists, formPanel, ladderPanels, rulePanels } from "./diagrams.ts";
import { filterBar, pageHeader } from "./head.ts";
import { orderPicture } from "./orders.ts";
import { code, link, section } from "./parts.ts";
import { referenceGraph, removalPictures } from "./references.ts";

/** Changes above which the browser renders only those in view. */
const MANY_CHANGES = 200;

/** The page of a plan or of drift, with a final line feed. A saved plan has no diagrams of what does not change. */
export function planPage(view: PlanView, diagrams?: Diagrams): string {
  return page(view, view.accepted.flatMap(placeSection), diagrams);
}

/** The page of a run's outcome, with its plan. A continued run has no diagrams: what was there before it is not known. */
export function outcomePage(applied: Applied, diagrams?: Diagrams): string {
  const { headline, isGood, open, verification, next, journal } = outcomeView(applied, true);
  const steps = [
    ...next.map((step) => html(step.replace(/^Next: /, ""))),
    ...(journal === undefined ? [] : [`Journal: ${code(journal)}`]),
  ];
  const concern = isGood ? "safe" : "destructive";
  const verdict = {
    ...verdictOf(applied.plan, APPLIED),
    concern,
    summary: verification.join(" "),
    advice: headline,
  } as const;
  const view = planView(applied.plan, { wording: APPLIED, verdict, open });
  const isAsPlanned = open.length === 0 && applied.verification?.status === "verified";
  return page(view, section("Next", steps), diagrams, isAsPlanned ? APPLIED : PARTLY_APPLIED);
}

/** Why a page has no pictures of what its plan has read. */
function notSaved(plan: Pick<Plan, "target">): string {
  const command = programLine("plan --report html=plan.html", environmentWords(plan));
  return `A saved plan does not hold the live state. For pictures of ordered lists, routing and forms, write the page when you plan: ${code(command)}`;
}
const UNKNOWN_BEFORE =
  "There are no pictures of ordered lists, routing and forms: a continued run does not know the state before it.";

/**
 * The page with these sections before all others. Its diagrams are undefined if what the plan has read is not known. The words of pictures
 * are those of the page unless given.
 */
function page(view: PlanView, first: readonly string[], diagrams?: Diagrams, drawnAs = view.wording): string {
  const { plan, wording, target } = view;
  return htmlDocument({
    title: `${wording.title}: ${target}`,
    style: STYLE,
    script: SCRIPT,
    body: [
      '<a class="skip" href="#changes">To the changes</a>',
      ...pageHeader(view),
      "<main>",
      ...first,
      ...view.released.flatMap(placeSection),
      ...view.recorded.flatMap(placeSection),
      ...filterBar(view),
      `<div id="changes"${plan.changes.length > MANY_CHANGES ? ' class="many"' : ""}>`,
      ...cards(view),
      '<p id="nothing" class="quiet" hidden>No change matches. <button type="button" id="clear">Show all changes</button></p>',
      "</div>",
      ...pictures(plan, diagrams, drawnAs),
      ...section("Warnings", view.warnings.map(repeatItem(warningItem))),
      ...section("Could not be compared", view.unreadable.map(repeatItem(unreadableItem))),
      ...view.leftAlone.flatMap(placeSection),
      ...section(
        "Side effects (not counted)",
        view.derived.map(
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
      ? `A line connects a change to one that it needs or that is deleted with it. References to unchanged resources are not known here. To see them, run ${code(programLine("refs ADDRESS", environmentWords(plan)))}`
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
function missingPictures(plan: Plan, { isPast }: Wording): readonly string[] {
  return plan.changes.length === 0 ? [] : [`<p class="quiet">${isPast ? UNKNOWN_BEFORE : notSaved(plan)}</p>`];
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

/** The item of one statement, with the names of the others that it is true of: all of them, folded if they are many. */
function repeatItem<Item>(write: (item: Item) => string): (repeat: Repeated<Item>) => string {
  return ({ first, names }) => {
    const all = names.map(code);
    const few = othersText(all);
    if (all.length === 0 || few === joinWords(all))
      return [write(first), ...(few === "" ? [] : [few])].join("; also: ");
    return `${write(first)} <details><summary>also: ${few}</summary>${all.join(", ")}</details>`;
  };
}

function unreadableItem({ address, path, reason }: Unreadable): string {
  return `${code(address)} ${code(fieldPath(path))}: ${html(reason)}`;
}

function warningItem({ code: name, message, subject, source }: WarningView): string {
  const at = source === undefined ? "" : ` ${code(placeText(source))}`;
  return `${subject === "" ? "" : `${code(subject)}: `}${html(message)} <span class="quiet">${html(name)}</span>${at}`;
}

function placeSection({ title, items }: PlaceSection): readonly string[] {
  return section(
    title,
    items.map(({ where, note }) => [...where.map(code), ...(note === "" ? [] : [html(note)])].join(" ")),
  );
}
