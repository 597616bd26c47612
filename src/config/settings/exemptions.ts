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
export class Exemptions {
  readonly #ignore: readonly string[];
  readonly #resources: readonly string[];
  readonly #fields: readonly { readonly address: string; readonly path: string }[];
  readonly #accepted: ReadonlySet<string>;
  readonly #acceptedFields: ReadonlyMap<string, readonly string[]>;

  /** `ignore`: patterns of the settings. `accepted`: places; an address that ends with a slash is a list of rules. */
  constructor(ignore: readonly string[], accepted: readonly ExemptPlace[] = []) {
    const patterns = ignore.map(parseIgnore);
    this.#ignore = ignore;
    this.#resources = patterns.flatMap(({ address, path }) => (path === undefined ? [address] : []));
    this.#fields = patterns.flatMap(({ address, path }) => (path === undefined ? [] : [{ address, path }]));
    this.#accepted = new Set(accepted.flatMap(({ address, path }) => (path === undefined ? [address] : [])));
    const fields = new Map<string, string[]>();
    for (const { address, path } of accepted) if (path !== undefined) addTo(fields, address, path);
    this.#acceptedFields = fields;
  }

  /** The same with accepted differences. */
  withAccepted(accepted: readonly ExemptPlace[]): Exemptions {
    return new Exemptions(this.#ignore, accepted);
  }

  /** Whether the settings ignore a whole resource. */
  ignores(address: string): boolean {
    return this.#resources.some((pattern) => matchesPattern(pattern, address));
  }

  /** Whether the settings ignore some whole resources whose addresses begin with this kind. */
  ignoresSome(kind: string): boolean {
    return this.#ignore.some((pattern) => pattern.startsWith(`${kind}/`) && parseIgnore(pattern).path === undefined);
  }

  /** Whether a whole resource is left alone. */
  covers(address: string): boolean {
    return this.#accepted.has(address) || this.ignores(address);
  }

  /** Whether a list of rules is left alone. It is ignored or accepted as a whole. */
  coversList(kind: Kind, scope: string): boolean {
    const prefix = addressPrefix(kind, scope);
    return this.#accepted.has(prefix) || this.ignores(`${prefix}1`);
  }

  /** JSON Pointers to the fields of a resource that the settings ignore. */
  ignoredFields(address: string): readonly string[] {
    return this.#fields.flatMap((field) => (matchesPattern(field.address, address) ? [field.path] : []));
  }

  /** JSON Pointers to the fields of a resource that are left alone. */
  fieldsOf(address: string): readonly string[] {
    return [...new Set([...this.ignoredFields(address), ...(this.#acceptedFields.get(address) ?? [])])];
  }
}
