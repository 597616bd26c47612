/**
 * Makes the configuration that undoes a run: the live state, with the run's changes restored wherever nobody has changed the same
 * since. It becomes a plan like any other.
 */

import { equal, type Fields, isFields, isList, type Json } from "../core/json.ts";
import type { Kind } from "../kinds/kind.ts";
import { optionLabel } from "../kinds/option-label.ts";
import type { LiveResource } from "../kinds/resource.ts";
import type { ResolvedState } from "../match/resolved-state.ts";
import { equalField } from "../plan/diff/compare.ts";
import type { Change, FieldChange, Plan, Warning } from "../plan/plan.ts";
import type { RankedListSnapshot, ResourceSnapshot, RunSnapshot } from "../plan/snapshot.ts";

/** The run to undo. */
export interface UndoneRun {
  readonly plan: Plan;
  readonly before: RunSnapshot;
  /** Ids of the operations that were carried out. */
  readonly done: ReadonlySet<string>;
  /** Responses to its creates, by address. */
  readonly created: ReadonlyMap<string, Fields>;
}

/** A resource to declare. */
export interface DesiredResource {
  readonly kind: Kind;
  readonly scope: string;
  readonly key: string;
  readonly keyField: string;
  readonly fields: Fields;
  readonly pin?: string;
  readonly renamedFrom?: string;
}

/** The configuration that undoes a run. */
export interface Inverse {
  /** Lists that it manages; a plan removes what such a list omits. */
  readonly managed: readonly { readonly kind: string; readonly scope: string }[];
  /** Resources in the order of their lists. */
  readonly desired: readonly DesiredResource[];
  /** Warnings about changes that cannot be undone, or that somebody has changed since. */
  readonly warnings: readonly Warning[];
}

/** Makes the configuration that undoes a run. `declarable` returns the fields of a live resource that files can hold. */
export function invertRun(
  undone: UndoneRun,
  live: ResolvedState,
  declarable: (entry: LiveResource) => Fields,
): Inverse {
  const inverse = new Inverter(undone, live, declarable);
  return inverse.make();
}

class Inverter {
  readonly #run: UndoneRun;
  readonly #live: ResolvedState;
  readonly #declarable: (entry: LiveResource) => Fields;
  readonly #warnings: Warning[] = [];
  /** Live resources to change or rename; undefined: to remove. */
  readonly #changed = new Map<LiveResource, DesiredResource | undefined>();
  readonly #recreated: { readonly snapshot: ResourceSnapshot; readonly desired: DesiredResource }[] = [];

  constructor(undone: UndoneRun, live: ResolvedState, declarable: (entry: LiveResource) => Fields) {
    this.#run = undone;
    this.#live = live;
    this.#declarable = declarable;
  }

  make(): Inverse {
    const changes = this.#run.plan.changes.filter(({ operations }) => this.#wasDone(operations));
    const keyed = changes.filter(({ kind }) => this.#kind(kind).lifecycle.order !== "rank");
    for (const change of keyed) this.#restore(change);
    for (const change of keyed) this.#recreate(change);
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

  #named({ kind, address }: { readonly kind: string; readonly address: string }): readonly LiveResource[] {
    return this.#live.all(kind).filter((entry) => entry.address === address);
  }

  #find(entry: { readonly kind: string; readonly address: string }): LiveResource | undefined {
    const { address } = entry;
    const found = this.#named(entry);
    if (found.length > 1)
      this.#warn(address, `${address} stays unchanged: ${found.length} live resources have its name`);
    return found.length === 1 ? found[0] : undefined;
  }

  /** Restores a live resource, or removes it if the run created it. */
  #restore(change: Change): void {
    const { address } = change;
    const now = this.#find(change);
    if (now === undefined) {
      const along = this.#run.plan.changes.some(({ cascades }) => cascades?.includes(address) === true);
      if (change.action !== "create" && change.action !== "delete" && !along && this.#named(change).length === 0)
        this.#warn(address, `${address} no longer exists, and is not created again`);
      return;
    }
    if (change.action === "create") {
      const others = this.#changedSince(change, now);
      if (now.kind.lifecycle.permanent === true)
        this.#warn(address, `${address} stays: a ${now.kind.title} cannot be removed`);
      else if (others.length === 0) this.#changed.set(now, undefined);
      else this.#warn(address, `${address} stays: somebody has changed its ${others.join(", ")} since it was created`);
      return;
    }
    const former = this.#snapshot(change, now);
    if (former === undefined) return;
    const fields = this.#formerFields(change, now, former);
    if (Object.keys(fields).length === 0) return;
    const desired = { ...this.#unchanged(now), key: former.key, fields: { ...this.#unchanged(now).fields, ...fields } };
    this.#changed.set(now, former.key === now.key ? desired : { ...desired, renamedFrom: now.key });
  }

  /** The snapshot of a resource, by its former name if the run renamed it. */
  #snapshot(change: Change, now: LiveResource): ResourceSnapshot | undefined {
    const renamed = change.fields.find(({ path }) => path === `/${now.keyField}`)?.before;
    return this.#run.before.entries.find(
      ({ kind, scope, key, address }) =>
        kind === change.kind && (address === change.address || (scope === now.scope && key === renamed)),
    );
  }

  /** Fields of a created resource that differ from what the run sent or the service returned then. */
  #changedSince({ address, fields }: Change, now: LiveResource): readonly string[] {
    const current = this.#declarable(now);
    const created = this.#run.created.get(address) ?? {};
    const added = Object.keys(current).filter(
      (name) =>
        !fields.some(({ path }) => path === `/${name}`) &&
        created[name] !== undefined &&
        !equal(created[name] ?? null, now.row[name] ?? null),
    );
    const changed = fields.flatMap(({ path, after, secret }) => {
      const name = path.slice(1);
      const value = current[name];
      const isSame =
        value === undefined || secret === true || equalField(now.kind, name, value, this.#withLive(now, name, after));
      return isSame ? [] : [name];
    });
    return [...changed, ...added];
  }

  /** A declared value, completed with what the service keeps of the live one. */
  #withLive(live: LiveResource, name: string, after: Json): Json {
    return this.#live.listOf(live).fillForReplace({ [name]: after }, live.fields, live.row)[name] ?? after;
  }

  /** The fields to restore. */
  #formerFields(change: Change, now: LiveResource, former: ResourceSnapshot): Fields {
    const { kind, address } = now;
    const current = this.#declarable(now);
    // A refused removal has disabled the resource.
    const disabling: readonly FieldChange[] =
      kind.lifecycle.disable !== undefined && change.action === "delete"
        ? [{ path: `/${kind.lifecycle.disable}`, before: true, after: false }]
        : [];
    const back: Record<string, Json> = {};
    for (const { path, after, secret } of [...change.fields, ...disabling]) {
      const name = path.slice(1);
      // The order of the list restores positions.
      if (name === kind.lifecycle.order) continue;
      const [value, before] = [current[name], former.fields[name]];
      if (secret === true) {
        this.#warn(address, `${address}: its ${name} is secret and was not recorded, so it stays unchanged`);
      } else if (value === undefined || before === undefined) {
        this.#warn(address, `${address}: the service does not return its ${name}, so it stays unchanged`);
      } else if (equalField(kind, name, value, before)) {
      } else if (!equalField(kind, name, value, this.#withLive(now, name, after))) {
        this.#warn(address, `${address}: somebody has changed its ${name} since, so it stays unchanged`);
      } else if (!takesExclusive(kind, name, after)) {
        back[name] = kind.fields?.[name]?.optionList === true ? this.#formerOptions(now, name, before, former) : before;
      }
    }
    return back;
  }

  /** Former options; a renamed option refers to its current label. */
  #formerOptions(now: LiveResource, name: string, before: Json, { choices = {} }: ResourceSnapshot): Json {
    const rows = now.row[name];
    const labels = new Map(
      (isList(rows) ? rows.filter(isFields) : []).map((row) => [String(row.id), String(row.label)] as const),
    );
    const ids = choices[name] ?? {};
    return (isList(before) ? before : []).map((choice): Json => {
      const current = labels.get(ids[optionLabel(choice)] ?? "");
      return current === undefined || current === optionLabel(choice)
        ? choice
        : { label: optionLabel(choice), renamed_from: current };
    });
  }

  /** Recreates a resource that the run removed, and those that the service removed with it. */
  #recreate(change: Change): void {
    const { action, address, cascades } = change;
    if (action !== "delete" || this.#named(change).length > 0) return;
    const gone = this.#run.before.entries.filter(
      (entry) => entry.address === address || cascades?.includes(entry.address) === true,
    );
    for (const snapshot of gone) {
      const row = this.#kind(snapshot.kind);
      // The service may have removed it with another resource, and the run by a request of its own.
      if (this.#recreated.some((other) => other.snapshot === snapshot)) continue;
      const missing = (row.lifecycle.required ?? []).filter((name) => snapshot.fields[name] === undefined);
      if (missing.length > 0) {
        this.#warn(
          snapshot.address,
          `${snapshot.address} is not created again: its ${missing.join(" and ")} ${missing.length === 1 ? "was" : "were"} not recorded`,
        );
        continue;
      }
      if (row.lifecycle.secret?.field !== undefined) {
        this.#warn(
          snapshot.address,
          `${snapshot.address} is created again with a new token; replace the old one wherever it is used`,
        );
      }
      const fields = Object.fromEntries(
        Object.entries(snapshot.fields).filter(
          ([name, value]) => value !== null && !(name === row.lifecycle.exclusive && value === false),
        ),
      );
      const { scope, key, keyField } = snapshot;
      this.#recreated.push({ snapshot, desired: { kind: row, scope, key, keyField, fields } });
    }
  }

  /** Gives the exclusive field of a kind, such as `default`, back to the resource that had it. */
  #returnExclusive(changes: readonly Change[]): void {
    for (const change of changes) {
      const { exclusive } = this.#kind(change.kind).lifecycle;
      if (
        exclusive === undefined ||
        !change.fields.some(({ path, after }) => path === `/${exclusive}` && after === true)
      )
        continue;
      const former = this.#run.plan.derived.find(
        ({ path, address }) => path === `/${exclusive}` && address.startsWith(`${change.kind}/`),
      );
      const now = this.#find(change);
      const back = former === undefined ? undefined : this.#find({ kind: change.kind, address: former.address });
      if (now === undefined || this.#declarable(now)[exclusive] !== true) continue;
      if (back === undefined) {
        this.#warn(
          change.address,
          `${change.address} stays the ${exclusive}: the former one no longer exists, or there was none`,
        );
        continue;
      }
      const desired = this.#changed.get(back) ?? this.#unchanged(back);
      this.#changed.set(back, { ...desired, fields: { ...desired.fields, [exclusive]: true } });
    }
  }

  /** A complete list of desired resources, in order. */
  #list(kind: Kind, scope: string, changes: readonly Change[]): readonly DesiredResource[] {
    const stay = (this.#live.live(kind.name, scope) ?? []).filter((entry) => this.#stays(entry));
    const anew = this.#recreated.filter(({ desired }) => desired.kind === kind && desired.scope === scope);
    if (kind.lifecycle.order !== "position")
      return [...stay.map((entry) => this.#desired(entry)), ...anew.map(({ desired }) => desired)];
    const moved = this.#moved(changes, stay);
    const order = stay
      .filter((entry) => !moved.some((other) => other.entry === entry))
      .map((entry) => ({ address: entry.address, desired: this.#desired(entry) }));
    const back = [
      ...moved.map(({ entry }) => ({ address: entry.address, desired: this.#desired(entry) })),
      ...anew.map(({ snapshot, desired }) => ({ address: snapshot.address, desired })),
    ];
    const before = this.#run.before.orders.flatMap(({ addresses }) => addresses);
    const place = (address: string) => before.indexOf(address);
    for (const one of back.toSorted((left, right) => place(left.address) - place(right.address))) {
      const earlier = new Set(before.slice(0, Math.max(0, place(one.address))));
      order.splice(order.findLastIndex(({ address }) => earlier.has(address)) + 1, 0, one);
    }
    return order.map(({ desired }) => desired);
  }

  #stays(entry: LiveResource): boolean {
    return !this.#changed.has(entry) || this.#changed.get(entry) !== undefined;
  }

  /** Resources that the run moved and that are still where it put them. */
  #moved(changes: readonly Change[], stay: readonly LiveResource[]): readonly { readonly entry: LiveResource }[] {
    return changes.flatMap(({ address, action, neighbours }) => {
      const at = stay.findIndex((entry) => entry.address === address);
      const entry = stay[at];
      if (neighbours === undefined || action === "create" || entry === undefined) return [];
      const holds = (neighbour: string | undefined, found: LiveResource | undefined) => neighbour === found?.key;
      if (holds(neighbours.before, stay[at - 1]) || holds(neighbours.after, stay[at + 1])) return [{ entry }];
      this.#warn(address, `${address} stays in its position: somebody has changed the list around it since`);
      return [];
    });
  }

  #desired(entry: LiveResource): DesiredResource {
    return this.#changed.get(entry) ?? this.#unchanged(entry);
  }

  /** A desired resource that changes nothing. */
  #unchanged({ kind, scope, key, keyField, fields, id }: LiveResource): DesiredResource {
    const enabled = Object.entries(fields).filter(([name]) => name === kind.lifecycle.disable);
    return {
      kind,
      scope,
      key,
      keyField,
      fields: { [keyField]: key, ...Object.fromEntries(enabled) },
      ...(kind.identity.pin === undefined ? {} : { pin: id }),
    };
  }

  /** A former ranked list, if the current one is the run's result. A rule is identified by its position, so the list is restored completely. */
  #rankedList({
    kind: name,
    scope,
    before,
    after,
  }: RankedListSnapshot): { kind: Kind; scope: string; desiredList: readonly DesiredResource[] } | undefined {
    const kind = this.#kind(name);
    const now = (this.#live.live(name, scope) ?? []).map((entry) => this.#declarable(entry));
    if (isSameList(kind, now, before)) return undefined;
    const changes = this.#run.plan.changes.filter((change) => change.kind === name);
    const whole = changes.every(({ operations }) => operations.every((id) => this.#run.done.has(id)));
    // An interrupted run left rules of both lists, but no others.
    const own = whole
      ? isSameList(kind, now, after)
      : now.every((rule) => [...before, ...after].some((one) => isSameRule(kind, one, rule)));
    if (!own) {
      this.#warn(
        `${name}/${scope}`,
        `the ${kind.title}s of ${scope === "" ? "the workspace" : scope} stay: somebody has changed them since`,
      );
      return undefined;
    }
    const desiredList = before.map((fields, index) => ({ kind, scope, key: String(index + 1), keyField: "", fields }));
    return { kind, scope, desiredList };
  }
}

/** Whether the change gave the resource the field that only one resource of its kind can have: undoing it means giving it to another. */
function takesExclusive({ lifecycle }: Kind, name: string, after: Json): boolean {
  return name === lifecycle.exclusive && after === true;
}

function isSameList(kind: Kind, left: readonly Fields[], right: readonly Fields[]): boolean {
  return left.length === right.length && left.every((one, index) => isSameRule(kind, one, right[index] ?? {}));
}

/** Whether two rules are the same in every field that the service keeps. */
function isSameRule(kind: Kind, left: Fields, right: Fields): boolean {
  const [one, other] = [withDefaults(kind, left), withDefaults(kind, right)];
  const ours = new Set(kind.identity.labels);
  const names = Object.keys({ ...one, ...other }).filter((name) => !ours.has(name));
  return names.every((name) => equalField(kind, name, one[name] ?? null, other[name] ?? null));
}

/** A rule with the computed defaults of omitted fields. */
function withDefaults(kind: Kind, fields: Fields): Fields {
  const derived = Object.entries(kind.fields ?? {}).map(([name, field]) => [
    name,
    field.computedDefault?.(fields) ?? null,
  ]);
  return { ...Object.fromEntries(derived), ...fields };
}
