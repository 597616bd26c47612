/**
 * The type of a kind: a row of facts about one of the interface's configuration resources, with a function only where data will not do.
 * A fact that a single kind uses says so and why it is a fact.
 */

import type { Fields, Json } from "../../core/json.ts";
import type { Route } from "../../core/route.ts";
import type { IdLookup, Reference, ResourceLookup, WireFields } from "./lookup.ts";

/** A kind of the interface's table of configuration resources, or one nested in it. */
export interface Kind {
  /** Plural, as on the wire; for a kind that is not nested also its key in the files. */
  readonly name: string;
  /** The name of one resource in messages: "severity". */
  readonly title: string;
  /** Base name of its file here, of its schema and of its example. */
  readonly module: string;
  /**
   * The kind that this one is nested in, and the field of the parent that lists its resources. `from` is the key beside it that makes
   * resources out of other files. Catalog entries: what they stand for is described elsewhere too. Default: none. `apart`: lists may also
   * stand under the kind's own name, by the parent's key, so that several files have a part of one. Catalog entries: teams own theirs.
   */
  readonly parent?: { readonly kind: string; readonly field: string; readonly from?: string; readonly apart?: true };
  /** Several lists by scope. Default: one list under the kind's name. */
  readonly scopes?: Scopes;
  readonly identity: Identity;
  readonly endpoint: Endpoint;
  readonly lifecycle: Lifecycle;
  readonly references?: References;
  readonly codec?: Codec;
  /** The fields of a ranked kind (`lifecycle.order` is "rank"): its first matching resource decides. */
  readonly rule?: RuleFields;
  /** Returns the reason for which a reviewer should look at a change of the kind's fields first, if there is one. */
  readonly reviewReason?: (change: FieldsChange) => string | undefined;
  /** Facts of single fields. Default: same name on the wire, exact equality, taken by POST and PATCH. */
  readonly fields?: Readonly<Record<string, Field>>;
}

/** A creation or an update of a resource: its fields that differ, with their values before and after. */
export interface FieldsChange {
  readonly scope: string;
  readonly isNew: boolean;
  readonly fields: ReadonlyMap<string, { readonly before: Json; readonly after: Json }>;
}

/** The lists of a kind that has several. */
export interface Scopes {
  /** Their places in the files, as JSON Pointers below the kind's key; `*` is the scope. */
  readonly patterns: readonly string[];
  /** Every scope that exists, where the interface fixes them. */
  readonly names?: readonly string[];
  /** The kind whose resources are the scopes. */
  readonly kind?: string;
  /** Scope → the scopes whose resources its conditions may refer to, itself included. Forms: the earlier forms of an incident. */
  readonly readableFrom?: Readonly<Record<string, readonly string[]>>;
}

/** The name of a resource in the configuration, and its row in the service. */
export interface Identity {
  /** Fields that name a resource; a resource has exactly one of them. Empty: resources are identified by their position. */
  readonly keys: readonly string[];
  /** Field with the name that people read, where the key is another one; the service derives the slug from it. */
  readonly displayName?: string;
  /** Field that pins a declared resource to one live resource by its id on the wire. */
  readonly pin?: string;
  /** Fields that tell one resource from another whatever its name is: what has the same ones may be the same under a new name. */
  readonly stable?: readonly string[];
  /** The style in which the service derives the slug from the name at creation; "sent": the request contains it. */
  readonly slug?: "option" | "word" | "sent";
  /**
   * Other names that references in the files may use: `aliases` is a list that is never sent, `fields` hold one each. Catalog entries:
   * the systems that they come from name them in their own way.
   */
  readonly otherNames?: { readonly aliases: string; readonly fields: readonly string[] };
  /**
   * Fields that record at creation which system a resource comes from, and what that calls it. They are never compared. Catalog
   * entries: only these tell who made one.
   */
  readonly origin?: { readonly system: string; readonly id: string };
  /** Wire fields whose value fills `{id}` of a member's path; the first that a row holds counts. */
  readonly idFields: readonly string[];
  /** Sets of values that identify the resource's row. Default: the key field has the key. Forms: rows name it in two ways. */
  readonly matchesRow?: (keyField: string, key: string) => readonly Fields[];
  /** Wire fields that tell rows apart. Default: `id` and the id fields. Forms: their rows have neither. */
  readonly identityFields?: readonly string[];
  /** Fields for people and plans only, never sent. Routing rules: they have no key, so a label names them. */
  readonly labels?: readonly string[];
}

/** The paths and keys of the resources on the wire. Placeholders in paths: `{scope}`, `{parent}` (the parent's id), `{id}`. */
export interface Endpoint {
  readonly list: Route;
  /** Default: the list's path. */
  readonly create?: Route;
  readonly member: Route;
  /** Key of the array in a list response, and of the object in a wrapped member response. */
  readonly envelope: { readonly list: string; readonly item: string };
  /** The list comes in pages. */
  readonly paginated?: true;
  /** GET of one member exists and may return more than the list does. Runbooks: their lists may leave out steps. */
  readonly detail?: true;
  /** The interface's admin-only surface: a service key never reaches it. */
  readonly admin?: true;
  /** The resource that permissions name for it. Default: the name of the kind. */
  readonly permission?: string;
  /** Each PATCH names its resource in the body by the key field. Forms: all fields of a form share one path. */
  readonly keyInBody?: true;
}

/** Creation, order and removal of resources. */
export interface Lifecycle {
  /** List order in the files is order in the service, kept by writing positions or by the rank of the rows. */
  readonly order?: "position" | "rank";
  /** People see the resources in the order of the service's list, which no request changes: new files keep it. Forms. */
  readonly isShownInOrder?: true;
  /** Fields without which the service refuses a creation. */
  readonly required?: readonly string[];
  /** There is no POST: the first PATCH that names a resource creates it, with at least these fields. Forms. */
  readonly createByPatch?: Fields;
  /** Field that disables a resource when false. */
  readonly disable?: string;
  /**
   * Other systems call it, so one that is not in the files is disabled only with the approval of a deletion. The wire fields of what they
   * call, of which the first present counts; empty: they call with its tokens.
   */
  readonly calledByOthers?: readonly string[];
  /** A part of its parent: removing one needs no approval and counts towards no limit. Grants: they are part of their agent. */
  readonly ownedByParent?: true;
  /** There is no DELETE. Forms: built-in fields stay. */
  readonly permanent?: true;
  /** Live resources that cannot be removed, and can be referenced without being declared. */
  readonly builtins?: {
    /** Keys that exist in every workspace. */
    readonly keys: readonly string[];
    /** Fields that they have in a default workspace, by key. Catalog types: their attributes decide about values of entries. */
    readonly definitions?: Readonly<Record<string, Fields>>;
    matches(row: Fields): boolean;
  };
  /** Field that exactly one resource of the kind holds as true: setting it on one takes it from the other. */
  readonly exclusive?: string;
  /** Of the enabled resources that share this field's value, one must remain. Statuses: each lifecycle stage needs one. */
  readonly atLeastOnePer?: string;
  /** Field that the service derives from the position, highest first; shown, never written. Severities: incidents are ranked by it. */
  readonly derivedFromPosition?: string;
  /** One-time secret that a creation returns, and how single tokens are replaced and ended. */
  readonly secret?: {
    readonly field: string;
    /** Paths, and the row's field that lists tokens; `{prefix}` is a token's beginning. Agents: they may hold several tokens. */
    readonly tokens?: { readonly rotate: string; readonly end: string; readonly list: string };
  };
  /** Nothing in it is unique for the service: a creation that is sent twice makes two. */
  readonly allowsDuplicates?: true;
  /**
   * Returns, for a list, the function that gives the declared fields that the service would refuse, beyond the schema. `declared` is
   * filled; `live` is undefined for a creation. A rule that needs more than one field needs the live ones that the files omit.
   */
  readonly rejectFields?: (
    lookup: IdLookup,
    scope: string,
  ) => (declared: Fields, live: Fields | undefined) => readonly Rejection[];
  /** Returns the reason to refuse an update, if there is one. `incidents`: the number that use the live resource; undefined if not counted. */
  readonly rejectUpdate?: (live: Fields, declared: Fields, incidents: number | undefined) => Rejection | undefined;
}

/** Whether resources of a kind may reference resources of another kind in a scope. */
export function mayReference({ references = {} }: Kind, { name }: Kind, scope: string): boolean {
  const { dependsOn = [], onlyIn = {} } = references;
  return dependsOn.includes(name) && (onlyIn[name] === undefined || onlyIn[name] === scope);
}

/**
 * Whether an id from a list of `between` may turn out to be, or lead to, a resource of a kind: itself, or entries of its catalog type. The
 * entries of a type also tell which custom field offers them.
 */
export function leadsTo(between: Kind, { name, parent, references }: Kind): boolean {
  if (between.name === name || between.name === parent?.kind) return true;
  if (parent !== undefined) return between.references?.dependsOn?.includes(parent.kind) === true;
  const type = between.parent?.kind;
  return type !== undefined && type !== name && references?.dependsOn?.includes(type) === true;
}

/** A field that the service would refuse, or a change of it that would change incidents. */
export interface Rejection {
  /** The field, or the path to a part of it: `attributes/tier`. */
  readonly field: string;
  readonly message: string;
  readonly code?: string;
  readonly help?: string;
}

/** References to other resources. */
export interface References {
  /** Kinds that this one may reference: creation follows it, removal goes against it. */
  readonly dependsOn?: readonly string[];
  /** Kind of `dependsOn` → the one scope of it that can be referenced. Grants and rules: they name environments and teams. */
  readonly onlyIn?: Readonly<Record<string, string>>;
  /**
   * Kinds whose live resources tell whether the names in a resource's fields exist, though the service does not ask. They are read if the
   * token may. Routing rules: their conditions name attributes of the catalog.
   */
  readonly checkedAgainst?: (fields: Fields) => readonly string[];
  /** Returns, for a list, the function that gives the references in a resource's fields. */
  readonly of?: (lookup: ResourceLookup, scope: string) => (fields: Fields) => readonly Reference[];
  /**
   * Returns, for a list, the function that gives the fields to send so that a resource no longer references anything at these JSON
   * Pointers; undefined if a required value prevents it. The catalog: only there can resources of one kind reference each other in a cycle.
   */
  readonly without?: (
    lookup: ResourceLookup,
    scope: string,
  ) => (fields: Fields, pointers: readonly string[]) => Fields | undefined;
  /** The service refuses to delete a resource that references itself. Catalog entries: of types it does not count that. */
  readonly countsItself?: true;
  /** Kinds whose resources in this one's scope are deleted with it. */
  readonly cascades?: readonly string[];
  /** Query parameter of the list of incidents that counts those which use a resource, by its id. */
  readonly countedBy?: string;
  /** Field of an incident that names the resource it uses. Incident types: the list has no filter for them. */
  readonly namedIn?: string;
  /** Object of an incident that holds the chosen options by the resource's key. Custom fields: the list has no filter for them. */
  readonly answeredIn?: string;
  /** Incidents use resources of the kind, and the interface has no list that says which. Incident roles and runbooks. */
  readonly incidentsUnknown?: true;
}

/** Translation between rows of the wire and fields of the files, where they differ. Each function is made once for a list. */
export interface Codec {
  /** Gives the fields of a live row in the words of the files. Default: the row's fields by name. */
  readonly decode?: (lookup: IdLookup, scope: string) => (row: Fields) => Fields;
  /** Gives the fields to send. Default: the fields by name. */
  readonly encode?: (lookup: IdLookup, scope: string) => (fields: Fields) => WireFields;
  /** Adds to declared fields the values that the service would delete, because it replaces a field as a whole. */
  readonly fillForReplace?: (
    lookup: ResourceLookup,
    scope: string,
  ) => (declared: Fields, live: Fields, row: Fields) => Fields;
  /** Wire fields of a response that hold a field, where they differ from `Field.wireNames`. */
  readonly responseFields?: Readonly<Record<string, readonly string[]>>;
  /** Body fields of a creation that name the parent. Grants: their path does not contain their agent. */
  readonly parentFields?: (lookup: IdLookup, scope: string) => WireFields;
}

/** The fields of a rule in a list whose first match decides. */
export interface RuleFields {
  /** A list; empty: the rule matches everything. */
  readonly conditions: string;
  /** False: the rule matches nothing. */
  readonly enabled: string;
  /** The outcome for alerts that the rule matches. */
  readonly effect: string;
}

/** Facts of one field. */
export interface Field {
  /** Wire names in responses; the first present counts. Default: the field's name. */
  readonly wireNames?: readonly string[];
  /** Default: exact equality. */
  readonly equals?: Equality;
  /** Members of the interface, for a value that may have any: others count where files have them. */
  readonly members?: readonly string[];
  /** The live value in one order, if the service's has no meaning. */
  readonly canonical?: (value: Json) => Json;
  /** Written by one of the two only: what POST ignores is patched in, what PATCH ignores cannot change. */
  readonly writtenBy?: "create" | "update";
  /** The field contains references: if the service does not return it, the resource's references are unknown. */
  readonly holdsReferences?: true;
  /** A list of options, matched by label. Its changes are sent in steps, so that no option is taken for another. */
  readonly optionList?: true;
  /** A list of references that limits the resource; an empty one does not. Grants: to environments. */
  readonly limits?: true;
  /** The most items that the service accepts in the list. */
  readonly mostItems?: number;
  /** The service refuses a new time that has passed, and drops the resource when it passes. Grants: they end. */
  readonly inFuture?: true;
  /** A list whose items are keys of the children's value maps. Catalog types: their attributes are the entries' values. */
  readonly keyedItems?: KeyedItems;
  /** Sent in every PATCH, because the service replaces it even when it is absent. Catalog entries: their attributes. */
  readonly alwaysSend?: true;
  /** Its members may be null, which empties them; in a list with sources, it takes away the value that a source makes. */
  readonly removableMembers?: true;
  /** Values that services are known to accept, for explanations and messages; they may accept others. */
  readonly knownValues?: (kinds: readonly Kind[]) => readonly string[];
  /** Sentences of its explanation that only the facts of the kind can tell. */
  readonly notes?: () => readonly string[];
  /** A change of it deserves a reviewer's attention. */
  readonly attention?: true;
  /** Its value may hold a password, so no digest of it leaves this machine. Webhooks: the address to send to. */
  readonly mayBeSecret?: true;
  /** The value that the service gives to a creation without the field. */
  readonly creationDefault?: Json;
  /** The value sent with a creation that does not declare the field; undefined: none. */
  readonly computedDefault?: (fields: Fields) => Json | undefined;
}

/** Items of a list that resources of a nested kind hold values of: an item in use cannot go. */
export interface KeyedItems {
  /** The key under which children hold their value of the item. */
  readonly keyOf: (item: Fields) => string;
  /** Fields that name it, that of the key first. */
  readonly names: readonly string[];
  /** The nested kind, and its field that maps keys to values. */
  readonly kind: string;
  readonly values: string;
  /** The item's field that lists the values it allows; a value in use cannot leave it. */
  readonly options?: string;
  /** The item as it must be while its values are removed from the children. */
  readonly optional: (item: Fields) => Fields;
  /** The item's field that never changes. A live value that only a newer service knows stays, whatever is declared. */
  readonly fixed?: { readonly name: string; readonly isKnown: (value: Json) => boolean };
}

/** Returns whether a live value equals the declared one. */
export type Equality = (live: Json, declared: Json) => boolean;

/** Keys of a declared resource that control how it is handled, and are not its fields. */
export const LIFECYCLE: readonly string[] = ["protected", "renamed_from", "extra"];

/** Wire field of the position in kinds that are ordered by it (interface, "Position"). */
export const POSITION = "position";

/** The kind whose key contains this kind in the files: its parent, or the kind itself. */
export function topKindOf({ name, parent }: Kind): string {
  return parent?.kind ?? name;
}

/** The resource that permissions name for a kind. */
export function permissionOf({ name, endpoint }: Kind): string {
  return endpoint.permission ?? name;
}

/** Wire fields of a row that hold a field. */
export function wireNamesOf(kind: Kind, name: string): readonly string[] {
  return kind.codec?.responseFields?.[name] ?? kind.fields?.[name]?.wireNames ?? [name];
}

/** Whether a kind has a single list of its own. */
export function hasOneList({ parent, scopes }: Kind): boolean {
  return parent === undefined && scopes === undefined;
}

/** The kind that a kind's lists belong to: its parent, or the kind of its scopes. Undefined: it has one list of its own. */
export function ownerKindOf(kind: Kind): string | undefined {
  return kind.parent?.kind ?? kind.scopes?.kind;
}

/** The kinds nested in a kind. */
export function childrenOf(kinds: Iterable<Kind>, kind: Pick<Kind, "name">): readonly Kind[] {
  return [...kinds].filter(({ parent }) => parent?.kind === kind.name);
}

/**
 * The kind of this name, in the plural or, as people also type it, in the singular: `severities`, `severity`, `api_key`. A last word that no
 * other kind has is enough: `rules`, `key`.
 */
export function kindCalled(kinds: readonly Kind[], word: string): Kind | undefined {
  const namesOf = ({ name, title }: Kind): readonly string[] => [
    name,
    title.replaceAll(" ", "_"),
    name.replace(/ies$/, "y").replace(/s$/, ""),
  ];
  const [short, ...others] = kinds.filter((kind) => namesOf(kind).some((name) => name.endsWith(`_${word}`)));
  return kinds.find((kind) => namesOf(kind).includes(word)) ?? (others.length === 0 ? short : undefined);
}
