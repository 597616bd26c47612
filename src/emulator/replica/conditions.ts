/** The conditions of forms and runbooks in a replica: read as ids or as slugs and labels, kept as ids. */

import { randomUUID } from "node:crypto";
import type { Fields, Json } from "../../core/json.ts";
import {
  type CustomFieldRow,
  choicesOf,
  customFieldTable,
  isSelectable,
} from "../rooms/custom-fields/custom-field-tables.ts";
import { type ConditionOwner, type ConditionRow, conditionTable } from "../rooms/forms/conditions.ts";
import { incidentTypeTable } from "../rooms/option-lists/incident-types.ts";
import { severityTable } from "../rooms/option-lists/severities.ts";
import type { Database } from "../store/database.ts";
import { type Loading, objectsIn, textOf, textsIn } from "./lenient-rows.ts";

/** Ids by every word that may stand for them, the ids themselves included. */
type Ids = ReadonlyMap<string, string>;

/** Whose conditions they are; `name` is for notes. */
interface Owner {
  readonly kind: ConditionOwner;
  readonly id: string;
  readonly name: string;
}

type Meaning = Pick<ConditionRow, "condition_field" | "operator" | "custom_field_id" | "values">;

/** Loads the conditions of one owner after another, when all that they may read is loaded: that is listed once. */
export class Conditions {
  readonly #loading: Loading;
  readonly #database: Database;
  /** By the table or the custom field that offers the words. */
  readonly #known = new Map<unknown, Ids>();
  #fields: readonly CustomFieldRow[] | undefined;

  constructor(loading: Loading) {
    this.#loading = loading;
    this.#database = loading.service.database;
  }

  /** Loads those of one owner, as far as they can be understood. */
  load(owner: Owner, told: Json | undefined): void {
    const rows = objectsIn(told).flatMap((condition, index): readonly ConditionRow[] => {
      const read = this.#reading(condition);
      if (typeof read === "string") {
        this.#loading.notes.add(`a condition of ${owner.name} is left out: ${read}`);
        return [];
      }
      return [{ id: randomUUID(), owner: owner.kind, owner_id: owner.id, position: index + 1, ...read }];
    });
    this.#database.insert(conditionTable, ...rows);
  }

  /** What a condition means, or why nobody can tell. */
  #reading(condition: Fields): Meaning | string {
    const condition_field = textOf(condition, "condition_field");
    const operator = textOf(condition, "operator") === "not_one_of" ? "not_one_of" : "one_of";
    const words = textsIn(condition.values);
    const meant = (known: Ids): string[] => words.map((word) => known.get(word) ?? word);
    if (condition_field === "severity" || condition_field === "incident_type") {
      const table = condition_field === "severity" ? severityTable : incidentTypeTable;
      const known = this.#ids(table, () => this.#database.list(table).map(({ id, slug }) => [slug, id]));
      return { condition_field, operator, custom_field_id: null, values: meant(known) };
    }
    if (condition_field !== "custom_field") return `it reads ${JSON.stringify(condition_field ?? null)}`;
    const field = this.#fieldOf(textOf(condition, "custom_field"), words);
    if (field === undefined) return "the service does not tell which custom field it reads";
    return { condition_field, operator, custom_field_id: field.id, values: meant(this.#choices(field)) };
  }

  /** The field that is named, or else the only one that offers every value. */
  #fieldOf(named: string | undefined, words: readonly string[]): CustomFieldRow | undefined {
    this.#fields ??= this.#database.list(customFieldTable);
    if (named !== undefined) {
      return this.#fields.find(({ slug }) => slug === named) ?? this.#fields.find(({ id }) => id === named);
    }
    const offering = this.#fields.filter(
      (field) => isSelectable(field) && words.every((word) => this.#choices(field).has(word)),
    );
    return offering.length === 1 ? offering[0] : undefined;
  }

  #choices(field: CustomFieldRow): Ids {
    return this.#ids(field.id, () =>
      choicesOf(this.#database, field).map(({ id, label, slug }) => [slug ?? label, id]),
    );
  }

  #ids(source: unknown, list: () => readonly (readonly [word: string, id: string])[]): Ids {
    const known = this.#known.get(source) ?? idsOf(list());
    this.#known.set(source, known);
    return known;
  }
}

function idsOf(pairs: readonly (readonly [word: string, id: string])[]): Ids {
  return new Map([...pairs, ...pairs.map(([, id]) => [id, id] as const)]);
}
