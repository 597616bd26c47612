/** Reads a journal from the disk: every record, or an error with the offset of the damage. */

import { type Fields, isFields, isList, type Json } from "../../core/json.ts";
import type { Operation } from "../../plan/model/plan.ts";
import { isStatus } from "./outcome.ts";
import { type BeginRecord, type JournalEntry, readRecord } from "./record.ts";

/** The records of a journal. */
export interface JournalContents {
  readonly begin: BeginRecord;
  readonly entries: readonly JournalEntry[];
  /** Number and bytes of the complete lines; an incomplete one may follow. */
  readonly lineCount: number;
  readonly length: number;
}

/** The journal was changed or damaged, or a newer program wrote it. The message says where and why. */
export class UnreadableJournal extends Error {
  constructor(path: string, why: string) {
    super(`cannot read the journal ${path}: ${why}; check the workspace with a plan, then move the journal elsewhere`);
    this.name = "UnreadableJournal";
  }
}

/**
 * The contents of a journal; undefined if not even its first record is complete, so that nothing was sent. Throws
 * {@link UnreadableJournal} if a record is damaged or the format is newer than this program.
 */
export function readJournal(path: string, bytes: Uint8Array): JournalContents | undefined {
  let begin: BeginRecord | undefined;
  let planned: Planned = new Map();
  const entries: JournalEntry[] = [];
  let offset = 0;
  let count = 0;
  let previous: Uint8Array | undefined;
  while (offset < bytes.length) {
    const record = readRecord(bytes, offset);
    if (record.is === "torn") break;
    if (record.is === "damaged")
      throw new UnreadableJournal(path, `the record at byte ${offset} is damaged: ${record.why}`);
    const line = bytes.subarray(offset, record.next);
    const isRepeated = previous !== undefined && Buffer.compare(previous, line) === 0;
    if (!isRepeated) {
      if (begin === undefined) {
        begin = asBegin(path, record.value);
        planned = new Map(begin.plan.operations.map((operation) => [operation.id, operation]));
      } else entries.push(...asEntries(path, offset, record.value, count, planned));
      count += 1;
    }
    previous = line;
    offset = record.next;
  }
  return begin === undefined ? undefined : { begin, entries, lineCount: count, length: offset };
}

function asBegin(path: string, value: Json): BeginRecord {
  const version = isFields(value) ? value.format_version : undefined;
  if (typeof version === "number" && version > 1) {
    throw new UnreadableJournal(path, `its format ${version} is newer than this program`);
  }
  if (!isBegin(value)) throw new UnreadableJournal(path, "it does not start like a journal");
  return value;
}

function isBegin(value: Json): value is Fields & BeginRecord & { readonly n: number } {
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

function asEntries(
  path: string,
  offset: number,
  value: Json,
  count: number,
  planned: Planned,
): readonly JournalEntry[] {
  const records = isFields(value) && value.type === "together" && isList(value.records) ? value.records : [value];
  const entries = records.flatMap((record) => {
    const whole = isFields(record) ? withOperation(record, planned) : record;
    return isFields(whole) && isEntry(whole) ? [whole] : [];
  });
  if (!isFields(value) || value.n !== count || entries.length < records.length) {
    throw new UnreadableJournal(path, `the record at byte ${offset} is out of order or unknown`);
  }
  return entries;
}

/** The record with its operation: an intent holds only the id of an operation that was sent as planned. */
function withOperation(record: Fields, planned: Planned): Fields {
  const { intent } = record;
  if (!isFields(intent) || typeof intent.operation !== "string") return record;
  const operation: unknown = planned.get(intent.operation) ?? null;
  return { ...record, intent: { ...intent, operation: operation as Json } };
}

function isEntry(value: Fields): value is Fields & JournalEntry {
  const { type, intent, settlement } = value;
  if (type === "intent") return isFields(intent) && isIntent(intent);
  if (type === "settlement") return isFields(settlement) && isSettlement(settlement);
  return (type === "resumed" || type === "end") && typeof value.at === "string";
}

function isIntent({ operation, attempt, body = null, before = null, at }: Fields): boolean {
  return (
    isFields(operation) &&
    typeof attempt === "number" &&
    (body === null || typeof body === "string") &&
    (before === null || (isList(before) && before.every(isFields))) &&
    isTime(at)
  );
}

function isSettlement({
  operation,
  status,
  created,
  updated = {},
  body = null,
  stored = {},
  ...texts
}: Fields): boolean {
  const { prefix, approvalId, message, after } = texts;
  return (
    typeof operation === "string" &&
    typeof status === "string" &&
    isStatus(status) &&
    (created === undefined || isFields(created)) &&
    isFields(updated) &&
    isFields(stored) &&
    Object.values(stored).every((value) => typeof value === "string") &&
    (body === null || typeof body === "string") &&
    [prefix, approvalId, message, after].every((text) => text === undefined || typeof text === "string")
  );
}

function isTime(value: Json | undefined): boolean {
  return typeof value === "string" && !Number.isNaN(Date.parse(value));
}
