/**
 * The order of all requests: a referenced resource comes before those that reference it; removals come last, in the opposite order.
 * A cycle of new resources is broken by creating one of them without the fields that close it.
 */

import { addTo } from "../../core/lists.ts";
import type { Kind } from "../../kinds/model/kind.ts";
import type { Reference } from "../../kinds/model/lookup.ts";
import { addressOf, type LiveResource, listName } from "../../kinds/model/resource.ts";
import type { Match } from "../../workspace/match/match.ts";
import { type HidingResource, hiddenFields } from "../../workspace/match/reference-graph.ts";
import type { Draft, Step } from "../diff/step.ts";
import type { PlanContext } from "../model/context.ts";

/** The kinds, each after those that it may reference, otherwise in the given order. */
export function orderKinds(kinds: Iterable<Kind>): readonly Kind[] {
  const all = [...kinds];
  const order: Kind[] = [];
  const visit = (kind: Kind) => {
    if (order.includes(kind)) return;
    for (const other of all) {
      if (other !== kind && kind.references?.dependsOn?.includes(other.name) === true) visit(other);
    }
    order.push(kind);
  };
  for (const kind of all) visit(kind);
  return order;
}

/** Resources of one kind, each after those it references, and the references that have to wait because they close a cycle. */
export interface CreationOrder {
  readonly matches: readonly Match[];
  /** Address → JSON Pointers to references to a resource that comes later → its address. */
  readonly deferred: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

/** Orders the resources of one kind by their references to new resources of the same kind. */
export function orderCreations(context: PlanContext, matches: readonly Match[]): CreationOrder {
  const ordered = orderedBy(context, matches, () => true);
  const isRequired = ({ declared }: Match, pointer: string) =>
    context.state.listOf(declared).withoutReferences(declared.fields, [pointer]) === undefined;
  const isRequiredDeferred = ordered.matches.some((match) =>
    [...(ordered.deferred.get(match.declared.address)?.keys() ?? [])].some((pointer) => isRequired(match, pointer)),
  );
  if (!isRequiredDeferred) return ordered;
  // A resource that requires a reference comes after its target, whatever else has to wait.
  return orderedBy(context, orderedBy(context, matches, isRequired).matches, () => false);
}

/** The resources, each after the targets of its selected references. Other references to later resources are deferred. */
function orderedBy(
  { graph }: PlanContext,
  matches: readonly Match[],
  selects: (match: Match, pointer: string) => boolean,
): CreationOrder {
  const created = new Map(
    matches.flatMap((match) => (match.live === undefined ? [[match.declared.address, match]] : [])),
  );
  if (created.size === 0) return { matches, deferred: new Map() };
  const deferred = new Map<string, Map<string, string>>();
  const done = new Set<Match>();
  const open = new Set<Match>();
  function* targets(match: Match): Iterable<Match> {
    open.add(match);
    for (const { reference, address } of graph.referencesOf(match.declared)) {
      const other = created.get(address);
      if (other === undefined || done.has(other)) continue;
      if (open.has(other) || !selects(match, reference.at)) {
        const pointers = deferred.get(match.declared.address) ?? new Map<string, string>();
        deferred.set(match.declared.address, pointers.set(reference.at, address));
      } else yield other;
    }
    open.delete(match);
    done.add(match);
  }
  return { matches: inTopologicalOrder(matches, targets), deferred };
}

/** All requests in the order in which they run. `drafts` come kind by kind, in kind order. */
export function sequenceSteps(context: PlanContext, drafts: readonly Draft[]): readonly Step[] {
  linkSteps(context, drafts);
  const steps = drafts.flatMap((draft) => draft.steps);
  const changes = steps.filter(({ phase }) => phase === "change");
  // Stable: a step comes earlier only as far as another one needs it.
  return inTopologicalOrder([...changes, ...steps.toReversed()], ({ needs }) => needs);
}

/** The items in topological order: each once, after its predecessors. Without recursion, since chains may exceed the call stack. */
function inTopologicalOrder<Item>(
  items: readonly Item[],
  predecessors: (item: Item) => Iterable<Item>,
): readonly Item[] {
  const order: Item[] = [];
  const started = new Set<Item>();
  const path: { readonly item: Item; readonly rest: Iterator<Item> }[] = [];
  const begin = (item: Item): void => {
    if (started.has(item)) return;
    started.add(item);
    path.push({ item, rest: predecessors(item)[Symbol.iterator]() });
  };
  for (const item of items) {
    begin(item);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const next = top.rest.next();
      if (next.done !== true) begin(next.value);
      else {
        order.push(top.item);
        path.pop();
      }
    }
  }
  return order;
}

/** Records for each request which ones it needs. */
function linkSteps(context: PlanContext, drafts: readonly Draft[]): void {
  /** Requests that create, enable or rename a resource. */
  const creators = new Map<string, readonly Step[]>();
  /** Requests after which a resource has its declared options. */
  const optionSetters = new Map<string, readonly Step[]>();
  /** Requests that disable a resource as the files say: what it is given meanwhile would take effect until then. */
  const disablers = new Map<string, readonly Step[]>();
  for (const { change, steps, kind, declared, live } of drafts) {
    const changes = steps.filter(({ phase }) => phase === "change");
    const isRename = declared !== undefined && live !== undefined && declared.key !== live.key;
    if (change.action === "create" || change.action === "enable" || isRename)
      creators.set(change.address, changes.slice(0, 1));
    optionSetters.set(change.address, changes);
    const { disable = "" } = kind.lifecycle;
    if (declared !== undefined)
      disablers.set(
        change.address,
        steps.filter(({ sets }) => sets?.[disable] === false),
      );
  }
  for (const { kind, scope, declared, steps } of drafts) {
    const [first] = steps;
    if (first === undefined) continue;
    const parent = parentAddress(context, kind, scope);
    first.needs.push(...(creators.get(parent) ?? []));
    if (first.phase === "change") first.needs.push(...(disablers.get(parent) ?? []));
    if (declared === undefined) continue;
    for (const { reference, address } of context.graph.referencesOf(declared)) {
      const needed = (reference.option === undefined ? creators : optionSetters).get(address) ?? [];
      const sender = senderOf(steps, reference) ?? first;
      sender.needs.push(...needed.filter((step) => !steps.includes(step)));
    }
  }
  linkRemovals(context, drafts);
}

/** The address of a nested resource's parent; empty for others. */
function parentAddress({ state }: PlanContext, { parent }: Kind, scope: string): string {
  const kind = parent === undefined ? undefined : state.kinds.get(parent.kind);
  return kind === undefined ? "" : addressOf(kind, "", scope);
}

/** The request that sends a reference, or else the field that holds it. A reference that closes a cycle is not in the first request. */
function senderOf(steps: readonly Step[], { at }: Reference): Step | undefined {
  const [, field = "", key = ""] = at.split("/");
  const senders = steps.filter(({ body }) => body?.[field] !== undefined);
  return senders.find(({ body }) => Object.keys(body?.[field] ?? {}).includes(key)) ?? senders[0];
}

/** A removal needs that nothing references the resource or holds its values any more. */
function linkRemovals(context: PlanContext, drafts: readonly Draft[]): void {
  const released = releasingSteps(context, drafts);
  const lists = new Map<string, Draft[]>();
  const promoting = new Map<Kind, Step[]>();
  for (const draft of drafts) {
    addTo(lists, listName(draft.kind.name, draft.scope), draft);
    const [first] = draft.steps;
    if (first !== undefined && takesExclusive(draft)) addTo(promoting, draft.kind, first);
  }
  const hiding = hidingSteps(drafts);
  for (const { change, steps, kind, scope, live } of drafts) {
    const childSteps = stepsOfChildren(kind, live, lists);
    const childChanges = childSteps.filter(({ phase }) => phase === "change");
    for (const step of steps) {
      if (step.phase === "change") {
        // A detach comes only after nothing in the resource holds the values that it drops.
        if (change.action === "delete") step.needs.push(...childChanges);
        continue;
      }
      const { removesOptions } = step;
      const targets = removesOptions?.map((label) => targetOf(change.address, label)) ?? [change.address];
      const removes = change.action === "delete" || change.action === "disable" || removesOptions !== undefined;
      const needs = removes
        ? [
            ...targets.flatMap((target) => released.get(target) ?? []),
            ...hiding.flatMap(([resource, ending]) => (context.graph.mayHide(resource, kind, scope) ? [ending] : [])),
            ...(promoting.get(kind) ?? []),
          ]
        : childSteps;
      step.needs.push(...needs.filter((other) => !steps.includes(other) && !other.needs.includes(step)));
    }
  }
}

/**
 * The requests that end references which the service does not return: the deletion of their holder, or an update that replaces them. What
 * such a resource may reference goes only after them. No kind hides references to its own resources, so that none waits for its like.
 */
function hidingSteps(drafts: readonly Draft[]): readonly (readonly [resource: HidingResource, ending: Step])[] {
  return drafts.flatMap(({ kind, live, steps }) => {
    if (live === undefined) return [];
    const { unresolved = [] } = live;
    const hidden = hiddenFields(live);
    if (hidden.length === 0 && unresolved.length === 0) return [];
    const resource = { kind, hidesReferences: hidden.length > 0, unresolved };
    return steps.flatMap((step): readonly [HidingResource, Step][] =>
      step.method === "DELETE" || hidden.some((name) => step.sets?.[name] !== undefined) ? [[resource, step]] : [],
    );
  });
}

/** The address of a resource, or of one of its options. */
function targetOf(address: string, option: string | undefined): string {
  return option === undefined ? address : `${address} ${JSON.stringify(option)}`;
}

/**
 * Address of a resource or an option → the requests that remove a reference to it: updates and deletions of the referring resources. A
 * reference to an option is one to its resource too.
 */
function releasingSteps({ state, graph }: PlanContext, drafts: readonly Draft[]): ReadonlyMap<string, readonly Step[]> {
  const releasing = new Map<string, Step[]>();
  const targetsOf = (resource: Parameters<typeof graph.referencesOf>[0]) =>
    graph.referencesOf(resource).flatMap(({ reference: { option }, address }) => [address, targetOf(address, option)]);
  const deleted = new Set(drafts.flatMap(({ change, live }) => (change.action === "delete" ? (live ?? []) : [])));
  for (const { kind, scope, live, steps } of drafts) {
    if (live === undefined) continue;
    const children = (kind.references?.cascades ?? []).flatMap((name) => state.live(name, live.key) ?? []);
    const cascadedTargets = children.filter((resource) => !deleted.has(resource)).flatMap(targetsOf);
    let { fields } = live;
    let targets = new Set(targetsOf(live));
    for (const step of steps) {
      fields = { ...fields, ...step.sets };
      const isDeletion = step.method === "DELETE";
      const remaining = new Set(isDeletion ? [] : targetsOf({ kind, scope, fields }));
      const released = [...targets].filter((target) => !remaining.has(target));
      for (const target of new Set([...released, ...(isDeletion ? cascadedTargets : [])]))
        addTo(releasing, target, step);
      targets = remaining;
    }
  }
  return releasing;
}

/** Requests to children that hold values of a list's items. */
function stepsOfChildren(
  kind: Kind,
  live: LiveResource | undefined,
  lists: ReadonlyMap<string, readonly Draft[]>,
): readonly Step[] {
  if (live === undefined) return [];
  const children = new Set(Object.values(kind.fields ?? {}).flatMap(({ keyedItems }) => keyedItems?.kind ?? []));
  return [...children].flatMap((name) => lists.get(listName(name, live.key)) ?? []).flatMap(({ steps }) => steps);
}

/** Whether the exclusive field of the kind goes to this resource, such as the mark of the default. */
export function takesExclusive({ kind, change }: Draft): boolean {
  const { exclusive } = kind.lifecycle;
  return exclusive !== undefined && change.fields.some(({ path, after }) => path === `/${exclusive}` && after === true);
}
