/**
 * What becomes of what the files do not list: deleted when nothing points at it, disabled otherwise, kept when it can be
 * neither.
 *
 * What points at an entry is known from the entries that remain after this plan, declared ones as declared, others as
 * they are, and from the incidents that were counted. Entries that go together do not hold each other. Where they could go in
 * no order, one of them lets go of the others first (`knots.ts`).
 */

import type { RemovalPolicy, Settings } from "../config/settings.ts";
import type { Fields } from "../json.ts";
import type { Kind } from "../kinds/kind.ts";
import type { Live } from "../kinds/resource.ts";
import { add, cascaded, entangled, type Release, Releases } from "./knots.ts";
import { isHeldBack } from "./memory.ts";
import { mentions } from "./mentioned.ts";
import { policyOf } from "./policy.ts";
import type { State } from "./state.ts";

/** A live entry that the files do not list, and what is to become of it. */
export interface Removal {
  readonly live: Live;
  readonly way: "delete" | "disable" | "keep";
  /** Who points at it: addresses, and a count of incidents. */
  readonly held: readonly string[];
  /** What may point at it and could not be read. */
  readonly unread: readonly string[];
  readonly cascades: readonly string[];
  /** What is sent before it goes, so that it no longer mentions what goes as well. */
  readonly release?: Release;
  /** The same of entries that go along with it. */
  readonly along: readonly Release[];
  /** The service refused to delete it at the last apply. */
  readonly refused: boolean;
}

/** Decides each removal. `remaining` gives every entry as it will be if it stays, by address; it is asked only if something goes. */
export function removals(
  settings: Settings,
  state: State,
  unlisted: readonly Live[],
  remaining: () => ReadonlyMap<string, Remaining>,
): readonly Removal[] {
  const leaving = unlisted.filter((live) => removable(live) && policyOf(settings, live.kind) !== "keep");
  if (leaving.length === 0) return [];
  const ways = new Map<Live, Removal["way"]>(
    leaving.map((live) => [live, wish(policyOf(settings, live.kind), live.kind)]),
  );
  const staying = remaining();
  const pointers = pointing(state, staying);
  const releases = new Releases(state, pointers);
  let leave = departure(state, leaving, ways, staying);
  const holders = (live: Live): readonly string[] =>
    [...(pointers.get(live.address) ?? [])].filter(
      (address) => !leave.isGoing(address, live) && address !== live.address,
    );
  const decided = (live: Live) => {
    if (ways.get(live) !== "delete" || policyOf(settings, live.kind) !== "disable_or_delete") return true;
    if (isRefused(state, live)) return false;
    const incidents = state.held(live) ?? 0;
    return holders(live).length === 0 && incidents === 0 && unknown(state, live, leave.untold).length === 0;
  };
  for (;;) {
    const deleted = leaving.filter((live) => ways.get(live) === "delete");
    const undecided = deleted.filter((live) => !decided(live));
    const knot = entangled(state, deleted, pointers);
    if (undecided.length + knot.length === 0) break;
    const stay = undecided.length > 0 ? undecided : releases.loosen(knot) ? [] : knot;
    for (const live of stay) {
      ways.set(live, live.kind.disable === undefined ? "keep" : "disable");
      releases.takeBack(live);
    }
    leave = departure(state, leaving, ways, staying);
  }
  return leaving.map((live) => {
    const way = ways.get(live) ?? "keep";
    const incidents = state.held(live) ?? 0;
    const counted = incidents > 0 ? [`${incidents} ${incidents === 1 ? "incident" : "incidents"}`] : [];
    const unread = way === "delete" ? [] : unknown(state, live, leave.untold);
    const release = releases.of(live);
    const along = way === "delete" ? releases.within(live, new Set(leaving)) : [];
    return {
      live,
      way,
      held: [...holders(live), ...counted],
      unread,
      cascades: way === "delete" ? cascaded(state, live) : [],
      ...(release === undefined ? {} : { release }),
      along,
      refused: way === "keep" && isRefused(state, live),
    };
  });
}

/** What goes and what stays, as far as it is decided. */
interface Departure {
  /** Whether what points at an entry goes as well; what goes only with the entry itself holds it, where that can be disabled. */
  isGoing(address: string, held: Live): boolean;
  /** Entries that stay and may mention others in a field that nobody can read. */
  readonly untold: readonly Remaining[];
}

function departure(
  state: State,
  leaving: readonly Live[],
  ways: ReadonlyMap<Live, Removal["way"]>,
  staying: ReadonlyMap<string, Remaining>,
): Departure {
  const deleted = leaving.filter((live) => ways.get(live) === "delete");
  const going = new Set(deleted.map(({ address }) => address));
  const followed = new Map<string, Live[]>();
  for (const live of deleted) {
    for (const address of cascaded(state, live)) add(followed, address, live);
  }
  return {
    isGoing: (address, held) =>
      going.has(address) ||
      followed.get(address)?.some((other) => other !== held || held.kind.disable === undefined) === true,
    untold: [...staying].flatMap(([address, entry]) => (entry.untold && !going.has(address) ? [entry] : [])),
  };
}

/** Whether it cannot be disabled, and the service would not delete it either. */
function isRefused(state: State, { kind, address }: Live): boolean {
  return kind.disable === undefined && isHeldBack(state.memory, address);
}

/** An entry as it will be if it stays. */
export interface Remaining {
  readonly kind: Kind;
  readonly scope: string;
  readonly fields: Fields;
  /** It may mention entries in a field that nobody can read. */
  readonly untold: boolean;
}

/** Whether an entry could be taken away at all: not built in, not already retired, and not a row that always exists. */
function removable(live: Live): boolean {
  const { permanent, builtin, disable } = live.kind;
  return (
    permanent !== true && builtin?.(live.row) !== true && !(disable !== undefined && live.fields[disable] === false)
  );
}

function wish(policy: RemovalPolicy, kind: Kind): Removal["way"] {
  if (policy === "disable") return kind.disable === undefined ? "keep" : "disable";
  return policy === "keep" ? "keep" : "delete";
}

/** Address → the addresses of entries that point at it. */
function pointing(state: State, staying: ReadonlyMap<string, Remaining>): ReadonlyMap<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const [address, entry] of staying) {
    for (const mention of mentions(state, entry)) {
      const set = found.get(mention.address) ?? new Set<string>();
      found.set(mention.address, set.add(address));
    }
  }
  return found;
}

/** Kinds, and incidents, that may point at the entry and could not be read. */
function unknown(state: State, live: Live, staying: readonly Remaining[]): readonly string[] {
  const uncounted = live.kind.countedBy !== undefined && state.held(live) === undefined;
  // Where the kind can be disabled, the service's refusal to delete is answer enough.
  const untold =
    live.kind.disable !== undefined
      ? []
      : staying.filter((other) => other.kind.after?.includes(live.kind.name) === true).map(({ kind }) => kind.name);
  return [...new Set([...state.unread(live.kind), ...untold, ...(uncounted ? ["incidents"] : [])])];
}
