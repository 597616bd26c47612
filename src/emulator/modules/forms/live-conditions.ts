/** Conditions of forms and runbooks in a replica. Their values are ids, slugs or labels, and are stored as ids. */

import { randomUUID } from "node:crypto";
import { type Fields, type Json, objectsIn, textsIn } from "../../../core/json.ts";
import { type ReplicaLoad, textOf } from "../../service/live-rows.ts";
import type { Database } from "../../store/database.ts";
import { catalogEntries } from "../catalog/catalog-tables.ts";
import {
  type CustomFieldRow,
  choicesOf,
  customFieldOptions,
  customFieldTable,
  isSelectable,
} from "../custom-fields/custom-field-tables.ts";
import { incidentTypeTable, severityTable } from "../option-lists/option-lists.ts";
import { type ConditionOwner, type ConditionRow, conditionTable } from "./conditions.ts";

/** Ids by slug or label, and by the id itself. */
type IdsByWord = ReadonlyMap<string, string>;

/** The owner of conditions. `description` is for notes. */
interface ConditionsOwner {
  readonly kind: ConditionOwner;
  readonly id: string;
  readonly description: string;
}

type StoredCondition = Pick<ConditionRow, "condition_field" | "operator" | "custom_field_id" | "values">;

/** Loads the conditions of one owner, after the resources that they name. A note names each one that cannot be read. */
export function loadConditions(
  { service, notes }: ReplicaLoad,
  owner: ConditionsOwner,
  conditions: Json | undefined,
): void {
  const { database } = service;
  const rows = objectsIn(conditions).flatMap((condition, index): readonly ConditionRow[] => {
    const stored = parseCondition(database, condition);
    if (typeof stored === "string") {
      notes.add(`a condition of ${owner.description} is omitted: ${stored}`);
      return [];
    }
    return [{ id: randomUUID(), owner: owner.kind, owner_id: owner.id, position: index + 1, ...stored }];
  });
  database.insert(conditionTable, ...rows);
}

/** The stored form of a condition, or the reason why it cannot be read. */
function parseCondition(database: Database, condition: Fields): StoredCondition | string {
  const condition_field = textOf(condition, "condition_field");
  const operator = textOf(condition, "operator") === "not_one_of" ? "not_one_of" : "one_of";
  const words = textsIn(condition.values);
  const toIds = (idsByWord: IdsByWord): string[] => words.map((word) => idsByWord.get(word) ?? word);
  if (condition_field === "severity" || condition_field === "incident_type") {
    const table = condition_field === "severity" ? severityTable : incidentTypeTable;
    const rows = [...database.rowsById(table).values()];
    return { condition_field, operator, custom_field_id: null, values: toIds(idsOf(rows)) };
  }
  if (condition_field !== "custom_field") return `it reads ${JSON.stringify(condition_field ?? null)}`;
  const field = findField(database, textOf(condition, "custom_field"), words);
  if (field === undefined) return "the service does not return which custom field it reads";
  return { condition_field, operator, custom_field_id: field.id, values: toIds(choiceIds(database, field)) };
}

/** The named field, or else the only field with all of the values. */
function findField(
  database: Database,
  slugOrId: string | undefined,
  words: readonly string[],
): CustomFieldRow | undefined {
  const fields = [...database.rowsById(customFieldTable).values()];
  if (slugOrId !== undefined) {
    return fields.find(({ slug }) => slug === slugOrId) ?? fields.find(({ id }) => id === slugOrId);
  }
  const matching = fields.filter(
    (field) => isSelectable(field) && words.every((word) => choiceIds(database, field).has(word)),
  );
  return matching.length === 1 ? matching[0] : undefined;
}

/** The ids of a field's choices, listed again once one of them has changed. */
function choiceIds(database: Database, field: CustomFieldRow): IdsByWord {
  return database.derive([customFieldOptions, catalogEntries], `choices of ${field.id}`, () => {
    return idsOf(choicesOf(database, field).map(({ id, label, slug }) => ({ id, slug: slug ?? label })));
  });
}

function idsOf(rows: readonly { readonly id: string; readonly slug: string }[]): IdsByWord {
  return new Map([...rows.map(({ id, slug }) => [slug, id] as const), ...rows.map(({ id }) => [id, id] as const)]);
}
