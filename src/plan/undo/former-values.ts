/** Former values: of single fields, as a configuration must state them so that the live field becomes the former one, and of whole lists of rules. */

import type { Settings } from "../../config/settings/settings.ts";
import { type Fields, fieldsIn, isFields, isList, type Json, listIn, objectsIn, textsIn } from "../../core/json.ts";
import { joinWords } from "../../core/suggest.ts";
import { MASK } from "../../core/value-text.ts";
import type { Kind } from "../../kinds/model/kind.ts";
import type { LiveResource } from "../../kinds/model/resource.ts";
import { optionLabel } from "../../kinds/values/option-source.ts";
import { isSameAnswer } from "../../kinds/values/same-answer.ts";
import { isSameField } from "../../kinds/values/same-field.ts";
import type { ResolvedState } from "../../workspace/match/resolved-state.ts";
import { computedDefaults } from "../diff/compare.ts";
import type { Warning } from "../model/plan.ts";
import type { ResourceSnapshot, RunSnapshot } from "../model/snapshot.ts";

type Kinds = ResolvedState["kinds"];

/** A former value as it is sent: an empty text for none, and where omitted members keep their live values null for each that it did not have. */
export function withClearedMembers(
  kind: Kind,
  name: string,
  value: Json | undefined,
  before: Json | undefined,
): Json | undefined {
  // Services clear a text that is sent empty; some ignore null.
  if (before === null && kind.fields?.[name]?.equals?.(null, "") === true) return "";
  if (kind.fields?.[name]?.alwaysSend !== true || !isFields(value) || before === null) return before;
  const former = fieldsIn(before);
  const added = Object.keys(value).filter((member) => former[member] === undefined);
  return { ...former, ...Object.fromEntries(added.map((member) => [member, null])) };
}

/**
 * A former value without the names, such as permissions, that the service itself adds to what it is sent: this program does not know them, the run
 * did not send them, and they are live as they were before.
 */
export function withoutAdded(
  kind: Kind,
  name: string,
  before: Json,
  { sent, live }: { readonly sent: Json; readonly live: Json },
  kinds: Kinds,
): { readonly value: Json; readonly added: readonly string[] } {
  const added = unknownNames(kind, name, before, kinds).filter((one) => {
    const [member, former] = [memberOf(live, one), memberOf(before, one)];
    return memberOf(sent, one) === undefined && member !== undefined && isSameAnswer(former, member);
  });
  return { value: withoutNames(before, added), added };
}

/** The fields with which a removed resource is created again: those that were recorded, without names that this program does not know. */
export function recreatedFields(kind: Kind, { fields }: ResourceSnapshot, kinds: Kinds): Fields {
  const recorded = Object.entries(fields).filter(
    ([name, value]) => value !== null && !isMasked(value) && !(name === kind.lifecycle.exclusive && value === false),
  );
  return Object.fromEntries(
    recorded.map(([name, value]) => [name, withoutNames(value, unknownNames(kind, name, value, kinds))]),
  );
}

/** The names in a set, or in an object of sets, that this program does not know, such as a permission of a newer service. */
function unknownNames(kind: Kind, name: string, value: Json, kinds: Kinds): readonly string[] {
  const known = kind.fields?.[name]?.knownValues?.([...kinds.values()]);
  const names = isFields(value) ? Object.keys(value) : textsIn(value);
  return known === undefined ? [] : names.filter((one) => !known.includes(one));
}

function memberOf(value: Json, name: string): Json | undefined {
  return isFields(value) ? value[name] : textsIn(value).find((one) => one === name);
}

function withoutNames(value: Json, names: readonly string[]): Json {
  const isLeft = (name: Json): boolean => !names.some((one) => one === name);
  if (names.length === 0) return value;
  if (isList(value)) return value.filter(isLeft);
  return isFields(value) ? Object.fromEntries(Object.entries(value).filter(([name]) => isLeft(name))) : value;
}

/** Former options; a renamed option refers to its current label. */
export function formerOptions(
  live: LiveResource,
  name: string,
  before: Json,
  { choices = {} }: ResourceSnapshot,
): Json {
  const rows = live.row[name];
  const labels = new Map(objectsIn(rows).map((row) => [String(row.id), String(row.label)] as const));
  const ids = choices[name] ?? {};
  return listIn(before).map((choice): Json => {
    const current = labels.get(ids[optionLabel(choice)] ?? "");
    return current === undefined || current === optionLabel(choice)
      ? choice
      : { label: optionLabel(choice), renamed_from: current };
  });
}

/** Whether the change gave the resource the field that only one resource of its kind can have: undoing that gives the field to another resource. */
export function takesExclusive({ lifecycle }: Kind, name: string, after: Json): boolean {
  return name === lifecycle.exclusive && after === true;
}

/** Whether two lists, the live one and another, hold the same rules in the same order. */
export function isSameList(kind: Kind, live: readonly Fields[], others: readonly Fields[]): boolean {
  return live.length === others.length && live.every((rule, index) => isSameRule(kind, rule, others[index] ?? {}));
}

/** Whether a live rule is another one in every field that the service keeps, as far as both are known. `isStored`: it holds for these fields. */
function isSameRule(
  kind: Kind,
  live: Fields,
  rule: Fields,
  isStored: (field: string) => boolean = () => false,
): boolean {
  const withDefaults = (fields: Fields): Fields => ({ ...computedDefaults(kind, fields), ...fields });
  const [one, other] = [withDefaults(live), withDefaults(rule)];
  const labels = new Set(kind.identity.labels);
  const names = Object.keys({ ...one, ...other }).filter((name) => !labels.has(name));
  const isKnown = (name: string) => !isMasked(one[name]) && !isMasked(other[name]);
  return names
    .filter(isKnown)
    .every((name) => isSameField(kind, name, one[name] ?? null, other[name] ?? null) || isStored(name));
}

/** A list before and after a run, and what the run has done. */
interface RanList {
  readonly before: readonly Fields[];
  readonly after: readonly Fields[];
  /** The run was not interrupted. */
  readonly isComplete: boolean;
  /** The run has not changed this field of the rule at this place. */
  readonly isUntouched: (place: number, field: string) => boolean;
  /** The field of a rule is as the service stored what the run sent. */
  readonly isStored: (rule: LiveResource) => (field: string) => boolean;
}

/** Whether a list is as a run left it. A field that the run did not touch may have been stored otherwise before. */
export function isLeftByRun(
  kind: Kind,
  live: readonly LiveResource[],
  { before, after, isComplete, isUntouched, isStored }: RanList,
  fieldsOf: (rule: LiveResource) => Fields,
): boolean {
  // An interrupted run left rules of both lists, but no others.
  if (!isComplete)
    return live.every((rule) =>
      [...before, ...after].some((one) => isSameRule(kind, fieldsOf(rule), one, isStored(rule))),
    );
  const isAt = (rule: LiveResource, place: number): boolean => {
    const fields = fieldsOf(rule);
    const isFormer = (name: string): boolean =>
      before.some((one) => isSameField(kind, name, fields[name] ?? null, one[name] ?? null));
    const isKept = (name: string): boolean => isUntouched(place, name) && isFormer(name);
    const own = after[place] ?? {};
    // Reads may leave a switch out: that says nothing of it.
    const isHidden = (name: string): boolean => typeof own[name] === "boolean" && rule.row[name] === undefined;
    return isSameRule(kind, fields, own, (name) => isHidden(name) || isKept(name) || isStored(rule)(name));
  };
  return live.length === after.length && live.every(isAt);
}

/** The reason why former rules cannot be restored: a part of them is not known. Undefined if all of it is. */
export function unknownPart({ rule: fields }: Kind, rules: readonly Fields[]): string | undefined {
  if (rules.some(isMasked)) return "some of their values are secret and were not recorded";
  const { conditions = "" } = fields ?? {};
  const isUnseen = rules.some((rule) => rule[conditions] === undefined);
  return isUnseen ? `the service did not return the ${conditions} of the former ones` : undefined;
}

/**
 * A sentence about a scope that gets back its empty list, and not the rules that applied to it then; undefined if the service is known to
 * fall back to those.
 */
export function lostFallback({ name, title }: Kind, scope: string, settings: Settings): string | undefined {
  const { fallback } = settings.serviceProfile?.dialects ?? {};
  if (scope === "" || fallback === "restore") return undefined;
  const condition = fallback === "sticky" ? "this service does not" : "if the service does not";
  return `${name}/${scope} had no ${title}s of its own, and that cannot be restored: ${condition} fall back to those of the workspace${fallback === "sticky" ? ", so" : ","} all its alerts are dropped`;
}

/** Warnings about a scope that is made again without rules: whether it kept an empty list of its own before, no service returns. */
export function lostEmptyLists(
  { kind, key, address }: ResourceSnapshot,
  { ranks }: RunSnapshot,
  { kinds, configuration }: ResolvedState,
): readonly Warning[] {
  if (configuration.settings.serviceProfile?.dialects.fallback === "restore") return [];
  const ranked = [...kinds.values()].filter(({ scopes }) => scopes?.kind === kind);
  return ranked.flatMap(({ name, title }) => {
    if (ranks.some((list) => list.kind === name && list.scope === key)) return [];
    const message = `${name}/${key} had no ${title}s: ${address} is created again without a list of its own, so its alerts follow the ${title}s of the workspace; if it had lost its own ${title}s before, they were dropped, and that cannot be restored`;
    return [{ code: "W_UNDO", address: `${name}/${key}`, message }];
  });
}

/** Whether a recorded value refers to a variable that is not set as it was: a mask is never sent. */
export function isMasked(value: Json | undefined): boolean {
  return value !== undefined && JSON.stringify(value).includes(MASK);
}

/** Phrases for the parts that a resource does not get back when it is created again: its token, and fields that were not recorded. */
export function lossesOf(
  kind: Kind,
  { fields, unrecorded: own = [] }: ResourceSnapshot,
  kinds: Kinds,
): readonly string[] {
  const unrecorded = [...own, ...Object.keys(fields).filter((name) => isMasked(fields[name]))];
  const verb = unrecorded.length === 1 ? "was" : "were";
  return [
    ...(kind.lifecycle.secret === undefined ? [] : ["with a new token; replace the old one wherever it is used"]),
    ...(unrecorded.length === 0 ? [] : [`without its ${joinWords(unrecorded)}, which ${verb} not recorded`]),
    ...Object.entries(fields).flatMap(([name, value]) => {
      const unknown = joinWords(unknownNames(kind, name, value, kinds));
      return unknown === "" ? [] : [`without ${unknown} in its ${name}, which this program does not know`];
    }),
  ];
}
