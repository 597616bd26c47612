/** Sample alerts: for every live and planned rule, an alert that it matches; for every scope and live source, one with unknown values. */

import { canonical, type Fields, isFields, isList } from "../../core/json.ts";
import { comparableText, evaluateCondition, type RuleCondition, toConditions } from "../../kinds/routing/condition.ts";
import type { Plan } from "../../plan/model/plan.ts";
import { decidesBySecrets, type SecretParts } from "../../preview/routing-tests/secret-parts.ts";
import type { AlertSample } from "../../service/requests/connection.ts";

/** A sample alert with its name. */
export interface NamedSample extends AlertSample {
  readonly name: string;
}

/** Sample alerts. */
export interface Samples {
  readonly samples: readonly NamedSample[];
  /** The number of rules without one. */
  readonly without: number;
  /** The number of given ones that are left out: what becomes of them could depend on a value from the environment. */
  readonly leftOut: number;
}

/** Path of routing rules. */
const RULES = "/routing_rules";
/** Path of alert sources. */
const SOURCES = "/alert_sources";
const NOTHING = "(nothing that any rule names)";

/** A rule's conditions, in its scope. */
interface ScopedRule {
  readonly source: string;
  readonly conditions: readonly RuleCondition[];
}

/**
 * Returns the given samples and those derived from live rules (rows by path) and planned ones, without duplicates. None is one whose way
 * could depend on a value from the environment.
 */
export function samplesOf(
  namedSamples: readonly NamedSample[],
  rows: Readonly<Record<string, readonly Fields[]>>,
  plan: Plan,
  secrets: SecretParts,
): Samples {
  const live = Object.entries(rows).flatMap(([path, list]) =>
    path === RULES || path.startsWith(`${RULES}?`)
      ? list.map((row) => ({ source: sourceIn(path), conditions: toConditions(row.conditions) }))
      : [],
  );
  const planned = plan.operations.flatMap(({ path, query, body }): readonly ScopedRule[] => {
    if (!isRulePath(path) || body === null || !isList(body.conditions)) return [];
    return [{ source: sourceOf(query, body), conditions: toConditions(body.conditions) }];
  });
  const rules = [...live, ...planned];
  const touched = new Set(
    plan.operations.flatMap(({ path, query, body }) => (isRulePath(path) ? [sourceOf(query, body ?? {})] : [])),
  );
  // An alert that falls back to the workspace's rules may not do so after the plan: sources that change get those samples too.
  const crossed = [...touched].flatMap((source) =>
    rules.filter((rule) => rule.source === "").map((rule) => ({ ...rule, source })),
  );
  const isOpen = ({ source = "", fields }: AlertSample): boolean =>
    !decidesBySecrets(
      secrets,
      ["", source],
      rules.flatMap((rule) =>
        rule.source === "" || rule.source === source ? rule.conditions.map(({ field }) => field) : [],
      ),
      fields,
    );
  const made = [...rules, ...crossed].flatMap(({ source, conditions }) => {
    const fields = fieldsFor(conditions);
    return fields === undefined ? [] : [named(`an alert with ${described(fields)}`, source, fields)];
  });
  const names = [...new Set(rules.flatMap(({ conditions }) => conditions.map(({ field }) => field)))];
  const nothing = Object.fromEntries(names.map((name) => [name, NOTHING]));
  const sources = (rows[SOURCES] ?? []).map(({ name }) => String(name));
  const scopes = new Set(["", ...rules.map(({ source }) => source), ...touched, ...sources]);
  const odd = [...scopes].map((source) => named("an alert that names nothing known", source, nothing));
  const given = namedSamples.filter(isOpen);
  const open = made.filter(isOpen);
  return {
    samples: distinct([...given, ...open, ...odd.filter(isOpen)]),
    without: rules.length + crossed.length - open.length,
    leftOut: namedSamples.length - given.length,
  };
}

/** Whether a write at this path changes rules. */
export function isRulePath(path: string): boolean {
  return path.startsWith(`/api/v1${RULES}`);
}

/** Fields of an alert that meets all conditions; undefined if none is found. */
function fieldsFor(conditions: readonly RuleCondition[]): Readonly<Record<string, string>> | undefined {
  const fields: Record<string, string> = {};
  for (const field of new Set(conditions.map((condition) => condition.field))) {
    const own = conditions.filter((condition) => condition.field === field);
    const meets = (text: string | undefined) =>
      own.every((condition) => evaluateCondition(condition, text).matched === true);
    if (meets(undefined)) continue;
    const parts = own.map(candidates);
    const sample = [...parts.flat(), parts.map(([first = ""]) => first).join("")].find(meets);
    if (sample === undefined) return undefined;
    fields[field] = sample;
  }
  return fields;
}

/** Texts that may meet one condition. */
function candidates({ operator, value }: RuleCondition): readonly string[] {
  if (operator === "is_one_of") return isList(value) ? value.map(comparableText) : [];
  return [operator === "matches_regex" ? sampleText(comparableText(value)) : comparableText(value)];
}

function sourceIn(path: string): string {
  return new URLSearchParams(path.split("?")[1]).get("source") ?? "";
}

function sourceOf(query: Readonly<Record<string, string>>, body: Fields): string {
  if (query.source !== undefined) return query.source;
  return isFields(body) && typeof body.source === "string" ? body.source : "";
}

function named(name: string, source: string, fields: Readonly<Record<string, string>>): NamedSample {
  return { name, fields, ...(source === "" ? {} : { source }) };
}

function described(fields: Readonly<Record<string, string>>): string {
  const parts = Object.entries(fields).map(([name, text]) => `${name} ${JSON.stringify(text)}`);
  return parts.length === 0 ? "no fields" : parts.join(" and ");
}

function distinct(samples: readonly NamedSample[]): readonly NamedSample[] {
  const byContent = new Map<string, NamedSample>();
  for (const sample of samples) {
    const key = canonical([sample.source ?? "", sample.fields]);
    if (!byContent.has(key)) byContent.set(key, sample);
  }
  return [...byContent.values()];
}

/** A position in an expression. */
interface ExpressionCursor {
  readonly text: string;
  at: number;
}

/** Returns a text that the expression probably matches. */
export function sampleText(expression: string): string {
  return alternatives({ text: expression, at: 0 });
}

/** A sample of the first alternative; the others are skipped. */
function alternatives(reading: ExpressionCursor): string {
  const first = sequence(reading);
  while (reading.text[reading.at] === "|") {
    reading.at += 1;
    sequence(reading);
  }
  return first;
}

function sequence(reading: ExpressionCursor): string {
  let sample = "";
  while (reading.at < reading.text.length && !"|)".includes(reading.text[reading.at] ?? "")) {
    sample += piece(reading).repeat(repetitions(reading));
  }
  return sample;
}

function piece(reading: ExpressionCursor): string {
  const character = reading.text[reading.at] ?? "";
  reading.at += 1;
  switch (character) {
    case "^":
    case "$":
      return "";
    case ".":
      return "x";
    case "\\":
      return escaped(reading);
    case "[":
      return oneOf(reading);
    case "(":
      return group(reading);
    default:
      return character;
  }
}

const classes: Readonly<Record<string, string>> = { d: "1", w: "a", s: " ", h: "a", D: "x", W: "-", S: "x", H: "x" };
const anchors = "AzZbBG";

function escaped(reading: ExpressionCursor): string {
  const character = reading.text[reading.at] ?? "";
  reading.at += 1;
  if (anchors.includes(character)) return "";
  return classes[character] ?? (character === "n" ? "\n" : character === "t" ? "\t" : character);
}

/** The first character of a class; for a negated one, a character that is rarely in it. */
function oneOf(reading: ExpressionCursor): string {
  const isNegated = reading.text[reading.at] === "^";
  if (isNegated) reading.at += 1;
  let first: string | undefined;
  while (reading.at < reading.text.length && (reading.text[reading.at] !== "]" || first === undefined)) {
    const character = reading.text[reading.at] ?? "";
    reading.at += 1;
    const meant = character === "\\" ? escaped(reading) : character;
    first ??= meant;
  }
  reading.at += 1;
  return isNegated ? "~" : (first ?? "");
}

function group(reading: ExpressionCursor): string {
  const opening = /^\?(?:[:>]|<?[=!]|<\w+>|[a-z-]+[:)])/.exec(reading.text.slice(reading.at))?.[0] ?? "";
  reading.at += opening.length;
  if (opening.endsWith(")")) return "";
  const sample = alternatives(reading);
  reading.at += 1;
  return opening.includes("!") ? "" : sample;
}

/** Number of repetitions of a piece: the smallest allowed, but 1 if the piece is optional. */
function repetitions(reading: ExpressionCursor): number {
  const [quantifier = "", least] = /^(?:[*+?]|\{(\d+)(?:,\d*)?\})[?+]?/.exec(reading.text.slice(reading.at)) ?? [];
  reading.at += quantifier.length;
  return least === undefined ? 1 : Math.min(100, Number(least));
}
