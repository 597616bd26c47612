/** The runbooks of a replica, with their steps and conditions. */

import { randomUUID } from "node:crypto";
import { type Fields, fieldsIn, isFields, objectsIn, textsIn } from "../../core/json.ts";
import { conditionTable } from "../modules/forms/conditions.ts";
import { type RunbookRow, runbookSteps, runbookTable } from "../modules/runbooks/runbook-tables.ts";
import { idOf, numberOf, type ReplicaLoad, rowsAt, textOf, textOrNull } from "../service/live-rows.ts";
import type { ConditionLoader } from "./conditions.ts";

/** Loads the runbooks, if they were read. */
export function loadRunbooks(load: ReplicaLoad, conditions: ConditionLoader): void {
  const rows = rowsAt(load, "/runbooks");
  if (rows === undefined) return;
  const { database } = load.service;
  for (const { id } of database.list(runbookTable)) database.remove(conditionTable, { owner_id: id });
  database.remove(runbookTable, {});
  database.remove(runbookSteps, {});
  for (const row of rows) {
    const runbook = runbookRow(load, row);
    database.insert(runbookTable, runbook);
    const steps = objectsIn(row.steps).map((step, index) => ({
      id: randomUUID(),
      runbook_id: runbook.id,
      position: numberOf(step, "position", index + 1),
      title: textOf(step, "title") ?? "",
      instruction: textOrNull(step, "instruction"),
      tool: textOrNull(step, "tool"),
      arguments: fieldsIn(step.arguments),
    }));
    database.insert(runbookSteps, ...steps);
    conditions.load({ kind: "runbook", id: runbook.id, name: `the runbook "${runbook.slug}"` }, row.conditions);
  }
}

function runbookRow(load: ReplicaLoad, row: Fields): RunbookRow {
  const now = load.service.now().toISOString();
  return {
    id: idOf(load, row, "runbooks"),
    name: textOf(row, "name") ?? "",
    slug: textOf(row, "slug") ?? "",
    summary: textOrNull(row, "summary"),
    content: textOrNull(row, "content"),
    external_url: textOrNull(row, "external_url"),
    inputs: objectsIn(row.inputs).map((input) => ({
      key: textOf(input, "key") ?? "",
      question: textOf(input, "question") ?? "",
      default: textOrNull(input, "default"),
    })),
    aliases: textsIn(row.aliases),
    watch: isFields(row.watch) ? row.watch : null,
    created_at: textOf(row, "created_at") ?? now,
    updated_at: textOf(row, "updated_at") ?? now,
  };
}
