/** The dialects that a service speaks. A probe for each one tells its choices apart by a response. */

import { type Fields, isFields } from "../core/json.ts";
import { expectStatus, memberOf } from "./expectation.ts";
import { findResource } from "./fixtures/configuration-resources.ts";
import { changeField, conditionsOf, fieldOf, fixtureField, severityCondition } from "./fixtures/forms.ts";
import { createMember, listMembers, memberPath } from "./fixtures/requests.ts";
import { Deviation, NotApplicable } from "./rule.ts";
import type { RuleContext } from "./rule-context.ts";
import { at, numberAt, rowsAt, textAt, uuid } from "./value-shape.ts";

/** Asks the service which choice it follows; undefined if the response fits neither. */
type Probe = (context: RuleContext) => Promise<string | undefined>;

/** Every dialect, as settings spell it. */
export const dialectNames = [
  "options",
  "locked_fields",
  "slug",
  "envelope",
  "condition_values",
  "fallback",
  "delete_guard",
  "readable",
] as const;

/** The name of a dialect. */
type DialectName = (typeof dialectNames)[number];

/** A dialect, with the service's choice or the reason why it is unknown. */
export interface DetectedDialect {
  readonly name: DialectName;
  readonly value?: string;
  readonly reason?: string;
}

/** One probe for each dialect. What they make is removed by the clean-up of the session. */
const dialectProbes: { readonly [Name in DialectName]: Probe } = {
  async options(context) {
    const fields = findResource("custom_fields");
    const select = { field_type: "single_select", option_source: "fixed", options: ["Alpha", "Beta"] };
    const field = await createMember(context, fields, select);
    const before = optionId(rowsAt(field, "options"), "Beta");
    const exchange = await context.client.patch(memberPath(fields, field), { options: ["Alpha", "Bravo"] });
    const after = optionId(rowsAt(memberOf(exchange), "options"), "Bravo");
    if (before === undefined || after === undefined) return undefined;
    return before === after ? "rename" : "replace";
  },
  async locked_fields({ client }) {
    const { status } = await client.patch("forms/declare", { system_field: "severity", visible: false });
    if (status === 422) return "refuse";
    return status === 200 ? "ignore" : undefined;
  },
  async slug(context) {
    const slug = `conformance_slug_${context.name("slug").replace(/\W/g, "").toLowerCase()}`;
    const role = await createMember(context, findResource("incident_roles"), { slug });
    return role.slug === slug ? "accept" : "derive";
  },
  async envelope(context) {
    const kind = findResource("incident_roles");
    const role = await createMember(context, kind);
    const { body } = await context.client.patch(memberPath(kind, role), { description: "Conformance" });
    if (!isFields(body)) return undefined;
    return body.slug === undefined ? "wrapped" : "bare";
  },
  async condition_values(context) {
    const [severity] = await listMembers(context, findResource("severities"));
    const field = await fixtureField(context, "text");
    const conditions = [await severityCondition(context, severity)];
    await changeField(context, "declare", field, { visible: true, conditions });
    const value = at(conditionsOf(await fieldOf(context, "declare", textAt(field, "slug")))[0], "values", 0);
    if (value === severity?.slug) return "slug";
    return uuid.holds(value) ? "id" : undefined;
  },
  async fallback(context) {
    const source = await newSource(context);
    const value = context.name("value");
    await addRule(context, undefined, ruleFor(value));
    const own = await addRule(context, source, ruleFor("something else"));
    await context.client.delete(`routing_rules/${numberAt(own, "priority")}${scopeQuery(source)}`);
    const { matched } = await evaluate(context, source, { conformance: value });
    if (matched === true) return "restore";
    return matched === false ? "sticky" : undefined;
  },
  async delete_guard(context) {
    const kind = findResource("severities");
    const severity = await createMember(context, kind);
    const field = await fixtureField(context, "text");
    const conditions = [await severityCondition(context, severity)];
    await changeField(context, "declare", field, { visible: true, conditions });
    const { status } = await context.client.delete(memberPath(kind, severity));
    if (status === 422) return "any";
    return status < 300 ? "incidents" : undefined;
  },
  async readable(context) {
    const kind = findResource("catalog_types");
    const type = await createMember(context, kind, { icon: "box", color: "#1D76DB" });
    const listed = (await listMembers(context, kind)).find(({ slug }) => slug === type.slug);
    if (listed === undefined) return undefined;
    return listed.icon === undefined && listed.color === undefined ? "partial" : "full";
  },
};

/** Runs one probe. A refusal or another shape of response leaves the dialect unknown; other errors are thrown. */
export async function detectDialect(name: DialectName, context: RuleContext): Promise<DetectedDialect> {
  try {
    const value = await dialectProbes[name](context);
    return value === undefined ? { name, reason: "the response fits neither choice" } : { name, value };
  } catch (error) {
    if (error instanceof NotApplicable) return { name, reason: error.message };
    if (error instanceof Deviation) return { name, reason: `expected ${error.expected}, got ${error.actual}` };
    throw error;
  }
}

function optionId(options: ReturnType<typeof rowsAt>, label: string): string | undefined {
  const id = options.find((option) => option.label === label)?.id;
  return typeof id === "string" ? id : undefined;
}

/** A rule that matches the value of the invented field. */
function ruleFor(value: string, action = "drop"): Fields {
  return { conditions: [{ field: "conformance", operator: "is_one_of", value: [value] }], outcome: { action } };
}

/** The query that addresses a source's rules; empty for the workspace's. */
function scopeQuery(source: string | undefined): string {
  return source === undefined ? "" : `?source=${encodeURIComponent(source)}`;
}

/** The name of a new alert source. */
async function newSource(context: RuleContext): Promise<string> {
  return textAt(await createMember(context, findResource("alert_sources")), "name");
}

/** Appends a rule to a source's list, or to the workspace's; the clean-up deletes it. */
async function addRule(context: RuleContext, source: string | undefined, body: Fields): Promise<Fields> {
  const rule = memberOf(await context.client.post(`routing_rules${scopeQuery(source)}`, body));
  const path = `routing_rules/${numberAt(rule, "priority")}${scopeQuery(source)}`;
  context.cleanup(() => context.client.delete(path));
  return rule;
}

/** The result of a dry run for an alert with these fields. */
async function evaluate(context: RuleContext, source: string | undefined, fields: Fields): Promise<Fields> {
  const body = source === undefined ? { fields } : { fields, source };
  const exchange = await context.client.post("routing/evaluate", body);
  expectStatus(exchange, 200);
  return memberOf(exchange);
}
