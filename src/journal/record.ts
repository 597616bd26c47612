/**
 * The records of a journal, and how one stands in the file: `<CRC-32 in hexadecimal> <bytes of the JSON> <JSON>`, a line each.
 * What is cut off, bent or doubled can be told from what was written.
 */

import { crc32 } from "node:zlib";
import type { Intent, Settlement } from "../apply/execute/journal.ts";
import type { Json } from "../core/json.ts";
import type { Plan } from "../plan/plan.ts";
import type { Before } from "../plan/snapshot.ts";

/** The first record: everything that finishing or undoing the run needs. */
export interface Begin {
  readonly type: "begin";
  readonly format_version: 1;
  readonly tool: { readonly name: string; readonly version: string };
  readonly run: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** Which service and database, and some ids by kind that tell one workspace from another. */
  readonly target: { readonly service: string; readonly ids: Readonly<Record<string, readonly string[]>> };
  readonly plan: Plan;
  readonly before: Before;
}

/** How a run came to its end. */
export type Ending = "finished" | "stopped" | "interrupted" | "aborted";

/** A record after the first one. */
export type Entry =
  | { readonly type: "intent"; readonly intent: Intent }
  | { readonly type: "settlement"; readonly settlement: Settlement }
  /** A later run looks after what this one left. */
  | { readonly type: "resumed"; readonly at: string }
  | { readonly type: "end"; readonly at: string; readonly how: Ending };

/** A record as it is written: an operation that is sent as planned is told by its id. */
export type Written =
  | Exclude<Entry, { readonly type: "intent" }>
  | {
      readonly type: "intent";
      readonly intent: Omit<Intent, "operation"> & { readonly operation: Intent["operation"] | string };
    };

/** Records that were written through at once: all of them are there, or none. */
export interface Together {
  readonly type: "together";
  readonly records: readonly Written[];
}

/** A record as it stands in a line; `n` counts the lines from 0. */
export type Numbered = (Begin | Written | Together) & { readonly n: number };

/** Longest a line's own words are, before its JSON. */
const HEAD = /^([0-9a-f]{8}) ([1-9][0-9]{0,9}) /;
const HEAD_LENGTH = 20;
const LINE_FEED = 0x0a;
/** A single zero may be a bit that fell over; so many are a page that never got to the disk. */
const HOLE = Buffer.alloc(8);

/** The line of a record. `conceal` takes known secrets out of its text, as the last net under all the others. */
export function lineOf(record: Numbered, conceal: (text: string) => string): Uint8Array {
  const json = Buffer.from(conceal(JSON.stringify(record)), "utf8");
  return Buffer.concat([Buffer.from(`${checksum(json)} ${json.length} `, "latin1"), json, Buffer.from("\n", "latin1")]);
}

/** What stands at an offset of the file. */
export type Found =
  | { readonly is: "record"; readonly value: Json; readonly next: number }
  /** The file ends before the record does, or pages of it were never written: a write that was cut off. */
  | { readonly is: "torn" }
  | { readonly is: "damaged"; readonly why: string };

/** Reads the line at an offset. */
export function recordAt(bytes: Uint8Array, offset: number): Found {
  const rest = bytes.subarray(offset);
  const feed = rest.indexOf(LINE_FEED);
  const [head = "", sum = "", length = ""] = HEAD.exec(ascii(rest.subarray(0, HEAD_LENGTH))) ?? [];
  const end = head.length + Number(length);
  const json = rest.subarray(head.length, end);
  const whole = head !== "" && json.length === Number(length) && checksum(json) === sum;
  if (feed < 0) {
    return whole && (rest[end] ?? 0) !== 0 ? { is: "damaged", why: "its line does not end" } : { is: "torn" };
  }
  if (whole && feed === end) {
    const value = parsed(json);
    if (value !== undefined) return { is: "record", value, next: offset + end + 1 };
  }
  // A page that was never written reads as zeros; before other records that is damage all the same.
  if (feed === rest.length - 1 && Buffer.from(rest).includes(HOLE)) return { is: "torn" };
  if (head === "") return { is: "damaged", why: "it does not begin as a record does" };
  if (feed !== end) return { is: "damaged", why: "it is not as long as it says" };
  return { is: "damaged", why: whole ? "it holds no JSON" : "its checksum is wrong" };
}

function checksum(bytes: Uint8Array): string {
  return crc32(bytes).toString(16).padStart(8, "0");
}

function ascii(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("latin1");
}

function parsed(bytes: Uint8Array): Json | undefined {
  try {
    return JSON.parse(Buffer.from(bytes).toString("utf8")) as Json;
  } catch {
    return undefined;
  }
}
