/** The four incident forms. A PATCH changes one field. Severity and Status cannot be hidden or made optional. */

import { randomUUID } from "node:crypto";
import type { Dialects } from "../../dialects.ts";
import { badRequest, notFound, requireFound, validationError } from "../../http/http-error.ts";
import { listOf, objectSchema } from "../../http/response-schema.ts";
import type { BodySchema, SchemaValue } from "../../http/value-schema.ts";
import { flagOf, type ReplicaLoad, rowsAt, textOf } from "../../service/live-rows.ts";
import { endpoint, ok, type RequestContext, type ServiceModule } from "../../service/module.ts";
import type { Database } from "../../store/database.ts";
import { rowCounter } from "../../store/references.ts";
import { type CustomFieldRow, customFieldTable } from "../custom-fields/custom-field-tables.ts";
import {
  conditionReferences,
  conditionSchema,
  conditionsSchema,
  conditionTable,
  loadConditions,
  replaceConditions,
  serializeConditions,
} from "./conditions.ts";
import {
  type FormFieldRow,
  type FormFieldState,
  type FormName,
  formFields,
  formFieldTable,
  formNames,
  isForm,
  systemFieldKeys,
} from "./form-fields.ts";

const flag = { type: ["boolean", "null"] } as const;

const updateBody = {
  type: "object",
  properties: {
    system_field: {
      type: ["string", "null"],
      enum: [...systemFieldKeys, null],
      description: "The key of a field that the form itself has.",
      examples: ["summary"],
    },
    custom_field: { type: ["string", "null"], description: "The slug of a custom field; naming it attaches it." },
    visible: { ...flag, description: "Whether the form asks for the field." },
    required: { ...flag, description: "Whether the form needs an answer.", examples: [true] },
    conditions: conditionsSchema,
  },
  oneOf: [
    { type: "object", properties: { system_field: { type: "string" } }, required: ["system_field"] },
    {
      type: "object",
      properties: { system_field: { type: "null" }, custom_field: { type: "string", minLength: 1 } },
      required: ["custom_field"],
    },
  ],
  refusal: () => badRequest("param is missing or the value is empty: system_field or custom_field"),
} as const satisfies BodySchema;

const formField = objectSchema("FormField", {
  name: { type: "string", examples: ["Summary"] },
  slug: { type: "string", description: "The key of a system field, or the slug of a custom field." },
  source: { type: "string", enum: ["system", "custom"] },
  visible: { type: "boolean" },
  required: { type: "boolean" },
  locked: { type: "boolean", description: "true for a field that is always shown and required." },
  conditions: listOf(conditionSchema),
});

const formSchema = objectSchema("Form", {
  form: { type: "string", enum: formNames },
  name: { type: "string", examples: ["Declare"] },
  fields: listOf(formField),
});

const formChange = objectSchema("FormChange", {
  form: { type: "string", enum: formNames },
  field: { type: "string", description: "The display name of the field.", examples: ["Summary"] },
  visible: { type: "boolean" },
  required: { type: "boolean" },
  locked: { type: "boolean" },
  conditions: { type: "integer", description: "The number of the field's conditions.", examples: [0] },
});

/** The forms whose fields a condition can read: the form itself and the earlier ones. */
const readableForms: { readonly [Form in FormName]: readonly FormName[] } = {
  declare: ["declare"],
  update: ["declare", "update"],
  resolve: ["declare", "update", "resolve"],
  cancel: ["declare", "update", "cancel"],
};

/** The module of /api/v1/forms. */
export const forms: ServiceModule = {
  tables: [formFieldTable, conditionTable],
  loadReplica(load) {
    for (const form of formNames) loadForm(load, form);
  },
  referenceCounters: [
    rowCounter("custom_fields", "form", "form_fields WHERE custom_field_id = ?", true),
    ...conditionReferences("form_field", "form condition"),
  ],
  endpoints: [
    endpoint({
      method: "GET",
      path: "/forms/:slug",
      operationId: "getForm",
      summary: "Reads a form with all of its fields, hidden ones included.",
      requiredAbility: "forms.read",
      member: "form",
      responses: { 200: formSchema },
      handle: (request) => ok(serialize(request, readForm(request))),
    }),
    endpoint({
      method: "PATCH",
      path: "/forms/:slug",
      operationId: "updateFormField",
      summary: "Changes one field of a form.",
      requiredAbility: "forms.update",
      body: updateBody,
      member: "form",
      responses: { 200: formChange },
      handle: (request) => {
        const form = readForm(request);
        const field = updateField(request, form);
        return ok(serializeChange(form, field, request.dialects));
      },
    }),
  ],
};

function readForm({ param }: Pick<RequestContext<unknown>, "param">): FormName {
  const slug = param("slug");
  if (!isForm(slug)) throw notFound();
  return slug;
}

function serialize(request: RequestContext<unknown>, form: FormName): SchemaValue<typeof formSchema> {
  return {
    form,
    name: form.charAt(0).toUpperCase() + form.slice(1),
    fields: formFields(request.database, form).map((field) => ({
      name: field.name,
      slug: field.slug,
      source: field.custom === undefined ? "system" : "custom",
      visible: field.visible,
      required: field.required,
      locked: isLocked(form, field, request.dialects),
      conditions: serializeConditions(request, field.conditions),
    })),
  };
}

/** The response to a PATCH. `conditions` is the number of the field's conditions. */
function serializeChange(form: FormName, field: FormFieldState, dialects: Dialects): SchemaValue<typeof formChange> {
  const { name, visible, required, conditions } = field;
  return {
    form,
    field: name,
    visible,
    required,
    locked: isLocked(form, field, dialects),
    conditions: conditions.length,
  };
}

/**
 * Whether the field is always shown and required: Severity and Status (rule 5). The known service does not lock Status
 * on the forms that end an incident.
 */
function isLocked(form: FormName, { system }: FormFieldState, { locked_fields }: Dialects): boolean {
  if (system === "severity") return true;
  return system === "status" && (locked_fields === "refuse" || form === "update");
}

function updateField(request: RequestContext<SchemaValue<typeof updateBody>>, form: FormName): FormFieldState {
  const { database, dialects, body } = request;
  const custom = body.system_field == null ? findCustomField(database, body.custom_field ?? "") : undefined;
  const before =
    custom === undefined ? findSystemField(database, form, body.system_field) : attachedField(database, form, custom);
  const locked = isLocked(form, before, dialects);
  // null counts as false.
  const visible = body.visible === undefined ? before.visible : body.visible === true;
  const required = body.required === undefined ? before.required : body.required === true;
  if (locked && dialects.locked_fields === "refuse") refuseLoosening(before, visible, required);
  const state = locked ? { visible: before.visible, required: before.required } : { visible, required };
  const id = saveField(database, form, before, state);
  if (body.conditions !== undefined) {
    if (locked && body.conditions.length > 0) {
      throw validationError({
        field: "base",
        message: `${before.name} is always asked for and cannot have conditions`,
      });
    }
    replaceConditions(database, { kind: "form_field", id }, body.conditions, (field) =>
      unreadableReason(database, form, field),
    );
  }
  return requireFound(formFields(database, form).find(({ row }) => row?.id === id));
}

function refuseLoosening({ name }: FormFieldState, visible: boolean, required: boolean): void {
  const errors = [
    ...(visible ? [] : [{ field: "visible", message: `${name} cannot be hidden` }]),
    ...(required ? [] : [{ field: "required", message: `${name} cannot be made optional` }]),
  ];
  if (errors.length > 0) throw validationError(...errors);
}

/** The reason why a condition on the form cannot read the field; undefined if it can. */
function unreadableReason(database: Database, form: FormName, { id, slug }: CustomFieldRow): string | undefined {
  const has = (name: FormName): boolean => database.count(formFieldTable, { form: name, custom_field_id: id }) > 0;
  if (readableForms[form].some(has)) return undefined;
  return `reads "${slug}", which is on none of the forms ${readableForms[form].join(", ")}`;
}

function findCustomField(database: Database, slug: string): CustomFieldRow {
  const field = database.find(customFieldTable, { slug });
  if (field === undefined) throw validationError({ field: "custom_field", message: `"${slug}" is no custom field` });
  return field;
}

function findSystemField(database: Database, form: FormName, input: string | null | undefined): FormFieldState {
  const fields = formFields(database, form).filter(({ system }) => system !== undefined);
  const field = fields.find(({ system }) => system === input);
  if (field !== undefined) return field;
  const candidate = fields.map(({ slug }) => slug).join(", ");
  throw validationError({
    field: "system_field",
    message: `of the ${form} form is one of ${candidate}, not "${input}"`,
  });
}

/** The custom field on the form; visible and optional if this request attaches it. */
function attachedField(database: Database, form: FormName, custom: CustomFieldRow): FormFieldState {
  const existing = formFields(database, form).find((field) => field.custom?.id === custom.id);
  const { slug, name } = custom;
  return (
    existing ?? {
      row: undefined,
      system: undefined,
      custom,
      slug,
      name,
      visible: true,
      required: false,
      conditions: [],
    }
  );
}

/** Stores the field's state, and returns the id of its row. */
function saveField(
  database: Database,
  form: FormName,
  { row, system, custom }: FormFieldState,
  state: { readonly visible: boolean; readonly required: boolean },
): string {
  if (row !== undefined) {
    database.update(formFieldTable, row.id, state);
    return row.id;
  }
  const id = randomUUID();
  const last = database.scalar("SELECT MAX(position) FROM form_fields WHERE form = ?", [form]);
  const names = { system_field: system ?? null, custom_field_id: custom?.id ?? null };
  database.insert(formFieldTable, { id, form, ...names, ...state, position: last + 1 });
  return id;
}

/** Loads a form of a replica, if it was read: changed system fields and attached custom fields. */
function loadForm(load: ReplicaLoad, form: FormName): void {
  const rows = rowsAt(load, `/forms/${form}`);
  if (rows === undefined) return;
  const { service, notes } = load;
  const { database } = service;
  for (const { id } of database.list(formFieldTable, { form })) database.remove(conditionTable, { owner_id: id });
  database.remove(formFieldTable, { form });
  const own = new Set(formFields(database, form).map(({ slug }) => slug));
  for (const [index, row] of rows.entries()) {
    const slug = textOf(row, "custom_field", "system_field", "slug") ?? "";
    const isCustom = row.custom_field !== undefined || row.source === "custom";
    const custom = isCustom ? database.find(customFieldTable, { slug }) : undefined;
    if (isCustom ? custom === undefined : !own.has(slug)) {
      notes.add(`the field "${slug}" of the ${form} form is omitted: the replica has no such field`);
      continue;
    }
    own.delete(slug);
    const id = randomUUID();
    database.insert(formFieldTable, {
      id,
      form,
      system_field: isCustom ? null : (slug as FormFieldRow["system_field"]),
      custom_field_id: custom?.id ?? null,
      visible: flagOf(row, true, "visible"),
      required: flagOf(row, false, "required"),
      position: index + 1,
    });
    loadConditions(
      load,
      { kind: "form_field", id, description: `the field "${slug}" of the ${form} form` },
      row.conditions,
    );
  }
  for (const slug of own)
    notes.add(`the ${form} form of the replica has the field "${slug}", which the live form lacks`);
}
