/** Rules of custom fields: rule 3 of the configuration resources, and how declared values are checked against the form. */

import type { Fields, Json } from "../../core/json.ts";
import { type Exchange, formatValue } from "../client.ts";
import {
  expectRefusal,
  expectSame,
  expectShape,
  expectStatus,
  expectThat,
  incidentOf,
  memberOf,
} from "../expectation.ts";
import { findResource } from "../fixtures/configuration-resources.ts";
import { changeField, fixtureField } from "../fixtures/forms.ts";
import { declarationOf, idOf, postIncident, readIncident, severityId } from "../fixtures/incidents.ts";
import { createMember, listMembers, memberPath } from "../fixtures/requests.ts";
import { type ConformanceRule, rulesOf } from "../rule.ts";
import type { RuleContext } from "../rule-context.ts";
import { at, objectWith, rowsAt, string, textAt } from "../value-shape.ts";

const kind = findResource("custom_fields");

function optionsOf(field: Fields): readonly Fields[] {
  return rowsAt(field, "options");
}

/** Creates a select of these options that no form shows. */
function createSelect(context: RuleContext, labels: readonly string[]): Promise<Fields> {
  return createMember(context, kind, { field_type: "single_select", option_source: "fixed", options: labels });
}

async function resendOptions(
  context: RuleContext,
  field: Fields,
  labels: readonly string[],
): Promise<readonly Fields[]> {
  const exchange = await context.client.patch(memberPath(kind, field), { options: labels });
  expectStatus(exchange, 200);
  const shown = optionsOf(memberOf(exchange));
  if (shown.length > 0) return shown;
  const listed = (await listMembers(context, kind)).find((entry) => entry.slug === field.slug);
  return optionsOf(listed ?? {});
}

function optionId(options: readonly Fields[], label: string): Json {
  return options.find((option) => option.label === label)?.id ?? null;
}

/** Declares an incident with the first of the values that the service takes, since a select may take labels or ids. */
async function declareWith(context: RuleContext, slug: string, ...values: readonly Json[]): Promise<Fields> {
  let exchange: Exchange | undefined;
  for (const value of values) {
    exchange = await postIncident(context, await declarationOf(context, { custom_fields: { [slug]: value } }));
    if (exchange.status === 201) break;
  }
  if (exchange === undefined) throw new Error("declareWith needs a value");
  return incidentOf(exchange);
}

/** Throws unless a declaration with these custom fields is refused, with one error for each failing field. */
async function expectRefusedDeclaration(context: RuleContext, custom: Fields, failing: number): Promise<Exchange> {
  const body = await declarationOf(context, { custom_fields: custom });
  const exchange = await postIncident(context, body);
  expectRefusal(exchange, 422, "validation_error");
  const errors = rowsAt(exchange.body, "error", "errors");
  expectSame("the number of errors", errors.length, failing, exchange);
  for (const error of errors)
    expectShape("each of errors", error, objectWith({ field: string, message: string }), exchange);
  return exchange;
}

const options: readonly ConformanceRule[] = rulesOf("Configuration resources", [
  {
    id: "resources.3.same",
    title: "3: options are matched by label: resending the same list keeps every option",
    async check(context) {
      const field = await createSelect(context, ["Alpha", "Beta"]);
      expectSame("the options", await resendOptions(context, field, ["Alpha", "Beta"]), optionsOf(field));
    },
  },
  {
    id: "resources.3.order",
    title: "3: options are matched by label: a list in another order keeps each label's option",
    async check(context) {
      const field = await createSelect(context, ["Alpha", "Beta", "Gamma"]);
      const after = await resendOptions(context, field, ["Gamma", "Alpha", "Beta"]);
      for (const label of ["Alpha", "Beta", "Gamma"]) {
        expectSame(`the id of ${label}`, optionId(after, label), optionId(optionsOf(field), label));
      }
      expectSame(
        "the labels",
        after.map((option) => textAt(option, "label")),
        ["Gamma", "Alpha", "Beta"],
      );
    },
  },
  {
    id: "resources.3.rename",
    title: "3: resending a list renames options instead of replacing them",
    async check(context) {
      const field = await createSelect(context, ["Alpha", "Beta"]);
      const after = await resendOptions(context, field, ["Alpha", "Bravo"]);
      expectSame("the id of the renamed option", optionId(after, "Bravo"), optionId(optionsOf(field), "Beta"));
      expectSame("the id of the other option", optionId(after, "Alpha"), optionId(optionsOf(field), "Alpha"));
    },
  },
  {
    id: "resources.3.added",
    title: "3: a label that is new to a longer list becomes an option of its own",
    async check(context) {
      const field = await createSelect(context, ["Alpha"]);
      const after = await resendOptions(context, field, ["Alpha", "Beta"]);
      expectSame("the id of the first option", optionId(after, "Alpha"), optionId(optionsOf(field), "Alpha"));
      expectSame("the number of options", after.length, 2);
    },
  },
  {
    id: "resources.3.held",
    title: "3: incidents that use an option keep their reference after a rename",
    async check(context) {
      const field = await fixtureField(context, "choice");
      await resendOptions(context, field, ["Alpha", "Beta"]);
      await changeField(context, "declare", field, { visible: true, required: false });
      const slug = textAt(field, "slug");
      const [fresh] = (await listMembers(context, kind)).filter((entry) => entry.slug === slug);
      const option = optionId(optionsOf(fresh ?? {}), "Beta");
      const before = await declareWith(context, slug, "Beta", option);
      context.cleanup(() => context.client.patch(memberPath(kind, field), { options: ["Alpha", "Beta"] }));
      const after = await resendOptions(context, field, ["Alpha", "Bravo"]);
      expectSame("the id of the renamed option", optionId(after, "Bravo"), option);
      const held = formatValue(at(before, "custom_fields", slug)).replaceAll("Beta", "Bravo");
      const incident = await readIncident(context, idOf(before));
      expectSame("the incident's value", formatValue(at(incident, "custom_fields", slug)), held);
    },
  },
  {
    id: "resources.3.omitted",
    basis: "wire",
    title: "a PATCH without options leaves them untouched",
    async check(context) {
      const field = await createSelect(context, ["Alpha", "Beta"]);
      const exchange = await context.client.patch(memberPath(kind, field), { name: context.name("renamed") });
      expectSame("the options", optionsOf(memberOf(exchange)), optionsOf(field), exchange);
    },
  },
  {
    id: "resources.3.empty",
    basis: "wire",
    title: "a fixed select keeps at least one option: an empty list is refused with 422",
    async check(context) {
      const field = await createSelect(context, ["Alpha"]);
      expectRefusal(await context.client.patch(memberPath(kind, field), { options: [] }), 422);
    },
  },
  {
    id: "resources.3.characters",
    basis: "wire",
    title: "a label has at most 75 characters, however many bytes or UTF-16 units each one takes",
    async check(context) {
      const longest = "😀".repeat(75);
      const field = await createSelect(context, [longest]);
      expectThat(optionId(optionsOf(field), longest) !== null, "an option with 75 characters", optionsOf(field));
      expectRefusal(await context.client.patch(memberPath(kind, field), { options: [`${longest}😀`] }), 422);
    },
  },
  {
    id: "resources.fields.required",
    basis: "wire",
    title: "a custom field without field_type or option_source is refused",
    async check(context) {
      for (const body of [
        { option_source: "none" },
        { field_type: "text" },
        { field_type: "text", option_source: "fixed" },
      ]) {
        const exchange = await context.client.post(kind.path, { name: context.name("field"), ...body });
        if (exchange.status < 300) context.cleanup(() => context.client.delete(memberPath(kind, memberOf(exchange))));
        expectStatus(exchange, 400, 422);
      }
    },
  },
]);

const creation: readonly ConformanceRule[] = rulesOf("Endpoints: Incidents", [
  {
    id: "incidents.fields.kept",
    title: "custom_fields of the declare form are kept under the field's slug",
    async check(context) {
      const field = await fixtureField(context, "text");
      await changeField(context, "declare", field, { visible: true, required: false });
      const slug = textAt(field, "slug");
      const incident = await declareWith(context, slug, "queue 7");
      expectSame(`custom_fields.${slug}`, at(incident, "custom_fields", slug), "queue 7");
    },
  },
  {
    id: "incidents.fields.unknown",
    title: "an unknown key of custom_fields yields validation_error",
    async check(context) {
      await expectRefusedDeclaration(context, { no_such_field: "x" }, 1);
    },
  },
  {
    id: "incidents.fields.each",
    title: "validation_error names every failing field, one entry each",
    async check(context) {
      await expectRefusedDeclaration(context, { no_such_field: "x", nor_this_one: "y" }, 2);
    },
  },
  {
    id: "incidents.fields.invalid",
    title: "an invalid value of a custom field yields validation_error",
    async check(context) {
      const field = await fixtureField(context, "choice");
      await changeField(context, "declare", field, { visible: true, required: false });
      await expectRefusedDeclaration(context, { [textAt(field, "slug")]: "no such option" }, 1);
    },
  },
  {
    id: "incidents.fields.list",
    title: "a list, even an empty one, is an invalid value of a text and of a single choice",
    async check(context) {
      for (const sort of ["text", "choice"] as const) {
        const field = await fixtureField(context, sort);
        await changeField(context, "declare", field, { visible: true, required: false });
        await expectRefusedDeclaration(context, { [textAt(field, "slug")]: [] }, 1);
      }
    },
  },
  {
    id: "incidents.fields.missing",
    title: "a missing required field of the declare form yields validation_error",
    async check(context) {
      const field = await fixtureField(context, "text");
      await changeField(context, "declare", field, { visible: true, required: true });
      await expectRefusedDeclaration(context, {}, 1);
      await declareWith(context, textAt(field, "slug"), "given");
    },
  },
  {
    id: "incidents.fields.conditions",
    title: "a required field is missed only where the form's conditions ask for it",
    async check(context) {
      const field = await fixtureField(context, "text");
      const severity = await severityId(context);
      const entry = (await listMembers(context, findResource("severities"))).find((each) => each.id === severity);
      const slug = textAt(entry, "slug");
      const asked = { condition_field: "severity", operator: "one_of", values: [slug] };
      const form = { visible: true, required: true };
      await changeField(context, "declare", field, { ...form, conditions: [asked] });
      await expectRefusedDeclaration(context, {}, 1);
      await changeField(context, "declare", field, { ...form, conditions: [{ ...asked, operator: "not_one_of" }] });
      expectStatus(await postIncident(context, await declarationOf(context)), 201);
    },
  },
  {
    id: "incidents.fields.nothing",
    title: "a creation refused for its custom fields creates nothing: its idempotency key is still free",
    async check(context) {
      const body = await declarationOf(context);
      const refused = await postIncident(context, { ...body, custom_fields: { no_such_field: "x" } });
      expectRefusal(refused, 422, "validation_error");
      expectStatus(await postIncident(context, body), 201);
    },
  },
]);

/** The rules of custom fields. */
export const customFieldRules: readonly ConformanceRule[] = [...options, ...creation];
