/**
 * The records of a journal and their line format: `<CRC-32 in hexadecimal> <length of the JSON in bytes> <JSON>`. A line that is cut off,
 * damaged or repeated can be recognised.
 */

import { crc32 } from "node:zlib";
import { type Json, parseJson } from "../../core/json.ts";
import type { SealedPlan } from "../../plan/model/plan.ts";
import type { RunSnapshot } from "../../plan/model/snapshot.ts";
import type { Intent, Settlement } from "./intent.ts";

/** The first record: all that is needed to finish or undo the run. */
export interface BeginRecord {
  readonly type: "begin";
  readonly format_version: 1;
  readonly tool: { readonly name: string; readonly version: string };
  readonly run: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** The service (and its database), and ids by kind by which the workspace is recognised. */
  readonly target: { readonly service: string; readonly ids: Readonly<Record<string, readonly string[]>> };
  readonly plan: SealedPlan;
  readonly before: RunSnapshot;
}

/** The end of a run. */
export type RunEnding = "finished" | "stopped" | "interrupted" | "aborted";

/** A later record. */
export type JournalEntry =
  | { readonly type: "intent"; readonly intent: Intent }
  | { readonly type: "settlement"; readonly settlement: Settlement }
  /** Another run resolves this one. */
  | { readonly type: "resumed"; readonly at: string }
  | { readonly type: "end"; readonly at: string; readonly how: RunEnding };

/** A later record as it is written: an intent holds only the id of an operation that is sent as planned. */
export type WrittenRecord =
  | Exclude<JournalEntry, { readonly type: "intent" }>
  | {
      readonly type: "intent";
      readonly intent: Omit<Intent, "operation"> & { readonly operation: Intent["operation"] | string };
    };

/** Records that reach the disk together: all of them are there, or none. */
export interface BatchRecord {
  readonly type: "together";
  readonly records: readonly WrittenRecord[];
}

/** The record of a line; `n` counts the lines from 0. */
export type NumberedRecord = (BeginRecord | WrittenRecord | BatchRecord) & { readonly n: number };

/** The checksum and the length before the JSON. */
const HEAD = /^([0-9a-f]{8}) ([1-9][0-9]{0,9}) /;
const HEAD_LENGTH = 20;
const LINE_FEED = 0x0a;
/** Zeros of a page that never reached the disk; fewer of them could be a damaged byte. */
const HOLE = Buffer.alloc(8);

/** The line of a record. `conceal` masks secrets in its text, as a last safeguard. */
export function formatLine(record: NumberedRecord, conceal: (text: string) => string): Uint8Array {
  const json = Buffer.from(conceal(JSON.stringify(record)), "utf8");
  return Buffer.concat([Buffer.from(`${checksum(json)} ${json.length} `, "latin1"), json, Buffer.from("\n", "latin1")]);
}

/** A record that was read, or the reason why there is none. */
export type ScannedRecord =
  | { readonly is: "record"; readonly value: Json; readonly next: number }
  /** The file ends within the record, or pages of it were never written: the write was cut off. */
  | { readonly is: "torn" }
  | { readonly is: "damaged"; readonly why: string };

/** Reads the line at an offset. */
export function readRecord(bytes: Uint8Array, offset: number): ScannedRecord {
  const rest = bytes.subarray(offset);
  const feed = rest.indexOf(LINE_FEED);
  const [head = "", sum = "", length = ""] = HEAD.exec(ascii(rest.subarray(0, HEAD_LENGTH))) ?? [];
  const end = head.length + Number(length);
  const json = rest.subarray(head.length, end);
  const whole = head !== "" && json.length === Number(length) && checksum(json) === sum;
  if (feed < 0) {
    return whole && (rest[end] ?? 0) !== 0 ? { is: "damaged", why: "its line is not terminated" } : { is: "torn" };
  }
  if (whole && feed === end) {
    const value = parseJson(Buffer.from(json).toString("utf8"));
    if (value !== undefined) return { is: "record", value, next: offset + end + 1 };
  }
  // Zeros within the last line are a page that was never written; before other records they are damage.
  if (feed === rest.length - 1 && Buffer.from(rest).includes(HOLE)) return { is: "torn" };
  if (head === "") return { is: "damaged", why: "it does not start like a record" };
  if (feed !== end) return { is: "damaged", why: "its length is wrong" };
  return { is: "damaged", why: whole ? "it is not JSON" : "its checksum is wrong" };
}

function checksum(bytes: Uint8Array): string {
  return crc32(bytes).toString(16).padStart(8, "0");
}

function ascii(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("latin1");
}
