/** Conditions of forms and runbooks in a replica. Their values are ids, slugs or labels, and are stored as ids. */

import { randomUUID } from "node:crypto";
import { type Fields, type Json, objectsIn, textsIn } from "../../core/json.ts";
import {
  type CustomFieldRow,
  choicesOf,
  customFieldTable,
  isSelectable,
} from "../modules/custom-fields/custom-field-tables.ts";
import { type ConditionOwner, type ConditionRow, conditionTable } from "../modules/forms/conditions.ts";
import { incidentTypeTable } from "../modules/option-lists/incident-types.ts";
import { severityTable } from "../modules/option-lists/severities.ts";
import { type ReplicaLoad, textOf } from "../service/live-rows.ts";
import type { Database } from "../store/database.ts";

/** Ids by slug or label, and by the id itself. */
type IdsByWord = ReadonlyMap<string, string>;

/** The owner of conditions. `name` is for notes. */
interface ConditionsOwner {
  readonly kind: ConditionOwner;
  readonly id: string;
  readonly name: string;
}

type StoredCondition = Pick<ConditionRow, "condition_field" | "operator" | "custom_field_id" | "values">;

/** Loads conditions of owners after the resources that they name. Lists each of those resources once. */
export class ConditionLoader {
  readonly #context: ReplicaLoad;
  readonly #database: Database;
  /** By table or custom field id. */
  readonly #cache = new Map<unknown, IdsByWord>();
  #fields: readonly CustomFieldRow[] | undefined;

  constructor(context: ReplicaLoad) {
    this.#context = context;
    this.#database = context.service.database;
  }

  /** Loads the conditions of one owner. A note names each one that cannot be read. */
  load(owner: ConditionsOwner, conditions: Json | undefined): void {
    const rows = objectsIn(conditions).flatMap((condition, index): readonly ConditionRow[] => {
      const stored = this.#parse(condition);
      if (typeof stored === "string") {
        this.#context.notes.add(`a condition of ${owner.name} is omitted: ${stored}`);
        return [];
      }
      return [{ id: randomUUID(), owner: owner.kind, owner_id: owner.id, position: index + 1, ...stored }];
    });
    this.#database.insert(conditionTable, ...rows);
  }

  /** The stored form of a condition, or the reason why it cannot be read. */
  #parse(condition: Fields): StoredCondition | string {
    const condition_field = textOf(condition, "condition_field");
    const operator = textOf(condition, "operator") === "not_one_of" ? "not_one_of" : "one_of";
    const words = textsIn(condition.values);
    const toIds = (idsByWord: IdsByWord): string[] => words.map((word) => idsByWord.get(word) ?? word);
    if (condition_field === "severity" || condition_field === "incident_type") {
      const table = condition_field === "severity" ? severityTable : incidentTypeTable;
      const idsByWord = this.#ids(table, () => this.#database.list(table).map(({ id, slug }) => [slug, id]));
      return { condition_field, operator, custom_field_id: null, values: toIds(idsByWord) };
    }
    if (condition_field !== "custom_field") return `it reads ${JSON.stringify(condition_field ?? null)}`;
    const field = this.#findField(textOf(condition, "custom_field"), words);
    if (field === undefined) return "the service does not return which custom field it reads";
    return { condition_field, operator, custom_field_id: field.id, values: toIds(this.#choices(field)) };
  }

  /** The named field, or else the only field with all of the values. */
  #findField(slugOrId: string | undefined, words: readonly string[]): CustomFieldRow | undefined {
    this.#fields ??= this.#database.list(customFieldTable);
    if (slugOrId !== undefined) {
      return this.#fields.find(({ slug }) => slug === slugOrId) ?? this.#fields.find(({ id }) => id === slugOrId);
    }
    const matching = this.#fields.filter(
      (field) => isSelectable(field) && words.every((word) => this.#choices(field).has(word)),
    );
    return matching.length === 1 ? matching[0] : undefined;
  }

  #choices(field: CustomFieldRow): IdsByWord {
    return this.#ids(field.id, () =>
      choicesOf(this.#database, field).map(({ id, label, slug }) => [slug ?? label, id]),
    );
  }

  #ids(source: unknown, list: () => readonly (readonly [word: string, id: string])[]): IdsByWord {
    const idsByWord = this.#cache.get(source) ?? idsOf(list());
    this.#cache.set(source, idsByWord);
    return idsByWord;
  }
}

function idsOf(pairs: readonly (readonly [word: string, id: string])[]): IdsByWord {
  return new Map([...pairs, ...pairs.map(([, id]) => [id, id] as const)]);
}
