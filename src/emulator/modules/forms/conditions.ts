/** Conditions of forms and runbooks. They are stored with ids. */

import { randomUUID } from "node:crypto";
import { type Fields, fieldsIn, type Json, objectsIn, textsIn } from "../../../core/json.ts";
import { type HttpError, type InvalidField, validationError } from "../../http/http-error.ts";
import { type ObjectSchema, objectSchema } from "../../http/response-schema.ts";
import type { SchemaValue } from "../../http/value-schema.ts";
import { type ReplicaLoad, textOf } from "../../service/live-rows.ts";
import type { ServiceContext } from "../../service/service-context.ts";
import type { Database } from "../../store/database.ts";
import { type ReferenceCounter, rowCounter } from "../../store/references.ts";
import { indexed, type RowOfColumns, rowTable, type Table } from "../../store/table.ts";
import { catalogEntries } from "../catalog/catalog-tables.ts";
import {
  type CustomFieldRow,
  choicesOf,
  customFieldOptions,
  customFieldTable,
  isSelectable,
} from "../custom-fields/custom-field-tables.ts";
import { incidentTypeTable, severityTable } from "../option-lists/option-lists.ts";

const conditionFields = ["severity", "incident_type", "custom_field"] as const;
const conditionOperators = ["one_of", "not_one_of"] as const;

const conditionProperties = {
  condition_field: { type: "string", enum: conditionFields as typeof conditionFields },
  operator: { type: "string", enum: conditionOperators as typeof conditionOperators },
  values: {
    type: "array",
    items: { type: "string" },
    description: "Slugs, for options labels, or ids, by the dialect `condition_values`.",
    examples: [["critical"]],
  },
  custom_field: { type: "string", description: "The slug of the field read; absent unless the condition reads one." },
} as const;

/** The schema of a condition in responses. */
export const conditionSchema: ObjectSchema<typeof conditionProperties, "custom_field"> = objectSchema(
  "Condition",
  conditionProperties,
  { optional: ["custom_field"], fullOnly: ["custom_field"] },
);

/** The kind of a condition's owner. */
type ConditionOwner = (typeof conditionOwners)[number];

const conditionOwners = ["form_field", "runbook"] as const;

const conditionColumns = {
  id: { type: "string" },
  owner: { type: "string", enum: conditionOwners as typeof conditionOwners },
  owner_id: { type: "string" },
  position: { type: "integer" },
  condition_field: { type: "string", enum: conditionFields as typeof conditionFields },
  operator: { type: "string", enum: conditionOperators as typeof conditionOperators },
  // The custom field that the condition reads; null for other condition fields.
  custom_field_id: { type: ["string", "null"] },
  // Ids of severities, types, options or catalog entries.
  values: { type: "array", items: { type: "string" } },
} as const;

/** One condition. All conditions of an owner must hold. */
export type ConditionRow = RowOfColumns<typeof conditionColumns>;

/** The conditions of all forms and runbooks. */
export const conditionTable: Table<ConditionRow> = indexed(rowTable("conditions", conditionColumns), "owner_id");

/** The schema of a list of conditions. */
export const conditionsSchema = {
  type: "array",
  description: "Replaces every condition; [] clears them. All have to hold.",
  items: {
    type: "object",
    properties: {
      condition_field: { type: "string", enum: conditionFields as typeof conditionFields },
      operator: { type: "string", enum: conditionOperators as typeof conditionOperators },
      values: {
        type: "array",
        minItems: 1,
        items: { type: "string" },
        description: "Slugs, labels or ids of enabled entries.",
        examples: [["critical"]],
      },
      custom_field: { type: ["string", "null"], description: "The slug of the field read, for custom_field only." },
    },
    required: ["condition_field", "operator", "values"],
    oneOf: [
      {
        type: "object",
        properties: {
          condition_field: { type: "string", enum: ["severity", "incident_type"] },
          custom_field: { type: "null" },
        },
      },
      {
        type: "object",
        properties: {
          condition_field: { type: "string", enum: ["custom_field"] },
          custom_field: { type: "string" },
        },
        required: ["custom_field"],
      },
    ],
    refusal: (condition: Json | undefined, field: string): HttpError => {
      return validationError({ field, message: customFieldError(fieldsIn(condition)) });
    },
  },
} as const;

/** The error in a condition with a custom field that it does not read, or without the one that it reads. */
function customFieldError({ condition_field }: Fields): string {
  if (condition_field === "custom_field") return "needs custom_field, the slug of the field to read";
  return `takes no custom_field: it reads the ${String(condition_field)}`;
}

type SentCondition = SchemaValue<typeof conditionsSchema>[number];
type ResponseScope = Pick<ServiceContext, "database" | "dialects">;

/** The values that conditions read. */
export interface ConditionInputs {
  readonly severity_id: string | null;
  readonly incident_type_id: string | null;
  /** The chosen ids by custom field id. */
  readonly chosenIds: ReadonlyMap<string, readonly string[]>;
}

/** The conditions of one owner, in order. */
export function conditionsOf(database: Database, ownerId: string): readonly ConditionRow[] {
  return database.list(conditionTable, { owner_id: ownerId }, { order: "position" });
}

/** Whether all conditions hold. A missing answer equals no value. */
export function conditionsHold(conditions: readonly ConditionRow[], answers: ConditionInputs): boolean {
  return conditions.every(({ condition_field, operator, custom_field_id, values }) => {
    const actual =
      condition_field === "custom_field"
        ? (answers.chosenIds.get(custom_field_id ?? "") ?? [])
        : [condition_field === "severity" ? answers.severity_id : answers.incident_type_id];
    const isAmong = actual.some((id) => id !== null && values.includes(id));
    return isAmong === (operator === "one_of");
  });
}

/**
 * Replaces the conditions of an owner. Throws 422 with one error for each condition that names an unknown or disabled
 * resource, or whose field `refuse` rejects with a reason.
 */
export function replaceConditions(
  database: Database,
  owner: { readonly kind: ConditionOwner; readonly id: string },
  input: readonly SentCondition[],
  refuse: (field: CustomFieldRow) => string | undefined = () => undefined,
): void {
  const errors: InvalidField[] = [];
  const rows = input.map((condition, index) => {
    const stored = readCondition(database, condition, refuse);
    if (typeof stored === "string") errors.push({ field: `conditions[${index}]`, message: stored });
    return { id: randomUUID(), owner: owner.kind, owner_id: owner.id, position: index + 1, condition, read: stored };
  });
  if (errors.length > 0) throw validationError(...errors);
  database.remove(conditionTable, { owner_id: owner.id });
  for (const { condition, read: stored, ...row } of rows) {
    if (typeof stored === "string") continue;
    const { condition_field, operator } = condition;
    database.insert(conditionTable, { ...row, condition_field, operator, ...stored });
  }
}

/** The custom field and the ids that a condition names, or its error. */
function readCondition(
  database: Database,
  { condition_field, custom_field, values }: SentCondition,
  refuse: (field: CustomFieldRow) => string | undefined,
): Pick<ConditionRow, "custom_field_id" | "values"> | string {
  if (condition_field !== "custom_field") {
    const rows = database.list(optionTables[condition_field], { enabled: true }, { order: "position" });
    const options = rows.map(({ id, slug }) => ({ id, word: slug }));
    return resolveValues(values, options, condition_field.replace("_", " "), null);
  }
  const field = database.find(customFieldTable, { slug: custom_field ?? "" });
  if (field === undefined) return `names an unknown custom field "${custom_field}"`;
  if (!isSelectable(field)) return `reads "${custom_field}", which has no choices to compare with`;
  const reason = refuse(field);
  if (reason !== undefined) return reason;
  const options = choicesOf(database, field).map(({ id, label, slug }) => ({ id, word: slug ?? label }));
  return resolveValues(values, options, `choice of ${field.name}`, field.id);
}

const optionTables = { severity: severityTable, incident_type: incidentTypeTable } as const;

function resolveValues(
  values: readonly string[],
  options: readonly { readonly id: string; readonly word: string }[],
  noun: string,
  custom_field_id: string | null,
): Pick<ConditionRow, "custom_field_id" | "values"> | string {
  const byWord = new Map([
    ...options.map(({ id, word }) => [word, id] as const),
    ...options.map(({ id }) => [id, id] as const),
  ]);
  const ids = new Set<string>();
  for (const value of values) {
    const id = byWord.get(value);
    if (id === undefined) return `"${value}" is no ${noun}; known are ${options.map(({ word }) => word).join(", ")}`;
    ids.add(id);
  }
  return { custom_field_id, values: [...ids] };
}

/** The conditions for a response, by the dialect `condition_values`. */
export function serializeConditions(
  scope: ResponseScope,
  conditions: readonly ConditionRow[],
): readonly SchemaValue<typeof conditionSchema>[] {
  return conditions.map(({ condition_field, operator, custom_field_id, values }) => {
    const field = custom_field_id === null ? undefined : scope.database.find(customFieldTable, { id: custom_field_id });
    const words =
      scope.dialects.condition_values === "id" ? noLabels : labelsById(scope.database, condition_field, field);
    return {
      condition_field,
      operator,
      // The id of a deleted resource has no label.
      values: values.map((id) => words.get(id) ?? id),
      ...(field === undefined ? {} : { custom_field: field.slug }),
    };
  });
}

const noLabels: ReadonlyMap<string, string> = new Map();

function labelsById(
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

/** Counts the conditions that name a resource. Options are counted in every dialect. */
export function conditionReferences(owner: ConditionOwner, noun: string): readonly ReferenceCounter[] {
  const byValue = (
    target: string,
    field: ConditionRow["condition_field"],
    isAlwaysCounted: boolean,
  ): ReferenceCounter => {
    return rowCounter(
      target,
      noun,
      `conditions, json_each(conditions."values") AS chosen
        WHERE owner = '${owner}' AND condition_field = '${field}' AND chosen.value = ?`,
      isAlwaysCounted,
    );
  };
  return [
    byValue("severities", "severity", false),
    byValue("incident_types", "incident_type", false),
    byValue("custom_field_options", "custom_field", true),
    byValue("catalog/entries", "custom_field", false),
    rowCounter("custom_fields", noun, `conditions WHERE owner = '${owner}' AND custom_field_id = ?`, false),
  ];
}

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

/** The note about a condition that reads a custom field which no response names. */
const unknownField = "the service does not return which custom field it reads";

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
  if (field === undefined) return unknownField;
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
