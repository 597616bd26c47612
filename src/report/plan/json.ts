/** Reports for programs: pretty JSON with the keys in the order of the documentation, the same bytes for the same plan. */

import type { Json } from "../../core/json.ts";
import type { Drift } from "../../drift/drift.ts";
import type { FieldChange, Plan } from "../../plan/plan.ts";
import { jsonText } from "../format/json.ts";
import { MASK } from "../format/mask.ts";

/** The keys of each record in the order in which they are written; others follow in the order they have. */
const PLAN: readonly string[] = [
  "format_version",
  "tool",
  "target",
  "partial",
  "undoes",
  "summary",
  "drift",
  "changes",
  "operations",
  "transitions",
  "derived",
  "warnings",
  "unreadable",
  "blocked",
  "seal",
];
const SUMMARY: readonly string[] = ["create", "update", "move", "enable", "disable", "delete"];
const CHANGE: readonly string[] = [
  "address",
  "label",
  "kind",
  "action",
  "fields",
  "reason",
  "risk",
  "operations",
  "source",
];
const OPERATION: readonly string[] = ["id", "method", "path", "query", "body", "address", "depends_on", "why"];

/** The plan as it is saved and as `--format json` prints it, ending with a line feed. Fields marked secret hold the mask. */
export function planJson(plan: Plan): string {
  return written(plan, {});
}

/** The same of a drift: `drift` says of each difference whether it is new, known, expired or resolved. */
export function driftJson(plan: Plan, drift: Drift): string {
  return written(plan, { drift });
}

function written(plan: Plan, more: object): string {
  return pretty({
    ...ordered({ ...plan, ...more }, PLAN),
    summary: ordered({ ...plan.summary }, SUMMARY),
    changes: plan.changes.map((change) => ordered({ ...change, fields: change.fields.map(concealed) }, CHANGE)),
    operations: plan.operations.map((operation) => ordered({ ...operation }, OPERATION)),
  });
}

/** Any report as pretty JSON, ending with a line feed; what cannot be seen stands as an escape of the same value. */
export function pretty(value: object): string {
  return `${jsonText(value, 2)}\n`;
}

function concealed(field: FieldChange): FieldChange {
  if (field.secret !== true) return field;
  const hide = (value: Json): Json => (value === null ? null : MASK);
  return { ...field, before: hide(field.before), after: hide(field.after) };
}

function ordered(record: Readonly<Record<string, unknown>>, order: readonly string[]): object {
  const first = order.filter((name) => record[name] !== undefined);
  const rest = Object.keys(record).filter((name) => !order.includes(name));
  return Object.fromEntries([...first, ...rest].map((name) => [name, record[name]]));
}
