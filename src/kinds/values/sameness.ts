/**
 * Whether a live and a declared value are the same, the same in another form that the service is known to store, or different. A service may
 * trim texts, end or break their lines otherwise, choose another Unicode form, normalize addresses and moments, answer numbers and booleans as
 * texts, and tell null and empty values apart in no way.
 */

import { equal, type Fields, isFields, isList, type Json } from "../../core/json.ts";
import { joinWords } from "../../core/suggest.ts";
import { parseUrl } from "../../core/url.ts";
import type { Equality } from "../model/kind.ts";
import { isBlank } from "./equality.ts";

/** A form in which the service stores a declared value, as the end of the sentence "the service stores it …". */
export type StoredForm = (typeof FORMS)[keyof typeof FORMS];

/** The result of a comparison. */
export interface Sameness {
  readonly isSame: boolean;
  /** How the service stores the declared value; empty if as declared. */
  readonly forms: readonly StoredForm[];
}

const FORMS = {
  spaces: "without the white space around it",
  lastBreak: "with another last line break",
  lineEnds: "with other line ends",
  unicode: "in another Unicode form",
  address: "in the normal form of addresses",
  moment: "in another notation of moments",
  text: "as text",
} as const;

const SAME: Sameness = { isSame: true, forms: [] };
const DIFFERENT: Sameness = { isSame: false, forms: [] };

/** Compares a live value with a declared one, by the equality of its field. */
export function sameness(equals: Equality, live: Json, declared: Json): Sameness {
  if (equals(live, declared) || (isBlank(live) && isBlank(declared))) return SAME;
  const texts = new Map<string, string[]>();
  for (const text of textsIn(live)) texts.set(plainText(text), [...(texts.get(plainText(text)) ?? []), text]);
  if (texts.size === 0) return DIFFERENT;
  const forms = new Set<StoredForm>();
  const stored = storedForm(declared, live, texts, forms);
  return forms.size > 0 && equals(live, stored) ? { isSame: true, forms: [...forms] } : DIFFERENT;
}

/** The text by which names are compared where a second one would be a copy: forms of the service, and lower or upper case, do not count. */
export function foldedName(name: string): string {
  return plainText(name).replace(/\s+/g, " ").toLowerCase();
}

/** Whether a name is another one in any form, lower or upper case included. */
export function isSameName(left: string, right: string): boolean {
  return foldedName(left) === foldedName(right);
}

/** How a name is another one in any form, as the end of the sentence "it is the same …". */
export function nameForms(live: string, declared: string): string {
  const forms: readonly (readonly [form: string, ...others: readonly ((text: string) => string)[]])[] = [
    ["in another Unicode form", oneSpaced, lowered],
    ["with other white space", composed, lowered],
    ["in another case", composed, oneSpaced],
  ];
  const differ = (changes: readonly ((text: string) => string)[]): boolean => {
    const [left, right] = [live, declared].map((name) => changes.reduce((text, change) => change(text), name));
    return left !== right;
  };
  if (differ([composed, oneSpaced, lowered])) return "in another notation";
  return joinWords(forms.filter(([, ...others]) => differ(others)).map(([form]) => form));
}

const composed = (text: string): string => text.normalize("NFC");
const oneSpaced = (text: string): string => text.trim().replace(/\s+/g, " ");
const lowered = (text: string): string => text.toLowerCase();

/** Whether a row shows each of some names, in any form. */
export function showsNames(row: Fields, names: Fields): boolean {
  return Object.entries(names).every(([field, name]) => {
    const shown = row[field];
    return typeof shown === "string" && typeof name === "string" ? isSameName(shown, name) : equal(shown ?? null, name);
  });
}

/** A value in which all known forms of a text are one, to tell by a hash whether it has become another value. */
export function plainValue(value: Json): Json {
  if (isList(value)) return value.map(plainValue);
  if (isFields(value)) return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plainValue(one)]));
  return value === null ? null : plainText(String(value));
}

/** Whether one of two values is a number, and the other one that number as text, as `1.00` may be. */
export function isSameNumber(left: Json, right: Json): boolean {
  const [number, text] = typeof left === "number" ? [left, right] : [right, left];
  return typeof number === "number" && typeof text === "string" && DECIMAL.test(text) && Number(text) === number;
}

const DECIMAL = /^-?\d+(\.\d+)?$/;

/** A live value of a field that is true or false: the service may answer that as a word or a number. Any other value stays as it is. */
export function booleanOf(value: Json): Json {
  if (typeof value !== "string" && typeof value !== "number") return value;
  const word = String(value).toLowerCase();
  if (TRUE.has(word)) return true;
  return FALSE.has(word) ? false : value;
}

const TRUE: ReadonlySet<string> = new Set(["true", "1", "on", "yes", "t", "y"]);
const FALSE: ReadonlySet<string> = new Set(["false", "0", "off", "no", "f", "n"]);

/**
 * A declared value with each text as the live value has it, if that is a form of it: the text at the same place, `live`, or else, since sets have
 * no places, the nearest of all its `texts`.
 */
function storedForm(
  declared: Json,
  live: Json | undefined,
  texts: ReadonlyMap<string, readonly string[]>,
  forms: Set<StoredForm>,
): Json {
  if (isList(declared))
    return declared.map((item, at) => storedForm(item, isList(live) ? live[at] : undefined, texts, forms));
  if (isFields(declared)) {
    const members = isFields(live) ? live : {};
    return Object.fromEntries(
      Object.entries(declared).map(([name, member]) => [name, storedForm(member, members[name], texts, forms)]),
    );
  }
  if (declared === null || declared === live) return declared;
  const text = String(declared);
  const candidates = texts.get(plainText(text)) ?? [];
  if (typeof declared !== "string") {
    const own = live !== undefined && isSameNumber(declared, live) ? live : text;
    if (own === text && !candidates.includes(text)) return declared;
    forms.add(FORMS.text);
    return own;
  }
  const near = candidates.filter((candidate) => candidate === text || isForm(candidate, text));
  const distance = (candidate: string) => (candidate === text ? 0 : formsOf(candidate, text).length);
  const [nearest = text] = near.toSorted((left, right) => distance(left) - distance(right));
  const stored = near.find((candidate) => candidate === live) ?? nearest;
  if (stored !== text) for (const form of formsOf(stored, text)) forms.add(form);
  return stored;
}

/** Whether a stored text is a form of a declared one with the same plain text: a service takes white space away, and adds at most a last line break. */
function isForm(stored: string, declared: string): boolean {
  const [own, other] = [outerSpace(stored), outerSpace(declared)];
  return ["", other.before].includes(own.before) && ["", "\n", other.after, `${other.after}\n`].includes(own.after);
}

/** The forms that make the stored text of the declared one. */
function formsOf(stored: string, declared: string): readonly StoredForm[] {
  const [own, other] = [outerSpace(stored), outerSpace(declared)];
  const isSpaced = own.before !== other.before || own.after !== other.after;
  const isBreak = own.before === other.before && own.after.replace(/\n$/, "") === other.after.replace(/\n$/, "");
  const [words, otherWords] = [stored, declared].map((text) => withLineFeeds(text).trim());
  const isUnicode = words?.normalize("NFC") === otherWords?.normalize("NFC");
  const forms = [
    ...(isSpaced ? [isBreak ? FORMS.lastBreak : FORMS.spaces] : []),
    ...(stored.includes("\r") === declared.includes("\r") ? [] : [FORMS.lineEnds]),
    ...(words === otherWords ? [] : [isUnicode ? FORMS.unicode : MOMENT.test(stored) ? FORMS.moment : FORMS.address]),
  ];
  // Some line ends of a text may be others, and some not.
  return forms.length === 0 ? [FORMS.lineEnds] : forms;
}

/** The white space before and after the words of a text. */
function outerSpace(text: string): { readonly before: string; readonly after: string } {
  const whole = withLineFeeds(text);
  const words = whole.trimEnd();
  return { before: words.slice(0, words.length - words.trimStart().length), after: whole.slice(words.length) };
}

/** A text in the one form in which all forms of it are equal. */
function plainText(text: string): string {
  const plain = withLineFeeds(text).trim().normalize("NFC");
  if (MOMENT.test(plain)) return new Date(plain).toISOString();
  return /^https?:\/\/\S+$/i.test(plain) ? (parseUrl(plain)?.href ?? plain) : plain;
}

/** A moment in time with its zone. */
const MOMENT =
  /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

function withLineFeeds(text: string): string {
  return text.replace(/\r\n?/g, "\n");
}

function textsIn(value: Json): readonly string[] {
  if (typeof value === "string") return [value];
  if (isList(value)) return value.flatMap(textsIn);
  return isFields(value) ? Object.values(value).flatMap(textsIn) : [];
}
