/** Evaluation of routing rules: the first enabled rule whose conditions all match, with a trace of every step, and the dry run. */

import { type Fields, isFields, isList, type Json } from "../../../core/json.ts";
import { unprocessable } from "../../http/http-error.ts";
import { listOf, nullable, type ObjectSchema, objectSchema } from "../../http/response-schema.ts";
import type { BodySchema, SchemaValue } from "../../http/value-schema.ts";
import { endpoint, ok, type RequestContext, type ServiceModule } from "../../service/module.ts";
import type { Database } from "../../store/database.ts";
import {
  type AttributeRole,
  type CatalogEntryRow,
  catalogAttributes,
  catalogEntries,
  catalogReferences,
  catalogTypes,
} from "../catalog/catalog-tables.ts";
import { findAlertSource } from "./alert-sources.ts";
import { matchesCondition, parseStoredCondition, routingOperators } from "./routing-conditions.ts";
import { outcomeSchema, type RoutingOutcome } from "./routing-outcome.ts";
import { effectiveRules, type RoutingRuleRow } from "./routing-rule-sets.ts";

const stepProperties = {
  field: { type: "string", examples: ["service"] },
  operator: { type: "string", enum: routingOperators as typeof routingOperators },
  value: { description: "Null if the operator takes none.", examples: [["checkout"]] },
  actual: { type: ["string", "null"], description: "The alert's value.", examples: ["checkout"] },
  matched: { type: "boolean" },
} as const;

const stepSchema: ObjectSchema<typeof stepProperties> = objectSchema("RoutingTraceCondition", stepProperties);

const traceProperties = {
  rule_id: { type: "string", format: "uuid" },
  priority: { type: "integer", minimum: 1 },
  matched: { type: "boolean" },
  skipped: { type: "boolean", description: "true for a disabled rule.", examples: [false] },
  conditions: { type: "array", items: stepSchema as typeof stepSchema },
} as const;

/** The schema of the trace of one rule. */
const traceSchema: ObjectSchema<typeof traceProperties> = objectSchema("RoutingTrace", traceProperties);

/** The result of an evaluation. */
interface AlertEvaluation {
  /** The matching rule; undefined if none matches. */
  readonly rule: RoutingRuleRow | undefined;
  readonly context: RoutingContext;
  /** One object for each evaluated rule, up to the matching one. */
  readonly trace: readonly SchemaValue<typeof traceSchema>[];
  readonly warnings: readonly string[];
}

/** Evaluates the rules in force for a source (the workspace's if undefined). Undefined if there is no rule set. */
export function evaluate(
  database: Database,
  fields: Fields,
  sourceId: string | undefined,
): AlertEvaluation | undefined {
  const rules = effectiveRules(database, sourceId);
  if (rules === undefined) return undefined;
  const context = createRoutingContext(database, fields);
  const trace: SchemaValue<typeof traceSchema>[] = [];
  for (const rule of rules) {
    const step = traceRule(rule, context);
    trace.push(step);
    if (step.matched) return { rule, context, trace, warnings: roleWarnings(database, rules) };
  }
  return { rule: undefined, context, trace, warnings: roleWarnings(database, rules) };
}

/** The trace of one rule, with all of its conditions. A disabled rule is skipped. */
function traceRule(
  { id, priority, enabled, conditions }: RoutingRuleRow,
  context: RoutingContext,
): SchemaValue<typeof traceSchema> {
  if (!enabled) return { rule_id: id, priority, matched: false, skipped: true, conditions: [] };
  const steps = conditions.map((row) => {
    const condition = parseStoredCondition(row);
    const actual = Object.hasOwn(context, condition.field) ? context[condition.field] : undefined;
    return { ...condition, actual: actual ?? null, matched: matchesCondition(condition, actual) };
  });
  const matched = steps.every((step) => step.matched);
  return { rule_id: id, priority, matched, skipped: false, conditions: steps };
}

/** Warnings about missing catalog attributes. Rules that target teams need one for the channel and one for the people. */
function roleWarnings(database: Database, rules: readonly RoutingRuleRow[]): readonly string[] {
  if (!rules.some(({ outcome }) => targetsTeams(outcome))) return [];
  const isSet = (role: AttributeRole): boolean => database.count(catalogAttributes, { role }) > 0;
  const channel = isSet("notification_channel")
    ? []
    : ["Rules target teams, but no catalog attribute has the role notification_channel"];
  const people =
    isSet("members") || isSet("manager")
      ? []
      : ["Rules target teams, but no catalog attribute has the role members or manager"];
  return [...channel, ...people];
}

function targetsTeams({ notify, invite }: RoutingOutcome): boolean {
  return [...(isList(invite) ? invite : []), notify ?? null].some(isTeam);
}

function isTeam(target: Json): boolean {
  return isFields(target) && (target.type === "team" || target.type === "owning_team");
}

/** Fields by name; all values are text. */
export type RoutingContext = { readonly [field: string]: string };

/** The catalog types whose entries an alert can name in the field of the same name. */
const enrichingTypes = ["service", "team", "environment", "functionality"] as const;

/**
 * The alert's fields as text, with the team that the service references and with every plain attribute of the named
 * entries, such as `service.tier`. The alert's own fields win; null counts as absent.
 */
function createRoutingContext(database: Database, fields: Fields): RoutingContext {
  const values = new Map(
    Object.entries(fields).flatMap(([name, value]) => (value === null ? [] : [[name, textOf(value)]])),
  );
  const service = findEntry(database, "service", values.get("service"));
  const team = service === undefined ? undefined : referencedEntry(database, service, "team");
  if (team !== undefined && !values.has("team")) values.set("team", team.name);
  for (const type of enrichingTypes) {
    const entry = findEntry(database, type, values.get(type));
    for (const [slug, value] of Object.entries(entry?.attributes ?? {})) {
      const name = `${type}.${slug}`;
      if (isPlain(value) && !values.has(name)) values.set(name, textOf(value));
    }
  }
  return Object.fromEntries(values);
}

/** The entry of a type with this name (in any case), slug or external id. */
export function findEntry(database: Database, typeSlug: string, name: string | undefined): CatalogEntryRow | undefined {
  const type = name === undefined ? undefined : database.find(catalogTypes, { slug: typeSlug });
  if (type === undefined || name === undefined) return undefined;
  const clause = "WHERE type_id = ? AND (lower(name) = lower(?) OR slug = ? OR external_id = ?) LIMIT 1";
  return database.query(catalogEntries, clause, [type.id, name, name, name])[0];
}

/** The first entry of a type that the entry references. */
export function referencedEntry(
  database: Database,
  entry: CatalogEntryRow,
  typeSlug: string,
): CatalogEntryRow | undefined {
  const type = database.find(catalogTypes, { slug: typeSlug });
  const attributes = database.list(
    catalogAttributes,
    { type_id: entry.type_id, attribute_type: "reference" },
    { order: "position" },
  );
  for (const { id, reference_type_id } of attributes) {
    if (type === undefined || reference_type_id !== type.id) continue;
    const place = { entry_id: entry.id, attribute_id: id };
    const [reference] = database.list(catalogReferences, place, { order: "position", limit: 1 });
    if (reference !== undefined) return database.find(catalogEntries, { id: reference.target_entry_id });
  }
  return undefined;
}

function isPlain(value: Json): value is string | number | boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

function textOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

const hypothesis = {
  type: "object",
  required: ["fields"],
  properties: {
    fields: {
      type: "object",
      description: "The fields of a hypothetical alert; every value is read as text.",
      examples: [{ service: "checkout", severity_raw: "critical" }],
    },
    source: {
      type: ["string", "null"],
      description: "The name of an alert source; the workspace's rules without one.",
    },
  },
} as const satisfies BodySchema;

const evaluation = objectSchema(
  "RoutingEvaluation",
  {
    matched: { type: "boolean" },
    matched_rule_priority: { type: ["integer", "null"], examples: [1] },
    outcome: nullable(outcomeSchema),
    context: {
      type: "object",
      additionalProperties: { type: "string" },
      description: "The fields of the alert, with those of the catalog entries that it names.",
      examples: [{ service: "checkout", "service.tier": "Critical" }],
    },
    trace: { ...listOf(traceSchema), description: "The rules in order, up to the one that matches." },
    role_warnings: { type: "array", items: { type: "string" } },
  },
  { optional: ["role_warnings"] },
);

/** The module of /api/v1/routing/evaluate. */
export const routingDryRun: ServiceModule = {
  tables: [],
  endpoints: [
    endpoint({
      method: "POST",
      path: "/routing/evaluate",
      operationId: "evaluateRouting",
      summary: "Evaluates the routing rules for a hypothetical alert and shows every step.",
      requiredAbility: "policies.read",
      body: hypothesis,
      responses: { 200: evaluation },
      errors: [404],
      handle: (request) => ok(dryRun(request)),
    }),
  ],
};

function dryRun({ database, body }: RequestContext<SchemaValue<typeof hypothesis>>): SchemaValue<typeof evaluation> {
  const source = body.source == null || body.source === "" ? undefined : findAlertSource(database, body.source);
  const result = evaluate(database, body.fields, source?.id);
  if (result === undefined) throw unprocessable("No routing rules are in force for this scope.");
  const { rule, context, trace, warnings } = result;
  return {
    matched: rule !== undefined,
    matched_rule_priority: rule?.priority ?? null,
    outcome: rule?.outcome ?? null,
    context,
    trace,
    ...(warnings.length === 0 ? {} : { role_warnings: warnings }),
  };
}
