/** The plan, as plain JSON: reports show it, `--out` saves it, and `apply` carries it out. Sealed, it has the shape of `plan --format json`. */

import { createHash } from "node:crypto";
import type { SourcePlace } from "../../core/diagnostic.ts";
import { canonicalUnordered, type Fields, type Json } from "../../core/json.ts";
import type { RecordedAlerts } from "./recorded-alerts.ts";

/** The action of a change on a resource. */
export type Action = "create" | "update" | "move" | "enable" | "disable" | "delete";

/** The care that a change needs from a reviewer. */
export type Risk = "safe" | "attention" | "destructive";

/** One field of a resource, before and after. `path` is a JSON Pointer into its fields. */
export interface FieldChange {
  readonly path: string;
  readonly before: Json;
  readonly after: Json;
  /** The values are masked. */
  readonly secret?: true;
  /** Renamed items of the list. Incidents that use one keep it. */
  readonly renamed?: readonly { readonly from: string; readonly to: string }[];
}

/** One changed resource, for people and policies. */
export interface Change {
  readonly address: string;
  /** The name of a rule in the configuration. The service knows a rule by its rank alone. */
  readonly label?: string;
  readonly kind: string;
  readonly action: Action;
  readonly fields: readonly FieldChange[];
  readonly reason: string;
  readonly risk: Risk;
  /** The reason for which a reviewer should look at the change first; absent for one that removes, exposes and reroutes nothing. */
  readonly attention?: string;
  /** With a base: "files" if the declaration differs from that of the base, "workspace" if the difference was there before. */
  readonly origin?: "files" | "workspace";
  /** Ids of its operations, in order. */
  readonly operations: readonly string[];
  /** The position of its declaration, relative to the configuration root; for a removal, that of the list that no longer declares it. */
  readonly source?: SourcePlace;
  /** For a moved or new resource of an ordered list: the resources before and after it in the planned order. */
  readonly neighbours?: { readonly before?: string; readonly after?: string };
  /** The rules whose alerts a changed rule may get now, and how many more there are; `unmatched`: also alerts that matched no rule. */
  readonly takes_over?: { readonly rules: readonly string[]; readonly more?: number; readonly unmatched?: true };
  /** The last values of a resource that is deleted, as files would declare them; masked where they may be secret. */
  readonly values?: Fields;
  /** Resources that the service deletes with this one. */
  readonly cascades?: readonly string[];
  /** The things that other systems can no longer call once the resource is removed. */
  readonly cuts_off?: readonly CutOff[];
}

/** Something that other systems call: the address of a source, the address that a webhook sends to, a token. */
export interface CutOff {
  /** The wire field of it; `token` for a token, by its beginning. */
  readonly what: string;
  /** Masked where it may be secret. */
  readonly value: string;
  /** The last use of a token; null if it was never used. Absent if the service does not tell. */
  readonly last_used_at?: string | null;
}

/** One request and its reason. Operations run in the order of the list, those of one `batch` side by side. */
export interface Operation {
  readonly id: string;
  readonly method: "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** Null for DELETE. Values that `inserts` fills in are `(known after apply)`. */
  readonly body: Fields | null;
  readonly address: string;
  readonly depends_on: readonly string[];
  /** Consecutive operations with the same number are independent of each other and may run at the same time. */
  readonly batch?: number;
  readonly why: string;
  /** Values that are filled in at run time. */
  readonly inserts?: readonly LateValue[];
  /** Sent with the admin token if there is one. */
  readonly admin?: true;
  /** The key of the object in a wrapped response. */
  readonly item: string;
  /** The slug that the response must have. */
  readonly expects?: { readonly slug: string };
  /** The field of the response that holds a one-time token, which goes to the token sink. */
  readonly reveals?: string;
  /** The paths to undo a creation whose token was lost, or that another run made as well. */
  readonly custody?: TokenStore;
  /** Sent instead if the service refuses this request with 422 because the resource is still referenced. */
  readonly fallback?: { readonly method: "PATCH"; readonly body: Fields };
  /** A phrase for the part that stays if the service refuses this request with 422: the run does not fail. */
  readonly retains?: string;
  readonly guard?: Precondition;
}

/**
 * The check right before a request is sent: the resource must be as it was when the plan was made, and a creation must find no resource of
 * its name. If the response is lost, the same rows are read again to find out what happened.
 */
export interface Precondition {
  /** The list, and the key of its array. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly list: string;
  readonly paginated?: true;
  /** The rows are the items of this list in the row with these fields: the tokens of one agent. Default: the rows of the list. */
  readonly within?: { readonly row: Fields; readonly list: string };
  /** The resource can be read by itself at the path of the operation. */
  readonly member?: true;
  /** Wire fields that tell rows apart. */
  readonly identity: readonly string[];
  /** Identity of the row to change or remove; absent for a creation, and for a resource that the plan creates. */
  readonly row?: Fields;
  /** Wire field → fingerprint of the value that the row must have. */
  readonly held?: Readonly<Record<string, string>>;
  /** Members below these fields that only a newer service knows, which may have any value: JSON Pointers into the row, `*` for every item. */
  readonly unknown?: readonly string[];
  /** A row with all the fields of any of these has the name of the resource. */
  readonly names?: readonly Fields[];
  /** Identities of rows that have the name and are other resources; without `names`, of all rows that existed. */
  readonly known?: readonly Fields[];
  /** Nothing is checked: the plan creates the resource itself, or the service refuses a second one of its name. */
  readonly unchecked?: true;
  /** Sent twice, it would create two resources. */
  readonly repeatable?: true;
  /** Field of the body → fields of a row that hold its value, where the names differ. */
  readonly told?: Readonly<Record<string, readonly string[]>>;
  /** Name that the body references → id that a row may return for it. */
  readonly ids?: Readonly<Record<string, string>>;
  /** Values of earlier responses. `at` begins with `/query`, or with `/ids` for one that may stay unknown. */
  readonly inserts?: readonly LateValue[];
}

/** Paths that revoke and issue tokens. `{id}` is the first field of `address` that the row has, `{prefix}` that of a token. */
export interface TokenStore {
  readonly address: readonly string[];
  /** Removes the resource and its tokens. */
  readonly remove: string;
  /** For a resource with several tokens: the paths that issue one and revoke one, and the field of a row that lists them. */
  readonly tokens?: { readonly rotate: string; readonly end: string; readonly list: string };
}

/** The fingerprint of a live value: the first 16 hex digits of the SHA-256 of its canonical text, with lists in one order. */
export function fingerprint(value: Json): string {
  return createHash("sha256").update(canonicalUnordered(value)).digest("hex").slice(0, 16);
}

/** A value that the plan does not hold: from the response of an earlier creation, or secret. */
export interface LateValue {
  /** JSON Pointer into `{path: [segment…], query, body}`: `/body/outcome/severity_id`, `/path/3`. */
  readonly at: string;
  readonly address: string;
  /** The field of the response to the creation, or for the name of a scope the update, of that address; the first that the response has. */
  readonly fields?: readonly string[];
  /** JSON Pointer into the declared fields, for a value from the environment. */
  readonly secret?: string;
  /** With `secret`: no file declares the value any more. The request sends what the resource has then, at this pointer into its row. */
  readonly kept?: true;
  /** With `secret`: the pin of the declared resource; several pinned resources may have one address. */
  readonly pin?: string;
}

/** A side effect in the service: shown, not counted as a change. */
export interface Derived {
  readonly address: string;
  readonly path: string;
  readonly before: Json;
  readonly after: Json;
  readonly reason: string;
}

/** A warning. It does not block the plan. */
export interface Warning {
  readonly code: string;
  readonly message: string;
  /** Commands of this program in the message, without the flags for the service and the files: reports add them. */
  readonly commands?: readonly string[];
  readonly address?: string;
  readonly source?: SourcePlace;
}

/** A creation that may be a removal under a new name: a resource, or an option of a field. */
export interface PossibleRename {
  readonly from: string;
  readonly to: string;
  /** In what the two agree, and what differs. */
  readonly because: string;
  /** The line that keeps what exists, and where to write it. */
  readonly edit: { readonly file: string; readonly line: number; readonly text: string };
  /** The name may have changed in the workspace instead: `pull` takes it into the files. */
  readonly pull?: true;
}

/** A declared field whose live value the service does not return. */
export interface Unreadable {
  readonly address: string;
  readonly path: string;
  readonly reason: string;
}

/** The summary of a ranked list's transition. */
export interface RankedTransition {
  /** The list: `routing_rules/workspace`. */
  readonly address: string;
  readonly kind: string;
  readonly added: number;
  readonly edited: number;
  readonly moved: number;
  readonly removed: number;
  readonly writes: number;
  /** Writes during which an alert may get neither its old nor its new outcome; 0 if there is no routing gap. */
  readonly window: number;
  /** Addresses of the rules that a routing gap affects. */
  readonly exposed: readonly string[];
  /**
   * The list loses its last rule, and from then on no rule matches its alerts: certainly, or unless the service falls back to the rules of
   * the workspace. Absent if it is known to fall back.
   */
  readonly unmatched_after?: "certain" | "unless_fallback";
  /** The rules of both lists with their positions, counted from 1; null if a rule is not in a list. */
  readonly order?: readonly { readonly name: string; readonly before: number | null; readonly after: number | null }[];
}

/** A reason for which `apply` refuses the plan, and the approval flag that permits it, if there is one. */
export interface Blocked {
  readonly code: string;
  readonly message: string;
  /** As in a warning. */
  readonly commands?: readonly string[];
  readonly addresses: readonly string[];
  readonly flag?: string;
}

/** Totals. `requests` counts the writes and the checks right before them. */
export interface Summary {
  readonly create: number;
  readonly update: number;
  readonly move: number;
  readonly enable: number;
  readonly disable: number;
  readonly delete: number;
  readonly unchanged: number;
  readonly operations: number;
  readonly requests: number;
  /** Accepted differences; absent in plans of earlier versions. */
  readonly accepted?: number;
  /** Ignored resources and fields; absent in plans of earlier versions. */
  readonly ignored?: number;
  /** Catalog entries of shared types that other systems or people made; absent if there are none. */
  readonly others?: number;
}

/** The number of changes of each action. */
export function actionCounts(changes: readonly Change[]): Readonly<Record<Action, number>> {
  const counts = { create: 0, update: 0, move: 0, enable: 0, disable: 0, delete: 0 };
  for (const { action } of changes) counts[action] += 1;
  return counts;
}

/** A difference that the plan leaves alone: accepted until a day, ignored by the settings, or made by others. */
export interface LeftAlone {
  readonly address: string;
  /** JSON Pointer to the field; absent for the whole resource. */
  readonly path?: string;
  /** Last day of an acceptance, in UTC. */
  readonly until?: string;
  /** Who accepted it. */
  readonly by?: string;
  readonly why?: string;
}

/** The configuration before the change, which says which differences are of the change. It decides about nothing in the plan. */
export interface PlanBase {
  /** The id of a commit, or the path of a directory as typed. */
  readonly revision: string;
  /** How it was found: `origin/main`, `the merge base with origin`. */
  readonly name?: string;
  /** With `--only-changed`: the addresses of resources whose declaration differs; one that ends with a slash stands for all below it. */
  readonly changed?: readonly string[];
}

/** A list, a resource or a field that the base declared and the files do not: it stays in the workspace as it is. */
export interface Released {
  /** The address of a resource, or of a list: `webhooks`, `routing_rules/sources/Datadog`. */
  readonly address: string;
  /** JSON Pointer to the field; absent for a list and a whole resource. */
  readonly path?: string;
  /** For a list: the number of its resources in the base. */
  readonly resources?: number;
  readonly because: string;
  /** The line of the files that would remove it; absent if nothing removes it. */
  readonly edit?: string;
  /** The file that declared it. */
  readonly file?: string;
}

/** Something live that the files do not manage, or that was not read because they do not. */
export interface Unmanaged {
  /** The address of a list, `webhooks`, or of a resource; the kind, if none of its several lists was read. */
  readonly address: string;
  readonly kind: string;
  /** JSON Pointer to a list in the resource; absent for a list of resources. */
  readonly path?: string;
  /** The number of resources, or with a path of items; both absent if the list was not read. */
  readonly resources?: number;
  readonly items?: number;
  /** The names of the first three. */
  readonly names?: readonly string[];
}

/** The state that a saved plan was made from. */
export interface Seal {
  readonly created_at: string;
  /** SHA-256 of the configuration tree. */
  readonly configuration: string;
  /** SHA-256 of every live row that was read for a decision. */
  readonly live: string;
  /** 32 hex digits over the configuration, the changes and the requests, to compare plans without their files. */
  readonly fingerprint: string;
  /** SHA-256 of the plan without `created_at`, `fingerprint` and `hash` of the seal. */
  readonly hash: string;
  /** In a saved plan: file → digest of its bytes, to name the files that have changed since. */
  readonly files?: Readonly<Record<string, string>>;
  /** In a saved plan: address of a live resource → `field:digest` for each field, to name what has changed since. */
  readonly rows?: Readonly<Record<string, string>>;
  /** In a saved plan: the environment variables that the files refer to. Absent if there are none. */
  readonly variables?: readonly string[];
}

/** The flag of a plan of resources whose declaration differs from that of the base. */
export const ONLY_CHANGED = "--only-changed";

/** The plan. */
export interface Plan {
  readonly format_version: 1;
  readonly tool: { readonly name: string; readonly version: string };
  readonly target: {
    readonly host: string;
    /** The environment in the settings; absent if none was chosen. */
    readonly environment?: string;
    readonly workspace: string | null;
  };
  /** The filter of a partial plan, as typed (`--kinds`, `--target`, `--exclude`, {@link ONLY_CHANGED}). */
  readonly partial?: readonly string[];
  /** The configuration before the change; absent if there is none. */
  readonly base?: PlanBase;
  /** Lists, resources and fields that are no longer managed, against the base; absent if there are none. */
  readonly released?: readonly Released[];
  /** Recorded alerts before and after the plan; absent if none were given. */
  readonly recorded_alerts?: RecordedAlerts;
  /** The run that the plan undoes; absent for a plan of the configuration. */
  readonly undoes?: string;
  /** The addresses of the resources whose tokens the plan replaces or revokes; absent for a plan of the configuration. */
  readonly rotates?: readonly string[];
  readonly summary: Summary;
  readonly changes: readonly Change[];
  readonly operations: readonly Operation[];
  /** The ranked lists that change. */
  readonly transitions?: readonly RankedTransition[];
  readonly derived: readonly Derived[];
  readonly warnings: readonly Warning[];
  /** Absent if there are none. */
  readonly renames?: readonly PossibleRename[];
  readonly unreadable: readonly Unreadable[];
  readonly blocked: readonly Blocked[];
  /** Accepted differences; absent in plans of earlier versions. */
  readonly accepted?: readonly LeftAlone[];
  /** The places that the settings ignore in the managed lists; absent in plans of earlier versions. */
  readonly ignored?: readonly LeftAlone[];
  /** Catalog entries that stay, because other systems or people made them in a type that has sources; absent if there are none. */
  readonly others?: readonly LeftAlone[];
  /** Absent if everything is managed, and in the plan of an undo. */
  readonly unmanaged?: readonly Unmanaged[];
  /** Digests take time, so only a sealed plan has them. */
  readonly seal: Pick<Seal, "created_at" | "configuration"> & Partial<Seal>;
}

/** A plan as it is printed as JSON, saved and recorded. */
export interface SealedPlan extends Plan {
  readonly seal: Seal;
}
