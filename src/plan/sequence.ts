/**
 * The order of all requests: what is mentioned before what mentions it, what takes away last and the other way round.
 * A circle of new entries is broken by creating one of them without the fields that close it.
 */

import type { Kind } from "../kinds/kind.ts";
import { addressOf } from "../kinds/resource.ts";
import type { Pair } from "./meet.ts";
import type { State } from "./state.ts";
import type { Draft, Step } from "./step.ts";

/** Kinds so that each comes after those it may mention; otherwise in the order given. */
export function kindOrder(kinds: readonly Kind[]): readonly Kind[] {
  const order: Kind[] = [];
  const visit = (kind: Kind) => {
    if (order.includes(kind)) return;
    for (const other of kinds) {
      if (other !== kind && kind.after?.includes(other.name) === true) visit(other);
    }
    order.push(kind);
  };
  for (const kind of kinds) visit(kind);
  return order;
}

/** Entries of one kind, each after those it mentions, and the fields that have to wait because they close a circle. */
export interface Arrangement {
  readonly pairs: readonly Pair[];
  /** Address → fields that mention an entry which comes later. */
  readonly deferred: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Arranges the entries of one kind by their mentions of new entries of the same kind. */
export function arrange(state: State, kind: Kind, pairs: readonly Pair[]): Arrangement {
  if (kind.after?.includes(kind.name) !== true) return { pairs, deferred: new Map() };
  const byAddress = new Map(pairs.map((pair) => [pair.declared.address, pair]));
  const deferred = new Map<string, Set<string>>();
  const order: Pair[] = [];
  const done = new Set<Pair>();
  const open = new Set<Pair>();
  const visit = (pair: Pair) => {
    if (done.has(pair)) return;
    open.add(pair);
    for (const reference of kind.references?.(pair.declared.fields, state, pair.declared.scope) ?? []) {
      if (reference.kind !== kind.name) continue;
      const other = byAddress.get(addressOf(kind, reference.scope, reference.key));
      if (other === undefined || other.live !== undefined || done.has(other)) continue;
      if (open.has(other)) {
        const fields = deferred.get(pair.declared.address) ?? new Set<string>();
        deferred.set(pair.declared.address, fields.add(reference.at.split("/")[1] ?? ""));
      } else visit(other);
    }
    open.delete(pair);
    done.add(pair);
    order.push(pair);
  };
  for (const pair of pairs) visit(pair);
  return { pairs: order, deferred };
}

/** All requests in the order in which they run. `drafts` come kind by kind, in kind order. */
export function sequence(state: State, drafts: readonly Draft[]): readonly Step[] {
  link(state, drafts);
  const early = drafts.flatMap(({ steps }) => steps.filter(({ late }) => !late));
  const late = drafts.flatMap(({ steps }) => steps.filter((step) => step.late)).reverse();
  return settle([...early, ...late]);
}

/** Stable: a step moves back only as far as something that it needs makes it. */
function settle(steps: readonly Step[]): readonly Step[] {
  const order: Step[] = [];
  const seen = new Set<Step>();
  const all = new Set(steps);
  const visit = (step: Step) => {
    if (seen.has(step)) return;
    seen.add(step);
    for (const need of step.needs) if (all.has(need)) visit(need);
    order.push(step);
  };
  for (const step of steps) visit(step);
  return order;
}

/** Says of each request what it needs: the entries it mentions, and, to take one away, that nothing mentions it any more. */
function link(state: State, drafts: readonly Draft[]): void {
  const makers = new Map<string, readonly Step[]>();
  /** Requests after which an entry offers the choices that it is declared to offer. */
  const offers = new Map<string, readonly Step[]>();
  for (const { change, steps } of drafts) {
    const early = steps.filter(({ late }) => !late);
    if (change.action === "create" || change.action === "enable") makers.set(change.address, early.slice(0, 1));
    offers.set(change.address, early);
  }
  const releases = new Map<string, Step[]>();
  for (const draft of drafts) {
    const { kind, scope, declared, live, steps, change } = draft;
    const circle = steps.length > 1 && change.action === "create";
    for (const reference of declared === undefined ? [] : (kind.references?.(declared.fields, state, scope) ?? [])) {
      const target = state.kinds.get(reference.kind);
      if (target === undefined) continue;
      const known = reference.choice === undefined ? makers : offers;
      const made = known.get(addressOf(target, reference.scope, reference.key)) ?? [];
      const user = circle && target === kind ? steps.at(-1) : steps[0];
      user?.needs.push(...made.filter((step) => !steps.includes(step)));
    }
    for (const reference of live === undefined ? [] : (kind.references?.(live.fields, state, scope) ?? [])) {
      const target = state.kinds.get(reference.kind);
      if (target === undefined) continue;
      const address = addressOf(target, reference.scope, reference.key);
      releases.set(address, [...(releases.get(address) ?? []), ...steps]);
    }
  }
  for (const { change, steps, kind } of drafts) {
    const successor =
      kind.fields?.default === undefined
        ? []
        : drafts.filter((other) => other.kind === kind && promotes(other)).flatMap((other) => other.steps.slice(0, 1));
    for (const step of steps) {
      if (step.late)
        step.needs.push(
          ...[...(releases.get(change.address) ?? []), ...successor].filter(
            (other) => !steps.includes(other) && !other.needs.includes(step),
          ),
        );
    }
  }
}

function promotes({ change, steps }: Draft): boolean {
  return steps.length > 0 && change.fields.some(({ path, after }) => path === "/default" && after === true);
}
