/**
 * What to declare so that a run's changes are taken back: the live state as it is now, with what that run changed as it was
 * before, wherever nobody has changed it since. It becomes a plan like any other.
 */

import { equal, type Fields, isFields, isList, type Json } from "../core/json.ts";
import type { Kind } from "../kinds/kind.ts";
import { optionLabel } from "../kinds/option-label.ts";
import type { LiveResource } from "../kinds/resource.ts";
import type { ResolvedState } from "../match/resolved-state.ts";
import { equalField } from "../plan/diff/compare.ts";
import type { Change, FieldChange, Plan, Warning } from "../plan/plan.ts";
import type { RankedListSnapshot, ResourceSnapshot, RunSnapshot } from "../plan/snapshot.ts";

/** What is known of the run. */
export interface UndoneRun {
  readonly plan: Plan;
  readonly before: RunSnapshot;
  /** Ids of the operations that were carried out. */
  readonly done: ReadonlySet<string>;
  /** What its creations were answered with, by address. */
  readonly created: ReadonlyMap<string, Fields>;
}

/** An entry to declare. */
export interface DesiredResource {
  readonly kind: Kind;
  readonly scope: string;
  readonly key: string;
  readonly keyField: string;
  readonly fields: Fields;
  readonly pin?: string;
  readonly renamedFrom?: string;
}

/** What the inverse of a run asks for. */
export interface Inverse {
  /** Lists that it speaks about; what such a list does not name goes. */
  readonly managed: readonly { readonly kind: string; readonly scope: string }[];
  /** In the order of their lists. */
  readonly desired: readonly DesiredResource[];
  /** What cannot be taken back, or was changed by somebody since and stays. */
  readonly warnings: readonly Warning[];
}

/** Makes the inverse. `stated` gives what the files could state of a live entry. */
export function invertRun(undone: UndoneRun, live: ResolvedState, stated: (entry: LiveResource) => Fields): Inverse {
  const inverse = new Inverter(undone, live, stated);
  return inverse.make();
}

class Inverter {
  readonly #undone: UndoneRun;
  readonly #live: ResolvedState;
  readonly #stated: (entry: LiveResource) => Fields;
  readonly #warnings: Warning[] = [];
  /** Live entries that get other fields or another name than they have; undefined: they go. */
  readonly #changed = new Map<LiveResource, DesiredResource | undefined>();
  readonly #anew: { readonly picture: ResourceSnapshot; readonly wish: DesiredResource }[] = [];

  constructor(undone: UndoneRun, live: ResolvedState, stated: (entry: LiveResource) => Fields) {
    this.#undone = undone;
    this.#live = live;
    this.#stated = stated;
  }

  make(): Inverse {
    const changes = this.#undone.plan.changes.filter(({ operations }) => this.#wasDone(operations));
    const keyed = changes.filter(({ kind }) => this.#kind(kind).lifecycle.order !== "rank");
    for (const change of keyed) this.#takeBack(change);
    for (const change of keyed) this.#bringBack(change);
    this.#handBack(keyed);
    const lists = new Map<string, { readonly kind: string; readonly scope: string }>();
    for (const { kind, scope } of [...this.#changed.keys(), ...this.#anew.map(({ wish }) => wish)]) {
      lists.set(`${kind.name} ${scope}`, { kind: kind.name, scope });
    }
    for (const change of keyed)
      if (change.neighbours !== undefined) lists.set(`${change.kind} `, { kind: change.kind, scope: "" });
    const wishes = [...lists.values()].flatMap(({ kind, scope }) => this.#list(this.#kind(kind), scope, keyed));
    const ranks = this.#undone.before.ranks.flatMap((picture) => this.#ranked(picture) ?? []);
    return {
      managed: [...lists.values(), ...ranks.map(({ kind, scope }) => ({ kind: kind.name, scope }))],
      desired: [...wishes, ...ranks.flatMap(({ wishes: list }) => list)],
      warnings: this.#warnings,
    };
  }

  #wasDone(operations: readonly string[]): boolean {
    return operations.some((id) => this.#undone.done.has(id));
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
    if (found.length > 1) this.#warn(address, `${address} stays as it is: ${found.length} live entries have its name`);
    return found.length === 1 ? found[0] : undefined;
  }

  /** An entry that is there now: as it was before, or gone when the run made it. */
  #takeBack(change: Change): void {
    const { address } = change;
    const now = this.#find(change);
    if (now === undefined) {
      const along = this.#undone.plan.changes.some(({ cascades }) => cascades?.includes(address) === true);
      if (change.action !== "create" && change.action !== "delete" && !along && this.#named(change).length === 0)
        this.#warn(address, `${address} is gone since; it is not made again`);
      return;
    }
    if (change.action === "create") {
      const others = this.#changedSince(change, now);
      if (now.kind.lifecycle.permanent === true)
        this.#warn(address, `${address} stays: a ${now.kind.title} cannot be taken away`);
      else if (others.length === 0) this.#changed.set(now, undefined);
      else this.#warn(address, `${address} stays: somebody has changed its ${others.join(", ")} since it was made`);
      return;
    }
    const former = this.#picture(change, now);
    if (former === undefined) return;
    const fields = this.#fieldsBack(change, now, former);
    if (Object.keys(fields).length === 0) return;
    const wish = { ...this.#asIs(now), key: former.key, fields: { ...this.#asIs(now).fields, ...fields } };
    this.#changed.set(now, former.key === now.key ? wish : { ...wish, renamedFrom: now.key });
  }

  /** The picture of an entry; under its former name where the run gave it another. */
  #picture(change: Change, now: LiveResource): ResourceSnapshot | undefined {
    const renamed = change.fields.find(({ path }) => path === `/${now.keyField}`)?.before;
    return this.#undone.before.entries.find(
      ({ kind, scope, key, address }) =>
        kind === change.kind && (address === change.address || (scope === now.scope && key === renamed)),
    );
  }

  /** What a new entry has otherwise than the run gave it, or than the service gave it then. */
  #changedSince({ address, fields }: Change, now: LiveResource): readonly string[] {
    const told = this.#stated(now);
    const born = this.#undone.created.get(address) ?? {};
    const added = Object.keys(told).filter(
      (name) =>
        !fields.some(({ path }) => path === `/${name}`) &&
        born[name] !== undefined &&
        !equal(born[name] ?? null, now.row[name] ?? null),
    );
    const changed = fields.flatMap(({ path, after, secret }) => {
      const name = path.slice(1);
      const value = told[name];
      const same_ =
        value === undefined || secret === true || equalField(now.kind, name, value, this.#meant(now, name, after));
      return same_ ? [] : [name];
    });
    return [...changed, ...added];
  }

  /** A declared value with what the service keeps of the live one where it leaves something out. */
  #meant(live: LiveResource, name: string, after: Json): Json {
    return this.#live.listOf(live).fillForReplace({ [name]: after }, live.fields, live.row)[name] ?? after;
  }

  /** The fields that go back to what they were. */
  #fieldsBack(change: Change, now: LiveResource, former: ResourceSnapshot): Fields {
    const { kind, address } = now;
    const told = this.#stated(now);
    // A deletion that the service refused has disabled the entry.
    const disabling: readonly FieldChange[] =
      kind.lifecycle.disable !== undefined && change.action === "delete"
        ? [{ path: `/${kind.lifecycle.disable}`, before: true, after: false }]
        : [];
    const back: Record<string, Json> = {};
    for (const { path, after, secret } of [...change.fields, ...disabling]) {
      const name = path.slice(1);
      // Places are taken back by the order of the list.
      if (name === kind.lifecycle.order) continue;
      const [value, before] = [told[name], former.fields[name]];
      if (secret === true) {
        this.#warn(address, `${address}: its ${name} is secret and was not kept, so it stays as it is`);
      } else if (value === undefined || before === undefined) {
        this.#warn(address, `${address}: the service does not tell its ${name}, so it stays as it is`);
      } else if (equalField(kind, name, value, before)) {
      } else if (!equalField(kind, name, value, this.#meant(now, name, after))) {
        this.#warn(address, `${address}: somebody has changed its ${name} since, so it stays as it is`);
      } else if (!takesMark(name, after)) {
        back[name] = kind.fields?.[name]?.optionList === true ? this.#choicesBack(now, name, before, former) : before;
      }
    }
    return back;
  }

  /** Choices as they were; one that has another label now is named by it. */
  #choicesBack(now: LiveResource, name: string, before: Json, { choices = {} }: ResourceSnapshot): Json {
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

  /** Entries that the run took away, with what went along with them. */
  #bringBack(change: Change): void {
    const { action, address, cascades } = change;
    if (action !== "delete" || this.#named(change).length > 0) return;
    const gone = this.#undone.before.entries.filter(
      (entry) => entry.address === address || cascades?.includes(entry.address) === true,
    );
    for (const picture of gone) {
      const row = this.#kind(picture.kind);
      // It may have gone along with another one, and by a request of its own as well.
      if (this.#anew.some((other) => other.picture === picture)) continue;
      const missing = (row.lifecycle.required ?? []).filter((name) => picture.fields[name] === undefined);
      if (missing.length > 0) {
        this.#warn(
          picture.address,
          `${picture.address} is not made again: its ${missing.join(" and ")} ${missing.length === 1 ? "was" : "were"} not kept`,
        );
        continue;
      }
      if (row.lifecycle.secret?.field !== undefined) {
        this.#warn(
          picture.address,
          `${picture.address} is made anew: its token is another one, and whoever used the old one needs it`,
        );
      }
      const fields = Object.fromEntries(
        Object.entries(picture.fields).filter(
          ([name, value]) => value !== null && !(name === row.lifecycle.exclusive && value === false),
        ),
      );
      const { scope, key, keyField } = picture;
      this.#anew.push({ picture, wish: { kind: row, scope, key, keyField, fields } });
    }
  }

  /** A mark that went to another entry goes back to the one that had it. */
  #handBack(changes: readonly Change[]): void {
    const handed = changes.filter(({ fields }) => fields.some(({ path, after }) => takesMark(path.slice(1), after)));
    for (const change of handed) {
      const former = this.#undone.plan.derived.find(
        ({ path, address }) => path === "/default" && address.startsWith(`${change.kind}/`),
      );
      const now = this.#find(change);
      const back = former === undefined ? undefined : this.#find({ kind: change.kind, address: former.address });
      if (now === undefined || this.#stated(now).default !== true) continue;
      if (back === undefined) {
        this.#warn(change.address, `${change.address} stays the default: the one before it is gone, or there was none`);
        continue;
      }
      const wish = this.#changed.get(back) ?? this.#asIs(back);
      this.#changed.set(back, { ...wish, fields: { ...wish.fields, default: true } });
    }
  }

  /** A whole list as it is to be, in its order. */
  #list(kind: Kind, scope: string, changes: readonly Change[]): readonly DesiredResource[] {
    const stay = (this.#live.live(kind.name, scope) ?? []).filter((entry) => this.#staysAt(entry));
    const anew = this.#anew.filter(({ wish }) => wish.kind === kind && wish.scope === scope);
    if (kind.lifecycle.order !== "position")
      return [...stay.map((entry) => this.#wish(entry)), ...anew.map(({ wish }) => wish)];
    const moved = this.#moved(changes, stay);
    const order = stay
      .filter((entry) => !moved.some((other) => other.entry === entry))
      .map((entry) => ({ address: entry.address, wish: this.#wish(entry) }));
    const back = [
      ...moved.map(({ entry }) => ({ address: entry.address, wish: this.#wish(entry) })),
      ...anew.map(({ picture, wish }) => ({ address: picture.address, wish })),
    ];
    const before = this.#undone.before.orders.flatMap(({ addresses }) => addresses);
    const place = (address: string) => before.indexOf(address);
    for (const one of back.toSorted((left, right) => place(left.address) - place(right.address))) {
      const earlier = new Set(before.slice(0, Math.max(0, place(one.address))));
      order.splice(order.findLastIndex(({ address }) => earlier.has(address)) + 1, 0, one);
    }
    return order.map(({ wish }) => wish);
  }

  #staysAt(entry: LiveResource): boolean {
    return !this.#changed.has(entry) || this.#changed.get(entry) !== undefined;
  }

  /** Entries that the run moved and that still stand where it put them. */
  #moved(changes: readonly Change[], stay: readonly LiveResource[]): readonly { readonly entry: LiveResource }[] {
    return changes.flatMap(({ address, action, neighbours }) => {
      const at = stay.findIndex((entry) => entry.address === address);
      const entry = stay[at];
      if (neighbours === undefined || action === "create" || entry === undefined) return [];
      const holds = (neighbour: string | undefined, found: LiveResource | undefined) => neighbour === found?.key;
      if (holds(neighbours.before, stay[at - 1]) || holds(neighbours.after, stay[at + 1])) return [{ entry }];
      this.#warn(address, `${address} stays in its place: the list was changed around it since`);
      return [];
    });
  }

  #wish(entry: LiveResource): DesiredResource {
    return this.#changed.get(entry) ?? this.#asIs(entry);
  }

  /** What leaves an entry as it is. */
  #asIs({ kind, scope, key, keyField, fields, id }: LiveResource): DesiredResource {
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

  /** A ranked list as it was, when what is there now is what the run has left; a rule is its place, so it goes back whole. */
  #ranked({
    kind: name,
    scope,
    before,
    after,
  }: RankedListSnapshot): { kind: Kind; scope: string; wishes: readonly DesiredResource[] } | undefined {
    const kind = this.#kind(name);
    const now = (this.#live.live(name, scope) ?? []).map((entry) => this.#stated(entry));
    if (isSameList(kind, now, before)) return undefined;
    const changes = this.#undone.plan.changes.filter((change) => change.kind === name);
    const whole = changes.every(({ operations }) => operations.every((id) => this.#undone.done.has(id)));
    // A run that stopped half-way has left rules of both lists, and none of anybody else's.
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
    const wishes = before.map((fields, index) => ({ kind, scope, key: String(index + 1), keyField: "", fields }));
    return { kind, scope, wishes };
  }
}

/** A mark that only one entry can have is taken from this one by giving it to another. */
function takesMark(name: string, after: Json): boolean {
  return name === "default" && after === true;
}

function isSameList(kind: Kind, left: readonly Fields[], right: readonly Fields[]): boolean {
  return left.length === right.length && left.every((one, index) => isSameRule(kind, one, right[index] ?? {}));
}

/** Whether two rules are the same in all that the service keeps. */
function isSameRule(kind: Kind, left: Fields, right: Fields): boolean {
  const [one, other] = [withDefaults(kind, left), withDefaults(kind, right)];
  const ours = new Set(kind.identity.labels);
  const names = Object.keys({ ...one, ...other }).filter((name) => !ours.has(name));
  return names.every((name) => equalField(kind, name, one[name] ?? null, other[name] ?? null));
}

/** A rule with what the service derives where it says nothing. */
function withDefaults(kind: Kind, fields: Fields): Fields {
  const derived = Object.entries(kind.fields ?? {}).map(([name, field]) => [
    name,
    field.computedDefault?.(fields) ?? null,
  ]);
  return { ...Object.fromEntries(derived), ...fields };
}
