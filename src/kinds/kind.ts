/** What the reconciler must know about a kind: a row of data, with a function only where data will not do. */

import type { Fields, Json } from "../core/json.ts";
import type { Route } from "../core/route.ts";

/** A kind of the interface's table of configuration resources, or one nested in it. */
export interface Kind {
  /** Plural, as on the wire; for a kind that is not nested also its key in the files. */
  readonly name: string;
  /** One of them, for people: "severity". */
  readonly title: string;
  /** Base name of the schema and the example that describe it. */
  readonly room: string;
  /** Heading of the interface document that this row states. */
  readonly source: string;

  /** How its entries lie in the files; a list under its name when left out. */
  readonly layout?: Layout;
  /** Fields that name an entry; exactly one is stated. Empty: an entry is its place in the list. */
  readonly key: readonly string[];
  /** Field that pins a declared entry to one live entry by its address on the wire. */
  readonly pin?: string;
  /** Fields for people and plans only, never sent. */
  readonly labels?: readonly string[];

  /** Where the entries are listed. Holes: `{scope}`, `{parent}` (the parent's id). */
  readonly collection: Route;
  /** Where one is created, when not at the collection's path. */
  readonly creation?: Route;
  /** Where one is changed and deleted. Holes: `{id}` (see `address`), `{scope}`. */
  readonly member: Route;
  /** Wire names of the field that addresses a member; the first that an answer holds counts. */
  readonly address: readonly string[];
  /** Key of the array in a list answer, and of the object in a wrapped member answer. */
  readonly list: string;
  readonly item: string;
  /** The list comes in pages. */
  readonly paginated?: true;
  /** GET of one member exists and may return more than the list does. */
  readonly readable?: true;
  /** The interface's admin-only surface: a service key never reaches it. */
  readonly admin?: true;

  /** How the service makes the slug from the name at creation; `sent` means that the caller chooses. */
  readonly slug?: "option" | "word" | "sent";
  /** List order in the file is order in the service, kept by writing positions or by the rank of the rows. */
  readonly order?: "position" | "rank";
  /** Fields without which the service refuses a creation. */
  readonly required?: readonly string[];
  /** There is no POST: an entry comes to be by the first PATCH that names it, which needs at least these fields. */
  readonly attach?: Fields;
  /** Field that retires an entry when false. */
  readonly disable?: string;
  /** A part of its parent: taking one away needs no consent to delete, and no ceiling counts it. */
  readonly part?: true;
  /** There is no DELETE. */
  readonly permanent?: true;
  /** Live rows that cannot be removed and are left alone when unlisted; also mentionable without being declared. */
  readonly builtin?: (row: Fields) => boolean;
  /** Keys that exist in every workspace. */
  readonly builtins?: readonly string[];
  /** Field that the service derives from the position: the highest for the first entry. Shown, never written. */
  readonly derives?: string;
  /** Of the enabled entries that share this field's value, one must remain (lifecycle stages). */
  readonly keepsOnePer?: string;
  /** Query parameter of the incident list that counts the incidents holding an entry, by its id. */
  readonly countedBy?: string;
  /** Object of an incident that holds what was chosen of each entry's choices, by the entry's key. */
  readonly answeredIn?: string;
  /** Field of a creation's answer that holds a secret shown once and never again. */
  readonly reveals?: string;
  /** Tokens of an entry come and go one by one: where, and the field of a row that lists them. Holes: `{id}`, `{prefix}`. */
  readonly tokens?: { readonly rotate: string; readonly end: string; readonly list: string };
  /** Kinds whose entries go when one of this kind is deleted. */
  readonly cascades?: readonly string[];

  /** Kinds that this one may mention; creation follows it, removal goes against it. */
  readonly after?: readonly string[];
  /** Facts about fields, where the plain case (same name, exact equality, taken by POST and PATCH) does not hold. */
  readonly fields?: Readonly<Record<string, Field>>;
  /** What the stated fields mention. */
  readonly references?: (fields: Fields, known: Known, scope: string) => readonly Reference[];
  /** A live row in the words of the configuration. Left out: the row's fields by name. */
  readonly decode?: (row: Fields, names: Names, scope: string) => Fields;
  /** The fields to send in the words of the wire. Left out: the fields by name. */
  readonly encode?: (fields: Fields, names: Names, scope: string) => WireFields;
  /** Adds to a declared field what the service would wipe because it replaces the field whole. */
  readonly complete?: (declared: Fields, live: Fields, row: Fields, known: Known, scope: string) => Fields;
  /** What to send so that an entry no longer mentions what stands at some JSON Pointers; undefined where nothing will do. */
  readonly released?: (fields: Fields, at: readonly string[], known: Known, scope: string) => Fields | undefined;
  /** Why a change of a field must not be made, if so. `held` is the number of incidents that hold the entry. */
  readonly caution?: (live: Fields, declared: Fields, held: number | undefined) => Caution | undefined;
  /** Each PATCH names the row it means by the key field, since several share a member's path. */
  readonly naming?: true;
  /** A row that holds any of these is the entry; left out where the key field is told under its own wire names. */
  readonly called?: (keyField: string, key: string) => readonly Fields[];
  /** Wire fields that tell rows apart, where `id` and the address do not. */
  readonly apart?: readonly string[];
  /** Wire fields of a row that hold a field, where that is not told by `read`. */
  readonly inRow?: Readonly<Record<string, readonly string[]>>;
  /** Nothing in it is unique for the service: a creation that is sent twice makes two. */
  readonly repeatable?: true;
  /** Sent with a creation to say whose it is. */
  readonly owner?: (names: Names, scope: string) => WireFields;
}

/** Where entries lie in the files: in another entry's field, or in lists under patterns whose `*` is the scope. */
export type Layout =
  | { readonly within: string; readonly field: string }
  | {
      readonly patterns: readonly string[];
      readonly scopes?: readonly string[];
      readonly scopeOf?: string;
      /** Of a scope: those whose entries a condition in it may ask for, itself among them. */
      readonly asks?: Readonly<Record<string, readonly string[]>>;
    };

/** What is special about one field. */
export interface Field {
  /** Wire names in answers, the first present counts. */
  readonly read?: readonly string[];
  readonly same?: Same;
  /** The live value in an order of ours, where that in which the service lists it carries nothing. */
  readonly inOrder?: (value: Json) => Json;
  /** Taken by one of the two only: a field that creation ignores is patched in, one that PATCH ignores cannot change. */
  readonly only?: "create" | "update";
  /** It mentions other entries: where the service does not return it, what it points at is unknown. */
  readonly mentions?: true;
  /** A list of labels that must never be sent so that the service could take one for another. */
  readonly choices?: true;
  /**
   * A list whose items name values that entries of a nested kind hold: an item in use cannot go, and nor can a value in
   * use from the list that an item has under `offers`. `relaxed` is an item while its values are being taken out of the entries.
   */
  readonly named?: {
    readonly by: (item: Fields) => string;
    readonly kind: string;
    readonly values: string;
    readonly offers?: string;
    readonly relaxed: (item: Fields) => Fields;
  };
  /** Resent in every PATCH, because the service replaces it even when it is absent. */
  readonly resent?: true;
  /** A change of it deserves a reviewer's attention. */
  readonly attention?: true;
  /** Sent with a creation when it is not declared. */
  readonly derived?: (fields: Fields) => Json | undefined;
}

/** Whether a live value is what the declared one asks for. */
export type Same = (live: Json, declared: Json) => boolean;

/** Why a field is not changed as declared. */
export interface Caution {
  readonly field: string;
  readonly message: string;
}

/** A mention of another entry. */
export interface Reference {
  /** JSON Pointer into the entry's fields. */
  readonly at: string;
  readonly kind: string;
  readonly scope: string;
  readonly key: string;
  /** A label of a field that offers choices. */
  readonly choice?: string;
}

/** What is declared, or else live, about other entries. */
export interface Known {
  /** Undefined when nobody knows the entry. */
  fields(kind: string, key: string, scope?: string): Fields | undefined;
  /** What the files alone state of an entry. */
  stated(kind: string, key: string, scope?: string): Fields | undefined;
}

/** Ids and keys of other entries, both ways. */
export interface Names extends Known {
  /** The id of an entry; a stand-in when the plan creates it first. */
  id(kind: string, key: string, scope?: string): string | Pending;
  /** The key behind an id, undefined when the id belongs to no entry that was read. */
  key(kind: string, id: string): string | undefined;
  /** Every entry read of a kind, in the words of the wire. */
  rows(kind: string): readonly Fields[];
}

/** A value known only after another entry is created: the field of that creation's answer. */
export class Pending {
  readonly address: string;
  readonly field: string;
  constructor(address: string, field: string) {
    this.address = address;
    this.field = field;
  }
}

/** A declared value that came from the environment: it is put in only when the request is sent. */
export class Withheld {
  readonly address: string;
  /** JSON Pointer into the declared fields. */
  readonly pointer: string;
  constructor(address: string, pointer: string) {
    this.address = address;
    this.pointer = pointer;
  }
}

/** Fields on their way to the wire, with stand-ins where an id is not known yet. */
export interface WireFields {
  readonly [name: string]: Wire;
}
/** A JSON value that may hold stand-ins. */
export type Wire = null | boolean | number | string | Pending | Withheld | readonly Wire[] | WireFields;

/** Keys of an entry that speak about its life, not about its fields. */
export const LIFECYCLE: readonly string[] = ["protected", "renamed_from", "extra"];
