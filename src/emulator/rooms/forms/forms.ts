/** Incident forms: exactly four; one PATCH changes one field, and Severity and Status cannot be hidden or made optional. */

import { randomUUID } from "node:crypto";
import type { Fields } from "../../../core/json.ts";
import type { Dialects } from "../../dialects.ts";
import type { BodyShape, ValueOf } from "../../http/body-schema.ts";
import { member } from "../../http/envelope.ts";
import { badRequest, invalid, notFound } from "../../http/http-error.ts";
import type { Database } from "../../store/database.ts";
import type { Reference } from "../../store/references.ts";
import { type CustomFieldRow, customFieldTable } from "../custom-fields/custom-field-tables.ts";
import { type Call, ok, type Room, route } from "../room.ts";
import {
  conditionReferences,
  conditionsShape,
  conditionTable,
  replaceConditions,
  shownConditions,
} from "./conditions.ts";
import { type FormField, type FormName, formFields, formFieldTable, isForm } from "./form-fields.ts";

const flag = { type: ["boolean", "null"] } as const;

const updateBody = {
  type: "object",
  properties: {
    system_field: { type: ["string", "null"], description: "The key of a field that the form itself has." },
    custom_field: { type: ["string", "null"], description: "The slug of a custom field; naming it attaches it." },
    visible: { ...flag, description: "Whether the form asks for the field." },
    required: { ...flag, description: "Whether the form needs an answer." },
    conditions: conditionsShape,
  },
} as const satisfies BodyShape;

/** The forms whose fields a condition on a form may read: the form itself and those before it. */
const readable: { readonly [Form in FormName]: readonly FormName[] } = {
  declare: ["declare"],
  update: ["declare", "update"],
  resolve: ["declare", "update", "resolve"],
  cancel: ["declare", "update", "cancel"],
};

/** The room of /api/v1/forms. */
export const forms: Room = {
  tables: [formFieldTable, conditionTable],
  references: [attachments(), ...conditionReferences("form_field", "form condition")],
  routes: [
    route({
      method: "GET",
      path: "/forms/:slug",
      summary: "Reads a form with all of its fields, hidden ones included.",
      needs: "forms.read",
      handle: (call) => ok(member("form", shown(call, formOf(call)), call.dialects)),
    }),
    route({
      method: "PATCH",
      path: "/forms/:slug",
      summary: "Changes one field of a form.",
      needs: "forms.update",
      body: updateBody,
      handle: (call) => {
        const form = formOf(call);
        const field = change(call, form);
        return ok(member("form", outcome(form, field, call.dialects), call.dialects));
      },
    }),
  ],
};

function attachments(): Reference {
  return {
    target: "custom_fields",
    noun: "form",
    always: true,
    count: (database, id) => database.count(formFieldTable, { custom_field_id: id }),
  };
}

function formOf({ param }: Pick<Call<unknown>, "param">): FormName {
  const slug = param("slug");
  if (!isForm(slug)) throw notFound();
  return slug;
}

function shown(call: Call<unknown>, form: FormName): Fields {
  return {
    form,
    name: form.charAt(0).toUpperCase() + form.slice(1),
    fields: formFields(call.database, form).map((field) => ({
      name: field.name,
      slug: field.slug,
      source: field.custom === undefined ? "system" : "custom",
      visible: field.visible,
      required: field.required,
      locked: isLocked(form, field, call.dialects),
      conditions: shownConditions(call, field.conditions),
    })),
  };
}

/** The answer to a PATCH, in which `conditions` is how many the field has now. */
function outcome(form: FormName, field: FormField, dialects: Dialects): Fields {
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
 * Whether the field is always asked for: Severity and Status wherever they stand (rule 5). The service that ignores such
 * changes leaves Status free on the two forms that end an incident.
 */
function isLocked(form: FormName, { system }: FormField, { locked_fields }: Dialects): boolean {
  if (system === "severity") return true;
  return system === "status" && (locked_fields === "refuse" || form === "update");
}

function change(call: Call<ValueOf<typeof updateBody>>, form: FormName): FormField {
  const { database, dialects, body } = call;
  const custom = body.system_field == null ? customFieldOf(database, body.custom_field) : undefined;
  const before =
    custom === undefined ? systemFieldOf(database, form, body.system_field) : attached(database, form, custom);
  const locked = isLocked(form, before, dialects);
  // null counts as false.
  const visible = body.visible === undefined ? before.visible : body.visible === true;
  const required = body.required === undefined ? before.required : body.required === true;
  if (locked && dialects.locked_fields === "refuse") refuseLoosening(before, visible, required);
  const state = locked ? { visible: before.visible, required: before.required } : { visible, required };
  const id = store(database, form, before, state);
  if (body.conditions !== undefined) {
    if (locked && body.conditions.length > 0) {
      throw invalid({ field: "base", message: `${before.name} is always asked for and cannot have conditions` });
    }
    replaceConditions(database, { kind: "form_field", id }, body.conditions, (field) =>
      outOfReach(database, form, field),
    );
  }
  const after = formFields(database, form).find(({ row }) => row?.id === id);
  if (after === undefined) throw notFound();
  return after;
}

function refuseLoosening({ name }: FormField, visible: boolean, required: boolean): void {
  const errors = [
    ...(visible ? [] : [{ field: "visible", message: `${name} cannot be hidden` }]),
    ...(required ? [] : [{ field: "required", message: `${name} cannot be made optional` }]),
  ];
  if (errors.length > 0) throw invalid(...errors);
}

/** Why a condition on the form cannot read the field: the form and those before it do not have it. */
function outOfReach(database: Database, form: FormName, { id, slug }: CustomFieldRow): string | undefined {
  const has = (name: FormName): boolean => database.count(formFieldTable, { form: name, custom_field_id: id }) > 0;
  if (readable[form].some(has)) return undefined;
  return `reads "${slug}", which is on none of the forms ${readable[form].join(", ")}`;
}

function customFieldOf(database: Database, slug: string | null | undefined): CustomFieldRow {
  if (slug == null || slug === "")
    throw badRequest("param is missing or the value is empty: system_field or custom_field");
  const field = database.find(customFieldTable, { slug });
  if (field === undefined) throw invalid({ field: "custom_field", message: `"${slug}" is no custom field` });
  return field;
}

function systemFieldOf(database: Database, form: FormName, sent: string | null | undefined): FormField {
  const fields = formFields(database, form).filter(({ system }) => system !== undefined);
  const field = fields.find(({ system }) => system === sent);
  if (field !== undefined) return field;
  const known = fields.map(({ slug }) => slug).join(", ");
  throw invalid({ field: "system_field", message: `of the ${form} form is one of ${known}, not "${sent}"` });
}

/** The custom field as it stands on the form; visible and optional where it is only now attached. */
function attached(database: Database, form: FormName, custom: CustomFieldRow): FormField {
  const found = formFields(database, form).find((field) => field.custom?.id === custom.id);
  const { slug, name } = custom;
  return (
    found ?? { row: undefined, system: undefined, custom, slug, name, visible: true, required: false, conditions: [] }
  );
}

/** Writes the field's state and returns the id of its row, which is made when there is none. */
function store(
  database: Database,
  form: FormName,
  { row, system, custom }: FormField,
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
