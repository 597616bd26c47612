/** Requests with their numbers and positions: the operations of the plan. */

import type { Configuration } from "../../config/load/configuration.ts";
import type { Kind } from "../../kinds/kind.ts";
import type { State } from "../../match/resolved-state.ts";
import { LATER, type Step, settled } from "../diff/step.ts";
import type { Change, Derived, Guard, Operation } from "../plan.ts";
import { Places } from "./reorder.ts";

/** The ordered lists of a plan: as they are, and as they will stand. */
export interface Lists {
  readonly places: ReadonlyMap<Kind, Places>;
  readonly state: State;
  /** The change with the place it had, the place it gets and its neighbours there, where it is placed. */
  placed(change: Omit<Change, "operations">, steps: readonly Step[]): Omit<Change, "operations">;
}

/** Models every managed list that is ordered by position. */
export function ordered(state: State, configuration: Configuration, kinds: readonly Kind[]): Lists {
  const places = new Map<Kind, Places>();
  for (const kind of kinds) {
    if (kind.lifecycle.order !== "position" || !configuration.managed.some((managed) => managed.kind === kind.name))
      continue;
    const live = (state.live(kind.name) ?? []).map(({ address }) => address);
    const wanted = configuration.declared.filter((entry) => entry.kind === kind).map(({ address }) => address);
    places.set(kind, new Places(live, wanted));
  }
  const placed = (change: Omit<Change, "operations">, steps: readonly Step[]): Omit<Change, "operations"> => {
    const kind = steps.find((step) => step.placed === true)?.kind;
    const list = kind === undefined ? undefined : places.get(kind)?.list;
    if (kind === undefined || list === undefined) return change;
    const before = (state.live(kind.name) ?? []).findIndex(({ address }) => address === change.address);
    const after = list.indexOf(change.address);
    // An entry that others change sides with may come to stand where it stood.
    const position = { path: "/position", before: before < 0 ? null : before + 1, after: after + 1 };
    const fields = before === after ? change.fields : [...change.fields, position];
    return { ...change, fields, neighbours: neighbours(list, after) };
  };
  return { places, state, placed };
}

function neighbours(list: readonly string[], at: number): NonNullable<Change["neighbours"]> {
  const name = (index: number) => list[index]?.split("/").slice(1).join("/");
  const before = name(at - 1);
  const after = name(at + 1);
  return { ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
}

/** Numbers the requests in the order in which they run, and writes the position that holds at that moment. */
export function operations(
  steps: readonly Step[],
  lists: Lists,
  guards: ReadonlyMap<Step, Guard>,
  batches: ReadonlyMap<Step, number>,
): { readonly list: readonly Operation[]; readonly ids: ReadonlyMap<Step, string> } {
  const ids = new Map(steps.map((step, index) => [step, `op-${index + 1}`]));
  const list = steps.map((step): Operation => {
    const { body, inserts } = settled(step);
    const guard = guards.get(step);
    const batch = batches.get(step);
    const places = lists.places.get(step.kind);
    const position = step.placed === true ? places?.place(step.address) : undefined;
    if (step.method === "DELETE") places?.remove(step.address);
    const needs = new Set(step.needs.flatMap((need) => ids.get(need) ?? []));
    return {
      id: ids.get(step) ?? "",
      method: step.method,
      path: step.target.path.replace(encodeURIComponent(LATER), LATER),
      query: step.target.query,
      body: body === null || position === undefined ? body : { ...body, position },
      address: step.address,
      depends_on: [...needs].sort((left, right) => Number(left.slice(3)) - Number(right.slice(3))),
      ...(batch === undefined ? {} : { batch }),
      why: step.why,
      item: step.kind.endpoint.envelope.item,
      ...(inserts.length > 0 ? { inserts: inserts.slice() } : {}),
      ...(step.kind.endpoint.admin === true ? { admin: true as const } : {}),
      ...(step.expects === undefined ? {} : { expects: step.expects }),
      ...(step.reveals === undefined ? {} : { reveals: step.reveals }),
      ...(step.custody === undefined ? {} : { custody: step.custody }),
      ...(step.fallback === undefined ? {} : { fallback: step.fallback }),
      ...(step.retains === undefined ? {} : { retains: step.retains }),
      ...(guard === undefined ? {} : { guard }),
    };
  });
  return { list, ids };
}

/** What the service derives from positions, for every entry whose value changes; only where the plan writes to the list. */
export function derivedOrder(lists: Lists, steps: readonly Step[]): readonly Derived[] {
  return [...lists.places].flatMap(([kind, places]) => {
    const field = kind.lifecycle.derivedFromPosition;
    const written = steps.some((step) => step.kind === kind && (step.placed === true || step.method === "DELETE"));
    if (field === undefined || !written) return [];
    const live = new Map((lists.state.live(kind.name) ?? []).map((entry) => [entry.address, entry.row[field] ?? null]));
    return places.list.flatMap((address, index): readonly Derived[] => {
      const before = live.get(address) ?? null;
      const after = places.list.length - index;
      return before === after
        ? []
        : [{ address, path: `/${field}`, before, after, reason: `the ${field} follows the order` }];
    });
  });
}
