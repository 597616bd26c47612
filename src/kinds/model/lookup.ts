/** Lookups of other resources for the functions of a kind, and stand-ins for values that are secret or not known yet. */

import { type Fields, isFields, isList, type Json, stepsOf } from "../../core/json.ts";

/** A reference to another resource. */
export interface Reference {
  /** JSON Pointer into the fields of the referring resource; empty if the target is its parent or scope. */
  readonly at: string;
  readonly kind: string;
  readonly scope: string;
  readonly key: string;
  /** Label of an option of the referenced resource. */
  readonly option?: string;
  /** Other scopes in one of which the resource may be instead. */
  readonly elsewhere?: readonly string[];
  /** The service refuses a new reference to a disabled resource. */
  readonly needsEnabled?: true;
  /** One of several that the service does not tell apart. */
  readonly isPossible?: true;
}

/** Wire fields by which the interface names an object inside a response: a request sends one of them in place of the object. */
export const NAME_FIELDS: readonly string[] = ["label", "slug", "id", "name", "key", "value"];

/** Fields of other resources. */
export interface ResourceLookup {
  /** The declared fields over the live ones; undefined if the resource is neither. */
  fields(kind: string, key: string, scope?: string): Fields | undefined;
  /** The declared fields alone. */
  declaredFields(kind: string, key: string, scope?: string): Fields | undefined;
  /** The live resources of a list; undefined if it was not read. */
  live(kind: string, scope?: string): readonly KeyedFields[] | undefined;
}

/** The fields of a resource, and its key. */
export interface KeyedFields {
  readonly key: string;
  readonly fields: Fields;
}

/** Ids and keys of other resources, both ways. */
export interface IdLookup extends ResourceLookup {
  /** The id of a resource; a stand-in when the plan creates it first. */
  id(kind: string, key: string, scope?: string): string | Pending;
  /**
   * The key behind an id; undefined when the id belongs to no resource that was read. `scope` is the list that holds the resource: if it
   * was not read, a plan that depends on the answer reads it.
   */
  key(kind: string, id: string, scope?: string): string | undefined;
  /** Every row read of a kind, in the words of the wire. If its list was not read, a plan that depends on the answer reads it. */
  rows(kind: string): readonly Fields[];
  /** The rows of a kind, as far as they were read. */
  rowsSoFar(kind: string): readonly Fields[];
}

/** A value known only after another resource is created: a field of that creation's response. */
export class Pending {
  readonly address: string;
  readonly field: string;
  constructor(address: string, field: string) {
    this.address = address;
    this.field = field;
  }
}

/** A declared value from the environment: it is put in only when the request is sent. */
export class Withheld {
  readonly address: string;
  /** JSON Pointer into the declared fields. */
  readonly pointer: string;
  /** The pin of the declared resource, if it has one: several pinned resources may have one address. */
  readonly pin: string | undefined;
  /** The value is the live one: the files do not declare it any more. */
  readonly isKept: boolean;
  constructor(address: string, pointer: string, pin?: string, isKept = false) {
    this.address = address;
    this.pointer = pointer;
    this.pin = pin;
    this.isKept = isKept;
  }
}

/** Fields on their way to the wire, with stand-ins where a value is not known yet. */
export interface WireFields {
  readonly [name: string]: Wire;
}

/** A JSON value that may hold stand-ins. */
export type Wire = null | boolean | number | string | Pending | Withheld | readonly Wire[] | WireFields;

/** The fields with a key in place of the name that a reference has. */
export function withKey(fields: Fields, { at, key: name }: Reference, key: string): Fields {
  const within = (value: Json, [step, ...rest]: readonly string[]): Json => {
    if (step === undefined) return value === name ? key : value;
    if (isList(value)) return value.map((item, index) => (index === Number(step) ? within(item, rest) : item));
    return isFields(value) && step in value ? { ...value, [step]: within(value[step] ?? null, rest) } : value;
  };
  const [first = "", ...rest] = stepsOf(at);
  return { ...fields, [first]: within(fields[first] ?? null, rest) };
}
