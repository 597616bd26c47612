/** The dry run of routing: it creates nothing and notifies nobody. */

import type { Fields } from "../../../core/json.ts";
import type { BodySchema, SchemaValue } from "../../http/body-schema.ts";
import { unprocessable } from "../../http/http-error.ts";
import { endpoint, ok, type RequestContext, type ServiceModule } from "../module.ts";
import { findAlertSource } from "./alert-sources.ts";
import { evaluate } from "./evaluation.ts";

const hypothesis = {
  type: "object",
  required: ["fields"],
  properties: {
    fields: { type: "object", description: "The fields of a hypothetical alert; every value is read as text." },
    source: {
      type: ["string", "null"],
      description: "The name of an alert source; the workspace's rules without one.",
    },
  },
} as const satisfies BodySchema;

/** The module of /api/v1/routing/evaluate. */
export const routingDryRun: ServiceModule = {
  tables: [],
  endpoints: [
    endpoint({
      method: "POST",
      path: "/routing/evaluate",
      summary: "Evaluates the routing rules for a hypothetical alert and shows every step.",
      requiredAbility: "policies.read",
      body: hypothesis,
      handle: (request) => ok(dryRun(request)),
    }),
  ],
};

function dryRun({ database, body }: RequestContext<SchemaValue<typeof hypothesis>>): Fields {
  const source = body.source == null || body.source === "" ? undefined : findAlertSource(database, body.source);
  const evaluation = evaluate(database, body.fields, source?.id);
  if (evaluation === undefined) throw unprocessable("No routing rules are in force for this scope.");
  const { rule, context, trace, warnings } = evaluation;
  return {
    matched: rule !== undefined,
    matched_rule_priority: rule?.priority ?? null,
    outcome: rule?.outcome ?? null,
    context,
    trace,
    ...(warnings.length === 0 ? {} : { role_warnings: warnings }),
  };
}
