/** A journal as it lies on the disk, read back: every record, or the place from which on it cannot be believed. */

import type { Settlement } from "../apply/execute/journal.ts";
import { type Fields, isFields, isList, type Json } from "../core/json.ts";
import type { Operation } from "../plan/plan.ts";
import { type Begin, type Entry, recordAt } from "./record.ts";

/** What a journal says. */
export interface Contents {
  readonly begin: Begin;
  readonly entries: readonly Entry[];
  /** Lines of whole records, and their bytes; what follows was never finished. */
  readonly lines: number;
  readonly length: number;
}

/** The journal was changed or damaged after it was written, or belongs to a newer program. The message says where and what. */
export class UnreadableJournal extends Error {
  constructor(path: string, why: string) {
    super(
      `the journal ${path} cannot be read: ${why}; look at the workspace with incidentctl plan, then move the journal away`,
    );
    this.name = "UnreadableJournal";
  }
}

/**
 * Reads a journal. Undefined when not even its first record was finished: then nothing was sent.
 * Throws {@link UnreadableJournal} with the offset of what is damaged, or when the format is newer than this program.
 */
export function readJournal(path: string, bytes: Uint8Array): Contents | undefined {
  let begin: Begin | undefined;
  let planned: Planned = new Map();
  const entries: Entry[] = [];
  let offset = 0;
  let count = 0;
  let previous: Uint8Array | undefined;
  while (offset < bytes.length) {
    const found = recordAt(bytes, offset);
    if (found.is === "torn") break;
    const why = found.is === "damaged" ? found.why : undefined;
    if (found.is === "damaged") throw new UnreadableJournal(path, `the record at byte ${offset} is damaged: ${why}`);
    const line = bytes.subarray(offset, found.next);
    const doubled = previous !== undefined && Buffer.compare(previous, line) === 0;
    if (!doubled) {
      if (begin === undefined) {
        begin = asBegin(path, found.value);
        planned = new Map(begin.plan.operations.map((operation) => [operation.id, operation]));
      } else entries.push(...asEntries(path, offset, found.value, count, planned));
      count += 1;
    }
    previous = line;
    offset = found.next;
  }
  return begin === undefined ? undefined : { begin, entries, lines: count, length: offset };
}

function asBegin(path: string, value: Json): Begin {
  const version = isFields(value) ? value.format_version : undefined;
  if (typeof version === "number" && version > 1) {
    throw new UnreadableJournal(path, `its format ${version} is newer than this program`);
  }
  if (!isBegin(value)) throw new UnreadableJournal(path, "it does not begin as a journal does");
  return value;
}

function isBegin(value: Json): value is Fields & Begin & { readonly n: number } {
  if (!isFields(value) || value.type !== "begin" || value.format_version !== 1 || value.n !== 0) return false;
  const { target, plan, before } = value;
  return (
    typeof value.run === "string" &&
    typeof value.at === "string" &&
    isFields(target) &&
    typeof target.service === "string" &&
    isFields(target.ids) &&
    isFields(plan) &&
    isList(plan.operations) &&
    isFields(before) &&
    [before.entries, before.orders, before.ranks].every(isList)
  );
}

/** The operations of the plan, by id. */
type Planned = ReadonlyMap<string, Operation>;

function asEntries(path: string, offset: number, value: Json, count: number, planned: Planned): readonly Entry[] {
  const records = isFields(value) && value.type === "together" && isList(value.records) ? value.records : [value];
  const entries = records.flatMap((record) => {
    const whole = isFields(record) ? withOperation(record, planned) : record;
    return isFields(whole) && isEntry(whole) ? [whole] : [];
  });
  if (!isFields(value) || value.n !== count || entries.length < records.length) {
    throw new UnreadableJournal(path, `the record at byte ${offset} is not the one that comes here`);
  }
  return entries;
}

/** An operation that was sent as planned stands in the first record only. */
function withOperation(record: Fields, planned: Planned): Fields {
  const { intent } = record;
  if (!isFields(intent) || typeof intent.operation !== "string") return record;
  const operation: unknown = planned.get(intent.operation) ?? null;
  return { ...record, intent: { ...intent, operation: operation as Json } };
}

function isEntry(value: Fields): value is Fields & Entry {
  const { type, intent, settlement } = value;
  if (type === "intent") return isFields(intent) && isFields(intent.operation) && typeof intent.at === "string";
  if (type === "settlement") return isFields(settlement) && isSettlement(settlement);
  return (type === "resumed" || type === "end") && typeof value.at === "string";
}

const STATUSES: Readonly<Record<Settlement["status"], true>> = {
  done: true,
  fell_back: true,
  retained: true,
  failed: true,
  unknown: true,
  pending: true,
  skipped: true,
};

function isSettlement({ operation, status }: Fields): boolean {
  return typeof operation === "string" && typeof status === "string" && Object.hasOwn(STATUSES, status);
}
