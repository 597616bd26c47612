/** The conditions of forms and runbooks: how they are read, kept as ids, shown, counted as references, and evaluated. */

import { randomUUID } from "node:crypto";
import type { Fields } from "../../../core/json.ts";
import type { ValueOf } from "../../http/body-schema.ts";
import { type FieldError, invalid } from "../../http/http-error.ts";
import type { Service } from "../../service-context.ts";
import type { Database } from "../../store/database.ts";
import type { Reference } from "../../store/references.ts";
import { indexed, integer, json, key, optionalText, type Table, table, text, word } from "../../store/table.ts";
import {
  type CustomFieldRow,
  choicesOf,
  customFieldTable,
  isSelectable,
} from "../custom-fields/custom-field-tables.ts";
import { incidentTypeTable } from "../option-lists/incident-types.ts";
import { severityTable } from "../option-lists/severities.ts";

/** What a condition hangs on. */
export type ConditionOwner = "form_field" | "runbook";

/** One condition; the conditions of an owner are joined by "and". */
export interface ConditionRow {
  readonly id: string;
  readonly owner: ConditionOwner;
  readonly owner_id: string;
  readonly position: number;
  readonly condition_field: "severity" | "incident_type" | "custom_field";
  readonly operator: "one_of" | "not_one_of";
  /** The field read, where `condition_field` is `custom_field`. */
  readonly custom_field_id: string | null;
  /** Ids of severities, types, options or catalog entries. */
  readonly values: readonly string[];
}

/** The conditions of all forms and runbooks. */
export const conditionTable: Table<ConditionRow> = indexed(
  table("conditions", {
    id: key,
    owner: word(),
    owner_id: text,
    position: integer,
    condition_field: word(),
    operator: word(),
    custom_field_id: optionalText,
    values: json(),
  }),
  "owner_id",
);

/** The shape of a list of conditions in a body. */
export const conditionsShape = {
  type: "array",
  description: "Replaces every condition; [] clears them. All have to hold.",
  items: {
    type: "object",
    properties: {
      condition_field: { type: "string", enum: ["severity", "incident_type", "custom_field"] },
      operator: { type: "string", enum: ["one_of", "not_one_of"] },
      values: {
        type: "array",
        minItems: 1,
        items: { type: "string" },
        description: "Slugs, labels or ids of enabled entries.",
      },
      custom_field: { type: ["string", "null"], description: "The slug of the field read, for custom_field only." },
    },
    required: ["condition_field", "operator", "values"],
  },
} as const;

type SentCondition = ValueOf<typeof conditionsShape>[number];
type ReadScope = Pick<Service, "database" | "dialects">;

/** What conditions are evaluated against. */
export interface Answers {
  readonly severity_id: string | null;
  readonly incident_type_id: string | null;
  /** The chosen ids by custom field id. */
  readonly chosen: ReadonlyMap<string, readonly string[]>;
}

/** The conditions of one owner, in order. */
export function conditionsOf(database: Database, ownerId: string): readonly ConditionRow[] {
  return database.list(conditionTable, { owner_id: ownerId }, { order: "position" });
}

/** Whether all conditions hold; no conditions hold always. What is not answered is none of any values. */
export function conditionsHold(conditions: readonly ConditionRow[], answers: Answers): boolean {
  return conditions.every(({ condition_field, operator, custom_field_id, values }) => {
    const given =
      condition_field === "custom_field"
        ? (answers.chosen.get(custom_field_id ?? "") ?? [])
        : [condition_field === "severity" ? answers.severity_id : answers.incident_type_id];
    const isAmong = given.some((id) => id !== null && values.includes(id));
    return isAmong === (operator === "one_of");
  });
}

/**
 * Replaces the conditions of an owner. Throws 422 with one error per condition that names something unknown or disabled,
 * or whose field is refused by `refuse` (which returns the reason).
 */
export function replaceConditions(
  database: Database,
  owner: { readonly kind: ConditionOwner; readonly id: string },
  sent: readonly SentCondition[],
  refuse: (field: CustomFieldRow) => string | undefined = () => undefined,
): void {
  const errors: FieldError[] = [];
  const rows = sent.map((condition, index) => {
    const read = readCondition(database, condition, refuse);
    if (typeof read === "string") errors.push({ field: `conditions[${index}]`, message: read });
    return { id: randomUUID(), owner: owner.kind, owner_id: owner.id, position: index + 1, condition, read };
  });
  if (errors.length > 0) throw invalid(...errors);
  database.remove(conditionTable, { owner_id: owner.id });
  for (const { condition, read, ...row } of rows) {
    if (typeof read === "string") continue;
    const { condition_field, operator } = condition;
    database.insert(conditionTable, { ...row, condition_field, operator, ...read });
  }
}

/** The field and ids that a condition names, or what is wrong with it. */
function readCondition(
  database: Database,
  { condition_field, custom_field, values }: SentCondition,
  refuse: (field: CustomFieldRow) => string | undefined,
): Pick<ConditionRow, "custom_field_id" | "values"> | string {
  if (condition_field !== "custom_field") {
    if (custom_field != null) return `takes no custom_field: it reads the ${condition_field}`;
    const options = database.list(optionTables[condition_field], { enabled: true }, { order: "position" });
    const known = options.map(({ id, slug }) => ({ id, word: slug }));
    return withIds(values, known, condition_field.replace("_", " "), null);
  }
  if (custom_field == null) return "needs custom_field, the slug of the field to read";
  const field = database.find(customFieldTable, { slug: custom_field });
  if (field === undefined) return `names an unknown custom field "${custom_field}"`;
  if (!isSelectable(field)) return `reads "${custom_field}", which has no choices to compare with`;
  const reason = refuse(field);
  if (reason !== undefined) return reason;
  const known = choicesOf(database, field).map(({ id, label, slug }) => ({ id, word: slug ?? label }));
  return withIds(values, known, `choice of ${field.name}`, field.id);
}

const optionTables = { severity: severityTable, incident_type: incidentTypeTable } as const;

function withIds(
  values: readonly string[],
  known: readonly { readonly id: string; readonly word: string }[],
  noun: string,
  custom_field_id: string | null,
): Pick<ConditionRow, "custom_field_id" | "values"> | string {
  const byWord = new Map([
    ...known.map(({ id, word }) => [word, id] as const),
    ...known.map(({ id }) => [id, id] as const),
  ]);
  const ids = new Set<string>();
  for (const value of values) {
    const id = byWord.get(value);
    if (id === undefined) return `"${value}" is no ${noun}; known are ${known.map(({ word }) => word).join(", ")}`;
    ids.add(id);
  }
  return { custom_field_id, values: [...ids] };
}

/** The conditions of an owner as they are read back, by the dialects `condition_values` and `readable`. */
export function shownConditions(scope: ReadScope, conditions: readonly ConditionRow[]): readonly Fields[] {
  return conditions.map(({ condition_field, operator, custom_field_id, values }) => {
    const field = custom_field_id === null ? undefined : scope.database.find(customFieldTable, { id: custom_field_id });
    const words = scope.dialects.condition_values === "id" ? noWords : wordsOf(scope.database, condition_field, field);
    return {
      condition_field,
      operator,
      // An id that nothing bears any more has no other name.
      values: values.map((id) => words.get(id) ?? id),
      ...(field === undefined || scope.dialects.readable === "partial" ? {} : { custom_field: field.slug }),
    };
  });
}

const noWords: ReadonlyMap<string, string> = new Map();

function wordsOf(
  database: Database,
  condition_field: ConditionRow["condition_field"],
  field: CustomFieldRow | undefined,
): ReadonlyMap<string, string> {
  if (condition_field !== "custom_field") {
    return new Map(database.list(optionTables[condition_field]).map(({ id, slug }) => [id, slug]));
  }
  const choices = field === undefined ? [] : choicesOf(database, field);
  return new Map(choices.map(({ id, label, slug }) => [id, slug ?? label]));
}

/** How the conditions of one kind of owner point at other entries. Options are counted whatever the dialect. */
export function conditionReferences(owner: ConditionOwner, noun: string): readonly Reference[] {
  const byValue = `SELECT COUNT(*) FROM conditions, json_each(conditions."values") AS chosen
    WHERE owner = ? AND condition_field = ? AND chosen.value = ?`;
  const naming = (target: string, field: ConditionRow["condition_field"], always: boolean): Reference => {
    return { target, noun, always, count: (database, id) => database.scalar(byValue, [owner, field, id]) };
  };
  return [
    naming("severities", "severity", false),
    naming("incident_types", "incident_type", false),
    naming("custom_field_options", "custom_field", true),
    naming("catalog/entries", "custom_field", false),
    {
      target: "custom_fields",
      noun,
      always: false,
      count: (database, id) => database.count(conditionTable, { owner, custom_field_id: id }),
    },
  ];
}
