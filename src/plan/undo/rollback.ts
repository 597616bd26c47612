/**
 * Makes the configuration that undoes a run: the live state, with the former values of
 * what the run changed, except where somebody has changed the same since. It becomes a plan like any other.
 */

import type { Fields, Json } from "../../core/json.ts";
import { joinWords } from "../../core/suggest.ts";
import type { Kind } from "../../kinds/model/kind.ts";
import { addressOf, addressPrefix, type LiveResource } from "../../kinds/model/resource.ts";
import { isSameAnswer } from "../../kinds/values/same-answer.ts";
import { isSameField } from "../../kinds/values/same-field.ts";
import type { ResolvedState } from "../../workspace/match/resolved-state.ts";
import type { Change, FieldChange, Warning } from "../model/plan.ts";
import type { RankedListSnapshot, ResourceSnapshot } from "../model/snapshot.ts";
import { type DesiredResource, unchanged } from "./desired-resource.ts";
import {
  formerOptions,
  isLeftByRun,
  isMasked,
  isSameList,
  lossesOf,
  lostEmptyLists,
  lostFallback,
  recreatedFields,
  takesExclusive,
  unknownPart,
  withClearedMembers,
  withoutAdded,
} from "./former-values.ts";
import { RunResources, type UndoneRun } from "./identify.ts";

/** The configuration that undoes a run. */
export interface RolledBackRun {
  /** Lists that it manages; a plan removes what such a list omits. */
  readonly managed: readonly { readonly kind: string; readonly scope: string }[];
  /** Resources in the order of their lists. */
  readonly desired: readonly DesiredResource[];
  /** Addresses of resources that the run created and that are not desired. */
  readonly removed: readonly string[];
  /** Warnings about changes that cannot be undone, or that somebody has changed since. */
  readonly warnings: readonly Warning[];
}

/** Makes the configuration that undoes a run. `declarable` returns the fields of a live resource that files can hold. */
export function invertRun(
  undone: UndoneRun,
  live: ResolvedState,
  declarable: (resource: LiveResource) => Fields,
): RolledBackRun {
  const inverse = new Inverter(undone, live, declarable);
  return inverse.make();
}

class Inverter {
  readonly #run: UndoneRun;
  readonly #live: ResolvedState;
  readonly #resources: RunResources;
  readonly #declarable: (resource: LiveResource) => Fields;
  readonly #warnings: Warning[] = [];
  /** Live resources to change or rename; undefined: to remove. */
  readonly #changed = new Map<LiveResource, DesiredResource | undefined>();
  /** Live resources that an earlier undo has created again. */
  readonly #recreatedBefore = new Set<LiveResource>();
  readonly #recreated: { readonly snapshot: ResourceSnapshot; readonly desired: DesiredResource }[] = [];

  constructor(undone: UndoneRun, live: ResolvedState, declarable: (resource: LiveResource) => Fields) {
    this.#run = undone;
    this.#live = live;
    this.#resources = new RunResources(undone, live);
    this.#declarable = declarable;
  }

  make(): RolledBackRun {
    const changes = this.#run.plan.changes.filter(({ operations }) => this.#wasDone(operations));
    const keyed = changes.filter(({ kind }) => this.#kind(kind).lifecycle.order !== "rank");
    for (const change of keyed) this.#restore(change);
    for (const change of keyed) this.#recreate(change);
    this.#leaveOutOrphans();
    this.#returnExclusive(keyed);
    const lists = new Map<string, { readonly kind: string; readonly scope: string }>();
    for (const { kind, scope } of [...this.#changed.keys(), ...this.#recreated.map(({ desired }) => desired)]) {
      lists.set(`${kind.name} ${scope}`, { kind: kind.name, scope });
    }
    for (const change of keyed)
      if (change.neighbours !== undefined) lists.set(`${change.kind} `, { kind: change.kind, scope: "" });
    const desiredList = [...lists.values()].flatMap(({ kind, scope }) => this.#list(this.#kind(kind), scope, keyed));
    const ranks = this.#run.before.ranks.flatMap((snapshot) => this.#rankedList(snapshot) ?? []);
    return {
      managed: [...lists.values(), ...ranks.map(({ kind, scope }) => ({ kind: kind.name, scope }))],
      removed: [...this.#changed].flatMap(([{ address }, desired]) => (desired === undefined ? [address] : [])),
      desired: [...desiredList, ...ranks.flatMap(({ desiredList: list }) => list)],
      warnings: this.#warnings,
    };
  }

  #wasDone(operations: readonly string[]): boolean {
    return operations.some((id) => this.#run.done.has(id));
  }

  #kind(name: string): Kind {
    const kind = this.#live.kinds.get(name);
    if (kind === undefined) throw new Error(`there is no kind "${name}"`);
    return kind;
  }

  #warn(address: string, message: string): void {
    this.#warnings.push({ code: "W_UNDO", address, message });
  }

  #find(change: Change): LiveResource | undefined {
    if (this.#resources.isAmbiguous(change)) {
      const { length } = this.#resources.named(change);
      this.#warn(change.address, `${change.address} stays unchanged: ${length} live resources have its name`);
    }
    return this.#resources.live(change);
  }

  /** Restores a live resource, or removes it if the run created it. */
  #restore(change: Change): void {
    const { address } = change;
    const live = this.#find(change);
    const reason = this.#run.kept?.get(address);
    if (live === undefined) {
      const isCascaded = this.#run.plan.changes.some(({ cascades }) => cascades?.includes(address) === true);
      const isExpected = change.action !== "create" && change.action !== "delete" && !isCascaded;
      if (isExpected && !this.#resources.isAmbiguous(change))
        this.#warn(address, `${this.#resources.label(change)} no longer exists, and is not created again`);
      return;
    }
    if (reason !== undefined) {
      this.#warn(address, `${address} stays as it is: ${reason}`);
      return;
    }
    if (change.action === "create") {
      const others = this.#changedSince(change, live);
      if (live.kind.lifecycle.permanent === true)
        this.#warn(address, `${address} stays: a ${live.kind.title} cannot be removed`);
      else if (others.length === 0) this.#changed.set(live, undefined);
      else this.#warn(address, `${address} stays: somebody has changed its ${others.join(", ")} since it was created`);
      return;
    }
    const former = this.#resources.snapshot(change, live);
    if (former === undefined) return;
    const { kind, scope } = live;
    // Found by its id, it may have a name that somebody has given it since.
    const key = kind.identity.pin === undefined || live.address === change.address ? former.key : live.key;
    const fields = this.#formerFields(change, live, former, addressOf(kind, scope, key));
    if (Object.keys(fields).length === 0) return;
    const same = unchanged(live);
    const desired = { ...same, key, fields: { ...same.fields, ...fields } };
    this.#changed.set(live, key === live.key ? desired : { ...desired, renamedFrom: live.key });
  }

  /** Fields of a created resource that differ from what the run sent or the service returned then. */
  #changedSince(change: Change, live: LiveResource): readonly string[] {
    const { fields } = change;
    const current = this.#declarable(live);
    // Both without members that no file can have: these may be in some answers only.
    const created = this.#resources.createdFields(change, live, this.#declarable);
    const added = Object.keys(current).filter(
      (name) =>
        !fields.some(({ path }) => path === `/${name}`) &&
        created[name] !== undefined &&
        !isSameAnswer(created[name], current[name] ?? null),
    );
    const changed = fields.flatMap(({ path, after, secret }) => {
      const name = path.slice(1);
      const value = current[name];
      return value === undefined || secret === true || this.#isAsWritten(change, live, name, after) ? [] : [name];
    });
    return [...changed, ...added];
  }

  /** Whether a live field is as the run left it: as sent, with the parts that the files do not state, or as the service stored it. */
  #isAsWritten(change: Change, live: LiveResource, name: string, after: Json): boolean {
    const sent = this.#live.listOf(live).fillForReplace({ [name]: after }, live.fields, live.row)[name] ?? after;
    const value = this.#declarable(live)[name] ?? null;
    return isSameField(live.kind, name, value, sent) || this.#resources.isAsStored(change, name, live);
  }

  /** The fields to restore. `address`: that of the resource after the undo, as the plan shows it. */
  #formerFields(change: Change, live: LiveResource, former: ResourceSnapshot, address: string): Fields {
    const { kind } = live;
    const current = this.#declarable(live);
    // A refused removal has disabled the resource.
    const disabling: readonly Omit<FieldChange, "before">[] =
      kind.lifecycle.disable !== undefined && change.action === "delete"
        ? [{ path: `/${kind.lifecycle.disable}`, after: false }]
        : [];
    const formerValues: Record<string, Json> = {};
    for (const { path, after, secret } of [...change.fields, ...disabling]) {
      const name = path.slice(1);
      // The order of the list restores positions.
      if (name === kind.lifecycle.order) continue;
      const value = current[name];
      const before = withClearedMembers(kind, name, value, former.fields[name]);
      if (secret === true || isMasked(former.fields[name])) {
        this.#warn(address, `${address}: its ${name} is secret and was not recorded, so it stays unchanged`);
      } else if (value === undefined || before === undefined) {
        this.#warn(address, `${address}: the service does not return its ${name}, so it stays unchanged`);
      } else if (isSameField(kind, name, value, before)) {
        // It has its former value again.
      } else if (!this.#isAsWritten(change, live, name, after)) {
        this.#warn(address, `${address}: somebody has changed its ${name} since, so it stays unchanged`);
      } else if (!takesExclusive(kind, name, after)) {
        const { value: own, added } = withoutAdded(kind, name, before, { sent: after, live: value }, this.#live.kinds);
        formerValues[name] = kind.fields?.[name]?.optionList === true ? formerOptions(live, name, before, former) : own;
        if (added.length > 0)
          this.#warn(address, `${address}: ${joinWords(added)} in its ${name} is not sent, since the service adds it`);
      }
    }
    return formerValues;
  }

  /** Recreates a resource that the run removed, and those that the service removed with it. */
  #recreate(change: Change): void {
    const { action, address } = change;
    if (action !== "delete" || this.#resources.isAmbiguous(change) || this.#resources.live(change) !== undefined)
      return;
    for (const snapshot of this.#resources.deleted(change)) {
      const kind = this.#kind(snapshot.kind);
      // The service may have removed it with another resource, and the run by a request of its own.
      if (this.#recreated.some((other) => other.snapshot === snapshot)) continue;
      const { scope, key, keyField } = snapshot;
      const label = snapshot.address === address ? this.#resources.label(change) : snapshot.address;
      const fields = recreatedFields(kind, snapshot, this.#live.kinds);
      const again = this.#resources
        .recreations(change, fields, this.#declarable)
        .find((resource) => !this.#recreatedBefore.has(resource));
      if (again !== undefined) {
        this.#recreatedBefore.add(again);
        continue;
      }
      const missing = (kind.lifecycle.required ?? []).filter(
        (name) => snapshot.fields[name] === undefined || isMasked(snapshot.fields[name]),
      );
      const loss = `its ${missing.join(" and ")} ${missing.length === 1 ? "was" : "were"} not recorded`;
      const reason = missing.length > 0 ? loss : this.#run.kept?.get(snapshot.address);
      if (reason !== undefined) {
        this.#warn(snapshot.address, `${label} is not created again: ${reason}`);
        continue;
      }
      for (const loss of lossesOf(kind, snapshot, this.#live.kinds))
        this.#warn(snapshot.address, `${label} is created again ${loss}`);
      this.#warnings.push(...lostEmptyLists(snapshot, this.#run.before, this.#live));
      this.#recreated.push({ snapshot, desired: { kind, scope, key, keyField, fields } });
    }
  }

  /** Leaves out resources whose parent neither exists nor is created again. */
  #leaveOutOrphans(): void {
    for (const one of [...this.#recreated]) {
      const { kind, scope } = one.desired;
      if (kind.parent === undefined) continue;
      const parent = { kind: kind.parent.kind, address: addressOf(this.#kind(kind.parent.kind), "", scope) };
      const isCreated = this.#recreated.some(({ snapshot }) => snapshot.address === parent.address);
      if (isCreated || this.#resources.named(parent).length > 0) continue;
      this.#recreated.splice(this.#recreated.indexOf(one), 1);
      const { address } = one.snapshot;
      this.#warn(
        address,
        `${address} is not created again: ${parent.address} does not exist, and is not created again`,
      );
    }
  }

  /** Gives the exclusive field of a kind, such as `default`, back to the resource that had it. */
  #returnExclusive(changes: readonly Change[]): void {
    for (const change of changes) {
      const { exclusive } = this.#kind(change.kind).lifecycle;
      const isTaking = change.fields.some(({ path, after }) => path === `/${exclusive}` && after === true);
      if (exclusive === undefined || !isTaking) continue;
      const { derived } = this.#run.plan;
      const holder = derived.find(
        ({ path, address }) => path === `/${exclusive}` && address.startsWith(`${change.kind}/`),
      );
      // One that the run was to delete may be there still, disabled.
      const former =
        holder ??
        this.#run.before.entries.find(({ kind, fields }) => kind === change.kind && fields[exclusive] === true);
      const live = this.#resources.live(change);
      const back = former && this.#resources.named({ kind: change.kind, address: former.address })[0];
      const isKept = this.#run.kept?.has(change.address) === true;
      if (isKept || live === undefined || this.#declarable(live)[exclusive] !== true) continue;
      const isTaken = this.#recreated.some(
        ({ desired }) => desired.kind === live.kind && desired.fields[exclusive] === true,
      );
      if (isTaken) continue;
      if (back === undefined) {
        this.#warn(
          change.address,
          `${change.address} stays the ${exclusive}: the former one no longer exists, or there was none`,
        );
        continue;
      }
      const desired = this.#changed.get(back) ?? unchanged(back);
      this.#changed.set(back, { ...desired, fields: { ...desired.fields, [exclusive]: true } });
    }
  }

  /** A complete list of desired resources, in order. */
  #list(kind: Kind, scope: string, changes: readonly Change[]): readonly DesiredResource[] {
    const remaining = (this.#live.live(kind.name, scope) ?? []).filter((resource) => this.#stays(resource));
    const recreated = this.#recreated.filter(({ desired }) => desired.kind === kind && desired.scope === scope);
    if (kind.lifecycle.order !== "position")
      return [...remaining.map((resource) => this.#desired(resource)), ...recreated.map(({ desired }) => desired)];
    const moved = this.#moved(changes, this.#live.live(kind.name, scope) ?? []);
    const order = remaining
      .filter((resource) => !moved.includes(resource))
      .map((resource) => ({ address: resource.address, desired: this.#desired(resource) }));
    const inserted = [
      ...moved.map((resource) => ({ address: resource.address, desired: this.#desired(resource) })),
      ...recreated.map(({ snapshot, desired }) => ({ address: snapshot.address, desired })),
    ];
    const before = this.#run.before.orders.flatMap(({ addresses }) => addresses);
    const formerIndex = (address: string) => before.indexOf(address);
    for (const item of inserted) {
      const earlier = new Set(before.slice(0, Math.max(0, formerIndex(item.address))));
      order.splice(order.findLastIndex(({ address }) => earlier.has(address)) + 1, 0, item);
    }
    return order.map(({ desired }) => desired);
  }

  #stays(resource: LiveResource): boolean {
    return !this.#changed.has(resource) || this.#changed.get(resource) !== undefined;
  }

  /** Resources that the run moved, and that still have a neighbour that it gave them. */
  #moved(changes: readonly Change[], list: readonly LiveResource[]): readonly LiveResource[] {
    return changes.flatMap(({ address, action, neighbours }) => {
      const at = list.findIndex((resource) => resource.address === address);
      const resource = list[at];
      if (neighbours === undefined || action === "create" || resource === undefined) return [];
      const isNamed = (name: string | undefined, neighbour: LiveResource | undefined) => name === neighbour?.key;
      if (isNamed(neighbours.before, list[at - 1]) || isNamed(neighbours.after, list[at + 1])) return [resource];
      this.#warn(address, `${address} stays in its position: somebody has changed the list around it since`);
      return [];
    });
  }

  #desired(resource: LiveResource): DesiredResource {
    return this.#changed.get(resource) ?? unchanged(resource);
  }

  /** A former ranked list, if the current one is the run's result. It is restored as a whole, because rules are identified by position. */
  #rankedList({
    kind: name,
    scope,
    before,
    after,
    secrets = [],
  }: RankedListSnapshot): { kind: Kind; scope: string; desiredList: readonly DesiredResource[] } | undefined {
    const kind = this.#kind(name);
    const restoredScope = this.#restoredScope(kind, scope);
    const live = this.#live.live(name, scope) ?? [];
    const address = addressPrefix(kind, scope).slice(0, -1);
    const list = `the ${kind.title}s of ${scope === "" ? "the workspace" : scope}`;
    const unknown = unknownPart(kind, before);
    if (unknown !== undefined) {
      this.#warn(address, `${list} stay: ${unknown}`);
      return undefined;
    }
    const current = live.map((resource) => this.#declarable(resource));
    if (isSameList(kind, current, before)) return undefined;
    const changes = this.#run.plan.changes.filter((change) => change.kind === name);
    const isComplete = changes.every(({ operations }) => operations.every((id) => this.#run.done.has(id)));
    const isUntouched = (place: number, field: string) => {
      const own = changes.filter((change) => change.address === addressOf(kind, scope, String(place + 1)));
      return own.every(({ fields }) => fields.every(({ path }) => path !== `/${field}`));
    };
    const isStored = (rule: LiveResource) => (field: string) =>
      changes.some((change) => this.#resources.isAsStored(change, field, rule));
    const isOwnResult = isLeftByRun(kind, live, { before, after, isComplete, isUntouched, isStored }, (rule) =>
      this.#declarable(rule),
    );
    if (!isOwnResult) {
      this.#warn(address, `${list} stay: somebody has changed them since`);
      return undefined;
    }
    const loss = before.length === 0 ? lostFallback(kind, restoredScope, this.#live.configuration.settings) : undefined;
    if (loss !== undefined) this.#warn(`${name}/${restoredScope}`, loss);
    const same = { kind, scope: restoredScope, keyField: "" };
    const desiredList = before.map((fields, index) => ({
      ...{ ...same, key: String(index + 1), fields },
      ...(secrets[index] === undefined ? {} : { secrets: secrets[index] }),
    }));
    return { kind, scope: restoredScope, desiredList };
  }

  /** The name of a scope after the undo, which may rename the resource that is the scope. */
  #restoredScope({ scopes }: Kind, scope: string): string {
    const renamed = [...this.#changed].find(([live]) => live.kind.name === scopes?.kind && live.key === scope);
    return renamed?.[1]?.key ?? scope;
  }
}
