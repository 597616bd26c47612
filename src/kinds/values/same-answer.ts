/**
 * Whether an answer shows a value that was sent. A service writes values in its own form: trimmed, sorted, an option as an object, a reference
 * by its id, a list of one item as the item.
 */

import { equal, type Fields, isFields, isList, type Json, parseJson } from "../../core/json.ts";
import { NAME_FIELDS } from "../model/lookup.ts";
import { isBlank } from "./equality.ts";
import { booleanOf, foldedName, isSameName, isSameNumber, plainValue } from "./sameness.ts";

/** Text in a request → the id by which an answer may name it. */
export type AnsweredIds = Readonly<Record<string, string>>;

/** Whether a value that was sent and one that was returned are the same. */
export function isAnswerTo(sent: Json, returned: Json, ids: AnsweredIds = {}): boolean {
  if (equal(sent, returned) || (isNothing(sent) && isNothing(returned))) return true;
  if (sent === null || returned === null) return false;
  if (typeof sent === "boolean" && booleanOf(returned) === sent) return true;
  const isShown = (item: Json, other: Json) => isAnswerTo(item, other, ids);
  if (isList(sent))
    return isList(returned) ? hasSameItems(sent, returned, isShown) : isAnswerToList(sent, returned, ids);
  if (isFields(sent)) return isFields(returned) && hasSameMembers(sent, returned, ids);
  if (isFields(returned))
    return NAME_FIELDS.some((name) => returned[name] !== undefined && isAnswerTo(sent, returned[name] ?? null, ids));
  if (isList(returned)) return returned.length === 1 && isAnswerTo(sent, returned[0] ?? null, ids);
  if (isSameNumber(sent, returned)) return true;
  return isSameText(String(sent), String(returned)) || (typeof sent === "string" && ids[sent] === returned);
}

/** Whether two answers show one value; those to writes and those to reads may have different forms. */
export function isSameAnswer(one: Json | undefined, other: Json | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  if (isSameNumber(one, other)) return true;
  const plain = (value: Json): Json => (isBlank(value) || isEmptyMarkup(value) ? "" : plainValue(value));
  // A number is a boolean only beside one.
  const isSwitch = typeof one === "boolean" || typeof other === "boolean";
  return isSwitch ? equal(plain(booleanOf(one)), plain(booleanOf(other))) : equal(plain(one), plain(other));
}

/** Whether two answers show one value in all that both of them have: those to reads may have members that those to writes do not. */
export function agreesWith(one: Json | undefined, other: Json | undefined): boolean {
  if (isList(one) && isList(other))
    return one.length === other.length && one.every((item, at) => agreesWith(item, other[at]));
  if (isFields(one) && isFields(other))
    return Object.entries(one).every(([name, value]) => other[name] === undefined || agreesWith(value, other[name]));
  return isSameAnswer(one, other);
}

/** Whether an answer may show a name that was sent: it is that, shortened, with something added or left out, or written for a page. */
export function mayShowName(sent: string, returned: string): boolean {
  if (sent === "") return wordsOf(withoutTags(returned)) === "";
  const [ownWords, otherWords] = [wordsOf(sent), wordsOf(returned)];
  // Of a text without letters and digits, the signs are all there is.
  const [own, other] = ownWords === "" || otherWords === "" ? [sent.trim(), returned.trim()] : [ownWords, otherWords];
  if (own === "" || other === "") return false;
  // A text may be cut within a character reference.
  if (foldedName(sent).includes(foldedName(returned))) return true;
  const [short, long] = own.length < other.length ? [own, other] : [other, own];
  return long.includes(short) || (short.length * 2 >= long.length && hasInOrder(long, short));
}

/** The ways in which a live value may differ from the one that a service made it of. */
export interface Leeway {
  /** Reads leave out members. */
  readonly mayLack?: boolean;
  /** The service fills in what was sent empty. */
  readonly mayFill?: boolean;
}

/**
 * Whether a live value may be what a service made of one that was sent: each text may show the one at its place, or another one of its list, no
 * item is missing, and without leeway no member either.
 */
export function mayShowValue(sent: Json, live: Json, leeway: Leeway = {}): boolean {
  if (equal(sent, live) || (leeway.mayFill === true && isBlank(sent))) return true;
  if (typeof sent === "string") {
    if (typeof live === "string") return mayShowName(sent, live) || isMask(live);
    // An answer to a write may have as text what reads show as a value.
    if (isList(live) || isFields(live)) return mayShowValue(parseJson(sent) ?? null, live, leeway);
    return isSameNumber(sent, live) || (typeof live === "boolean" && sent === String(live));
  }
  // A service may answer any value as text.
  if (typeof live === "string") return mayShowName(JSON.stringify(sent), live);
  if (isList(sent)) {
    if (!isList(live) || sent.length !== live.length) return false;
    const isShown = (item: Json, other: Json = null) => mayShowValue(item, other, leeway);
    const isOfTexts = sent.every((item) => typeof item === "string");
    return sent.every((item, at) => isShown(item, live[at])) || (isOfTexts && hasSameItems(sent, live, isShown));
  }
  if (!isFields(sent) || !isFields(live)) return false;
  const isLacking = (name: string): boolean => leeway.mayLack === true && live[name] === undefined;
  return Object.entries(sent).every(
    ([name, value]) => isLacking(name) || mayShowValue(value, live[name] ?? null, leeway),
  );
}

/** Whether an answer is a text of which only tags are left. */
function isEmptyMarkup(answer: Json): boolean {
  return typeof answer === "string" && withoutTags(answer).trim() === "";
}

function withoutTags(text: string): string {
  return text.replace(/<[^>]*>/g, "");
}

/** Whether an answer shows nothing of a value but that there is one. */
export function isMask(answer: Json): boolean {
  return typeof answer === "string" && /^[*•●]{3,}$/.test(answer);
}

/** A service may answer a list with its length, or with its only item. */
function isAnswerToList(sent: readonly Json[], returned: Json, ids: AnsweredIds): boolean {
  return returned === sent.length || (sent.length === 1 && isAnswerTo(sent[0] ?? null, returned, ids));
}

function hasSameMembers(sent: Fields, returned: Fields, ids: AnsweredIds): boolean {
  return Object.entries(sent).every(
    ([name, value]) => returned[name] === undefined || isAnswerTo(value, returned[name], ids),
  );
}

/** Whether each item is shown by one of its own, in any order. */
function hasSameItems(
  sent: readonly Json[],
  returned: readonly Json[],
  isShown: (item: Json, other: Json) => boolean,
): boolean {
  if (sent.length !== returned.length) return false;
  const unpaired = [...returned];
  return sent.every((item) => {
    const index = unpaired.findIndex((other) => isShown(item, other));
    if (index >= 0) unpaired.splice(index, 1);
    return index >= 0;
  });
}

function isNothing(value: Json): boolean {
  return value === null || value === "" || value === false || (isList(value) && value.length === 0);
}

function isSameText(left: string, right: string): boolean {
  if (isSameName(left, right)) return true;
  return INSTANT.test(left) && INSTANT.test(right) && Date.parse(left) === Date.parse(right);
}

const INSTANT = /^\d{4}-\d\d-\d\dT/;

/** The letters and digits of a name, folded: without accents, and of a character reference of HTML the character. */
function wordsOf(name: string): string {
  const plain = name.replace(/&#(\d{1,6});|&[a-z]{2,6};/gi, (_whole, code?: string) =>
    code === undefined ? "" : String.fromCodePoint(Number(code)),
  );
  return foldedName(plain)
    .normalize("NFKD")
    .replace(/[^\p{L}\p{N}]/gu, "");
}

/** Whether a text has all characters of another one in that order. */
function hasInOrder(text: string, characters: string): boolean {
  let found = 0;
  for (const character of text) if (character === characters[found]) found += 1;
  return found === characters.length;
}
