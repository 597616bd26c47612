/** The dry run of routing: it creates nothing and notifies nobody. */

import { unprocessable } from "../../http/http-error.ts";
import { listOf, nullable, objectSchema } from "../../http/response-schema.ts";
import type { BodySchema, SchemaValue } from "../../http/value-schema.ts";
import { endpoint, ok, type RequestContext, type ServiceModule } from "../../service/module.ts";
import { findAlertSource } from "./alert-sources.ts";
import { evaluate, traceSchema } from "./evaluation.ts";
import { outcomeSchema } from "./routing-outcome.ts";

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
