/** Exemptions: places that plans leave alone, because the settings ignore them or people have accepted their differences. */

import { addTo } from "../../core/lists.ts";
import type { Kind } from "../../kinds/model/kind.ts";
import { addressPrefix } from "../../kinds/model/resource.ts";
import { matchesPattern } from "./removal-policy.ts";

/** A resource that a plan leaves alone, or a field of one. */
export interface ExemptPlace {
  readonly address: string;
  /** JSON Pointer to the field; absent for the whole resource. */
  readonly path?: string;
}

/** A pattern of the setting `ignore`, taken apart. */
export interface IgnorePattern {
  /** An address in which `*` matches any text. */
  readonly address: string;
  /** JSON Pointer to a field, behind `#`; absent for whole resources. */
  readonly path?: string;
}

/** Takes a pattern apart. A `#` without a slash behind it belongs to the address, since names may hold one. */
export function parseIgnore(text: string): IgnorePattern {
  const at = text.indexOf("#/");
  return at < 0 ? { address: text } : { address: text.slice(0, at), path: text.slice(at + 1) };
}

/** The ignored and accepted places of a configuration. */
export interface Exemptions {
  /** The patterns of the settings. */
  readonly ignore: readonly string[];
  /** Patterns of whole resources. */
  readonly resources: readonly string[];
  /** Patterns of resources, each with the field. */
  readonly fields: readonly { readonly address: string; readonly path: string }[];
  /** Addresses of accepted resources; one that ends with a slash is a list of rules. */
  readonly accepted: ReadonlySet<string>;
  /** Address → JSON Pointers to accepted fields. */
  readonly acceptedFields: ReadonlyMap<string, readonly string[]>;
}

/** The exemptions of patterns of the settings and of accepted places. */
export function exemptionsOf(ignore: readonly string[], accepted: readonly ExemptPlace[] = []): Exemptions {
  const patterns = ignore.map(parseIgnore);
  const acceptedFields = new Map<string, string[]>();
  for (const { address, path } of accepted) if (path !== undefined) addTo(acceptedFields, address, path);
  return {
    ignore,
    resources: patterns.flatMap(({ address, path }) => (path === undefined ? [address] : [])),
    fields: patterns.flatMap(({ address, path }) => (path === undefined ? [] : [{ address, path }])),
    accepted: new Set(accepted.flatMap(({ address, path }) => (path === undefined ? [address] : []))),
    acceptedFields,
  };
}

/** Whether the settings ignore a whole resource. */
export function isIgnored(exemptions: Exemptions | undefined, address: string): boolean {
  return exemptions?.resources.some((pattern) => matchesPattern(pattern, address)) === true;
}

/** Whether the settings ignore some whole resources whose addresses begin with this kind. */
export function isKindIgnored(exemptions: Exemptions | undefined, kind: string): boolean {
  return exemptions?.resources.some((pattern) => pattern.startsWith(`${kind}/`)) === true;
}

/** Whether a whole resource is left alone. */
export function isLeftAlone(exemptions: Exemptions | undefined, address: string): boolean {
  return exemptions !== undefined && (exemptions.accepted.has(address) || isIgnored(exemptions, address));
}

/** Whether a list of rules is left alone. It is ignored or accepted as a whole. */
export function isListLeftAlone(exemptions: Exemptions, kind: Kind, scope: string): boolean {
  const prefix = addressPrefix(kind, scope);
  return exemptions.accepted.has(prefix) || isIgnored(exemptions, `${prefix}1`);
}

/** JSON Pointers to the fields of a resource that the settings ignore. */
export function ignoredFields(exemptions: Exemptions | undefined, address: string): readonly string[] {
  const fields = exemptions?.fields ?? [];
  return fields.flatMap((field) => (matchesPattern(field.address, address) ? [field.path] : []));
}

/** JSON Pointers to the fields of a resource that are left alone. */
export function fieldsLeftAlone(exemptions: Exemptions, address: string): readonly string[] {
  return [...new Set([...ignoredFields(exemptions, address), ...(exemptions.acceptedFields.get(address) ?? [])])];
}
