/**
 * What becomes of what the files do not list: deleted when nothing points at it, disabled otherwise, kept when it can be
 * neither.
 *
 * What points at an entry is known from the entries that remain after this plan, declared ones as declared, others as
 * they are, and from the incidents that were counted. Entries that go together do not hold each other. Where they could go in
 * no order, one of them lets go of the others first (`knots.ts`).
 */

import type { RemovalPolicy, Settings } from "../../config/settings/settings.ts";
import type { Fields } from "../../core/json.ts";
import type { Kind } from "../../kinds/kind.ts";
import type { Live } from "../../kinds/resource.ts";
import { isHeldBack } from "../../match/last-applied.ts";
import { mentions } from "../../match/references.ts";
import type { State } from "../../match/resolved-state.ts";
import { add, cascaded, entangled, type Release, Releases } from "./deletion-cycles.ts";
import { policyOf } from "./removal-policy.ts";

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
  const leave = new Departure(state, leaving, ways, staying);
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
  const stay = (live: Live) => {
    ways.set(live, live.kind.lifecycle.disable === undefined ? "keep" : "disable");
    releases.takeBack(live);
    leave.stays(live);
  };
  const held = pointedAt(leaving, pointers);
  for (;;) {
    const { untold } = leave;
    const asked = leaving.filter((live) => ways.get(live) === "delete");
    for (const live of asked) {
      if (decided(live)) continue;
      stay(live);
      // What stays holds what it points at.
      for (const address of [live.address, ...cascaded(state, live)]) asked.push(...(held.get(address) ?? []));
    }
    if (leave.untold !== untold) continue;
    const deleted = leaving.filter((live) => ways.get(live) === "delete");
    const knot = entangled(state, deleted, pointers);
    if (knot.length === 0) break;
    if (!releases.loosen(knot)) for (const live of knot) stay(live);
  }
  const all = new Set(leaving);
  return leaving.map((live) => {
    const way = ways.get(live) ?? "keep";
    const incidents = state.held(live) ?? 0;
    const counted = incidents > 0 ? [`${incidents} ${incidents === 1 ? "incident" : "incidents"}`] : [];
    const unread = way === "delete" ? [] : unknown(state, live, leave.untold);
    const release = releases.of(live);
    const along = way === "delete" ? releases.within(live, all) : [];
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
class Departure {
  readonly #state: State;
  readonly #staying: ReadonlyMap<string, Remaining>;
  readonly #going: Set<string>;
  /** Address → who takes it along. */
  readonly #followed = new Map<string, Set<Live>>();
  #untold: readonly Remaining[] | undefined;

  constructor(
    state: State,
    leaving: readonly Live[],
    ways: ReadonlyMap<Live, Removal["way"]>,
    staying: ReadonlyMap<string, Remaining>,
  ) {
    this.#state = state;
    this.#staying = staying;
    const deleted = leaving.filter((live) => ways.get(live) === "delete");
    this.#going = new Set(deleted.map(({ address }) => address));
    for (const live of deleted) {
      for (const address of cascaded(state, live)) {
        const others = this.#followed.get(address);
        if (others === undefined) this.#followed.set(address, new Set([live]));
        else others.add(live);
      }
    }
  }

  /** It was to go, and does not. */
  stays(live: Live): void {
    this.#going.delete(live.address);
    for (const address of cascaded(this.#state, live)) this.#followed.get(address)?.delete(live);
    if (this.#staying.get(live.address)?.untold === true) this.#untold = undefined;
  }

  /** Whether what points at an entry goes as well; what goes only with the entry itself holds it, where that can be disabled. */
  isGoing(address: string, held: Live): boolean {
    if (this.#going.has(address)) return true;
    const others = this.#followed.get(address) ?? new Set();
    return held.kind.lifecycle.disable === undefined ? others.size > 0 : others.size > (others.has(held) ? 1 : 0);
  }

  /** Entries that stay and may mention others in a field that nobody can read; the same list until another one stays. */
  get untold(): readonly Remaining[] {
    this.#untold ??= [...this.#staying].flatMap(([address, entry]) =>
      entry.untold && !this.#going.has(address) ? [entry] : [],
    );
    return this.#untold;
  }
}

/** Address of what points → entries that are to go and that it points at. */
function pointedAt(
  leaving: readonly Live[],
  pointers: ReadonlyMap<string, ReadonlySet<string>>,
): ReadonlyMap<string, readonly Live[]> {
  const found = new Map<string, Live[]>();
  for (const live of leaving) for (const address of pointers.get(live.address) ?? []) add(found, address, live);
  return found;
}

/** Whether it cannot be disabled, and the service would not delete it either. */
function isRefused(state: State, { kind, address }: Live): boolean {
  return kind.lifecycle.disable === undefined && isHeldBack(state.memory, address);
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
  const {
    lifecycle: { disable, permanent, builtins: { matches: builtin } = {} },
  } = live.kind;
  return (
    permanent !== true && builtin?.(live.row) !== true && !(disable !== undefined && live.fields[disable] === false)
  );
}

function wish(policy: RemovalPolicy, kind: Kind): Removal["way"] {
  if (policy === "disable") return kind.lifecycle.disable === undefined ? "keep" : "disable";
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
  const uncounted = live.kind.references?.countedBy !== undefined && state.held(live) === undefined;
  // Where the kind can be disabled, the service's refusal to delete is answer enough.
  const untold =
    live.kind.lifecycle.disable !== undefined
      ? []
      : staying
          .filter((other) => other.kind.references?.dependsOn?.includes(live.kind.name) === true)
          .map(({ kind }) => kind.name);
  return [...new Set([...state.unread(live.kind), ...untold, ...(uncounted ? ["incidents"] : [])])];
}
