/** Turns steps in their order into the operations of the plan: with numbers, positions and preconditions. */

import type { Kind } from "../../kinds/model/kind.ts";
import type { ResolvedState } from "../../workspace/match/resolved-state.ts";
import { finishRequest, LATER, type Step } from "../diff/step.ts";
import type { Change, Derived, Operation, Precondition } from "../model/plan.ts";
import { PositionModel } from "./reorder.ts";

/** The lists of a plan that are ordered by position: as they are, and as they will be. */
export interface OrderedLists {
  readonly models: ReadonlyMap<Kind, PositionModel>;
  readonly state: ResolvedState;
}

/** Models every managed list that is ordered by position. */
export function modelOrder(state: ResolvedState): OrderedLists {
  const managed = new Set(state.configuration.managed.map(({ kind }) => kind));
  const models = new Map<Kind, PositionModel>();
  for (const kind of state.kinds.values()) {
    if (kind.lifecycle.order !== "position" || !managed.has(kind.name)) continue;
    models.set(kind, new PositionModel(liveOrder(state, kind), declaredOrder(state, kind)));
  }
  return { models, state };
}

/** Addresses of the live resources of a kind, in the service's order. */
export function liveOrder(state: ResolvedState, kind: Kind): readonly string[] {
  return (state.live(kind.name) ?? []).map(({ address }) => address);
}

/** Addresses of the declared resources of a kind, in declared order. */
export function declaredOrder(state: ResolvedState, kind: Kind): readonly string[] {
  return state.declaredIn(kind.name, "").map(({ address }) => address);
}

/** A change with its old and its new position and its new neighbours, if one of its steps positions it. */
export function withPosition(
  { models, state }: OrderedLists,
  change: Omit<Change, "operations">,
  steps: readonly Step[],
): Omit<Change, "operations"> {
  const kind = steps.find(({ positioned }) => positioned === true)?.kind;
  const list = kind === undefined ? undefined : models.get(kind)?.list;
  if (kind === undefined || list === undefined) return change;
  const before = liveOrder(state, kind).indexOf(change.address);
  const after = list.indexOf(change.address);
  // A resource whose neighbours change sides may come back to its own position.
  const position = { path: "/position", before: before < 0 ? null : before + 1, after: after + 1 };
  const fields = before === after ? change.fields : [...change.fields, position];
  return { ...change, fields, neighbours: neighboursAt(list, after) };
}

function neighboursAt(list: readonly string[], place: number): NonNullable<Change["neighbours"]> {
  const keyAt = (index: number) => list[index]?.split("/").slice(1).join("/");
  const before = keyAt(place - 1);
  const after = keyAt(place + 1);
  return { ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
}

/** The operations, and the id of each step's. Positions are those that are right when the request runs. */
export function toOperations(
  steps: readonly Step[],
  { models }: OrderedLists,
  preconditions: ReadonlyMap<Step, Precondition>,
  batches: ReadonlyMap<Step, number>,
): { readonly list: readonly Operation[]; readonly ids: ReadonlyMap<Step, string> } {
  const ids = new Map(steps.map((step, index) => [step, `op-${index + 1}`]));
  const list = steps.map((step): Operation => {
    const { kind } = step;
    const { body, inserts } = finishRequest(step);
    const guard = preconditions.get(step);
    const batch = batches.get(step);
    const model = models.get(kind);
    const position = step.positioned === true ? model?.place(step.address) : undefined;
    if (step.method === "DELETE") model?.remove(step.address);
    const retains = step.retains ?? (step.needs.some(isDeletion) ? step.removesItems : undefined);
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
      item: kind.endpoint.envelope.item,
      ...(inserts.length > 0 ? { inserts: inserts.slice() } : {}),
      ...(kind.endpoint.admin === true ? { admin: true as const } : {}),
      ...(step.expects === undefined ? {} : { expects: step.expects }),
      ...(step.reveals === undefined ? {} : { reveals: step.reveals }),
      ...(step.custody === undefined ? {} : { custody: step.custody }),
      ...(step.fallback === undefined ? {} : { fallback: step.fallback }),
      ...(retains === undefined ? {} : { retains }),
      ...(guard === undefined ? {} : { guard }),
    };
  });
  return { list, ids };
}

function isDeletion({ method }: Step): boolean {
  return method === "DELETE";
}

/** The fields that the service derives from positions, where they change and the plan writes to the list. */
export function derivedPositions({ models, state }: OrderedLists, steps: readonly Step[]): readonly Derived[] {
  return [...models].flatMap(([kind, { list }]) => {
    const field = kind.lifecycle.derivedFromPosition;
    const isWritten = steps.some(
      (step) => step.kind === kind && (step.positioned === true || step.method === "DELETE"),
    );
    if (field === undefined || !isWritten) return [];
    const live = new Map((state.live(kind.name) ?? []).map(({ address, row }) => [address, row[field] ?? null]));
    return list.flatMap((address, index): readonly Derived[] => {
      const before = live.get(address) ?? null;
      const after = list.length - index;
      if (before === after) return [];
      return [{ address, path: `/${field}`, before, after, reason: `${field} follows the order` }];
    });
  });
}
