/** The core schema of YAML 1.2: the value of a text without quotes, of a text with a tag, and what can be a key. */

import { keyFlaw, type ScalarValue } from "../text.ts";

const NUMBER = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;
const WHOLE = /^[-+]?\d+$/;
const OCTAL_OR_HEXADECIMAL = /^0(?:o[0-7]+|x[\da-fA-F]+)$/;
const INFINITE = /^[-+]?\.(?:inf|Inf|INF)$/;

const WORDS: ReadonlyMap<string, ScalarValue> = new Map<string, ScalarValue>([
  ["", null],
  ["~", null],
  ["null", null],
  ["Null", null],
  ["NULL", null],
  ["true", true],
  ["True", true],
  ["TRUE", true],
  ["false", false],
  ["False", false],
  ["FALSE", false],
  [".nan", Number.NaN],
  [".NaN", Number.NaN],
  [".NAN", Number.NaN],
]);

/** The value of a text without quotes. A number may be too large for JSON, or infinite. */
export function plainValue(text: string): ScalarValue {
  const word = WORDS.get(text);
  if (word !== undefined) return word;
  const first = text.charCodeAt(0);
  // Only what begins with a digit, a sign or a point can be a number.
  if (first > 0x39 || first < 0x2b) return text;
  if (NUMBER.test(text)) return Number(text);
  if (OCTAL_OR_HEXADECIMAL.test(text)) return Number(text);
  if (INFINITE.test(text)) return first === 0x2d ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return text;
}

const PREFIX = "tag:yaml.org,2002:";

/** The name of a tag of the core schema, from the tag as it is written: `str` of `!!str`; empty for `!`, which keeps a text from being read as anything else. */
export function tagName(written: string): string | undefined {
  if (written === "!") return "";
  if (written.startsWith("!!")) return written.slice(2);
  return written.startsWith(`!<${PREFIX}`) ? written.slice(PREFIX.length + 2, -1) : undefined;
}

/** The value of a text with a tag; undefined if the core schema has no such value. */
export function taggedValue(tag: string, text: string): ScalarValue | undefined {
  if (tag === "str" || tag === "") return text;
  const value = plainValue(text);
  switch (tag) {
    case "null":
      return value === null ? null : undefined;
    case "bool":
      return typeof value === "boolean" ? value : undefined;
    case "int":
      return WHOLE.test(text) || OCTAL_OR_HEXADECIMAL.test(text) ? Number(text) : undefined;
    case "float":
      return typeof value === "number" && !WHOLE.test(text) && !OCTAL_OR_HEXADECIMAL.test(text) ? value : undefined;
    default:
      return undefined;
  }
}

/** The reason why a text cannot be a key, or a value, without its place. */
interface ValueError {
  readonly code: string;
  readonly message: string;
  readonly help?: string;
}

/** The longest key that YAML allows before its colon. */
export const LONGEST_KEY = 1024;

/** The error of a key that is too long, without its place. */
export const LONG_KEY: ValueError = {
  code: "E_KEY_TOO_LONG",
  message: "the key has more than 1024 characters",
  help: "Shorten it.",
};

/** The error of a text that cannot be a key, without its place; `isText`: it has quotes or a tag, so it is a text whatever it says. */
export function keyError(text: string, isText: boolean): ValueError | undefined {
  if (text.length > LONGEST_KEY) return LONG_KEY;
  if (text === "") return { code: "E_KEY_EMPTY", message: "the key is empty", help: "Write a text before the colon." };
  if (text === "<<") {
    return { code: "E_MERGE_KEY", message: "merge keys are not supported", help: "Write the keys out." };
  }
  if (!isText && typeof plainValue(text) !== "string") {
    return { code: "E_KEY_TYPE", message: `the key ${text} is not a text`, help: `Quote it: "${text}".` };
  }
  const [code, message] = keyFlaw(text) ?? [];
  return code === undefined || message === undefined ? undefined : { code, message };
}

/** The error of a number that JSON cannot hold exactly, without its place. */
export function numberError(value: number, written: string): ValueError {
  const help = "If it is a text, quote it.";
  return Number.isFinite(value)
    ? { code: "E_NUMBER_PRECISION", message: `${written} is too large for an exact number`, help }
    : { code: "E_NUMBER", message: `${written} is not a number in JSON`, help };
}
