/** The diagrams of a page: ladders, rules as a flow, and the declare form, each before and after. The page's script brings the last two to life. */

import { canonical, fieldsIn, parseJson } from "../../core/json.ts";
import { valueText } from "../../core/value-text.ts";
import type { Plan, RankedTransition } from "../../plan/model/plan.ts";
import type { Diagrams, FormDiagram, RuleListDiagram } from "../../preview/diagrams.ts";
import type { DeclarationRules, DeclareFormField, FormCondition } from "../../preview/impact/form.ts";
import { html } from "../format/html.ts";
import { jsonText } from "../format/json.ts";
import { transitionSentences } from "../plan/plan-view.ts";
import type { Wording } from "../plan/wording.ts";
import { ladderPicture } from "./orders.ts";
import { code } from "./parts.ts";

/** Rules of a list to draw; a longer list is drawn by its order alone. */
const MAX_RULES = 50;

/** The ladders as HTML. */
export function ladderPanels({ ladders }: Diagrams, { sides }: Wording): readonly string[] {
  return ladders.flatMap(({ kind, rungs }) => {
    const drawing = ladderPicture(kind, rungs, sides);
    return drawing === ""
      ? []
      : [`<section class="panel"><h2>${code(kind)} in order</h2><figure tabindex="0">${drawing}</figure></section>`];
  });
}

/** The lists of rules that are short enough to draw. */
export function drawnLists({ ruleLists }: Diagrams): readonly RuleListDiagram[] {
  return ruleLists.filter(({ before, after }) => Math.max(before.length, after.length) <= MAX_RULES);
}

/** The lists of rules as HTML, each with a box to try an alert. */
export function rulePanels(
  diagrams: Diagrams,
  { transitions = [] }: Plan,
  { sides, isPlan, isPast }: Wording,
): readonly string[] {
  return drawnLists(diagrams).map((list, index) => {
    const transition = transitions.find(({ address }) => address === list.address);
    const fields = [
      ...new Set([...list.before, ...list.after].flatMap(({ conditions }) => conditions.map(({ field }) => field))),
    ];
    const inputs = fields.map(
      (field) =>
        `<label><span>${html(field)}</span><input name="${html(field)}" maxlength="300" autocomplete="off" spellcheck="false"></label>`,
    );
    return [
      `<section class="panel routing" data-list="${index}" data-sides="${html(sides.join("/"))}"><h2>${code(list.address)} as a flow</h2>`,
      ...(transition === undefined || !isPlan || isPast
        ? []
        : [`<p class="quiet">${transitionSentences(transition).map(html).join("; ")}</p>`]),
      '<form class="try" hidden aria-label="Try an alert"><p>Try an alert: type the fields that it has, and those that the catalog adds to it. Nothing is sent.</p>',
      `<div class="inputs">${inputs.join("")}</div><p class="result" role="status"></p></form>`,
      '<div class="columns">',
      flow(sides[0], "before", list, transition),
      flow(sides[1], "after", list, transition),
      "</div></section>",
    ].join("\n");
  });
}

function flow(
  title: string,
  side: "before" | "after",
  list: RuleListDiagram,
  transition: RankedTransition | undefined,
): string {
  const rules = list[side];
  const end =
    list.isOfSource && rules.length === 0 ? "no rules of its own: those of the workspace apply" : "no rule matches";
  const other = side === "before" ? "after" : "before";
  const items = rules.map((rule, index) => {
    const row = transition?.order?.find((one) => one[side] === index + 1);
    const state = row === undefined || row[other] !== null ? "" : side === "before" ? "gone" : "new";
    const mark =
      state === "new"
        ? '<span class="pill added">new</span> '
        : state === "gone"
          ? '<span class="pill removed">removed</span> '
          : "";
    const name = rule.label ?? (row === undefined || row.name.includes("/") ? `rule ${index + 1}` : row.name);
    const conditions = rule.conditions.map(
      ({ field, operator, value }) =>
        `<span class="field">${html(field)}</span> ${html(operator.replaceAll("_", " "))}${value === null ? "" : ` ${html(valueText(value))}`}`,
    );
    const when = conditions.length === 0 ? "every alert" : conditions.join(" and ");
    // The service and the files may give the members in two orders.
    const outcome = Object.entries(fieldsIn(parseJson(canonical(rule.outcome)))).map(([key, value]) =>
      key === "action" ? html(String(value)) : `${html(key)} ${html(valueText(value))}`,
    );
    return `<li data-rule="${index}" class="${state}"><p class="rule"><b>${index + 1}</b> ${mark}${html(name)}${rule.enabled ? "" : ' <span class="quiet">disabled</span>'}</p><p class="when">${when}</p><p class="then">→ ${outcome.join(", ")}</p></li>`;
  });
  return `<div><h3>${title}</h3><ol class="flow" data-side="${side}">${items.join("")}<li data-rule="none" class="end">${end}</li></ol></div>`;
}

/** The declare form as HTML. */
export function formPanel({ form }: Diagrams, { sides }: Wording): readonly string[] {
  if (form === undefined) return [];
  const conditions = [form.before, form.after].flatMap(({ form: fields }) =>
    fields.flatMap((field) => field.conditions ?? []),
  );
  const read = (name: string): readonly string[] =>
    conditions.filter(({ reads }) => reads === name).flatMap(({ values }) => values);
  const slugs = (before: ReadonlySet<string>, after: ReadonlySet<string>, name: string): readonly string[] => [
    ...new Set([...after, ...before, ...read(name)]),
  ];
  const customFields = [...new Set(conditions.flatMap(({ customField }) => customField ?? []))];
  const selects = [
    select("severity", "Severity", slugs(form.before.severities, form.after.severities, "severity"), (slug) =>
      nameOf(form, "severity", slug),
    ),
    select("incident_type", "Type", slugs(form.before.types, form.after.types, "incident_type"), (slug) =>
      nameOf(form, "incident_type", slug),
    ),
    ...customFields.map((slug) => {
      const labels = [form.after, form.before].flatMap(
        ({ fields }) => fields.get(slug)?.choices?.map(({ label }) => label) ?? [],
      );
      return select(`custom/${slug}`, nameOf(form, "custom_field", slug), [...new Set(labels)], (label) => label);
    }),
  ];
  return [
    '<section class="panel declare"><h2>The declare form as responders see it</h2>',
    '<p class="quiet">The fields that responders are asked for. Their order on the screen is the service\'s.</p>',
    `<form class="try" hidden aria-label="Try the form"><div class="inputs">${selects.join("")}</div></form>`,
    '<div class="columns">',
    fieldList(sides[0], "before", form.before, form.after, { ...form, names: form.formerNames }),
    fieldList(sides[1], "after", form.after, form.before, form),
    "</div></section>",
  ];
}

function select(name: string, label: string, values: readonly string[], text: (value: string) => string): string {
  if (values.length === 0) return "";
  const options = values.map((value) => `<option value="${html(value)}">${html(text(value))}</option>`);
  return `<label><span>${html(label)}</span><select name="${html(name)}"><option value="">not chosen</option>${options.join("")}</select></label>`;
}

function fieldList(
  title: string,
  side: "before" | "after",
  rules: DeclarationRules,
  others: DeclarationRules,
  form: FormDiagram,
): string {
  const isSame = (field: DeclareFormField) => (other: DeclareFormField) =>
    other.slug === field.slug && other.isCustom === field.isCustom;
  const items = rules.form.map((field, index) => {
    const twin = others.form.find(isSame(field));
    const pills = [
      ...(twin === undefined
        ? [side === "after" ? '<span class="pill added">new</span>' : '<span class="pill removed">removed</span>']
        : []),
      ...(field.isRequired
        ? [`<span class="pill${twin !== undefined && !twin.isRequired ? " changed" : ""}">required</span>`]
        : twin?.isRequired === true && side === "after"
          ? ['<span class="pill changed">optional now</span>']
          : []),
    ];
    const name = field.isCustom ? nameOf(form, "custom_field", field.slug) : field.slug.replaceAll("_", " ");
    const when =
      field.conditions === undefined
        ? "conditions unknown"
        : field.conditions.map((condition) => conditionText(condition, form)).join(" and ");
    return `<li data-field="${index}"><p><b>${html(name)}</b> ${pills.join(" ")}</p>${when === "" ? "" : `<p class="when">if ${html(when)}</p>`}</li>`;
  });
  const list = items.length === 0 ? '<li class="end">no fields</li>' : items.join("");
  return `<div><h3>${title}</h3><ol class="form" data-side="${side}">${list}</ol></div>`;
}

function conditionText({ reads, customField, operator, values }: FormCondition, form: FormDiagram): string {
  const subject =
    reads === "custom_field" ? nameOf(form, "custom_field", customField ?? "") : reads.replaceAll("_", " ");
  const names = values.map((value) => nameOf(form, reads, value));
  return `${subject} is ${operator
    .replaceAll("_", " ")
    .replace("one of", names.length === 1 ? "" : "one of")
    .trim()} ${names.join(", ")}`.replace("  ", " ");
}

function nameOf({ names }: FormDiagram, subject: string, slug: string): string {
  return names.get(`${subject}/${slug}`) ?? slug;
}

/** The data that the page's script evaluates, in an element that shows nothing; empty if there is nothing to evaluate. */
export function diagramData(diagrams: Diagrams): readonly string[] {
  const lists = drawnLists(diagrams).map(({ isOfSource, before, after }) => ({ isOfSource, before, after }));
  const form =
    diagrams.form === undefined
      ? undefined
      : { before: plainRules(diagrams.form.before), after: plainRules(diagrams.form.after) };
  if (lists.length === 0 && form === undefined) return [];
  return [`<div id="diagrams" hidden data-values="${html(jsonText({ lists, form }))}"></div>`];
}

function plainRules({ form, fields, severities, types }: DeclarationRules): object {
  return { form, fields: [...fields], severities: [...severities], types: [...types] };
}
