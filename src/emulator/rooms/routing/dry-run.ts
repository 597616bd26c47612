/** The room of /api/v1/routing/evaluate: what would happen to an alert. It creates nothing and notifies nobody. */

import type { Fields } from "../../../core/json.ts";
import type { BodyShape, ValueOf } from "../../http/body-schema.ts";
import { refused } from "../../http/http-error.ts";
import { type Call, ok, type Room, route } from "../room.ts";
import { alertSourceNamed } from "./alert-sources.ts";
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
} as const satisfies BodyShape;

/** The room of the dry run. */
export const routingDryRun: Room = {
  tables: [],
  routes: [
    route({
      method: "POST",
      path: "/routing/evaluate",
      summary: "Evaluates the routing rules for a hypothetical alert and shows every step.",
      needs: "policies.read",
      body: hypothesis,
      handle: (call) => ok(dryRun(call)),
    }),
  ],
};

function dryRun({ database, body }: Call<ValueOf<typeof hypothesis>>): Fields {
  const source = body.source == null || body.source === "" ? undefined : alertSourceNamed(database, body.source);
  const evaluation = evaluate(database, body.fields, source?.id);
  if (evaluation === undefined) throw refused("No routing rules are in force for this scope.");
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
