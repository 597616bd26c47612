/**
 * Taking away what the files do not list: delete what nothing points at, disable the rest, keep what can be neither.
 *
 * What points at an entry is known from the entries that remain after this plan, declared ones as declared, others as
 * they are, and from the incidents that were counted. Entries that go together do not hold each other.
 */

import type { RemovalPolicy, Settings } from "../config/settings.ts";
import type { Fields } from "../json.ts";
import type { Kind } from "../kinds/kind.ts";
import { addressOf, type Live } from "../kinds/resource.ts";
import type { Change, Warning } from "./plan.ts";
import { policyOf } from "./policy.ts";
import type { State } from "./state.ts";
import { type Draft, memberTarget, type Step } from "./step.ts";

/** A live entry that the files do not list, and what is to become of it. */
export interface Removal {
  readonly live: Live;
  readonly way: "delete" | "disable" | "keep";
  /** Who points at it: addresses, and a count of incidents. */
  readonly held: readonly string[];
  /** What may point at it and could not be read. */
  readonly unread: readonly string[];
  readonly cascades: readonly string[];
}

/** Decides each removal. `remaining` are the fields of every entry that stays, by address. */
export function removals(
  settings: Settings,
  state: State,
  unlisted: readonly Live[],
  remaining: ReadonlyMap<string, Remaining>,
): readonly Removal[] {
  const leaving = unlisted.filter((live) => removable(live) && policyOf(settings, live.kind) !== "keep");
  const ways = new Map<Live, Removal["way"]>(
    leaving.map((live) => [live, wish(policyOf(settings, live.kind), live.kind)]),
  );
  const staying = new Map(remaining);
  for (const live of leaving) {
    const untold = Object.entries(live.kind.fields ?? {}).some(
      ([name, { mentions }]) => mentions === true && live.fields[name] === undefined,
    );
    staying.set(live.address, { kind: live.kind, scope: live.scope, fields: live.fields, untold });
  }
  const pointers = pointing(state, staying);
  const holders = (live: Live): readonly string[] => {
    const going = new Set(
      leaving
        .filter((other) => ways.get(other) === "delete")
        .flatMap((other) => [
          other.address,
          ...(other === live && live.kind.disable !== undefined ? [] : cascaded(state, other)),
        ]),
    );
    return [...(pointers.get(live.address) ?? [])].filter((address) => !going.has(address) && address !== live.address);
  };
  /** Entries that are there after this plan, as far as it is decided. */
  const left = (): readonly Remaining[] => {
    const going = new Set(leaving.filter((live) => ways.get(live) === "delete").map(({ address }) => address));
    return [...staying].flatMap(([address, entry]) => (going.has(address) ? [] : [entry]));
  };
  for (let changed = true; changed; ) {
    changed = false;
    for (const live of leaving) {
      if (ways.get(live) !== "delete" || policyOf(settings, live.kind) !== "disable_or_delete") continue;
      if (holders(live).length === 0 && (state.held(live) ?? 0) === 0 && unknown(state, live, left()).length === 0)
        continue;
      ways.set(live, live.kind.disable === undefined ? "keep" : "disable");
      changed = true;
    }
  }
  return leaving.map((live) => {
    const way = ways.get(live) ?? "keep";
    const incidents = state.held(live) ?? 0;
    const counted = incidents > 0 ? [`${incidents} ${incidents === 1 ? "incident" : "incidents"}`] : [];
    const unread = way === "delete" ? [] : unknown(state, live, left());
    return {
      live,
      way,
      held: [...holders(live), ...counted],
      unread,
      cascades: way === "delete" ? cascaded(state, live) : [],
    };
  });
}

/** An entry that stays. */
export interface Remaining {
  readonly kind: Kind;
  readonly scope: string;
  readonly fields: Fields;
  /** It may mention entries in a field that nobody can read. */
  readonly untold: boolean;
}

/** The draft of a removal; undefined, with a warning, when the entry has to stay. */
export function draftRemoval(
  removal: Removal,
  policy: RemovalPolicy,
): { readonly draft?: Draft; readonly warning?: Warning } {
  const { live, way } = removal;
  const kind = live.kind;
  const holding = holdingText(removal);
  const because = holding === "" ? "" : `; ${holding}`;
  if (way === "keep") {
    const message = `${live.address} is not in the files but stays: ${holding === "" ? "" : `${holding}, and `}a ${kind.title} cannot be disabled`;
    return { warning: { code: "W_RETAINED", address: live.address, message } };
  }
  const disabling = kind.disable === undefined ? undefined : { [kind.disable]: false };
  const base = {
    kind,
    address: live.address,
    late: true,
    needs: [],
    ...memberTarget(kind, live.scope, live, undefined),
  };
  const step: Step =
    way === "disable"
      ? { ...base, method: "PATCH", body: disabling ?? null, why: `retire the ${kind.title}${because}` }
      : {
          ...base,
          method: "DELETE",
          body: null,
          why: `remove the ${kind.title}`,
          ...(policy === "disable_or_delete" && disabling !== undefined
            ? { fallback: { method: "PATCH" as const, body: disabling } }
            : {}),
        };
  const change: Omit<Change, "operations"> = {
    address: live.address,
    kind: kind.name,
    action: way,
    fields: way === "disable" ? [{ path: `/${kind.disable}`, before: true, after: false }] : gone(live),
    reason: `not in the files${because}`,
    risk: way === "delete" ? "destructive" : "attention",
    ...(removal.cascades.length > 0 ? { cascades: removal.cascades } : {}),
  };
  return { draft: { change, kind, scope: live.scope, live, steps: [step] } };
}

/** Whether an entry could be taken away at all: not built in, not already retired, and not a row that always exists. */
function removable(live: Live): boolean {
  const { permanent, builtin, disable } = live.kind;
  return (
    permanent !== true && builtin?.(live.row) !== true && !(disable !== undefined && live.fields[disable] === false)
  );
}

/** Kinds, and incidents, that may point at the entry and could not be read. */
function unknown(state: State, live: Live, staying: readonly Remaining[]): readonly string[] {
  const uncounted = live.kind.countedBy !== undefined && state.held(live) === undefined;
  // Where the kind can be disabled, the service's refusal to delete is answer enough.
  const untold =
    live.kind.disable !== undefined
      ? []
      : staying
          .filter((other) => other.untold && other.kind.after?.includes(live.kind.name) === true)
          .map(({ kind }) => kind.name);
  return [...new Set([...state.unread(live.kind), ...untold, ...(uncounted ? ["incidents"] : [])])];
}

function wish(policy: RemovalPolicy, kind: Kind): Removal["way"] {
  if (policy === "disable") return kind.disable === undefined ? "keep" : "disable";
  return policy === "keep" ? "keep" : "delete";
}

/** Address → the addresses of entries that point at it. */
function pointing(state: State, staying: ReadonlyMap<string, Remaining>): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const [address, { kind, scope, fields }] of staying) {
    for (const reference of kind.references?.(fields, state, scope) ?? []) {
      const target = state.kinds.get(reference.kind);
      if (target === undefined) continue;
      const at = addressOf(target, reference.scope, reference.key);
      const set = found.get(at) ?? new Set<string>();
      found.set(at, set.add(address));
    }
  }
  return found;
}

/** What goes with an entry: the rows that lie in the scope it gives its name to. */
function cascaded(state: State, live: Live): readonly string[] {
  return (live.kind.cascades ?? []).flatMap((kind) => (state.live(kind, live.key) ?? []).map(({ address }) => address));
}

function gone(live: Live): Change["fields"] {
  return live.keyField !== "name" && typeof live.fields.name === "string"
    ? [{ path: "/name", before: live.fields.name, after: null }]
    : [];
}

/** Why an entry is not deleted, in words; empty when nothing holds it. */
function holdingText({ held, unread }: Removal): string {
  const known =
    held.length === 0
      ? []
      : [`${shortened(held)} ${held.length === 1 && !/^\d+ incidents/.test(held[0] ?? "") ? "points" : "point"} at it`];
  const open = unread.length === 0 ? [] : [`${shortened(unread)} could not be read and may point at it`];
  return [...known, ...open].join("; ");
}

function shortened(held: readonly string[]): string {
  return held.length <= 3 ? held.join(", ") : `${held.slice(0, 2).join(", ")} and ${held.length - 2} more`;
}
