/** Plans and drift as JSON, indented, with keys in the documented order, so that the same plan gives the same bytes. */

import type { Json } from "../../core/json.ts";
import { MASK } from "../../core/value-text.ts";
import type { Drift } from "../../plan/drift/drift.ts";
import type { FieldChange, SealedPlan } from "../../plan/model/plan.ts";
import { prettyJson } from "../format/json.ts";

/** Keys of each record in their order; other keys follow in their own order. */
const PLAN: readonly string[] = [
  "format_version",
  "tool",
  "target",
  "partial",
  "base",
  "undoes",
  "summary",
  "drift",
  "changes",
  "released",
  "recorded_alerts",
  "operations",
  "transitions",
  "derived",
  "warnings",
  "renames",
  "unreadable",
  "blocked",
  "accepted",
  "ignored",
  "others",
  "unmanaged",
  "seal",
];
const SUMMARY: readonly string[] = ["create", "update", "move", "enable", "disable", "delete"];
const CHANGE: readonly string[] = [
  "address",
  "label",
  "kind",
  "action",
  "fields",
  "values",
  "reason",
  "risk",
  "origin",
  "operations",
  "source",
];
const OPERATION: readonly string[] = ["id", "method", "path", "query", "body", "address", "depends_on", "why"];

/** A plan as it is saved and printed by `--format json`, with a final line feed. Secret fields hold the mask. */
export function planJson(plan: SealedPlan): string {
  return planRecord(plan, {});
}

/** A plan of drift; its key `drift` lists the differences that are new, known, expired or resolved. */
export function driftJson(plan: SealedPlan, drift: Drift): string {
  return planRecord(plan, { drift });
}

function planRecord(plan: SealedPlan, more: object): string {
  return prettyJson({
    ...ordered({ ...plan, ...more }, PLAN),
    summary: ordered({ ...plan.summary }, SUMMARY),
    changes: plan.changes.map((change) => ordered({ ...change, fields: change.fields.map(withoutSecrets) }, CHANGE)),
    operations: plan.operations.map((operation) => ordered({ ...operation }, OPERATION)),
  });
}

function withoutSecrets(field: FieldChange): FieldChange {
  if (field.secret !== true) return field;
  const hide = (value: Json): Json => (value === null ? null : MASK);
  return { ...field, before: hide(field.before), after: hide(field.after) };
}

function ordered(record: Readonly<Record<string, unknown>>, order: readonly string[]): object {
  const first = order.filter((name) => record[name] !== undefined);
  const rest = Object.keys(record).filter((name) => !order.includes(name));
  return Object.fromEntries([...first, ...rest].map((name) => [name, record[name]]));
}
