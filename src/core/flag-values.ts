/** Parsers for the values of flags. An invalid value ends the command with exit code 64. */

import { EXIT, Stop } from "./exit-codes.ts";
import { quoted } from "./sanitise.ts";
import { suggest } from "./suggest.ts";

/** The most removals of one kind: a number of resources, or a percentage of its enabled live ones. */
export type RemovalLimit = { readonly entries: number } | { readonly percent: number };

/** The least severe finding that fails `validate`. */
export type FailOn = "error" | "warning" | "note" | "never";

/** Parses `--fail-on`. */
export function failOn(value: string): FailOn {
  if (value === "error" || value === "warning" || value === "note" || value === "never") return value;
  throw misuse(`--fail-on takes error, warning, note or never, not ${quoted(value)}`);
}

/** Parses one `--var NAME=VALUE` and adds it to the earlier ones. */
export function variable(value: string, before: Readonly<Record<string, string>> = {}): Record<string, string> {
  const at = value.indexOf("=");
  if (at < 1) throw misuse(`--var takes NAME=VALUE, not ${quoted(value)}`);
  const name = value.slice(0, at);
  if (Object.hasOwn(before, name)) throw misuse(`--var sets ${quoted(name)} more than once`);
  return { ...before, [name]: value.slice(at + 1) };
}

/** Returns a parser of whole numbers from 1. */
export function positive(flag: string): (value: string) => number {
  return (value) => {
    const number = /^[0-9]{1,9}$/.test(value) ? Number(value) : 0;
    if (number < 1) throw misuse(`${flag} takes a whole number of at least 1, not ${quoted(value)}`);
    return number;
  };
}

/** Parses `--last`, a number of incidents. */
export function last(value: string): number {
  const number = /^[0-9]{1,4}$/.test(value) ? Number(value) : 0;
  if (number < 1 || number > 1000) throw misuse(`--last takes a number from 1 to 1000, not ${quoted(value)}`);
  return number;
}

/** Parses `--port`; with 0 the system chooses a port. */
export function port(value: string): number {
  const number = /^[0-9]{1,5}$/.test(value) ? Number(value) : Number.NaN;
  if (!(number <= 65_535)) throw misuse(`--port takes a number from 0 to 65535, not ${quoted(value)}`);
  return number;
}

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** The milliseconds of a duration such as `30m`, `24h`, `7d` or `2w`; undefined if the text is none. */
export function milliseconds(text: string): number | undefined {
  const [, digits = "", unit = ""] = /^([1-9][0-9]{0,3})([mhdw])$/.exec(text) ?? [];
  const length = UNITS[unit];
  return length === undefined ? undefined : Number(digits) * length;
}

/** A whole number of minutes as a flag takes it, in its largest unit: `24h` and not `1440m`. */
export function durationText(length: number): string {
  const [unit, size] = Object.entries(UNITS).findLast(([, one]) => length % one === 0) ?? ["m", 60_000];
  return `${length / size}${unit}`;
}

/** Returns a parser of durations, into milliseconds. */
export function duration(flag: string): (value: string) => number {
  return (value) => {
    const length = milliseconds(value);
    if (length === undefined) throw misuse(`${flag} takes a duration such as 30m, 24h or 7d, not ${quoted(value)}`);
    return length;
  };
}

/** Parses `--max-removals`: a number, or a percentage. */
export function ceiling(value: string): RemovalLimit {
  const [, digits, percent] = /^([0-9]{1,9})(%?)$/.exec(value) ?? [];
  const number = Number(digits);
  if (digits === undefined || (percent === "%" && number > 100)) {
    throw misuse(`--max-removals takes a number or a percentage like 30%, not ${quoted(value)}`);
  }
  return percent === "%" ? { percent: number } : { entries: number };
}

/** Parses `--kinds a,b` into names of known kinds. */
export function kindNames(value: string, known: readonly string[]): readonly string[] {
  const names = value.split(",").map((name) => name.trim());
  if (names.includes(""))
    throw misuse(`--kinds takes names with a comma between them and no blanks: ${known[0]},${known[1]}`);
  for (const name of names) {
    if (!known.includes(name)) {
      const guess = suggest(name, known);
      const meant = guess === undefined ? "" : ` (did you mean ${quoted(guess)}?)`;
      throw misuse(`--kinds: there is no kind ${quoted(name)}${meant}; there are ${known.join(", ")}`);
    }
  }
  return names;
}

/** Checks a value of `--target` or `--exclude`: an address begins with a kind's name. */
export function address(flag: string, value: string, known: readonly string[]): string {
  const [kind = "", rest = ""] = value.split(/\/(.*)/s);
  if (known.includes(kind) && rest !== "") return value;
  const [, word = "", key = ""] = /^(\w+)[./](.+)$/s.exec(value) ?? [];
  const guess = suggest(word, known);
  const meant = word === "" || guess === undefined ? "" : `; did you mean ${quoted(`${guess}/${key}`)}?`;
  throw misuse(`${flag} takes an address like severities/critical, not ${quoted(value)}${meant}`);
}

/** Returns the error for a wrong command line. */
export function misuse(message: string): Stop {
  return new Stop(EXIT.usage, message);
}
