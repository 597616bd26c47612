/** Rules 2 and 5 of the configuration resources: the four forms and the change of one field. */

import type { Fields } from "../../core/json.ts";
import { expectInvalid, expectRefusal, expectSame, expectStatus, expectThat } from "../expectation.ts";
import { findResource } from "../fixtures/configuration-resources.ts";
import {
  changeField,
  conditionsOf,
  fieldOf,
  fieldsOf,
  fixtureField,
  forms,
  severityCondition,
} from "../fixtures/forms.ts";
import { createMember, memberPath } from "../fixtures/requests.ts";
import { type ConformanceRule, type RuleDefinition, rulesOf } from "../rule.ts";
import type { RuleContext } from "../rule-context.ts";
import { textAt } from "../value-shape.ts";

/** The fields a form's other entries show, for comparing what a change must leave alone. */
async function others(context: RuleContext, form: string, slug: string): Promise<readonly Fields[]> {
  return (await fieldsOf(context, form)).filter((field) => field.slug !== slug);
}

/** Changes a system field and leaves the way back for the clean-up. */
async function changeSystem(context: RuleContext, form: string, slug: string, change: Fields): Promise<void> {
  const before = await fieldOf(context, form, slug);
  const back = { visible: before.visible ?? false, required: before.required ?? false };
  context.cleanup(() => context.client.patch(`forms/${form}`, { system_field: slug, ...back }));
  expectStatus(await context.client.patch(`forms/${form}`, { system_field: slug, ...change }), 200);
}

/** Severity and Status on the forms that ask for them, each with the change that would hide or loosen it. */
const locked: readonly (readonly [string, string])[] = [
  ["severity", "declare"],
  ["severity", "update"],
  ["severity", "resolve"],
  ["status", "update"],
];

const lockedRows: readonly RuleDefinition[] = locked.flatMap(([field, form]): readonly RuleDefinition[] =>
  (["visible", "required"] as const).map((flag) => ({
    id: `resources.5.locked.${form}.${field}.${flag}`,
    title: `5: ${field} on the ${form} form cannot be ${flag === "visible" ? "hidden" : "made optional"}`,
    async check(context: RuleContext) {
      const exchange = await context.client.patch(`forms/${form}`, { system_field: field, [flag]: false });
      const shown = await fieldOf(context, form, field);
      expectSame(`${flag} of the ${field} field`, shown[flag], true, exchange);
      expectRefusal(exchange, 422);
    },
  })),
);

/** The rules of forms. */
export const formRules: readonly ConformanceRule[] = rulesOf("Configuration resources", [
  ...forms.map((form) => ({
    id: `resources.2.exists.${form}`,
    title: `2: the ${form} form exists; GET reads it with its fields`,
    async check(context: RuleContext) {
      expectThat((await fieldsOf(context, form)).length > 0, "fields on the form", []);
    },
  })),
  {
    id: "resources.2.only",
    title: "2: exactly four forms exist; another slug is no form",
    async check({ client }) {
      const exchange = await client.get("forms/escalate");
      // The wire facts have 400 here, the document's table of errors 404: both say there is none.
      expectStatus(exchange, 400, 404);
    },
  },
  {
    id: "resources.2.create",
    title: "2: a form cannot be created",
    async check({ client }) {
      for (const path of ["forms", "forms/postmortem"]) {
        const exchange = await client.post(path, { name: "Postmortem" });
        expectThat(exchange.status >= 400 && exchange.status < 500, "a refusal", exchange.status, exchange);
      }
    },
  },
  {
    id: "resources.2.delete",
    title: "2: a form cannot be deleted",
    async check(context) {
      const exchange = await context.client.delete("forms/cancel");
      expectThat(exchange.status >= 400 && exchange.status < 500, "a refusal", exchange.status, exchange);
      expectThat((await fieldsOf(context, "cancel")).length > 0, "the form as before", []);
    },
  },
  {
    id: "resources.2.one",
    title: "2: PATCH changes one field and leaves every other field of the form as it was",
    async check(context) {
      const field = await fixtureField(context, "text");
      const slug = textAt(field, "slug");
      await changeField(context, "declare", field, { visible: false, required: false });
      const before = await others(context, "declare", slug);
      await changeField(context, "declare", field, { visible: true, required: true });
      expectSame("the other fields", await others(context, "declare", slug), before);
    },
  },
  {
    id: "resources.2.form",
    title: "2: PATCH changes the field on that form only",
    async check(context) {
      const field = await fixtureField(context, "text");
      const before = await fieldsOf(context, "cancel");
      await changeField(context, "declare", field, { visible: true });
      expectSame("the cancel form", await fieldsOf(context, "cancel"), before);
    },
  },
  {
    id: "resources.5.custom",
    title: "5: custom_field names a custom field by its slug; visible and required are kept",
    async check(context) {
      const field = await fixtureField(context, "text");
      for (const [visible, required] of [
        [true, true],
        [true, false],
        [false, false],
      ] as const) {
        await changeField(context, "declare", field, { visible, required });
        const shown = await fieldOf(context, "declare", textAt(field, "slug"));
        expectSame("visible", shown.visible, visible);
        expectSame("required", shown.required, required);
      }
    },
  },
  {
    id: "resources.5.system",
    title: "5: system_field names a field of the form's own; visible and required are kept",
    async check(context) {
      const before = await fieldOf(context, "declare", "summary");
      const required = before.required !== true;
      await changeSystem(context, "declare", "summary", { visible: true, required });
      expectSame("required", (await fieldOf(context, "declare", "summary")).required, required);
    },
  },
  {
    id: "resources.5.partial",
    title: "5: what is not sent of a field stays as it was",
    async check(context) {
      const field = await fixtureField(context, "text");
      await changeField(context, "declare", field, {
        visible: true,
        required: true,
        conditions: [await severityCondition(context)],
      });
      await changeField(context, "declare", field, { required: false });
      const shown = await fieldOf(context, "declare", textAt(field, "slug"));
      expectSame("visible", shown.visible, true);
      expectSame("required", shown.required, false);
      expectSame("the number of conditions", conditionsOf(shown).length, 1);
    },
  },
  {
    id: "resources.5.conditions",
    title: "5: sending conditions replaces the existing set",
    async check(context) {
      const field = await fixtureField(context, "text");
      const one = await severityCondition(context);
      const type = await createMember(context, findResource("incident_types"));
      const two = { condition_field: "incident_type", operator: "one_of", values: [textAt(type, "slug")] };
      context.cleanup(() =>
        context.client.patch("forms/declare", { custom_field: field.slug ?? null, conditions: [] }),
      );
      await changeField(context, "declare", field, { visible: true, conditions: [one, two] });
      await changeField(context, "declare", field, { conditions: [one] });
      const shown = conditionsOf(await fieldOf(context, "declare", textAt(field, "slug")));
      expectSame(
        "the fields of the conditions",
        shown.map((each) => textAt(each, "condition_field")),
        ["severity"],
      );
    },
  },
  {
    id: "resources.5.cleared",
    title: "5: an empty array of conditions clears them",
    async check(context) {
      const field = await fixtureField(context, "text");
      await changeField(context, "declare", field, { visible: true, conditions: [await severityCondition(context)] });
      await changeField(context, "declare", field, { conditions: [] });
      expectSame("the conditions", conditionsOf(await fieldOf(context, "declare", textAt(field, "slug"))), []);
    },
  },
  {
    id: "resources.5.unnamed",
    title: "5: a change that names no field is refused",
    async check(context) {
      const exchange = await context.client.patch("forms/declare", { visible: true });
      expectInvalid(exchange);
    },
  },
  {
    id: "resources.5.unknown",
    title: "5: a change that names a field the workspace does not have is refused",
    async check(context) {
      const exchange = await context.client.patch("forms/declare", { custom_field: "no_such_field", visible: true });
      expectStatus(exchange, 400, 404, 422);
    },
  },
  ...lockedRows,
  {
    id: "disabled.3.form",
    title: "Disabled entries 3: deleting a custom field a form refers to is refused with 422 and the count",
    async check(context) {
      const field = await fixtureField(context, "text");
      await changeField(context, "declare", field, { visible: true });
      const exchange = await context.client.delete(memberPath(findResource("custom_fields"), field));
      expectRefusal(exchange, 422);
      const message = textAt(exchange.body, "error", "message");
      expectThat(/\b\d+\b/.test(message), "a message with the count of references", message, exchange);
    },
  },
  {
    id: "disabled.3.condition",
    title: "Disabled entries 3: deleting a severity a form's condition refers to is refused with 422",
    async check(context) {
      const kind = findResource("severities");
      const severity = await createMember(context, kind);
      const field = await fixtureField(context, "text");
      const condition = { condition_field: "severity", operator: "one_of", values: [textAt(severity, "slug")] };
      await changeField(context, "declare", field, { visible: true, conditions: [condition] });
      expectRefusal(await context.client.delete(memberPath(kind, severity)), 422);
    },
  },
  {
    id: "forms.answer",
    basis: "wire",
    title: "a form reads { form, name, fields: [{ name, slug, source, visible, required, locked, conditions }] }",
    async check(context) {
      for (const form of forms) {
        const exchange = await context.client.get(`forms/${form}`);
        expectSame("form", textAt(exchange.body, "form"), form, exchange);
        const names = ["name", "slug", "source", "visible", "required", "locked", "conditions"];
        for (const field of await fieldsOf(context, form)) {
          const missing = names.filter((name) => field[name] === undefined);
          expectSame(`what ${textAt(field, "slug")} lacks`, missing, [], exchange);
        }
      }
    },
  },
  {
    id: "forms.locked.conditions",
    basis: "wire",
    title: "conditions on a locked field are refused with 422; an empty array is not",
    async check(context) {
      const condition = await severityCondition(context);
      const refused = await context.client.patch("forms/update", { system_field: "status", conditions: [condition] });
      expectRefusal(refused, 422);
      expectStatus(await context.client.patch("forms/update", { system_field: "status", conditions: [] }), 200);
    },
  },
]);
