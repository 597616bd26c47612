/** Incident forms: exactly four. Each field of a form is a resource, since one PATCH changes one field. */

import { defined, type Fields, isList } from "../../core/json.ts";
import { defineKind } from "../model/define-kind.ts";
import type { Kind } from "../model/kind.ts";
import type { Reference, ResourceLookup } from "../model/lookup.ts";
import {
  conditionDecoder,
  conditionReferences,
  equalConditions,
  rejectedConditions,
  sortConditions,
} from "../values/conditions.ts";
import { booleanOf } from "../values/sameness.ts";

/** Form → the forms with fields that its conditions may read: itself and the earlier forms of an incident. */
const READABLE_FORMS: Readonly<Record<string, readonly string[]>> = {
  declare: ["declare"],
  update: ["declare", "update"],
  resolve: ["declare", "update", "resolve"],
  cancel: ["declare", "update", "cancel"],
};

export const forms: Kind = defineKind({
  name: "forms",
  title: "form field",
  scopes: { patterns: ["/*"], names: Object.keys(READABLE_FORMS), readableFrom: READABLE_FORMS },
  identity: {
    keys: ["system_field", "custom_field"],
    idFields: ["slug"],
    matchesRow: (keyField, key) => [
      { [keyField]: key },
      { slug: key, source: keyField === "custom_field" ? "custom" : "system" },
    ],
    identityFields: ["custom_field", "system_field", "slug", "source"],
  },
  endpoint: {
    list: { path: "/forms/{scope}" },
    member: { path: "/forms/{scope}" },
    envelope: { list: "fields", item: "form" },
    keyInBody: true,
  },
  lifecycle: {
    createByPatch: { required: false },
    isShownInOrder: true,
    permanent: true,
    rejectFields: (lookup) => (declared, live) => {
      const conditional = isList(declared.conditions) && declared.conditions.length > 0;
      const locked = conditional && live?.locked === true;
      const message = "the form always asks for it, so it cannot have conditions";
      return [
        ...(locked ? [{ field: "conditions", code: "E_FORM_SYSTEM_FIELD", message }] : []),
        ...rejectedConditions(declared.conditions, lookup),
      ];
    },
  },
  references: {
    dependsOn: ["severities", "incident_types", "custom_fields", "catalog_entries", "forms"],
    of: (lookup, scope) => (fields) => {
      const conditions = conditionReferences(fields.conditions, lookup);
      const readFields = conditions.flatMap((reference) => readField(reference, lookup, scope));
      return [...customField(fields), ...conditions, ...readFields];
    },
  },
  codec: {
    decode: (lookup) => {
      const decodeConditions = conditionDecoder(lookup);
      return ({ visible, required, locked, conditions, ...row }) => ({
        ...keyOf(row),
        ...defined({ locked: locked === undefined ? undefined : booleanOf(locked), visible, required }),
        ...(conditions === undefined ? {} : { conditions: decodeConditions(conditions) }),
      });
    },
  },
  // The interface, "Forms": a declaration without a required field is refused.
  reviewReason: ({ scope, fields }) =>
    scope === "declare" && fields.get("required")?.after === true
      ? "API clients that omit it can no longer declare incidents"
      : undefined,
  fields: {
    required: { attention: true },
    conditions: { equals: equalConditions, canonical: sortConditions, holdsReferences: true },
  },
});

function customField({ custom_field: key }: Fields): readonly Reference[] {
  return typeof key === "string" ? [{ at: "/custom_field", kind: "custom_fields", scope: "", key }] : [];
}

/** The field, on this form or an earlier one, whose value a condition reads: it must be attached first. */
function readField(reference: Reference, lookup: ResourceLookup, scope: string): readonly Reference[] {
  if (reference.kind !== "custom_fields" || reference.option !== undefined) return [];
  const readable = READABLE_FORMS[scope] ?? [];
  const form = readable.find((name) => lookup.fields("forms", reference.key, name));
  const elsewhere = readable.filter((name) => name !== scope);
  return [{ ...reference, kind: "forms", ...(form === undefined ? { scope, elsewhere } : { scope: form }) }];
}

/** The key field of a live row, under the name that the files use. */
function keyOf({ custom_field, system_field, slug = null, source }: Fields): Fields {
  return custom_field !== undefined || source === "custom"
    ? { custom_field: custom_field ?? slug }
    : { system_field: system_field ?? slug };
}
