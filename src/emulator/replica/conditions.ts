/** The conditions of forms and runbooks in a replica: read as ids or as slugs and labels, kept as ids. */

import { randomUUID } from "node:crypto";
import type { Fields, Json } from "../../json.ts";
import { type ConditionOwner, type ConditionRow, conditionTable } from "../configuration/conditions.ts";
import { type CustomFieldRow, choicesOf, customFieldTable, isSelectable } from "../configuration/custom-field-table.ts";
import { incidentTypeTable } from "../configuration/incident-types.ts";
import { severityTable } from "../configuration/severities.ts";
import type { Database } from "../database.ts";
import { type Loading, objectsIn, textOf, textsIn } from "./reading.ts";

/** Ids by every word that may stand for them, the ids themselves included. */
type Ids = ReadonlyMap<string, string>;

/** Loads the conditions of one owner. `of` names the owner in notes. */
export function loadConditions(
  loading: Loading,
  owner: { readonly kind: ConditionOwner; readonly id: string },
  told: Json | undefined,
  of: string,
): void {
  const rows = objectsIn(told).flatMap((condition, index): readonly ConditionRow[] => {
    const read = reading(loading.service.database, condition);
    if (typeof read === "string") {
      loading.notes.add(`a condition of ${of} is left out: ${read}`);
      return [];
    }
    return [{ id: randomUUID(), owner: owner.kind, owner_id: owner.id, position: index + 1, ...read }];
  });
  loading.service.database.insert(conditionTable, ...rows);
}

type Meaning = Pick<ConditionRow, "condition_field" | "operator" | "custom_field_id" | "values">;

/** What a condition means, or why nobody can tell. */
function reading(database: Database, condition: Fields): Meaning | string {
  const condition_field = textOf(condition, "condition_field");
  const operator = textOf(condition, "operator") === "not_one_of" ? "not_one_of" : "one_of";
  const words = textsIn(condition.values);
  if (condition_field === "severity" || condition_field === "incident_type") {
    const table = condition_field === "severity" ? severityTable : incidentTypeTable;
    const known = idsOf(database.list(table).map(({ id, slug }) => [slug, id]));
    return { condition_field, operator, custom_field_id: null, values: words.map((word) => known.get(word) ?? word) };
  }
  if (condition_field !== "custom_field") return `it reads ${JSON.stringify(condition_field ?? null)}`;
  const field = fieldOf(database, textOf(condition, "custom_field"), words);
  if (field === undefined) return "the service does not tell which custom field it reads";
  const known = choiceIds(database, field);
  return { condition_field, operator, custom_field_id: field.id, values: words.map((word) => known.get(word) ?? word) };
}

/** The field that is named, or else the only one that offers every value. */
function fieldOf(database: Database, named: string | undefined, words: readonly string[]): CustomFieldRow | undefined {
  if (named !== undefined) {
    return database.find(customFieldTable, { slug: named }) ?? database.find(customFieldTable, { id: named });
  }
  const offering = database
    .list(customFieldTable)
    .filter(isSelectable)
    .filter((field) => {
      const known = choiceIds(database, field);
      return words.every((word) => known.has(word));
    });
  return offering.length === 1 ? offering[0] : undefined;
}

function choiceIds(database: Database, field: CustomFieldRow): Ids {
  return idsOf(choicesOf(database, field).map(({ id, label, slug }) => [slug ?? label, id]));
}

function idsOf(pairs: readonly (readonly [word: string, id: string])[]): Ids {
  return new Map([...pairs, ...pairs.map(([, id]) => [id, id] as const)]);
}
