/** The values of flags: what a person typed, as what a command needs. A value that is not understood ends with exit code 64. */

import { EXIT, Stop } from "./exit-codes.ts";
import { quoted } from "./sanitise.ts";
import { suggest } from "./suggest.ts";

/** The most removals of one kind: a number of resources, or a percentage of its enabled live ones. */
export type RemovalLimit = { readonly entries: number } | { readonly percent: number };

/** The least severe finding that fails `validate`. */
export type FailOn = "error" | "warning" | "note" | "never";

/** `--fail-on`. */
export function failOn(value: string): FailOn {
  if (value === "error" || value === "warning" || value === "note" || value === "never") return value;
  throw misuse(`--fail-on takes error, warning, note or never, not ${quoted(value)}`);
}

/** One `--var NAME=VALUE`, added to those before it. */
export function variable(value: string, before: Readonly<Record<string, string>> = {}): Record<string, string> {
  const at = value.indexOf("=");
  if (at < 1) throw misuse(`--var takes NAME=VALUE, not ${quoted(value)}`);
  const name = value.slice(0, at);
  if (Object.hasOwn(before, name)) throw misuse(`--var gives ${quoted(name)} more than once`);
  return { ...before, [name]: value.slice(at + 1) };
}

/** A whole number of at least one. */
export function positive(flag: string): (value: string) => number {
  return (value) => {
    const number = /^[0-9]{1,9}$/.test(value) ? Number(value) : 0;
    if (number < 1) throw misuse(`${flag} takes a whole number of at least 1, not ${quoted(value)}`);
    return number;
  };
}

/** `--last`: how many incidents to look at. */
export function last(value: string): number {
  const number = /^[0-9]{1,4}$/.test(value) ? Number(value) : 0;
  if (number < 1 || number > 1000) throw misuse(`--last takes a number from 1 to 1000, not ${quoted(value)}`);
  return number;
}

/** `--port`: 0 lets the system choose. */
export function port(value: string): number {
  const number = /^[0-9]{1,5}$/.test(value) ? Number(value) : Number.NaN;
  if (!(number <= 65_535)) throw misuse(`--port takes a number from 0 to 65535, not ${quoted(value)}`);
  return number;
}

/** `--max-removals`: a number, or a share in percent. */
export function ceiling(value: string): RemovalLimit {
  const [, digits, percent] = /^([0-9]{1,9})(%?)$/.exec(value) ?? [];
  const number = Number(digits);
  if (digits === undefined || (percent === "%" && number > 100)) {
    throw misuse(`--max-removals takes a number or a share like 30%, not ${quoted(value)}`);
  }
  return percent === "%" ? { percent: number } : { entries: number };
}

/** A flag given several times, each value read by `read`. */
export function repeated<Value>(read: (value: string) => Value): (value: string, before?: Value[]) => Value[] {
  return (value, before = []) => [...before, read(value)];
}

/** `--kinds a,b`: names that the registry knows. */
export function kindNames(value: string, known: readonly string[]): readonly string[] {
  const names = value.split(",").map((name) => name.trim());
  for (const name of names) {
    if (!known.includes(name)) {
      const guess = suggest(name, known);
      const meant = guess === undefined ? "" : ` (did you mean ${quoted(guess)}?)`;
      throw misuse(`--kinds: there is no kind ${quoted(name)}${meant}; there are ${known.join(", ")}`);
    }
  }
  return names;
}

/** `--target` and `--exclude`: an address begins with a kind's name. */
export function address(flag: string, value: string, known: readonly string[]): string {
  const [kind = "", rest = ""] = value.split(/\/(.*)/s);
  if (!known.includes(kind) || rest === "") {
    throw misuse(`${flag} takes an address like severities/critical, not ${quoted(value)}`);
  }
  return value;
}

/** A command line that is not understood. */
export function misuse(message: string): Stop {
  return new Stop(EXIT.usage, message);
}
