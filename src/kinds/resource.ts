/** One entry of a kind, declared or live: the same type, so that like is compared with like. */

import type { Location } from "../core/diagnostic.ts";
import type { Fields } from "../core/json.ts";
import type { Kind } from "./kind.ts";

/** What stood at a place before an overlay was laid over it, as it is written there. */
export interface Covered {
  readonly written: string;
  readonly at: Location;
}

/** A declared entry. To make another of it, name what it is made of: `{ ...entry }` leaves out what is found when asked for. */
export interface Declared {
  readonly kind: Kind;
  /** Separates collections of one kind: a form, an alert source's name, a catalog type, an agent; else empty. */
  readonly scope: string;
  /** The identity's value; for a ranked kind its place in the list, counted from 1. */
  readonly key: string;
  /** Which of the kind's key fields names it. */
  readonly keyField: string;
  /** What a person types to mean it: `severities/critical`. */
  readonly address: string;
  /** The stated fields, values resolved; without nested kinds, pins and lifecycle keys, with what `extra` holds. */
  readonly fields: Fields;
  /** Names in `extra`, sent and compared as they are. */
  readonly extra: readonly string[];
  readonly pin?: string;
  readonly renamedFrom?: string;
  readonly protected: boolean;
  /** Where the entry starts. */
  readonly at: Location;
  /** Where a field of it stands, by JSON Pointer into the entry. */
  place(pointer: string): Location;
  /** What an overlay's value has been laid over, the nearest first; absent where no file was read. */
  covered?(pointer: string): readonly Covered[];
  /** JSON Pointers of values that came from the environment. */
  readonly secrets: readonly string[];
}

/** A live entry: its row as the service told it and, once other kinds are known, in the words of the configuration. */
export interface Live {
  readonly kind: Kind;
  readonly scope: string;
  readonly key: string;
  /** Which of the kind's key fields holds the key; empty for a ranked kind. */
  readonly keyField: string;
  readonly address: string;
  readonly fields: Fields;
  readonly row: Fields;
  /** What fills `{id}` in the member's route. */
  readonly id: string;
}

/** The address of an entry, as it is shown and typed. */
export function addressOf(kind: Kind, scope: string, key: string): string {
  return addressesOf(kind, scope) + key;
}

/** What the addresses of the entries of a list begin with, their slash included. */
export function addressesOf(kind: Kind, scope: string): string {
  const { parent, scopes } = kind;
  if (parent !== undefined) return `${parent.kind}/${scope}/${parent.field}/`;
  if (scopes === undefined) return `${kind.name}/`;
  const plain = scopes.patterns.find((pattern) => !pattern.includes("*"))?.slice(1);
  if (scope === "" && plain !== undefined) return `${kind.name}/${plain}/`;
  return `${kind.name}/${scope === plain ? `sources/${scope}` : scope}/`;
}
