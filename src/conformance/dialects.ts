/** The dialects that a service speaks. A probe for each one tells its choices apart by a response. */

import { type Fields, isFields } from "../core/json.ts";
import { memberOf } from "./expectation.ts";
import { fieldOnForm, known, made, onSeverity, posted } from "./fixtures/given.ts";
import { rowsOf } from "./fixtures/requests.ts";
import type { RuleContext } from "./rule.ts";
import { Deviation, NotApplicable } from "./rule.ts";
import { openScope, type Scope } from "./scope.ts";
import { at, rowsAt, textAt, uuid } from "./value-shape.ts";

/** Asks the service which choice it follows; undefined if the response fits neither. */
type Probe = (scope: Scope) => Promise<string | undefined>;

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
  "disabled",
] as const;

type DialectName = (typeof dialectNames)[number];

/** A dialect, with the service's choice or the reason why it is unknown. */
export interface DetectedDialect {
  readonly name: DialectName;
  readonly value?: string;
  readonly reason?: string;
}

const ofSource = "routing_rules?source={source.name}";

/** A rule that matches the value of the invented field. */
function dropOf(value: string): Fields {
  return {
    conditions: [{ field: "conformance", operator: "is_one_of", value: [value] }],
    outcome: { action: "drop" },
  };
}

/** One probe for each dialect. What they make is removed by the clean-up of the session. */
const dialectProbes: { readonly [Name in DialectName]: Probe } = {
  async options(scope) {
    const select = { field_type: "single_select", option_source: "fixed", options: ["Alpha", "Beta"] };
    const field = await made("custom_fields", select)(scope);
    const path = `custom_fields/${textAt(field, "slug")}`;
    const after = memberOf(await scope.context.client.patch(path, { options: ["Alpha", "Bravo"] }));
    const [was, is] = [at(field, "options", 1, "id"), at(after, "options", 1, "id")];
    if (typeof was !== "string" || typeof is !== "string") return undefined;
    return was === is ? "rename" : "replace";
  },
  async locked_fields({ context }) {
    const hide = (visible: boolean) => context.client.patch("forms/declare", { system_field: "severity", visible });
    context.cleanup(() => hide(true));
    const { status } = await hide(false);
    if (status === 422) return "refuse";
    return status === 200 ? "ignore" : undefined;
  },
  async slug(scope) {
    const slug = `conformance_slug_${scope.context.name("slug").replace(/\W/g, "").toLowerCase()}`;
    return at(await made("incident_roles", { slug })(scope), "slug") === slug ? "accept" : "derive";
  },
  async envelope(scope) {
    const role = await made("incident_roles")(scope);
    const path = `incident_roles/${textAt(role, "slug")}`;
    const { body } = await scope.context.client.patch(path, { description: "Conformance" });
    if (!isFields(body)) return undefined;
    return body.slug === undefined ? "wrapped" : "bare";
  },
  async condition_values(scope) {
    const field = await fieldOnForm("text", { conditions: [onSeverity] })(scope);
    const { fields } = memberOf(await scope.context.client.get("forms/declare"));
    const shown = rowsAt(fields).find(({ slug }) => slug === at(field, "slug"));
    const value = at(shown, "conditions", 0, "values", 0);
    if (value === (await scope.read("{severity.slug}"))) return "slug";
    return uuid.holds(value) ? "id" : undefined;
  },
  async fallback(scope) {
    const { client } = scope.context;
    scope.keep("source", await made("alert_sources")(scope));
    await posted("routing_rules", dropOf("{new.value}"))(scope);
    scope.keep("own", await posted(ofSource, dropOf("something else"))(scope));
    await client.delete(await scope.path("routing_rules/{own.priority}?source={source.name}"));
    const alert = await scope.fill({ fields: { conformance: "{new.value}" }, source: "{source.name}" });
    const { matched } = memberOf(await client.post("routing/evaluate", alert));
    if (matched === true) return "restore";
    return matched === false ? "sticky" : undefined;
  },
  async delete_guard(scope) {
    scope.keep("severity", await made("severities")(scope));
    await fieldOnForm("text", { conditions: [onSeverity] })(scope);
    const { status } = await scope.context.client.delete(await scope.path("severities/{severity.slug}"));
    if (status === 422) return "any";
    return status < 300 ? "incidents" : undefined;
  },
  async readable(scope) {
    const type = await made("catalog_types", { icon: "box", color: "#1D76DB" })(scope);
    const listed = rowsOf(await scope.context.client.get("catalog/types")).find(
      ({ slug }) => slug === at(type, "slug"),
    );
    if (listed === undefined) return undefined;
    return listed.icon === undefined && listed.color === undefined ? "partial" : "full";
  },
  async disabled(scope) {
    const webhook = await made("webhooks")(scope);
    const { client } = scope.context;
    memberOf(await client.patch(`webhooks/${textAt(webhook, "id")}`, { enabled: false }));
    const isListed = async (path: string) => rowsOf(await client.get(path)).some(({ id }) => id === at(webhook, "id"));
    if (!(await isListed("webhooks?include_disabled=true"))) return undefined;
    return (await isListed("webhooks")) ? "option_lists" : "all";
  },
};

/** Runs one probe. A refusal or another shape of response leaves the dialect unknown; other errors are thrown. */
export async function detectDialect(name: DialectName, context: RuleContext): Promise<DetectedDialect> {
  try {
    const value = await dialectProbes[name](openScope(context, known));
    return value === undefined ? { name, reason: "the response fits neither choice" } : { name, value };
  } catch (error) {
    if (error instanceof NotApplicable) return { name, reason: error.message };
    if (error instanceof Deviation) return { name, reason: `expected ${error.expected}, got ${error.actual}` };
    throw error;
  }
}
