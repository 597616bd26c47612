/** A resource of a kind, declared or live: both have fields in the words of the files, so that like is compared with like. */

import type { Location } from "../../core/diagnostic.ts";
import type { Fields } from "../../core/json.ts";
import type { Kind } from "./kind.ts";

/** A value that an overlay has replaced, as it is written in its file. */
export interface OverriddenValue {
  readonly written: string;
  readonly at: Location;
}

/** A resource in the files. Do not spread it: `at` and `place` may be getters. */
export interface DeclaredResource {
  readonly kind: Kind;
  /** The list that it is in: a form, an alert source's name, a catalog type, an agent; empty if the kind has one list. */
  readonly scope: string;
  /** The value of its key field; for a ranked kind its place in the list, counted from 1. */
  readonly key: string;
  /** The key field that names it; empty for a ranked kind. */
  readonly keyField: string;
  /** Its address: `severities/critical`. */
  readonly address: string;
  /** The declared fields with substitutions made and `extra` merged in; without nested resources, pins and lifecycle keys. */
  readonly fields: Fields;
  /** Names of fields from `extra`, sent and compared as they are. */
  readonly extra: readonly string[];
  readonly pin?: string;
  readonly renamedFrom?: string;
  /** Names besides the key that references in the files may use. Default: none. */
  readonly aliases?: readonly string[];
  readonly protected: boolean;
  /** The place where the resource starts. */
  readonly at: Location;
  /** Returns the place of a field, by JSON Pointer into the resource. */
  place(pointer: string): Location;
  /** The values that an overlay's value has replaced, the nearest first; absent if no file was read. */
  covered?(pointer: string): readonly OverriddenValue[];
  /** The expression that made a value out of its place in a foreign file; undefined or absent if none did. */
  expression?(pointer: string): string | undefined;
  /** The text that a foreign file has for a value, where a reference has the key that it means; undefined or absent if none made it. */
  made?(pointer: string): string | undefined;
  /** The template that made a value out of a foreign file, or the globs of the source that made the resource; undefined or absent if none did. */
  madeAt?(pointer: string): Location | undefined;
  /** JSON Pointers of values that came from the environment. */
  readonly secrets: readonly string[];
  /** JSON Pointers to fields that plans leave alone, because they are ignored or accepted; `fields` lacks them. Default: none. */
  readonly exempt?: readonly string[];
}

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

/** Whether a live resource is disabled. */
export function isDisabled({ kind, fields }: Pick<LiveResource, "kind" | "fields">): boolean {
  const { disable } = kind.lifecycle;
  return disable !== undefined && fields[disable] === false;
}

/** Whether a live resource can be removed at all: the interface lets it go, it is not built in and not disabled already. */
export function isRemovable(live: LiveResource, { removesDisabled }: RemovalScope = {}): boolean {
  const { permanent, builtins } = live.kind.lifecycle;
  if (permanent === true || builtins?.matches(live.row) === true) return false;
  return !isDisabled(live) || removesDisabled?.has(live.address) === true;
}

/** Addresses of disabled resources that can be removed all the same; absent: none. */
interface RemovalScope {
  readonly removesDisabled?: ReadonlySet<string>;
}
