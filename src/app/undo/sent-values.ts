/** Former values as runs before have sent them, where the service made other ones of these: an undo would make others of the latter again. */

import { type Fields, isFields, isList, type Json, stepsOf } from "../../core/json.ts";
import { groupBy } from "../../core/lists.ts";
import { kinds } from "../../kinds/index.ts";
import { type Kind, wireNamesOf } from "../../kinds/model/kind.ts";
import { fingerprint, type Operation } from "../../plan/model/plan.ts";
import type { ResourceSnapshot, RunSnapshot } from "../../plan/model/snapshot.ts";
import type { Settlement } from "../../run/journal/intent.ts";
import { lastSettlements } from "../../run/journal/journal-status.ts";
import type { RecordedRun } from "../../run/journal/journal-store.ts";

/** An operation that was carried out, and its record. */
interface Sent {
  readonly operation: Operation;
  readonly settlement: Settlement;
}

/** The snapshot of a run with values as earlier ones of `all` runs, the newest first, have sent them. */
export function withSentValues(before: RunSnapshot, run: string, all: readonly RecordedRun[]): RunSnapshot {
  const earlier = all.filter((one) => Number(one.run) < Number(run));
  const sent = earlier.flatMap(({ contents }) => sentIn(contents.begin.plan.operations, lastSettlements(contents)));
  const byAddress = groupBy(sent, ({ operation }) => operation.address);
  return {
    ...before,
    entries: before.entries.map((snapshot) => withSent(snapshot, byAddress.get(snapshot.address) ?? [])),
  };
}

/** The operations that a run has carried out, the last first. */
function sentIn(operations: readonly Operation[], settlements: readonly Settlement[]): readonly Sent[] {
  const byId = new Map(operations.map((operation) => [operation.id, operation]));
  return settlements
    .flatMap((settlement) => {
      const operation = settlement.status === "done" ? byId.get(settlement.operation) : undefined;
      return operation === undefined ? [] : [{ operation, settlement }];
    })
    .toReversed();
}

function withSent(snapshot: ResourceSnapshot, sent: readonly Sent[]): ResourceSnapshot {
  const kind = kinds.find(({ name }) => name === snapshot.kind);
  if (kind === undefined || sent.length === 0) return snapshot;
  const fields = Object.entries(snapshot.fields).map(
    ([name, value]) => [name, sentValue(kind, name, value, sent)] as const,
  );
  return { ...snapshot, fields: Object.fromEntries(fields) };
}

/** The value that was sent last for a field, if the service made this one of it; else the value itself. Keys are as they are live. */
function sentValue(kind: Kind, name: string, value: Json, sent: readonly Sent[]): Json {
  if (kind.identity.keys.includes(name) || kind.fields?.[name]?.holdsReferences === true) return value;
  const last = sent.find(({ operation }) => name in (operation.body ?? {}));
  if (last === undefined) return value;
  const { operation, settlement } = last;
  const isFilledIn = operation.inserts?.some(({ at }) => stepsOf(at)[1] === name) === true;
  const shown = fingerprint(value);
  const isMade = wireNamesOf(kind, name).some((wire) => shownBy(settlement, wire).includes(shown));
  return isMade && !isFilledIn ? asSent(value, operation.body?.[name] ?? null) : value;
}

/** Fingerprints of what the response to an operation, and reads after it, have shown of a field. */
function shownBy({ stored = {}, created = {} }: Settlement, wire: string): readonly string[] {
  return [stored[wire] ?? [], created[wire] === undefined ? [] : fingerprint(created[wire])].flat();
}

/** A value with its texts as they were sent. Where the two are not built alike, it stays. */
function asSent(value: Json, sent: Json): Json {
  if (typeof sent === "string") return sent;
  if (isList(value) && isList(sent) && value.length === sent.length)
    return value.map((item, at) => asSent(item, sent[at] ?? null));
  return isFields(value) && isFields(sent) ? membersAsSent(value, sent) : value;
}

function membersAsSent(value: Fields, sent: Fields): Fields {
  const members = Object.entries(value).map(([name, one]) => [name, asSent(one, sent[name] ?? one)] as const);
  return Object.fromEntries(members);
}
