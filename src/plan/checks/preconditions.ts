/**
 * What is checked right before each request: that the entry is still what this plan was made from, as it is at that moment of
 * the plan, or that nobody has made it meanwhile. What earlier requests of the same plan change, directly or because the
 * service follows, is left out: a wrong check would refuse a right plan.
 */

import { equal, type Fields, isFields, isList, type Json } from "../../core/json.ts";
import { fill } from "../../core/route.ts";
import { type Kind, ownerKindOf } from "../../kinds/kind.ts";
import { Pending, type Reference, type Wire } from "../../kinds/lookup.ts";
import type { Declared, Live } from "../../kinds/resource.ts";
import { mentions } from "../../match/references.ts";
import type { State } from "../../match/resolved-state.ts";
import { type Draft, LATER, type Step } from "../diff/step.ts";
import { fingerprint, type Guard, type Insert } from "../plan.ts";

/** The guard of each request; `steps` in the order in which they run. */
export function preImages(state: State, steps: readonly Step[], drafts: readonly Draft[]): ReadonlyMap<Step, Guard> {
  const owner = new Map(drafts.flatMap((draft) => draft.steps.map((step) => [step, draft] as const)));
  const changed = new Changed(state);
  const made = new Map<Step, Guard>();
  const listed = new Map<string, Listed>();
  /** Where this plan has changed something already. */
  const begun = new Set<string>();
  for (const step of steps) {
    const draft = owner.get(step);
    if (draft === undefined) continue;
    const list = `${step.kind.name} ${draft.scope}`;
    const known = listed.get(list) ?? listOf(state, step.kind, draft.scope);
    listed.set(list, known);
    made.set(step, preImage(state, step, draft, known, changed, !begun.has(list)));
    changed.note(step, draft);
    begun.add(list);
  }
  return made;
}

function preImage(
  state: State,
  step: Step,
  draft: Draft,
  { list, identity, inserts }: Listed,
  changed: Changed,
  isFirst: boolean,
): Guard {
  const { kind } = step;
  const mentioned = step.body === null ? NOTHING_MENTIONED : idsIn(state, draft, step.body);
  const waiting = [...inserts, ...mentioned.inserts];
  // Named first, since what begins with another object gets a layout of its own in memory.
  return {
    path: list.path,
    query: list.query,
    list: list.list,
    ...(list.paginated === true ? { paginated: true as const } : {}),
    identity,
    ...(kind.lifecycle.order === "rank" ? ranked(state, step, draft, isFirst) : keyed(state, step, draft, changed)),
    ...(step.method === "POST" && kind.lifecycle.allowsDuplicates === true ? { repeatable: true as const } : {}),
    ...told(kind, step.body),
    ...(Object.keys(mentioned.ids).length > 0 ? { ids: mentioned.ids } : {}),
    ...(waiting.length > 0 ? { inserts: waiting } : {}),
  };
}

/** What the guards of a list share: where its entries are listed, what tells them apart, and what only an earlier creation tells. */
interface Listed {
  readonly list: Pick<Guard, "path" | "query" | "list" | "paginated">;
  readonly identity: readonly string[];
  readonly inserts: readonly Insert[];
}

function listOf(state: State, kind: Kind, scope: string): Listed {
  const parent = kind.parent === undefined ? scope : state.id(kind.parent.kind, scope);
  const target = fill(kind.endpoint.list, { scope, parent: parent instanceof Pending ? LATER : parent });
  const disabled = kind.lifecycle.disable === undefined ? {} : { include_disabled: "true" };
  const waiting = Object.keys(target.query).filter((name) => target.query[name] === LATER);
  return {
    list: {
      path: target.path,
      query: { ...target.query, ...disabled },
      list: kind.endpoint.envelope.list,
      ...(kind.endpoint.paginated === true ? { paginated: true as const } : {}),
    },
    identity: identityOf(kind),
    inserts:
      parent instanceof Pending
        ? waiting.map((name) => ({ at: `/query/${name}`, address: parent.address, fields: [parent.field] }))
        : [],
  };
}

function keyed(state: State, step: Step, draft: Draft, changed: Changed): Partial<Guard> {
  const { kind } = step;
  const { declared, live } = draft;
  if (live !== undefined) {
    const member = kind.endpoint.paginated === true || kind.endpoint.detail === true ? { member: true as const } : {};
    return { ...member, row: identity(kind, live.row), held: held(step, draft, live, changed) };
  }
  const names = declared === undefined ? [] : namesOf(kind, declared);
  const creates = step.method === "POST" || (kind.lifecycle.createByPatch !== undefined && draft.steps[0] === step);
  // Of a long list only the service can tell at once whether a name is taken, and it does.
  if (!creates || kind.endpoint.paginated === true) return { names, unchecked: true };
  const known = (state.live(kind.name, draft.scope) ?? [])
    .filter(({ row }) => names.some((name) => holds(row, name)))
    .map(({ row }) => identity(kind, row));
  return { names, ...(known.length > 0 ? { known } : {}) };
}

/** A rule is its place: it is told by its rank and by what it says. The first that is added finds the list as it was read. */
function ranked(state: State, step: Step, draft: Draft, isFirst: boolean): Partial<Guard> {
  const { kind, guard } = step;
  if (guard === undefined && step.method !== "POST") return { unchecked: true };
  if (guard === undefined) {
    const found = isFirst && isThere(state, kind, draft.scope) ? state.live(kind.name, draft.scope) : undefined;
    return found === undefined ? {} : { known: found.map(({ row }) => identity(kind, row)) };
  }
  const live = (state.live(kind.name, draft.scope) ?? []).find(({ id }) => id === guard.address);
  const row = identity(kind, { ...live?.row, ...guard.row });
  const rest = Object.entries(guard.row).filter(([name]) => row[name] === undefined);
  return { row, held: Object.fromEntries(rest.map(([name, value]) => [name, fingerprint(value)])) };
}

/** Whether what was read of a scope was read under its own name: what is new or newly named has nothing under it yet. */
function isThere(state: State, kind: Kind, scope: string): boolean {
  const parent = ownerKindOf(kind);
  return scope === "" || parent === undefined || state.live(parent)?.some(({ key }) => key === scope) === true;
}

/** Fields of the row that this plan was decided by, less what is secret or no longer what was read. */
function held(step: Step, { declared }: Draft, live: Live, changed: Changed): Readonly<Record<string, string>> {
  const { kind } = live;
  const always = [...kind.identity.keys, ...(kind.lifecycle.disable === undefined ? [] : [kind.lifecycle.disable])];
  const decided =
    declared === undefined
      ? Object.keys(kind.fields ?? {})
      : [...Object.keys(declared.fields), ...Object.keys(step.sets ?? {}), ...Object.keys(step.body ?? {})];
  const secret = new Set((declared?.secrets ?? []).map((pointer) => pointer.split("/")[1]));
  const skipped = new Set(["position", ...identityOf(kind)]);
  const names = [...new Set(changed.mentionedBy(live) ? always : [...always, "name", ...decided])]
    .filter((name) => !secret.has(name))
    .flatMap((name) => wires(kind, name))
    .filter((wire) => live.row[wire] !== undefined && !skipped.has(wire) && !changed.has(step, live, wire));
  return Object.fromEntries([...new Set(names)].map((wire) => [wire, fingerprint(live.row[wire] ?? null)]));
}

/** What earlier requests of the plan have made of the rows that were read. */
class Changed {
  readonly #state: State;
  /** By entry, as the request reaches it: wire fields that it has written. */
  readonly #written = new Map<string, Set<string>>();
  readonly #addresses = new Set<string>();
  /** Kinds of which another entry has become the default. */
  readonly #defaults = new Set<Kind>();
  /** Fields of nested entries that follow the list of the entry that they lie in. */
  readonly #following = new Map<string, string>();

  constructor(state: State) {
    this.#state = state;
  }

  note(step: Step, { kind, scope, declared, live }: Draft): void {
    const written = this.#written.get(reached(step)) ?? new Set<string>();
    for (const name of Object.keys(step.body ?? {})) for (const wire of wires(kind, name)) written.add(wire);
    this.#written.set(reached(step), written);
    this.#addresses.add(step.address);
    if (live !== undefined) this.#addresses.add(live.address);
    if (kind.parent !== undefined) this.#addresses.add(`${kind.parent.kind}/${scope}`);
    if (step.body?.default === true) this.#defaults.add(kind);
    for (const [name, { keyedItems: named }] of Object.entries(kind.fields ?? {})) {
      const key = declared?.key ?? live?.key ?? "";
      if (named !== undefined && step.body?.[name] !== undefined) {
        this.#following.set(`${named.kind} ${key}`, named.values);
      }
    }
  }

  has(step: Step, live: Live, wire: string): boolean {
    const { kind, scope } = live;
    const following = this.#following.get(`${kind.name} ${scope}`);
    return (
      this.#written.get(reached(step))?.has(wire) === true ||
      (this.#defaults.has(kind) && wires(kind, "default").includes(wire)) ||
      (following !== undefined && wires(kind, following).includes(wire))
    );
  }

  /** Whether the live entry mentions one that was changed: the service may tell the mention in other words now. */
  mentionedBy(live: Live): boolean {
    return mentions(this.#state, live).some(({ address }) => this.#addresses.has(address));
  }
}

/** What a request reaches: of a form the body says which field is meant. */
function reached({ kind, target, address }: Step): string {
  return kind.endpoint.keyInBody === true ? address : `${target.path} ${JSON.stringify(target.query)}`;
}

function wires(kind: Kind, name: string): readonly string[] {
  return kind.codec?.responseFields?.[name] ?? kind.fields?.[name]?.wireNames ?? [name];
}

function told(kind: Kind, body: Step["body"]): Pick<Guard, "told"> {
  const other = Object.keys(body ?? {})
    .map((name) => [name, wires(kind, name)] as const)
    .filter(([name, at]) => at.length !== 1 || at[0] !== name);
  return other.length === 0 ? {} : { told: Object.fromEntries(other) };
}

function identityOf(kind: Kind): readonly string[] {
  return kind.identity.identityFields ?? [...new Set(["id", ...kind.identity.idFields])];
}

function identity(kind: Kind, row: Fields): Fields {
  return Object.fromEntries(
    identityOf(kind).flatMap((name): readonly (readonly [string, Json])[] => {
      const value = row[name];
      return value === undefined || value === null ? [] : [[name, value]];
    }),
  );
}

function namesOf(kind: Kind, { keyField, key }: Declared): readonly Fields[] {
  if (kind.identity.matchesRow !== undefined) return kind.identity.matchesRow(keyField, key);
  return wires(kind, keyField).map((wire) => ({ [wire]: key }));
}

function holds(row: Fields, name: Fields): boolean {
  return Object.entries(name).every(([wire, value]) => equal(row[wire] ?? null, value));
}

interface Mentioned {
  readonly ids: Readonly<Record<string, string>>;
  readonly inserts: readonly Insert[];
}

const NOTHING_MENTIONED: Mentioned = { ids: {}, inserts: [] };

/** The ids of what a body mentions by name: some services tell those instead. */
function idsIn(state: State, { kind, scope, declared }: Draft, body: Wire): Mentioned {
  if (declared === undefined) return NOTHING_MENTIONED;
  const references = kind.references?.of?.(declared.fields, state, scope) ?? [];
  if (references.length === 0) return NOTHING_MENTIONED;
  const ids: Record<string, string> = {};
  const inserts: Insert[] = [];
  const said = textsIn(body);
  for (const reference of references) {
    const word = reference.option ?? reference.key;
    if (!said.has(word)) continue;
    const id = idOf(state, reference);
    if (id instanceof Pending) {
      ids[word] = LATER;
      const at = `/ids/${word.replaceAll("~", "~0").replaceAll("/", "~1")}`;
      inserts.push({ at, address: id.address, fields: [id.field] });
    } else if (id !== undefined && id !== word) ids[word] = id;
  }
  return { ids, inserts };
}

function idOf(state: State, { kind, scope, key, option: choice }: Reference): string | Pending | undefined {
  if (choice === undefined) return state.id(kind, key, scope);
  const row = (state.live(kind, scope) ?? []).find((live) => live.key === key)?.row ?? {};
  const options = Object.values(row).flatMap((value) => (isList(value) ? value.filter(isFields) : []));
  const id = options.find(({ label }) => label === choice)?.id;
  return typeof id === "string" ? id : undefined;
}

/** Every text in a body. */
function textsIn(value: Wire, found: Set<string> = new Set()): ReadonlySet<string> {
  if (typeof value === "string") found.add(value);
  else if (typeof value === "object" && value !== null) {
    for (const member of Object.values(value)) textsIn(member, found);
  }
  return found;
}
