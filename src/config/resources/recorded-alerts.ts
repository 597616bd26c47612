/** Reads recorded alerts: a file with a JSON object of fields a line. It is read in parts, so that a large one needs little memory. */

import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import { type Diagnostic, InvalidConfiguration } from "../../core/diagnostic.ts";
import { isFields, type Json } from "../../core/json.ts";
import { quoted } from "../../core/sanitise.ts";
import { counted } from "../../core/value-text.ts";
import { isExact, utf8 } from "../source/text.ts";

/** An alert of a file. */
export interface RecordedAlert {
  /** Counted from 1. */
  readonly line: number;
  /** The alert source; absent for the workspace rules. */
  readonly source?: string;
  /** The other members, as the text that rules compare. */
  readonly fields: Readonly<Record<string, string>>;
}

/** Most bytes of a line. */
const MAX_LINE = 1 << 20;
/** Alerts of one part. */
const PART = 250;
/** Wrong lines to report. */
const MAX_ERRORS = 20;
const LINE_FEED = 0x0a;
const PAGE = "docs/recorded-alerts.md says how to record alerts.";

/** Returns the alerts of a file in parts. Throws `InvalidConfiguration` with the wrong lines, or if there is no alert. */
export async function* readRecordedAlerts(file: string, cwd: string): AsyncGenerator<readonly RecordedAlert[]> {
  const errors: Diagnostic[] = [];
  const fail = (line: number, code: string, message: string, help = PAGE): void =>
    void errors.push({ severity: "error", code, message, at: { file, line, column: 1 }, help });
  let [part, total]: [RecordedAlert[], number] = [[], 0];
  for await (const { number, bytes } of linesOf(file, cwd)) {
    if (errors.length >= MAX_ERRORS) break;
    const flaw = number === 1 ? flawOfFile(bytes) : undefined;
    if (flaw !== undefined) {
      fail(1, ...flaw);
      break;
    }
    const alert = bytes === "too long" ? lineTooLong() : alertIn(bytes);
    if (alert === undefined) continue;
    if (Array.isArray(alert)) fail(number, alert[0], alert[1]);
    else {
      part.push({ line: number, ...(alert as Omit<RecordedAlert, "line">) });
      total += 1;
    }
    if (part.length < PART) continue;
    if (errors.length === 0) yield part;
    part = [];
  }
  if (total === 0 && errors.length === 0) {
    errors.push({ severity: "error", code: "E_ALERT", message: `${quoted(file)} has no alerts`, help: PAGE });
  }
  if (errors.length > 0) throw new InvalidConfiguration(errors);
  yield part;
}

type Flaw = readonly [code: string, message: string];

function flawOfFile(
  bytes: Uint8Array | "too long",
): readonly [code: string, message: string, help: string] | undefined {
  const [first, second] = bytes;
  if (first === 0x1f && second === 0x8b) {
    const help = "Unpack it first: gunzip FILE, or pipe gunzip -c FILE into this command with --alerts /dev/stdin.";
    return ["E_ENCODING", "the file is compressed with gzip", help];
  }
  const isWide = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  return isWide ? ["E_ENCODING", "the file is encoded as UTF-16", "Save it as UTF-8."] : undefined;
}

function lineTooLong(): Flaw {
  return ["E_TOO_LARGE", `the line has more than ${counted(MAX_LINE, "byte")}`];
}

/** The alert of a line, or what is wrong with it; undefined for an empty line. */
function alertIn(bytes: Uint8Array): Omit<RecordedAlert, "line"> | Flaw | undefined {
  const text = utf8(bytes);
  if (text === undefined) return ["E_UTF8", "the line is not valid UTF-8"];
  if (text.trim() === "") return undefined;
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch {
    return ["E_ALERT", "the line is not JSON; each line is a JSON object with the fields of one alert"];
  }
  if (!isFields(value)) return ["E_ALERT", "the line is not a JSON object with the fields of one alert"];
  const { source = null, ...members } = value;
  if (source !== null && typeof source !== "string") return ["E_TYPE", '"source" must be the name of an alert source'];
  const fields: [string, string][] = [];
  for (const [name, member] of Object.entries(members)) {
    // The service counts null as absent.
    if (member === null) continue;
    if (typeof member === "object") {
      const what = `${quoted(name)} is ${Array.isArray(member) ? "a list" : "an object"}`;
      return ["E_TYPE", `${what}; routing compares text, so write its values as fields of the alert`];
    }
    if (typeof member === "number" && !isExact(member)) {
      return ["E_TYPE", `the number in ${quoted(name)} loses digits; put it in quotes`];
    }
    fields.push([name, String(member)]);
  }
  return { fields: Object.fromEntries(fields), ...(source === null || source === "" ? {} : { source }) };
}

/** The lines of a file without their ends. Of one that is too long only that is told. */
async function* linesOf(
  file: string,
  cwd: string,
): AsyncGenerator<{ readonly number: number; readonly bytes: Uint8Array | "too long" }> {
  let [number, rest, isLong]: [number, Buffer, boolean] = [1, Buffer.alloc(0), false];
  try {
    for await (const read of createReadStream(resolve(cwd, file))) {
      const chunk: Buffer = read;
      let from = 0;
      for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
        const bytes = rest.length === 0 ? chunk.subarray(from, end) : Buffer.concat([rest, chunk.subarray(from, end)]);
        yield { number, bytes: isLong || bytes.length > MAX_LINE ? "too long" : bytes };
        [number, rest, isLong, from] = [number + 1, Buffer.alloc(0), false, end + 1];
      }
      rest = isLong ? rest : Buffer.concat([rest, chunk.subarray(from)]);
      if (rest.length > MAX_LINE) [rest, isLong] = [Buffer.alloc(0), true];
    }
  } catch (error) {
    const { code = "", message } = error as NodeJS.ErrnoException;
    const why = code === "ENOENT" ? "the file does not exist" : code === "EISDIR" ? "it is a directory" : message;
    const problem = `the recorded alerts ${quoted(file)} cannot be read: ${why}`;
    throw new InvalidConfiguration([{ severity: "error", code: "E_FILE", message: problem }]);
  }
  if (isLong || rest.length > 0) yield { number, bytes: isLong ? "too long" : rest };
}
