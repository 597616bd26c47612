/** Diagrams that respond: rules tried with an alert, and the declare form for a severity and a type, by the evaluators of the program. */

import type { FieldText } from "../../kinds/routing/context.ts";
import { evaluate } from "../../kinds/routing/evaluate.ts";
import type { RoutingRule } from "../../kinds/routing/rules.ts";
import type { CustomField, DeclarationRules, DeclareFormField } from "../../preview/impact/form.ts";
import type { FieldAnswer, PastIncident } from "../../preview/impact/past-incident.ts";
import { isAsked } from "../../preview/impact/refusals.ts";

type Side = "before" | "after";

/** A list of rules as the page holds it. */
type PlainList = Readonly<Record<Side, readonly RoutingRule[]>> & { readonly isOfSource: boolean };

/** The declaration rules as the page holds them. */
interface PlainRules {
  readonly form: readonly DeclareFormField[];
  readonly fields: readonly (readonly [string, CustomField])[];
  readonly severities: readonly string[];
  readonly types: readonly string[];
}

interface DiagramValues {
  readonly lists: readonly PlainList[];
  readonly form?: Readonly<Record<Side, PlainRules>>;
}

const SIDES: readonly Side[] = ["before", "after"];

/** Starts the boxes to try an alert and the form; both are hidden in a page without its script. */
export function startDiagrams(): void {
  const element = document.querySelector<HTMLElement>("#diagrams");
  if (element === null) return;
  const { lists, form }: DiagramValues = JSON.parse(element.dataset.values ?? "{}");
  for (const panel of document.querySelectorAll<HTMLElement>(".routing")) {
    const list = lists[Number(panel.dataset.list)];
    if (list !== undefined) startRouting(panel, list);
  }
  const panel = document.querySelector<HTMLElement>(".declare");
  if (panel !== null && form !== undefined) startForm(panel, form);
}

function startRouting(panel: HTMLElement, list: PlainList): void {
  const box = panel.querySelector<HTMLFormElement>(".try");
  if (box === null) return;
  const [now = "", planned = ""] = panel.dataset.sides?.split("/") ?? [];
  const inputs = [...box.querySelectorAll("input")];
  const show = (): void => {
    const fields = new Map(
      inputs
        .filter(({ value }) => value !== "")
        .map(({ name, value }): [string, FieldText] => [name, { text: value, from: "alert" }]),
    );
    const [before = "", after = ""] = SIDES.map((side) => mark(panel, side, list, fields));
    const result = panel.querySelector<HTMLElement>(".result");
    if (result === null) return;
    const change = before === after ? `${now}, ${planned}: ${after}.` : `${now}: ${before}. ${planned}: ${after}.`;
    result.textContent = fields.size === 0 ? "" : change;
  };
  box.hidden = false;
  box.addEventListener("input", show);
  box.addEventListener("submit", (event) => event.preventDefault());
}

/** Marks the rule that decides, and returns a phrase for it. */
function mark(panel: HTMLElement, side: Side, list: PlainList, fields: ReadonlyMap<string, FieldText>): string {
  const rules = list[side];
  const { rule, isUndecided, trace } = evaluate(rules, fields);
  const at = isUndecided ? (trace().at(-1)?.place ?? 0) - 1 : rule === undefined ? -1 : rules.indexOf(rule);
  const items = panel.querySelectorAll<HTMLElement>(`[data-side="${side}"] > li`);
  for (const item of items) {
    const isHit = fields.size > 0 && item.dataset.rule === (at < 0 ? "none" : String(at));
    item.classList.toggle("hit", isHit && !isUndecided);
    item.classList.toggle("maybe", isHit && isUndecided);
  }
  const name = rules[at]?.label === undefined ? `rule ${at + 1}` : `rule ${at + 1}, ${rules[at].label},`;
  if (isUndecided) return `undecided at ${name} which this page cannot evaluate like the service`;
  if (list.isOfSource && rules.length === 0) return "the rules of the workspace apply";
  return at < 0 ? "no rule matches" : `${name} matches`;
}

function startForm(panel: HTMLElement, form: Readonly<Record<Side, PlainRules>>): void {
  const box = panel.querySelector<HTMLFormElement>(".try");
  if (box === null) return;
  const selects = [...box.querySelectorAll("select")];
  const rules = { before: rulesOf(form.before), after: rulesOf(form.after) };
  const show = (): void => {
    const chosen = new Map(selects.filter(({ value }) => value !== "").map(({ name, value }) => [name, value]));
    const answers = [...chosen].flatMap(([name, value]): readonly [string, readonly FieldAnswer[]][] =>
      name.startsWith("custom/") ? [[name.slice("custom/".length), [[value]]]] : [],
    );
    const incident: PastIncident = {
      source: "",
      severity: chosen.get("severity"),
      type: chosen.get("incident_type") ?? null,
      systemAnswers: {},
      customAnswers: new Map(answers),
    };
    for (const side of SIDES) {
      for (const item of panel.querySelectorAll<HTMLElement>(`[data-side="${side}"] > li`)) {
        const field = rules[side].form[Number(item.dataset.field)];
        if (field === undefined) continue;
        const asked = isAsked(field, incident, rules[side]);
        item.classList.toggle("skipped", asked === false);
        item.classList.toggle("maybe", asked === undefined);
      }
    }
  };
  const severity = selects.find(({ name }) => name === "severity");
  if (severity !== undefined) severity.selectedIndex = 1;
  box.hidden = false;
  box.addEventListener("input", show);
  show();
}

function rulesOf({ form, fields, severities, types }: PlainRules): DeclarationRules {
  return { form, fields: new Map(fields), severities: new Set(severities), types: new Set(types) };
}
