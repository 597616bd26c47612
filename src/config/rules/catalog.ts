/** Rules of the catalog: attributes are unique, and entries have values that fit them. */

import { type Fields, isFields, isList, objectsIn } from "../../core/json.ts";
import { ROLE_TYPES } from "../../kinds/rows/catalog-attributes.ts";
import { attributesBySlug, invalidValues } from "../../kinds/rows/catalog-values.ts";
import { wordSlug } from "../../kinds/values/slug.ts";
import type { DeclaredResource } from "../resources/declared-resource.ts";
import { locationOf, templateAt } from "../resources/origins.ts";
import type { CheckContext, ResourceRule } from "./rule.ts";

/** Checks the attributes of a catalog type, and the values of its entries. */
export const checkCatalogType: ResourceRule = (type, context) => {
  const slugs = new Map<string, number>();
  const roles = new Map<string, number>();
  for (const [index, attribute] of objectsIn(type.fields.attributes).entries()) {
    const at = `/attributes/${index}`;
    refuseDuplicate(slugs, wordSlug(String(attribute.name)), index, `${at}/name`, "attributes", context);
    if (typeof attribute.role === "string") {
      refuseDuplicate(roles, attribute.role, index, `${at}/role`, "attributes with the role", context);
    }
    checkAttribute(attribute, at, context);
  }
  checkEntries(type, context);
};

function refuseDuplicate(
  firstIndexes: Map<string, number>,
  name: string,
  index: number,
  pointer: string,
  subject: string,
  { error, at }: CheckContext,
): void {
  const first = firstIndexes.get(name);
  if (first === undefined) {
    firstIndexes.set(name, index);
    return;
  }
  const related = [{ message: "first here", at: at(`/attributes/${first}`) }];
  error("E_DUP", `there are two ${subject} "${name}"`, pointer, { related });
}

function checkAttribute(
  { name, attribute_type, role, reference_type, options }: Fields,
  at: string,
  { error }: CheckContext,
): void {
  if (wordSlug(String(name)) === "") {
    const help = "Use at least one of the letters a to z or a digit.";
    error("E_SLUG", `no slug can be made from the name "${name}"`, `${at}/name`, { help });
  }
  if (typeof attribute_type !== "string") return;
  const fitting = ROLE_TYPES[String(role)];
  if (fitting !== undefined && !fitting.includes(attribute_type)) {
    const help = `The role needs the type ${fitting.join(" or ")}.`;
    error("E_ROLE", `an attribute of type ${attribute_type} cannot have the role "${role}"`, `${at}/role`, { help });
  }
  if (reference_type !== undefined && attribute_type !== "reference") {
    error("E_ATTRIBUTE", "only an attribute of type reference has a reference_type", `${at}/reference_type`);
  }
  if (options !== undefined && attribute_type !== "select") {
    error("E_ATTRIBUTE", "only an attribute of type select has options", `${at}/options`);
  }
}

/** Checks that an entry has both parts of its origin, or none. */
export const checkCatalogEntry: ResourceRule = ({ kind, fields }, { error }) => {
  const { system = "", id = "" } = kind.identity.origin ?? {};
  if ((fields[system] === undefined) === (fields[id] === undefined)) return;
  const [present, missing] = fields[system] === undefined ? [id, system] : [system, id];
  error("E_REQUIRED", `an entry with ${present} needs ${missing} too`, `/${present}`, {
    help: `Add ${missing}, or remove ${present}. For a name that only these files use, write aliases.`,
  });
};

/** Checks the values of the declared entries of a type against its attributes. */
function checkEntries(type: DeclaredResource, { declared, findings, at }: CheckContext): void {
  if (!isList(type.fields.attributes)) return;
  const attributes = attributesBySlug(type.fields.attributes);
  // A built-in type has attributes that are not in the list.
  const isBuiltIn = type.kind.lifecycle.builtins?.keys?.includes(type.key) === true;
  for (const key of declared.keys("catalog_entries", type.key)) {
    const entry = declared.resource("catalog_entries", key, type.key);
    const values = entry?.fields.attributes;
    if (entry === undefined || !isFields(values)) continue;
    // Null takes away a value that a source makes, and its attribute may be misspelt too.
    const unknown = Object.keys(values).filter((name) => values[name] === null && !attributes.has(name));
    const texts =
      unknown.length === 0 ? values : { ...values, ...Object.fromEntries(unknown.map((name) => [name, ""])) };
    for (const { name, code, message, help } of invalidValues(type.key, attributes, texts, isBuiltIn)) {
      const pointer = `/attributes/${name}`;
      const related = [{ message: "its attributes are declared here", at: at("/attributes") }];
      findings.about(entry.address).error(code, message, locationOf(entry.origins, pointer), {
        madeAt: templateAt(entry.origins, pointer),
        ...(code === "E_REF" ? { related } : {}),
        help,
      });
    }
  }
}
