/** Expectations of routing tests, and destinations held against them. */

import { canonical, defined, type Fields, isList, type Json, textIn } from "../../core/json.ts";

/** A description of a destination; absent parts match anything. */
export interface Expectation {
  /** Name of the matching rule. */
  readonly rule?: string;
  readonly action?: string;
  /** Slug of the severity. */
  readonly severity?: string;
  /** False if no rule matches. */
  readonly matched?: boolean;
}

/** The routing result of an alert. */
export interface Destination {
  /** The matching rule; undefined if none matches. */
  readonly rule: MatchedRule | undefined;
}

/** The matching rule, for reports. */
export interface MatchedRule {
  /** Alert source that the rule belongs to; empty for the workspace. */
  readonly scope: string;
  /** Position in its list, counted from 1; undefined if unknown. */
  readonly place: number | undefined;
  /** Name in the configuration; undefined if it has none there. */
  readonly label: string | undefined;
  /** The outcome, as a configuration declares it. */
  readonly outcome: Fields;
  /** The outcome for reports, without values of the environment. */
  readonly shownOutcome: Json;
}

/** The expectation of a test, and destinations that it forbids. */
export interface ExpectedRouting {
  readonly expect?: Expectation;
  readonly forbid: readonly Expectation[];
}

/** The differences between a destination and the expectation, as messages. */
export function findMismatches({ expect = {}, forbid }: ExpectedRouting, destination: Destination): readonly string[] {
  const actual = partsOf(destination);
  const wrong = mismatchedParts(expect, actual).map(
    (part) => `${part} is ${quotePart(actual[part])}, not ${quotePart(expect[part])}`,
  );
  const violated = forbid.filter((forbidden) => mismatchedParts(forbidden, actual).length === 0);
  return [...wrong, ...violated.map((forbidden) => `${describeExpectation(forbidden)} is forbidden`)];
}

/** The expectation as one line. */
export function describeExpectation(expectation: Expectation): string {
  const parts = expectedParts(expectation).map((part) =>
    part === "matched"
      ? expectation.matched === true
        ? "any rule"
        : "no rule"
      : `${part} ${quotePart(expectation[part])}`,
  );
  return parts.join(", ");
}

/** The destination as one line. */
export function describeDestination({ rule }: Destination): string {
  if (rule === undefined) return "no rule matches";
  const { action, severity } = partsOf({ rule });
  const place = rule.place === undefined ? "a rule" : `rule ${rule.place}`;
  const name = rule.label === undefined ? `${place} (no name in the configuration)` : `rule ${quotePart(rule.label)}`;
  const scope = rule.scope === "" ? "of the workspace" : `of ${rule.scope}`;
  return [
    `${name} ${scope}`,
    ...(action === undefined ? [] : [action]),
    ...(severity === undefined ? [] : [`severity ${severity}`]),
  ].join(", ");
}

/** Whether two destinations have the same outcome, in any order, and the same rule if both rules have a name. */
export function isSameDestination(left: Destination, right: Destination): boolean {
  if (left.rule === undefined || right.rule === undefined) return left.rule === right.rule;
  const areNamed = left.rule.label !== undefined && right.rule.label !== undefined;
  return (
    !(areNamed && left.rule.label !== right.rule.label) &&
    comparableOutcome(left.rule.outcome) === comparableOutcome(right.rule.outcome)
  );
}

/** Equal for equal outcomes, whatever the order of the invitations. */
export function comparableOutcome({ invite = [], ...outcome }: Fields): string {
  const invited = isList(invite) ? invite.map(canonical).sort().join() : canonical(invite);
  return `${canonical(outcome)} ${invited}`;
}

function mismatchedParts(expectation: Expectation, actual: Expectation): readonly (keyof Expectation)[] {
  return expectedParts(expectation).filter((part) => expectation[part] !== actual[part]);
}

const PARTS: readonly (keyof Expectation)[] = ["matched", "rule", "action", "severity"];

function expectedParts(expectation: Expectation): readonly (keyof Expectation)[] {
  return PARTS.filter((part) => expectation[part] !== undefined);
}

/** The destination as an expectation of it. */
function partsOf({ rule }: Destination): Expectation {
  if (rule === undefined) return { matched: false };
  const { action, severity } = rule.outcome;
  return {
    matched: true,
    ...defined({ rule: rule.label, action: textIn(action), severity: textIn(severity) }),
  };
}

function quotePart(part: string | boolean | undefined): string {
  if (part === undefined) return "none";
  return typeof part === "string" ? JSON.stringify(part) : String(part);
}
