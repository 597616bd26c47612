/** Custom fields: options are matched by label, and the type is fixed once an incident has a value. */

import { randomUUID } from "node:crypto";
import { type Fields, fieldsIn, isFields, listIn, textIn, textsIn } from "../../../core/json.ts";
import { isValid } from "../../http/body-schema.ts";
import { type HttpError, requireFound, validationError } from "../../http/http-error.ts";
import { listOf, objectSchema, uuid } from "../../http/response-schema.ts";
import { nonBlankText, type ValueSchema } from "../../http/value-schema.ts";
import type { ResourceRequest } from "../../resource/definition.ts";
import { resourceModule } from "../../resource/resource.ts";
import type { BodyRules } from "../../resource/schemas.ts";
import { idOf, type ReplicaLoad, textOf } from "../../service/live-rows.ts";
import type { RequestContext, ServiceModule } from "../../service/module.ts";
import { readName, slugOfNew } from "../../service/names.ts";
import type { ServiceContext } from "../../service/service-context.ts";
import type { Database } from "../../store/database.ts";
import { countReferences, disableInstead, refuseIfReferenced, rowCounter } from "../../store/references.ts";
import { catalogTypes } from "../catalog/catalog-tables.ts";
import {
  type CustomFieldOptionRow,
  type CustomFieldRow,
  choicesOf,
  customFieldFields,
  customFieldOptions,
  customFieldTable,
  type FieldType,
  fieldTypes,
  type OptionSource,
  optionSources,
} from "./custom-field-tables.ts";

/** The option sources of each field type, the default first and the catalog last. */
const sourcesOf: { readonly [Type in FieldType]: readonly OptionSource[] } = {
  text: ["none"],
  number: ["none"],
  link: ["none"],
  single_select: ["fixed", "catalog"],
  multi_select: ["fixed", "catalog"],
  catalog_reference: ["catalog"],
  catalog_multi_reference: ["catalog"],
};

const fieldOption = objectSchema("CustomFieldOption", { id: uuid, label: { type: "string", examples: ["Europe"] } });

/** The members of a creation that its option source decides about. */
const membersOf: { readonly [Source in OptionSource]: { readonly [name: string]: ValueSchema } } = {
  none: { options: { type: ["array", "null"], maxItems: 0 } },
  fixed: { options: { type: "array", contains: nonBlankText, uniqueItems: true } },
  catalog: { catalog_type: nonBlankText, options: { type: ["array", "null"], maxItems: 0 } },
};

/** The rules between the members of a creation. */
const creationRules: BodyRules = {
  oneOf: optionSources.map((source) => {
    const members = membersOf[source];
    const properties = {
      field_type: { enum: fieldTypes.filter((type) => sourcesOf[type].includes(source)) },
      option_source: { enum: [source] },
      ...members,
    };
    const needed = Object.keys(members).filter((name) => !isValid(members[name] ?? {}, null));
    return { type: "object", properties, required: ["field_type", "option_source", ...needed] };
  }),
  refusal: (body) => creationError(fieldsIn(body)),
};

function creationError(body: Fields): HttpError | undefined {
  const field_type = fieldTypes.find((each) => each === body.field_type);
  const option_source = optionSources.find((each) => each === body.option_source);
  if (field_type === undefined || option_source === undefined) return undefined;
  const labels = textsIn(body.options);
  return (
    sourceError(field_type, option_source) ??
    (option_source === "catalog" ? catalogError(textIn(body.catalog_type)) : undefined) ??
    (option_source === "fixed" ? labelsError(labels, labels) : misplacedOptionsError(option_source))
  );
}

type CustomFieldRequest = ResourceRequest<typeof customFieldFields>;

/** The module of /api/v1/custom_fields. */
export const customFields: ServiceModule = {
  ...resourceModule({
    title: "CustomField",
    path: "custom_fields",
    ability: "custom_fields",
    fields: customFieldFields,
    table: customFieldTable,
    address: "slug",
    summaries: {
      list: "Lists the custom fields in the order of their creation.",
      create: "Creates a custom field.",
      update: "Changes a custom field; options, when sent, are the whole list.",
      delete: "Deletes a custom field that no form shows and no incident answers.",
    },
    errors: { create: [404] },
    bodyRules: { create: creationRules },
    complete(request) {
      const name = readName(request.body.name);
      return { name, slug: slugOfNew(request, name) };
    },
    check(request, draft, before) {
      const name = request.body.name?.trim() || draft.name;
      const catalog_type_id = readCatalogTypeId(request.database, request.body.catalog_type);
      const row = withoutUnusedCatalogType({
        ...draft,
        name,
        ...(catalog_type_id === undefined ? {} : { catalog_type_id }),
      });
      checkSource(row);
      if (before !== undefined) refuseTypeChangeInUse(request, before, row);
      return row;
    },
    afterWrite: applyOptions,
    protect: (request, row) => refuseIfReferenced(row, "custom_fields", request, disableInstead),
    afterRemove: ({ database }, { id }) => database.remove(customFieldOptions, { field_id: id }),
    computed: {
      options: {
        value: {
          ...listOf(fieldOption),
          description: "The choices, fixed ones in order and entries of the catalog by name; absent without choices.",
        },
        optional: true,
      },
      catalog_type_id: {
        value: { type: ["string", "null"], format: "uuid", description: "For choices of the catalog only." },
        optional: true,
      },
      catalog_type: {
        value: { type: ["string", "null"], description: "The slug of the type whose entries are the choices." },
        fullOnly: true,
      },
    },
    compute({ database }, row) {
      const { option_source, catalog_type_id } = row;
      const type = catalog_type_id === null ? undefined : database.find(catalogTypes, { id: catalog_type_id });
      const choices = option_source === "none" ? undefined : choicesOf(database, row);
      return {
        options: choices?.map(({ id, label }) => ({ id, label })),
        catalog_type_id: option_source === "catalog" ? catalog_type_id : undefined,
        catalog_type: type?.slug ?? null,
      };
    },
    computeLive({ service }, live) {
      const slug = textOf(live, "catalog_type");
      const type = slug === undefined ? undefined : service.database.find(catalogTypes, { slug });
      const catalog_type_id = textOf(live, "catalog_type_id") ?? type?.id ?? null;
      const sources = sourcesOf[fieldTypes.find((each) => each === live.field_type) ?? "text"];
      const usual = sources.at(catalog_type_id === null ? 0 : -1);
      return { catalog_type_id, ...(live.option_source == null && usual ? { option_source: usual } : {}) };
    },
    loadParts: loadOptions,
  }),
  tables: [customFieldTable, customFieldOptions],
  referenceCounters: [rowCounter("catalog/types", "custom field", "custom_fields WHERE catalog_type_id = ?", false)],
};

/** The row without its catalog type, unless the choices come from the catalog. */
function withoutUnusedCatalogType(row: CustomFieldRow): CustomFieldRow {
  return row.option_source === "catalog" ? row : { ...row, catalog_type_id: null };
}

function applyOptions(request: CustomFieldRequest, row: CustomFieldRow): void {
  const labels = request.body.options;
  if (labels != null && labels.length > 0 && row.option_source !== "fixed") {
    throw misplacedOptionsError(row.option_source);
  }
  if (labels != null && row.option_source === "fixed") replaceOptions(request, row, labels);
  if (row.option_source === "fixed") checkOptions(request.database, row);
}

/** Throws 422 for another type or option source once an incident has a value. */
function refuseTypeChangeInUse(request: RequestContext<unknown>, before: CustomFieldRow, after: CustomFieldRow): void {
  if (before.field_type === after.field_type && before.option_source === after.option_source) return;
  const incidents = countReferences(before.id, "custom_fields", request).find(({ noun }) => noun === "incident");
  if (incidents === undefined) return;
  const message = `${before.name} is in use by ${incidents.count} incident(s), so its type and option source cannot change.`;
  throw validationError({ field: "base", message });
}

function misplacedOptionsError(source: OptionSource): HttpError {
  return validationError({ field: "options", message: `are for fixed options only; the option_source is ${source}` });
}

function checkSource({ field_type, option_source, catalog_type_id }: CustomFieldRow): void {
  const error =
    sourceError(field_type, option_source) ?? (option_source === "catalog" ? catalogError(catalog_type_id) : undefined);
  if (error !== undefined) throw error;
}

function sourceError(type: FieldType, source: OptionSource): HttpError | undefined {
  const sources = sourcesOf[type];
  if (sources.includes(source)) return undefined;
  return validationError({ field: "option_source", message: `of a ${type} must be ${sources.join(" or ")}` });
}

function catalogError(type: string | null | undefined): HttpError | undefined {
  const isBlank = type == null || type.trim() === "";
  return isBlank ? validationError({ field: "catalog_type", message: "can't be blank" }) : undefined;
}

/** The id of the catalog type; undefined if absent from the request, null if blank. Throws 404 for an unknown type. */
function readCatalogTypeId(database: Database, slug: string | null | undefined): string | null | undefined {
  if (slug === undefined) return undefined;
  if (slug === null || slug.trim() === "") return null;
  const type = requireFound(database.find(catalogTypes, { slug }));
  return type.id;
}

function loadOptions(load: ReplicaLoad, live: Fields, { id: field_id, option_source }: CustomFieldRow): void {
  if (option_source !== "fixed") return;
  const rows = listIn(live.options).map((option, index) => {
    const label = isFields(option) ? textOf(option, "label") : option;
    const id = isFields(option) ? idOf(load, option, "options of custom fields") : randomUUID();
    return { id, field_id, label: typeof label === "string" ? label : "", position: index + 1 };
  });
  load.service.database.insert(customFieldOptions, ...rows);
}

/**
 * Replaces the field's options. An equal label keeps its option. With the dialect `options: rename`, unmatched labels
 * rename unmatched options in list order; otherwise those options are removed. Throws 422 for a removed option in use,
 * and for a duplicate new label.
 */
function replaceOptions(service: ServiceContext, field: CustomFieldRow, input: readonly string[]): void {
  const { database, dialects } = service;
  const labels = input.map((label) => label.trim()).filter((label) => label !== "");
  const existing = database.list(customFieldOptions, { field_id: field.id }, { order: "position" });
  const error = labelsError(labels, newLabels(labels, existing));
  if (error !== undefined) throw error;
  const isKept = ({ label }: CustomFieldOptionRow): boolean => labels.includes(label);
  const unmatched = existing.filter((option) => !isKept(option));
  const renames = dialects.options === "rename" ? newLabels(labels, existing) : [];
  const idByNewLabel = new Map(renames.flatMap((label, at) => labelAndId(label, unmatched[at])));
  for (const option of unmatched.slice(idByNewLabel.size)) remove(service, option);
  const idOf = new Map(existing.filter(isKept).map(({ label, id }) => [label, id]));
  for (const [label, id] of idByNewLabel) idOf.set(label, id);
  for (const [index, label] of labels.entries()) {
    const id = idOf.get(label);
    const place = { label, position: index + 1 };
    if (id === undefined) database.insert(customFieldOptions, { id: randomUUID(), field_id: field.id, ...place });
    else database.update(customFieldOptions, id, place);
  }
}

/** Throws 422 if a field with fixed options has none. */
function checkOptions(database: Database, { id }: CustomFieldRow): void {
  if (database.count(customFieldOptions, { field_id: id }) === 0) throw emptyOptions();
}

function emptyOptions(): HttpError {
  return validationError({ field: "options", message: "can't be empty" });
}

function newLabels(labels: readonly string[], existing: readonly CustomFieldOptionRow[]): readonly string[] {
  return labels.filter((label) => !existing.some((option) => option.label === label));
}

function labelAndId(label: string, option: CustomFieldOptionRow | undefined): readonly [string, string][] {
  return option === undefined ? [] : [[label, option.id]];
}

/** The error in the labels of fixed options: none, or one of the new ones twice. */
function labelsError(labels: readonly string[], added: readonly string[]): HttpError | undefined {
  if (labels.every((label) => label.trim() === "")) return emptyOptions();
  const duplicate = added.find((label, at) => added.indexOf(label) !== at);
  return duplicate === undefined
    ? undefined
    : validationError({ field: "options", message: `"${duplicate}" is there twice` });
}

function remove(service: ServiceContext, { id, label }: CustomFieldOptionRow): void {
  const count = countReferences(id, "custom_field_options", service).reduce((sum, each) => sum + each.count, 0);
  if (count > 0) {
    const message = `${label} is in use by ${count} reference(s) and cannot be deleted. ${disableInstead}`;
    throw validationError({ field: "base", message });
  }
  service.database.remove(customFieldOptions, { id });
}
