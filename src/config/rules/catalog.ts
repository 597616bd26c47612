/** Rules of the catalog: attributes are unique, and entries have values that fit them. */

import type { Findings } from "../../core/findings.ts";
import { type Fields, isFields, isList, type Json } from "../../core/json.ts";
import { didYouMean } from "../../core/suggest.ts";
import type { DeclaredResource } from "../../kinds/resource.ts";
import { wordSlug } from "../../kinds/slug.ts";
import { type ResourceRule, rowsOf, textsOf } from "./rule.ts";

/** The attribute types that a role can have. */
const ROLES: Readonly<Record<string, readonly string[]>> = {
  members: ["workspace_member", "workspace_members"],
  manager: ["workspace_member"],
  notification_channel: ["slack_channel"],
};

/** Checks the attributes of a catalog type. */
export const checkCatalogType: ResourceRule = (entry, { findings }) => {
  const slugs = new Map<string, number>();
  const roles = new Map<string, number>();
  for (const [index, attribute] of rowsOf(entry.fields.attributes).entries()) {
    const at = `/attributes/${index}`;
    refuseSecond(slugs, wordSlug(String(attribute.name)), index, `${at}/name`, "attributes", entry, findings);
    if (typeof attribute.role === "string") {
      refuseSecond(roles, attribute.role, index, `${at}/role`, "attributes with the role", entry, findings);
    }
    checkAttribute(attribute, at, entry, findings);
  }
};

function refuseSecond(
  seen: Map<string, number>,
  name: string,
  index: number,
  at: string,
  what: string,
  { place }: DeclaredResource,
  findings: Findings,
): void {
  const first = seen.get(name);
  if (first === undefined) {
    seen.set(name, index);
    return;
  }
  findings.error("E_DUP", `there are two ${what} "${name}"`, place(at), {
    related: [{ message: "first here", at: place(`/attributes/${first}`) }],
  });
}

function checkAttribute(
  { name, attribute_type, role, reference_type, options }: Fields,
  at: string,
  { place }: DeclaredResource,
  findings: Findings,
): void {
  if (wordSlug(String(name)) === "") {
    findings.error("E_SLUG", `no slug can be made from the name "${name}"`, place(`${at}/name`), {
      help: "Use at least one of the letters a to z or a digit.",
    });
  }
  if (typeof attribute_type !== "string") return;
  const fitting = ROLES[String(role)];
  if (fitting !== undefined && !fitting.includes(attribute_type)) {
    findings.error(
      "E_ROLE",
      `an attribute of type ${attribute_type} cannot have the role "${role}"`,
      place(`${at}/role`),
      {
        help: `The role needs the type ${fitting.join(" or ")}.`,
      },
    );
  }
  if (reference_type !== undefined && attribute_type !== "reference") {
    findings.error(
      "E_ATTRIBUTE",
      "only an attribute of type reference has a reference_type",
      place(`${at}/reference_type`),
    );
  }
  if (options !== undefined && attribute_type !== "select") {
    findings.error("E_ATTRIBUTE", "only an attribute of type select has options", place(`${at}/options`));
  }
}

/** Checks the values of a catalog entry against the attributes of its type, if the files declare it. */
export const checkCatalogEntry: ResourceRule = (entry, { declared, findings }) => {
  const type = declared.resource("catalog_types", entry.scope);
  if (type === undefined || !isList(type.fields.attributes) || !isFields(entry.fields.attributes)) return;
  const attributes = attributesOf(type);
  // A built-in type has attributes that are not in the list.
  const open = type.kind.lifecycle.builtins?.keys?.includes(type.key) === true;
  const values = entry.fields.attributes;
  for (const name of Object.keys(values)) {
    const value = values[name] ?? null;
    const attribute = attributes.get(name);
    if (attribute !== undefined) checkValue(name, value, attribute, entry, findings);
    else if (!open) {
      findings.error(
        "E_REF",
        `the catalog type ${type.key} has no attribute "${name}"`,
        entry.place(`/attributes/${name}`),
        {
          related: [{ message: "its attributes are declared here", at: type.place("/attributes") }],
          help: didYouMean(name, attributes.keys()),
        },
      );
    }
  }
};

const indexes = new WeakMap<DeclaredResource, ReadonlyMap<string, Fields>>();

/** The attributes of a type by slug, computed once for all its entries. */
function attributesOf(type: DeclaredResource): ReadonlyMap<string, Fields> {
  const known = indexes.get(type);
  if (known !== undefined) return known;
  const rows = rowsOf(type.fields.attributes);
  const index = new Map(rows.map((attribute) => [wordSlug(String(attribute.name)), attribute]));
  indexes.set(type, index);
  return index;
}

function checkValue(name: string, value: Json, attribute: Fields, entry: DeclaredResource, findings: Findings): void {
  const type = String(attribute.attribute_type);
  const expected = VALUE_TYPES[type];
  const at = () => entry.place(`/attributes/${name}`);
  if (expected !== undefined && !expected.fits(value)) {
    findings.error("E_TYPE", `the attribute "${name}" of type ${type} must be ${expected.name}`, at());
  }
  if (type !== "select" || typeof value !== "string") return;
  const choices = textsOf(attribute.options);
  if (choices.length > 0 && !choices.includes(value)) {
    findings.error("E_ENUM", `the attribute "${name}" cannot be "${value}"`, at(), {
      help: didYouMean(value, choices) ?? `It can be: ${choices.join(", ")}.`,
    });
  }
}

/** The values of an attribute type. */
interface ValueType {
  readonly name: string;
  fits(value: Json): boolean;
}

const TEXT: ValueType = { name: "a text", fits: (value) => typeof value === "string" };
const TEXTS: ValueType = { name: "a list of texts", fits: isList };

const VALUE_TYPES: Readonly<Record<string, ValueType>> = {
  text: TEXT,
  select: TEXT,
  slack_channel: TEXT,
  workspace_member: TEXT,
  list: TEXTS,
  workspace_members: TEXTS,
  reference: { name: "the slug of an entry", fits: (value) => typeof value === "string" || isList(value) },
  boolean: { name: "true or false", fits: (value) => typeof value === "boolean" },
  number: {
    name: "a number",
    fits: (value) => typeof value === "number" || (typeof value === "string" && /^-?\d+(?:\.\d+)?$/.test(value)),
  },
};
