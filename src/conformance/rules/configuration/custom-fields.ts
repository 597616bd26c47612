/** Rules of custom fields: rule 3 of the configuration resources, and how declared values are checked against the form. */

import type { Fields, Json } from "../../../core/json.ts";
import { formatValue } from "../../client.ts";
import { expectSame, memberOf } from "../../expectation.ts";
import { type Expected, row } from "../../expected.ts";
import { findResource } from "../../fixtures/configuration-resources.ts";
import { declaration, fieldOnForm, made, onSeverity } from "../../fixtures/given.ts";
import { declarationOf, idOf, readIncident } from "../../fixtures/incidents.ts";
import { listMembers, write } from "../../fixtures/requests.ts";
import { type Row, type RowStep, rulesOf, type StepOutcome } from "../../row.ts";
import type { ConformanceRule, RuleContext } from "../../rule.ts";
import { type Given, openScope } from "../../scope.ts";
import { at, rowsAt, string, textAt } from "../../value-shape.ts";

/** A select of these options that no form shows. */
function select(...options: readonly string[]): { readonly made: Given } {
  return { made: made("custom_fields", { field_type: "single_select", option_source: "fixed", options }) };
}

/** The list is sent again, and read in the listing. */
function resent(options: readonly string[], shows: Expected): readonly RowStep[] {
  return [
    { request: "PATCH custom_fields/{made.slug}", body: { options } },
    { request: "LIST custom_fields", shows: row({ slug: "{made.slug}" }, { options: shows }) },
  ];
}

/** An option with the label that has the id of an option that the select was made with. */
function option(label: string, index: number): Expected {
  return { label, id: `{made.options.${index}.id}` };
}

/** Declares an incident with the first of the values that the service takes, since a select may take labels or ids. */
async function declareWithFirst(
  context: RuleContext,
  slug: string,
  [value, ...others]: readonly Json[],
): Promise<Fields> {
  const body = await declarationOf(context, { custom_fields: { [slug]: value ?? null } });
  const exchange = await write(context, "POST", "incidents", body);
  return exchange.status === 201 || others.length === 0 ? memberOf(exchange) : declareWithFirst(context, slug, others);
}

const options: readonly ConformanceRule[] = rulesOf("Configuration resources", {
  "resources.3.same": {
    title: "3: options are matched by label: resending the same list keeps every option",
    given: select("Alpha", "Beta"),
    steps: resent(["Alpha", "Beta"], [option("Alpha", 0), option("Beta", 1)]),
  },
  "resources.3.order": {
    title: "3: options are matched by label: a list in another order keeps each label's option",
    given: select("Alpha", "Beta", "Gamma"),
    steps: resent(["Gamma", "Alpha", "Beta"], [option("Gamma", 2), option("Alpha", 0), option("Beta", 1)]),
  },
  "resources.3.rename": {
    title: "3: resending a list renames options instead of replacing them",
    given: select("Alpha", "Beta"),
    steps: resent(["Alpha", "Bravo"], [option("Alpha", 0), option("Bravo", 1)]),
  },
  "resources.3.added": {
    title: "3: a label that is new to a longer list becomes an option of its own",
    given: select("Alpha"),
    steps: resent(["Alpha", "Beta"], [option("Alpha", 0), { label: "Beta" }]),
  },
  "resources.3.held": {
    title: "3: incidents that use an option keep their reference after a rename",
    async check(context) {
      const kind = findResource("custom_fields");
      const field = await fieldOnForm("choice")(openScope(context));
      const slug = textAt(field, "slug");
      const path = `custom_fields/${slug}`;
      const optionId = async (label: string) => {
        const current = (await listMembers(context, kind)).find((each) => each.slug === slug);
        return textAt(
          rowsAt(current, "options").find((each) => each.label === label),
          "id",
        );
      };
      await context.client.patch(path, { options: ["Alpha", "Beta"] });
      const id = await optionId("Beta");
      const before = await declareWithFirst(context, slug, ["Beta", id]);
      context.cleanup(() => context.client.patch(path, { options: ["Alpha", "Beta"] }));
      memberOf(await context.client.patch(path, { options: ["Alpha", "Bravo"] }));
      expectSame("the id of the renamed option", await optionId("Bravo"), id);
      const held = formatValue(at(before, "custom_fields", slug)).replaceAll("Beta", "Bravo");
      const incident = await readIncident(context, idOf(before));
      expectSame("the incident's value", formatValue(at(incident, "custom_fields", slug)), held);
    },
  },
  "resources.3.omitted": {
    basis: "wire",
    title: "a PATCH without options leaves them untouched",
    given: select("Alpha", "Beta"),
    steps: [
      {
        request: "PATCH custom_fields/{made.slug}",
        body: { name: "{new.renamed}" },
        shows: { options: "{made.options}" },
      },
    ],
  },
  "resources.3.empty": {
    basis: "wire",
    title: "a fixed select keeps at least one option: an empty list is refused with 422",
    given: select("Alpha"),
    steps: [{ request: "PATCH custom_fields/{made.slug}", body: { options: [] }, refusal: "422" }],
  },
  "resources.3.characters": {
    basis: "wire",
    title: "a label has at most 75 characters, however many bytes or UTF-16 units each one takes",
    given: select("😀".repeat(75)),
    steps: [
      { request: "LIST custom_fields", shows: row({ slug: "{made.slug}" }, { options: [{ label: "😀".repeat(75) }] }) },
      { request: "PATCH custom_fields/{made.slug}", body: { options: ["😀".repeat(76)] }, refusal: "422" },
    ],
  },
  "resources.fields.required": {
    basis: "wire",
    title: "a custom field without field_type or option_source is refused",
    steps: [{ option_source: "none" }, { field_type: "text" }, { field_type: "text", option_source: "fixed" }].map(
      (body) => ({ request: "POST custom_fields", body: { name: "{new.field}", ...body }, status: "400 or 422" }),
    ),
  },
});

/** A declaration with these custom fields. */
function declared(custom_fields: Fields, outcome: StepOutcome): RowStep {
  return { request: "POST incidents", body: { ...declaration, custom_fields }, ...outcome };
}

/** The refusal has one error for each failing field. */
function refused(failing: number): StepOutcome {
  const errors = Array(failing).fill({ field: string, message: string });
  return { refusal: "422 validation_error", shows: { error: { errors } } };
}

/** A value of the suite's own field, which the declare form shows, is invalid. */
function invalid(title: string, ...values: readonly (readonly ["text" | "choice", Json])[]): Row {
  return {
    title,
    given: Object.fromEntries(values.map(([sort]) => [sort, fieldOnForm(sort)])),
    steps: values.map(([sort, value]) => declared({ [`{${sort}.slug}`]: value }, refused(1))),
  };
}

const creation: readonly ConformanceRule[] = rulesOf("Endpoints: Incidents", {
  "incidents.fields.kept": {
    title: "custom_fields of the declare form are kept under the field's slug",
    given: { field: fieldOnForm("text") },
    steps: [
      declared(
        { "{field.slug}": "queue 7" },
        { status: "201", shows: { custom_fields: { "{field.slug}": "queue 7" } } },
      ),
    ],
  },
  "incidents.fields.unknown": {
    title: "an unknown key of custom_fields yields validation_error",
    steps: [declared({ no_such_field: "x" }, refused(1))],
  },
  "incidents.fields.each": {
    title: "validation_error names every failing field, one entry each",
    steps: [declared({ no_such_field: "x", nor_this_one: "y" }, refused(2))],
  },
  "incidents.fields.invalid": invalid("an invalid value of a custom field yields validation_error", [
    "choice",
    "no such option",
  ]),
  "incidents.fields.list": invalid(
    "a list, even an empty one, is an invalid value of a text and of a single choice",
    ["text", []],
    ["choice", []],
  ),
  "incidents.fields.missing": {
    title: "a missing required field of the declare form yields validation_error",
    given: { field: fieldOnForm("text", { required: true }) },
    steps: [declared({}, refused(1)), declared({ "{field.slug}": "given" }, { status: "201" })],
  },
  "incidents.fields.conditions": {
    title: "a required field is missed only where the form's conditions ask for it",
    given: { field: fieldOnForm("text", { required: true, conditions: [onSeverity] }) },
    steps: [
      declared({}, refused(1)),
      {
        request: "PATCH forms/declare",
        body: { custom_field: "{field.slug}", conditions: [{ ...onSeverity, operator: "not_one_of" }] },
      },
      declared({}, { status: "201" }),
    ],
  },
  "incidents.fields.nothing": {
    title: "a creation refused for its custom fields creates nothing: its idempotency key is still free",
    steps: [
      declared({ no_such_field: "x" }, refused(1)),
      { request: "POST incidents", body: declaration, status: "201" },
    ],
  },
});

export const customFieldRules: readonly ConformanceRule[] = [...options, ...creation];
