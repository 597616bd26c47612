/** A live resource, whose fields are in the words of the files, and the addresses of resources. */

import type { Fields } from "../../core/json.ts";
import type { Kind } from "./kind.ts";

/** A resource of the service. */
export interface LiveResource {
  readonly kind: Kind;
  readonly scope: string;
  readonly key: string;
  /** The key field that holds the key; empty for a ranked kind. */
  readonly keyField: string;
  readonly address: string;
  /** The row in the words of the files. */
  readonly fields: Fields;
  /** The row as the service returned it. */
  readonly row: Fields;
  /** The value that fills `{id}` in the member's path. */
  readonly id: string;
  /** Lists that were not read and without which its references are ids: some of them are unknown. Default: none. */
  readonly unresolved?: readonly ListName[];
}

/** A list of the service. */
export interface ListName {
  readonly kind: string;
  readonly scope: string;
}

/** A list as a key of maps. */
export function listName(kind: string, scope: string): string {
  return `${kind}\n${scope}`;
}

/** The address of a resource, as people read and type it. */
export function addressOf(kind: Kind, scope: string, key: string): string {
  return addressPrefix(kind, scope) + key;
}

/** The beginning of every address in a list, its last slash included. */
export function addressPrefix(kind: Kind, scope: string): string {
  const { parent, scopes } = kind;
  if (parent !== undefined) return `${parent.kind}/${scope}/${parent.field}/`;
  if (scopes === undefined) return `${kind.name}/`;
  const plain = scopes.patterns.find((pattern) => !pattern.includes("*"))?.slice(1);
  if (scope === "" && plain !== undefined) return `${kind.name}/${plain}/`;
  return `${kind.name}/${scope === plain ? `sources/${scope}` : scope}/`;
}

/** The kind of the resource with this address; undefined if no kind has such addresses. */
export function kindOfAddress(address: string, kinds: readonly Kind[]): Kind | undefined {
  const [first, , field] = address.split("/");
  return (
    kinds.find(({ parent }) => parent !== undefined && parent.kind === first && parent.field === field) ??
    kinds.find(({ name, parent }) => parent === undefined && name === first)
  );
}

/** The system that fields or a row name as the resource's origin with its id there, as one text; undefined if they do not. */
export function originOf({ identity: { origin } }: Kind, fields: Fields): string | undefined {
  const parts = [fields[origin?.system ?? ""], fields[origin?.id ?? ""]];
  return parts.every((part) => typeof part === "string") ? JSON.stringify(parts) : undefined;
}

/** The key of a resource on the wire: in the files a live one may have another, by which an undo makes it again. */
export function wireKeyOf({ fields, keyField, key }: Pick<LiveResource, "fields" | "keyField" | "key">): string {
  return String(fields[keyField] ?? key);
}

/** Whether the value at some steps of a declared resource names it or a part of it: every report shows such a value. */
export function isName({ identity, fields }: Kind, [field = "", , part]: readonly string[]): boolean {
  const { keys, pin, labels = [], otherNames, origin } = identity;
  const own = [...keys, pin, ...labels, otherNames?.aliases, origin?.system, origin?.id, RENAMED_FROM];
  if (own.includes(field)) return true;
  const { optionList, keyedItems } = fields?.[field] ?? {};
  if (optionList === true) return part === undefined || part === "label" || part === RENAMED_FROM;
  return part !== undefined && (keyedItems?.options === part || keyedItems?.names.includes(part) === true);
}

const RENAMED_FROM = "renamed_from";

/** Whether a live resource is disabled. */
export function isDisabled({ kind, fields }: Pick<LiveResource, "kind" | "fields">): boolean {
  const { disable } = kind.lifecycle;
  return disable !== undefined && fields[disable] === false;
}

/** Whether a live resource stays when the files do not list it, because the service has no way to remove it. */
export function staysUnlisted({ kind, row }: LiveResource): boolean {
  const { permanent, builtins } = kind.lifecycle;
  return permanent === true || builtins?.matches(row) === true;
}

/** Whether a live resource can be removed at all: the interface lets it go, it is not built in and not disabled already. */
export function isRemovable(live: LiveResource, { removesDisabled }: RemovalScope = {}): boolean {
  if (staysUnlisted(live)) return false;
  return !isDisabled(live) || removesDisabled?.has(live.address) === true;
}

/** Addresses of disabled resources that can be removed all the same; absent: none. */
interface RemovalScope {
  readonly removesDisabled?: ReadonlySet<string>;
}
