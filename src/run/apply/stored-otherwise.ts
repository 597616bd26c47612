/** Finds out, from the responses of a run, which differences remain because the service stored something else than it was sent. */

import type { Configuration } from "../../config/resources/configuration.ts";
import type { DeclaredResource } from "../../config/resources/declared-resource.ts";
import { type Fields, isFields, isList, type Json, textIn } from "../../core/json.ts";
import { type Kind, wireNamesOf } from "../../kinds/model/kind.ts";
import { addressPrefix, kindOfAddress, type LiveResource, originOf } from "../../kinds/model/resource.ts";
import { agreesWith, isMask, mayShowValue } from "../../kinds/values/same-answer.ts";
import { equalField } from "../../kinds/values/same-field.ts";
import { isSameName } from "../../kinds/values/sameness.ts";
import type { StoredOtherwise } from "../../plan/checks/update-last-applied.ts";
import { type Change, type FieldChange, fingerprint, type Operation } from "../../plan/model/plan.ts";
import { idIn } from "../../plan/model/snapshot.ts";
import { differencesInPlace } from "../../plan/ranked/stored-rules.ts";
import { type LastAppliedHashes, storedInLists, wasStoredInList } from "../../workspace/match/last-applied.ts";
import type { ResolvedWorkspace } from "../../workspace/match/resolve.ts";
import { UnexpectedSlug } from "../exchange/failure.ts";
import { responseFieldsOf } from "../exchange/response-match.ts";
import type { Outcome, StoredFields } from "../journal/outcome.ts";

/** The configuration with the id of each resource that the service stored under another name than was sent: its name does not tell it. */
export function withCreatedIds(configuration: Configuration, outcomes: readonly Outcome[]): Configuration {
  const answered = new Map(
    outcomes.flatMap((outcome) => {
      const row = outcome.status === "done" ? (outcome.created ?? outcome.updated) : undefined;
      return row === undefined ? [] : [[outcome.operation.address, row] as const];
    }),
  );
  const pinned = configuration.declared.map((resource) => {
    const row = answered.get(resource.address);
    const name = row?.[resource.keyField];
    if (row === undefined || name === resource.key) return resource;
    const [id] = resource.kind.identity.pin === undefined ? [] : idIn(resource.kind, row);
    const { pin = id } = resource;
    // The lists in a scope are under its live name.
    const renamed = typeof name === "string" ? { renamedFrom: name } : {};
    return pin === undefined ? resource : { ...resource, pin, ...renamed };
  });
  return pinned.every((resource, at) => resource === configuration.declared[at])
    ? configuration
    : { ...configuration, declared: pinned };
}

/** The fields that the service stored otherwise than a run sent them, and the operations that they explain. */
export interface Explained {
  readonly stored: readonly StoredOtherwise[];
  /** The same, and those of rules that this run has not sent, and that the lock may know at other places. */
  readonly recorded: readonly StoredOtherwise[];
  /** Whether nothing but such fields makes a later plan write to an address. */
  readonly explains: (address: string) => boolean;
  /** Fingerprints of such fields that only reads after the run show, by the operation that sent them. */
  readonly later: ReadonlyMap<string, StoredFields>;
}

/** A field that the service stored otherwise, and the operation of which no response shows that. */
interface Found extends StoredOtherwise {
  readonly later?: { readonly operation: Operation; readonly stored: StoredFields } | undefined;
}

/**
 * The fields of those changes of which this run has sent every field, and whose live values are those with which the service answered, or
 * what it made of the sent ones later. The changes that were `applied` have the former values: one that is still there was not changed.
 */
export function storedOtherwise(
  changes: readonly Change[],
  outcomes: readonly Outcome[],
  applied: readonly Change[],
  { matching, state, hashes }: Pick<ResolvedWorkspace, "matching" | "state"> & { readonly hashes: LastAppliedHashes },
): Explained {
  const byAddress = new Map(
    changes.length === 0 ? [] : matching.existing().map(({ declared, live }) => [declared.address, live]),
  );
  const isRule = ({ kind }: Change) => state.kinds.get(kind)?.lifecycle.order === "rank";
  const ranked = changes.filter(isRule);
  const single = changes
    .filter((change) => !isRule(change))
    .flatMap(({ address, kind, fields }): readonly Found[] => {
      const live = byAddress.get(address) ?? state.all(kind).find((resource) => resource.address === address);
      const former = applied.find((change) => change.address === address)?.fields;
      const found = fields.flatMap((field) => findStored({ address, field }, live, outcomes, former));
      return found.length === fields.length ? found : [];
    });
  const known = storedInLists({ hashes, resend: false });
  // The rules of a list are recorded by their places: a plan may pair them otherwise.
  const lists = state.configuration.managed.flatMap(({ kind, scope }) => {
    const own = state.kinds.get(kind);
    const prefix = own === undefined ? "" : addressPrefix(own, scope);
    if (own?.lifecycle.order !== "rank") return [];
    const isOpen = ranked.some(({ address }) => isIn(address, prefix));
    const differences = differencesInPlace(state, { kind: own, scope }, hashes) ?? [];
    const found = differences.flatMap(({ address, live, field }) =>
      isOpen ? findStored({ address, field }, live, outcomes) : [],
    );
    const kept = differences.filter(
      ({ address, field }) => found.every((one) => one.field !== field) && wasStoredInList(known, address, field),
    );
    // A rule of a source that the service stored under another name has the address of that name.
    const live = new Set(state.live(kind, scope)?.map(({ address }) => address));
    const has = (address: string) => isIn(address, prefix) || live.has(address);
    return [{ found, kept, has, isWhole: found.length + kept.length === differences.length && differences.length > 0 }];
  });
  const all = [...single, ...lists.flatMap(({ found }) => found)];
  const addresses = new Set(single.map(({ address }) => address));
  const later = new Map<string, StoredFields>();
  for (const { later: one } of all)
    if (one !== undefined) later.set(one.operation.id, { ...later.get(one.operation.id), ...one.stored });
  return {
    stored: all,
    recorded: [...all, ...lists.flatMap(({ kept }) => kept)],
    explains: (address) => addresses.has(address) || lists.some(({ has, isWhole }) => isWhole && has(address)),
    later,
  };
}

/** Whether an address is that of a rule in the list with this prefix. */
function isIn(address: string, prefix: string): boolean {
  return address.startsWith(prefix) && !address.slice(prefix.length).includes("/");
}

/** The field, if it is one that the service stored otherwise. `former`: the change that the run made, for a resource with a name. */
function findStored(
  { address, field }: StoredOtherwise,
  live: LiveResource | undefined,
  outcomes: readonly Outcome[],
  former?: readonly FieldChange[],
): readonly Found[] {
  if (live === undefined) return [];
  if (isAnswered(address, field, live, outcomes)) {
    const isReturned = wireNamesOf(live.kind, field.path.slice(1)).some((wire) => live.row[wire] !== undefined);
    // Reads may leave out members that the response has, and an undo compares with what reads show.
    const later = readForm({ address, field }, live, outcomes);
    return [{ address, field, later, ...(isReturned ? {} : { unreturned: true as const }) }];
  }
  const later = madeLater({ address, field }, live, outcomes, former);
  return later === undefined ? [] : [{ address, field, later }];
}

/** Whether the run has sent the field of a resource, and the service answered with its live value. */
function isAnswered(address: string, { path }: FieldChange, live: LiveResource, outcomes: readonly Outcome[]): boolean {
  const name = path.slice(1);
  const own = outcomes.filter(({ operation }) => operation.address === address);
  // An earlier request may have sent a state between the two: its answer says nothing of a later one, which may have failed.
  const last = own.findLast(({ operation }) => name in (operation.body ?? {}));
  const telling = last === undefined ? own : [last];
  return telling.some((outcome) => outcome.status === "done" && shows(outcome, name, live));
}

/**
 * Tells whether the service has stored what was sent, and made another value of it by now: one that may show the sent one, and is not the
 * former one. Where the response to the creation does not have the field, any value is what the service stored.
 */
function madeLater(
  { address, field }: StoredOtherwise,
  live: LiveResource,
  outcomes: readonly Outcome[],
  former: readonly FieldChange[] = [],
): Found["later"] {
  const { path, before: shown, after: sent } = field;
  const name = path.slice(1);
  const own = outcomesOf({ address, field }, outcomes);
  const last = own.at(-1);
  const form = readForm({ address, field }, live, outcomes);
  if (last?.status !== "done" || form === undefined) return undefined;
  const { operation, created, updated } = last;
  const isRule = live.kind.lifecycle.order === "rank";
  const ofAddress = outcomes.filter((one) => one.operation.address === address);
  // A creation may take two requests. At the place of a new rule, another one may have been.
  const isNew = created !== undefined || (!isRule && ofAddress.some((one) => "created" in one));
  if (isRule) {
    // A rule is written as a whole, and what was at its place before is in the precondition.
    if (Object.entries(form.stored).some(([wire, value]) => operation.guard?.held?.[wire] === value)) return undefined;
  } else {
    const before = former.find((change) => change.path === path);
    // An earlier request may have sent what is live now, and the last one had no effect.
    const isOneValue = own.every(
      (outcome) =>
        sentIn(outcome, name) === sentIn(last, name) || isOnlyLike(shown, sent, outcome.operation.body?.[name]),
    );
    // A mask is the same for every value.
    const isAsBefore = !isNew && !isMask(shown) && fingerprint(before?.before ?? null) === fingerprint(shown);
    if (!isOneValue || before === undefined || isAsBefore) return undefined;
  }
  const wires = responseFieldsOf(name, operation.guard ?? {});
  // No former value is live then: reads do not return a member that is missing, and nobody else has filled in what is new. A member that only an
  // update after the creation has sent is missing as well where that was not carried out.
  const isCreated = !isRule && own.some((one) => "created" in one);
  const leeway = { mayLack: created !== undefined || isCreated || ofAddress.length === 1, mayFill: isNew && !isRule };
  const isUntold = created !== undefined && wires.every((wire) => created[wire] === undefined);
  const answer = created ?? updated ?? {};
  // The response may have a third value, which is not the former one: what was stored of the one that was sent.
  const isOfAnswer = wires.some((wire) => {
    const [stored, read] = [answer[wire] ?? null, live.row[wire] ?? null];
    return stored !== null && read !== null && mayShowValue(stored, read, leeway);
  });
  return isUntold || isOfAnswer || mayShowValue(sent, shown, leeway) ? form : undefined;
}

/** The value of a field in a read, null for none, with the operation that sent it last; undefined if that was not carried out, or of a secret. */
function readForm(found: StoredOtherwise, { row }: LiveResource, outcomes: readonly Outcome[]): Found["later"] {
  const last = outcomesOf(found, outcomes).at(-1);
  const { path, secret } = found.field;
  if (last?.status !== "done" || secret === true) return undefined;
  const { operation } = last;
  const wires = responseFieldsOf(path.slice(1), operation.guard ?? {});
  const shown = wires.filter((wire) => row[wire] !== undefined);
  const stored = (shown.length > 0 ? shown : wires).map((wire) => [wire, fingerprint(row[wire] ?? null)] as const);
  return { operation, stored: Object.fromEntries(stored) };
}

/** The outcomes of the operations that sent a field. */
function outcomesOf({ address, field }: StoredOtherwise, outcomes: readonly Outcome[]): readonly Outcome[] {
  const name = field.path.slice(1);
  return outcomes.filter(({ operation }) => operation.address === address && name in (operation.body ?? {}));
}

/** Whether a live name is a form of the name that was sent last, and not of another one that was sent before. */
function isOnlyLike(live: Json, last: Json, other: Json = null): boolean {
  if (typeof live !== "string" || typeof last !== "string" || typeof other !== "string") return false;
  return isSameName(live, last) && !isSameName(live, other);
}

function sentIn({ operation }: Outcome, name: string): string {
  return fingerprint(operation.body?.[name] ?? null);
}

/** The names and slugs under which the service stored resources, where they are not the declared ones. */
export function createdOtherwise(
  { declared }: Configuration,
  outcomes: readonly Outcome[],
): readonly StoredOtherwise[] {
  const byAddress = new Map(declared.map((resource) => [resource.address, resource]));
  return outcomes.flatMap((outcome): readonly StoredOtherwise[] => {
    const { address } = outcome.operation;
    const resource = byAddress.get(address);
    const { keyField = "", key = "" } = resource ?? {};
    const before = keyIn(outcome, keyField);
    return before === undefined || before === key || hasOriginOf(resource, outcome)
      ? []
      : [{ address, field: { path: `/${keyField}`, before, after: key } }];
  });
}

/** Whether the response has the origin of the resource, which tells it under any name. */
function hasOriginOf(resource: DeclaredResource | undefined, outcome: Outcome): boolean {
  const row = outcome.status === "done" ? (outcome.created ?? outcome.updated) : undefined;
  if (resource === undefined || row === undefined) return false;
  const origin = originOf(resource.kind, resource.fields);
  return origin !== undefined && originOf(resource.kind, row) === origin;
}

/** Addresses of what a run has enabled or disabled, also instead of a deletion → whether each is enabled now. */
export function switchedBy(outcomes: readonly Outcome[], kinds: readonly Kind[]): ReadonlyMap<string, boolean> {
  return new Map(
    outcomes.flatMap(({ status, operation: { address, body, fallback } }) => {
      const sent = status === "done" ? body : status === "fell_back" ? fallback?.body : undefined;
      const isOn = sent?.[kindOfAddress(address, kinds)?.lifecycle.disable ?? ""];
      return typeof isOn === "boolean" ? [[address, isOn] as const] : [];
    }),
  );
}

/** The key with which the service answered, if it did. */
function keyIn(outcome: Outcome, keyField: string): string | undefined {
  if (outcome.status === "failed" && outcome.error instanceof UnexpectedSlug) return outcome.error.actual;
  return outcome.status === "done" ? textIn((outcome.created ?? outcome.updated)?.[keyField]) : undefined;
}

/** Whether a response shows a value otherwise than it was sent: that of a creation has all that was stored. */
export function storesOtherwise(outcome: Extract<Outcome, { readonly status: "done" }>): boolean {
  return Object.keys(outcome.stored ?? {}).length > 0;
}

/**
 * Whether the response to an operation shows the live value of a field, which is not the one that was sent. Where no read returns the
 * field, though every resource of the kind has one, its value stays unknown.
 */
function shows(
  outcome: Extract<Outcome, { readonly status: "done" }>,
  name: string,
  { kind, row }: LiveResource,
): boolean {
  const { stored = {} } = outcome;
  const wires = responseFieldsOf(name, outcome.operation.guard ?? {});
  const isReturned = wires.some((wire) => row[wire] !== undefined);
  if (!isReturned) return name in (outcome.operation.body ?? {});
  const { created, updated } = outcome;
  const answer = created ?? updated ?? {};
  const isShown = (wire: string): boolean => {
    const [own, read] = [ofSent(outcome.operation.body?.[name], answer[wire]), row[wire]];
    return (
      (stored[wire] !== undefined && answersOf(read ?? null).includes(stored[wire])) ||
      agreesWith(own, read) ||
      (own !== undefined && read !== undefined && equalField(kind, name, read, own))
    );
  };
  // A field may be in several members, of which one was as it is by chance.
  const isOther = (wire: string): boolean => row[wire] !== undefined && answer[wire] !== undefined && !isShown(wire);
  return wires.some((wire) => stored[wire] !== undefined && isShown(wire)) && !wires.some(isOther);
}

/** An answer without members that nobody sent, such as places of items: reads may have others. */
function ofSent(sent: Json | undefined, answer: Json | undefined): Json | undefined {
  if (isList(sent) && isList(answer) && sent.length === answer.length) {
    // The answer may have the items in another order.
    const ofAll: Fields = Object.assign({}, ...sent.filter(isFields));
    return answer.map((item, at) => ofSent(isFields(sent[at]) ? { ...ofAll, ...sent[at] } : sent[at], item) ?? null);
  }
  if (!isFields(sent) || !isFields(answer)) return answer;
  const known = Object.entries(answer).filter(([member]) => sent[member] !== undefined);
  return known.length === 0
    ? answer
    : Object.fromEntries(known.map(([member, value]) => [member, ofSent(sent[member], value) ?? null]));
}

/** Fingerprints of the answers that show a live value: of a list, some responses have the length. */
function answersOf(value: Json): readonly string[] {
  return [value, ...(isList(value) ? [value.length] : value === null ? [0] : [])].map(fingerprint);
}
