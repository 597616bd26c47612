/** Decodes strict UTF-8, and refuses invisible characters. */

import type { Findings } from "../../core/findings.ts";
import { Source } from "./source.ts";

/** Returns the text of a file of the configuration; undefined if it has errors. */
export function decode(file: string, path: string, bytes: Uint8Array, findings: Findings): Source | undefined {
  const source = decodeUtf8(file, path, bytes, findings);
  if (source === undefined) return undefined;
  const before = findings.errorCount;
  refuseConflictMarkers(source, findings);
  refuseCharacters(source, findings);
  return findings.errorCount === before ? source : undefined;
}

/** Returns the text of a file of the configuration; undefined if it is not encoded as UTF-8. */
function decodeUtf8(file: string, path: string, bytes: Uint8Array, findings: Findings): Source | undefined {
  const wide = wideEncoding(bytes);
  if (wide !== undefined) {
    findings.error("E_ENCODING", `the file is encoded as ${wide.title}`, start(file), { help: "Save it as UTF-8." });
    return undefined;
  }
  const text = utf8(bytes);
  if (text === undefined) {
    refuseBytes(file, bytes, "Save the file as UTF-8.", findings);
    return undefined;
  }
  return new Source(file, path, text);
}

/** Returns the text of a file that another program wrote: as UTF-8, or as UTF-16 with a byte order mark. Undefined if it is neither. */
export function decodeForeign(file: string, path: string, bytes: Uint8Array, findings: Findings): Source | undefined {
  const wide = wideEncoding(bytes);
  const text = wide === undefined ? utf8(bytes) : decoded(wide.label, bytes);
  const help = /\.[ct]sv$/i.test(path)
    ? 'Save the file as UTF-8; spreadsheets call it "CSV UTF-8".'
    : "Save the file as UTF-8.";
  if (text === undefined && wide === undefined) refuseBytes(file, bytes, help, findings);
  if (text === undefined && wide !== undefined)
    findings.error("E_ENCODING", `the file begins as ${wide.title}, and is none`, start(file), { help });
  // Every text of these formats begins with an ASCII character.
  const isUnmarked = wide === undefined && bytes.length > 1 && (bytes[0] === 0) !== (bytes[1] === 0);
  if (isUnmarked)
    findings.error("E_ENCODING", "the file seems to be encoded as UTF-16, without a byte order mark", start(file), {
      help,
    });
  return text === undefined || isUnmarked ? undefined : new Source(file, path, text);
}

/** Returns the text without a byte order mark; undefined if the bytes are not UTF-8. */
export function utf8(bytes: Uint8Array): string | undefined {
  return decoded("utf-8", bytes);
}

function decoded(label: string, bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function start(file: string): { file: string; line: number; column: number } {
  return { file, line: 1, column: 1 };
}

function wideEncoding(bytes: Uint8Array): { readonly label: string; readonly title: string } | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return { label: "utf-16le", title: "UTF-16 (little endian)" };
  if (first === 0xfe && second === 0xff) return { label: "utf-16be", title: "UTF-16 (big endian)" };
  return undefined;
}

function refuseBytes(file: string, bytes: Uint8Array, help: string, findings: Findings): void {
  const offset = firstInvalid(bytes);
  const lead = bytes.subarray(0, offset);
  const line = lead.filter((byte) => byte === 0x0a).length + 1;
  const column = new TextDecoder().decode(lead.subarray(lead.lastIndexOf(0x0a) + 1)).length + 1;
  findings.error("E_UTF8", `the byte at offset ${offset} is not valid UTF-8`, { file, line, column }, { help });
}

/** The offset of the first invalid byte, by binary search over valid beginnings. */
function firstInvalid(bytes: Uint8Array): number {
  let low = 0;
  let high = bytes.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (begins(bytes.subarray(0, middle))) low = middle;
    else high = middle - 1;
  }
  const valid = bytes.subarray(0, low);
  return utf8(valid) === undefined ? lastSequence(valid) : low;
}

/** Whether the bytes are valid UTF-8 that may end in the middle of a character. */
function begins(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** The offset of the incomplete character at the end. */
function lastSequence(bytes: Uint8Array): number {
  let at = bytes.length - 1;
  while (at > 0 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at -= 1;
  return at;
}

const CONFLICT = /^(?:<{7}|>{7}|\|{7})(?= |\r?$)/gm;

function refuseConflictMarkers(source: Source, findings: Findings): void {
  for (const marker of source.text.matchAll(CONFLICT)) {
    const at = source.location(marker.index, marker.index + 7);
    findings.error("E_CONFLICT_MARKER", "the file has a merge conflict", at, {
      help: "Keep one side and delete the marker lines.",
    });
  }
}

/** Characters that are refused: controls, directional overrides, byte order marks in the middle, unusual line ends. */
const REFUSED = /\r(?!\n)|[^\P{Cc}\t\n\r]|[\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/gu;

function refuseCharacters(source: Source, findings: Findings): void {
  for (const { 0: character, index } of source.text.matchAll(REFUSED)) {
    const [code, message, help] = refusal(character);
    findings.error(code, message, source.location(index, index + 1), { help });
    // Probably a binary file.
    if (findings.errorCount > 100) return;
  }
}

function refusal(character: string): readonly [code: string, message: string, help?: string] {
  const point = codePoint(character);
  if (character === "\r") return ["E_EOL", "a line ends with a carriage return alone", "End lines with LF or CRLF."];
  if (/[\u0085\u2028\u2029]/.test(character)) {
    return ["E_EOL", `${point} is not a line end in YAML`, "End lines with LF or CRLF."];
  }
  if (character === "\ufeff") return ["E_INVISIBLE", "a byte order mark is in the middle of the file"];
  if (/[\u202a-\u202e\u2066-\u2069]/.test(character)) {
    return ["E_BIDI", `${point} changes the direction of text, so that it reads differently`];
  }
  return ["E_CONTROL", `the control character ${point} is not allowed`];
}

/** The number of a character, like `U+202E`. */
export function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/** Keys of free text, where directional marks are allowed. */
const FREE: ReadonlySet<string> = new Set(["description", "summary", "content", "instruction", "question", "default"]);

/** Keys of one-line labels, where a tab is not allowed. */
const LABELS: ReadonlySet<string> = new Set(["name", "label", "slug"]);

const SUSPECT = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;

/** Returns the error of a text after escapes and substitutions; `name` is its key. */
export function textFlaw(text: string, name: string): readonly [code: string, message: string] | undefined {
  if (!SUSPECT.test(text)) return undefined;
  const surrogate = /\p{Cs}/u.exec(text);
  if (surrogate !== null) return ["E_SURROGATE", `${codePoint(surrogate[0])} is half of a surrogate pair`];
  const control = /[^\P{Cc}\t\n\r]/u.exec(text);
  if (control !== null) return ["E_CONTROL", `the text has the control character ${codePoint(control[0])}`];
  if (LABELS.has(name) && text.includes("\t")) return ["E_CONTROL", "the text has the control character U+0009"];
  if (FREE.has(name)) return undefined;
  const [separator] = /[\u2028\u2029]/.exec(text) ?? [];
  if (separator !== undefined) {
    const end = separator === "\u2028" ? "line" : "paragraph";
    return ["E_EOL", `the text has ${codePoint(separator)}, which only some programs take for the end of a ${end}`];
  }
  const [direction] = /[\u202a-\u202e\u2066-\u2069]/.exec(text) ?? [];
  if (direction !== undefined) {
    const does = /[\u202c\u2069]/.test(direction) ? "ends a change of its direction" : "changes its direction";
    return ["E_BIDI", `the text has ${codePoint(direction)}, which ${does}`];
  }
  const hidden = /[\u00ad\u180e\u200b\u2060\ufeff]/.exec(text);
  if (hidden !== null) return ["E_INVISIBLE", `the text has ${codePoint(hidden[0])}, which is invisible`];
  return undefined;
}

/** Returns the error of a key: those of a value, since a key may be the name of a resource, and line breaks and tabs. */
export function keyFlaw(text: string): readonly [code: string, message: string] | undefined {
  return textFlaw(text, "") ?? (/[\t\n\r]/.test(text) ? ["E_CONTROL", "the key has a line break or a tab"] : undefined);
}

/** Whether a whole number is not written in plain digits: 010 and 0x10 mean different numbers to different parsers. */
export function isOdd(value: number, written: string): boolean {
  return Number.isInteger(value) && !/^-?(?:0|[1-9]\d*)$/.test(written);
}

/** A single value. */
export type ScalarValue = null | boolean | number | string;

/** Whether JSON can hold a number, and every reader reads the same one. */
export function isExact(value: number): boolean {
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}

/** The value of a foreign file: a number that is not exact, such as a long account number, stays the text that it was written as. */
export function exactValue(value: ScalarValue, written: string): ScalarValue {
  if (typeof value !== "number") return value;
  // JSON has no negative zero.
  return isExact(value) ? value || 0 : written;
}

/** Whether a text may have a substitution: `${env:…}`, `${var:…}` or `${file:…}`. */
export function hasSubstitution(text: string): boolean {
  return text.includes("${");
}
