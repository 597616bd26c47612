/** The plan: plain JSON, the thing that is shown, saved, sealed and applied. Its shape is the contract of `plan --format json`. */

import { createHash } from "node:crypto";
import { canonicalUnordered, type Fields, type Json } from "../core/json.ts";

/** What happens to an entry. */
export type Action = "create" | "update" | "move" | "enable" | "disable" | "delete";

/** How much care a change needs from a reviewer. */
export type Risk = "safe" | "attention" | "destructive";

/** One field of an entry, before and after; the path is a JSON Pointer into the entry. */
export interface FieldChange {
  readonly path: string;
  readonly before: Json;
  readonly after: Json;
  /** The values are masked. */
  readonly secret?: true;
  /** Items of the list that get another name and stay what they are: incidents that hold one keep it. */
  readonly renamed?: readonly { readonly from: string; readonly to: string }[];
}

/** What differs in one entry, for people and for policy. */
export interface Change {
  readonly address: string;
  /** What the files call an entry that the service knows by its place alone. */
  readonly label?: string;
  readonly kind: string;
  readonly action: Action;
  readonly fields: readonly FieldChange[];
  readonly reason: string;
  readonly risk: Risk;
  /** Ids of the operations that bring it about, in order. */
  readonly operations: readonly string[];
  /** Where it is declared, relative to the configuration root; for what is not, the list that no longer names it. */
  readonly source?: { readonly file: string; readonly line: number; readonly column: number };
  /** For a moved or new entry of an ordered list: the entries before and after it in the planned order. */
  readonly neighbours?: { readonly before?: string; readonly after?: string };
  /** Entries that go with a deleted one. */
  readonly cascades?: readonly string[];
}

/** One request, and why. Operations run in the order of the list, those of one `batch` side by side. */
export interface Operation {
  readonly id: string;
  readonly method: "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** What is sent; null for DELETE. Places named by `inserts` hold `(known after apply)`. */
  readonly body: Fields | null;
  readonly address: string;
  readonly depends_on: readonly string[];
  /** Neighbours with the same number are independent of each other: they may be under way at the same time. */
  readonly batch?: number;
  readonly why: string;
  /** Values taken at run time from an earlier creation's answer. */
  readonly inserts?: readonly LateValue[];
  /** The admin token is used where there is one. */
  readonly admin?: true;
  /** Member key of a wrapped answer. */
  readonly item: string;
  /** The answer's slug must be this one. */
  readonly expects?: { readonly slug: string };
  /** Field of the answer that holds a one-time secret, to be given to the sink. */
  readonly reveals?: string;
  /** Of a creation that may have to be taken back: its token is in nobody's hands, or somebody made the same meanwhile. */
  readonly custody?: Custody;
  /** Sent instead when the service refuses this one with 422 because something points at the entry. */
  readonly fallback?: { readonly method: "PATCH"; readonly body: Fields };
  /** A refusal with 422 leaves the entry as it is and does not fail the run: a used option stays. */
  readonly retains?: string;
  readonly guard?: Precondition;
}

/**
 * What is read right before a request is sent, and what must be found then: the entry as it was when the plan was made, or
 * for a creation no entry of its name. When nobody knows how a request ended, the same is read again.
 */
export interface Precondition {
  /** The list, and the key of its array. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly list: string;
  readonly paginated?: true;
  /** The entry alone may be read at the operation's own path. */
  readonly member?: true;
  /** Wire fields that tell rows apart. */
  readonly identity: readonly string[];
  /** Identity of the row that is changed or removed; absent for a creation, and for an entry that the plan makes. */
  readonly row?: Fields;
  /** Wire field → fingerprint of the value that the row must hold. */
  readonly held?: Readonly<Record<string, string>>;
  /** A row that holds all members of any of these has the entry's name. */
  readonly names?: readonly Fields[];
  /** Identities of rows that have the name and are not meant; without names, of every row that there may be. */
  readonly known?: readonly Fields[];
  /** Nothing is checked before: the plan makes the entry itself, or the service refuses a second one of its name. */
  readonly unchecked?: true;
  /** Sent twice, it would make two entries. */
  readonly repeatable?: true;
  /** Field of the body → wire fields of a row that hold it, where not under its own name. */
  readonly told?: Readonly<Record<string, readonly string[]>>;
  /** What the body mentions by name → the id by which a row may tell it. */
  readonly ids?: Readonly<Record<string, string>>;
  /** Values told by an earlier creation; `at` begins with `/query` or, where it may also stay unknown, with `/ids`. */
  readonly inserts?: readonly LateValue[];
}

/** Paths by which tokens are ended and made; `{id}` is what the row tells under the first of `address`, `{prefix}` a token's. */
export interface Custody {
  readonly address: readonly string[];
  /** Removes the entry, and its tokens with it. */
  readonly remove: string;
  /** Where tokens of an entry come and go one by one: issues another, ends one, and the field of a row that lists them. */
  readonly tokens?: { readonly rotate: string; readonly end: string; readonly list: string };
}

/** What stands in a guard for a live value: the first 16 digits of the SHA-256 of its canonical text, sets in one order. */
export function fingerprint(value: Json): string {
  return createHash("sha256").update(canonicalUnordered(value)).digest("hex").slice(0, 16);
}

/** Puts a value into this request that the plan does not hold: told by an earlier creation, or secret. */
export interface LateValue {
  /** JSON Pointer into `{path: [segment…], query, body}`: `/body/outcome/severity_id`, `/path/3`. */
  readonly at: string;
  readonly address: string;
  /** The field of the answer to that address's creation; of several the first that the answer holds. */
  readonly fields?: readonly string[];
  /** JSON Pointer into the declared entry, for a value that came from the environment. */
  readonly secret?: string;
}

/** A side effect that the service brings about by itself: shown, never counted. */
export interface Derived {
  readonly address: string;
  readonly path: string;
  readonly before: Json;
  readonly after: Json;
  readonly reason: string;
}

/** Something to know before applying; it stops nothing. */
export interface Warning {
  readonly code: string;
  readonly message: string;
  readonly address?: string;
  readonly source?: { readonly file: string; readonly line: number; readonly column: number };
}

/** A declared field whose live value the service does not tell. */
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
  /** The rules of both lists with their positions, counted from 1; null if a rule is not in a list. */
  readonly order?: readonly { readonly name: string; readonly before: number | null; readonly after: number | null }[];
}

/** Why `apply` refuses this plan, and the flag that gives consent, if one does. */
export interface Blocked {
  readonly code: string;
  readonly message: string;
  readonly addresses: readonly string[];
  readonly flag?: string;
}

/** Totals; `requests` counts the writes and the checks made before them. */
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
}

/** What a saved plan is bound to. */
export interface Seal {
  readonly created_at: string;
  /** SHA-256 of the configuration tree. */
  readonly configuration: string;
  /** SHA-256 of every live row that was read for a decision. */
  readonly live: string;
  /** Over the files, the changes and the requests, for a run without the file of the plan: 32 hex digits. */
  readonly fingerprint: string;
  /** SHA-256 over all of the plan but the seal's own `created_at`, `fingerprint` and `hash`. */
  readonly hash: string;
}

/** The plan. */
export interface Plan {
  readonly format_version: 1;
  readonly tool: { readonly name: string; readonly version: string };
  readonly target: { readonly host: string; readonly workspace: string | null };
  /** What narrowed the plan (`--kinds`, `--target`, `--exclude`); absent for a whole one. */
  readonly partial?: readonly string[];
  /** The run whose changes it takes back; absent for a plan that was made from the files. */
  readonly undoes?: string;
  readonly summary: Summary;
  readonly changes: readonly Change[];
  readonly operations: readonly Operation[];
  /** Absent where no such list changes. */
  readonly transitions?: readonly RankedTransition[];
  readonly derived: readonly Derived[];
  readonly warnings: readonly Warning[];
  readonly unreadable: readonly Unreadable[];
  readonly blocked: readonly Blocked[];
  readonly seal: Seal;
}
