/** What a routing test expects of an alert's destination, and whether the destination is it. */

import { canonical, type Fields, isList } from "../core/json.ts";

/** A description of a destination; what it leaves out may be anything. */
export interface Expectation {
  /** The label of the rule that decides. */
  readonly rule?: string;
  readonly action?: string;
  /** Slug of the severity. */
  readonly severity?: string;
  /** False: no rule matches at all. */
  readonly matched?: boolean;
}

/** Where an alert goes. */
export interface Destination {
  /** The rule that decides; undefined when none matches. */
  readonly rule: DecidingRule | undefined;
}

/** A rule as it is told to people. */
export interface DecidingRule {
  /** The source whose own rule it is; empty for the workspace's. */
  readonly scope: string;
  /** In its list, counted from 1; undefined when the rule is not known. */
  readonly place: number | undefined;
  /** Undefined for a rule that no file declares, or that has no name there. */
  readonly label: string | undefined;
  /** In the words of the configuration. */
  readonly outcome: Fields;
}

/** What a test wants: everything expected, and nothing forbidden. */
export interface Wanted {
  readonly expect?: Expectation;
  readonly forbid: readonly Expectation[];
}

/** What is wrong with a destination, in words; empty when nothing is. */
export function misses({ expect = {}, forbid }: Wanted, destination: Destination): readonly string[] {
  const found = partsOf(destination);
  const wrong = differing(expect, found).map(
    (part) => `${part} is ${worded(found[part])}, not ${worded(expect[part])}`,
  );
  const happened = forbid.filter((forbidden) => differing(forbidden, found).length === 0);
  return [...wrong, ...happened.map((forbidden) => `${describeExpectation(forbidden)} is forbidden`)];
}

/** An expectation on one line. */
export function describeExpectation(expectation: Expectation): string {
  const parts = stated(expectation).map((part) =>
    part === "matched"
      ? expectation.matched === true
        ? "any rule"
        : "no rule"
      : `${part} ${worded(expectation[part])}`,
  );
  return parts.join(", ");
}

/** A destination on one line. */
export function describeDestination({ rule }: Destination): string {
  if (rule === undefined) return "no rule matches";
  const { action, severity } = partsOf({ rule });
  const place = rule.place === undefined ? "a rule" : `rule ${rule.place}`;
  const name = rule.label === undefined ? `${place} (no name in the files)` : `rule ${worded(rule.label)}`;
  const scope = rule.scope === "" ? "of the workspace" : `of ${rule.scope}`;
  return [
    `${name} ${scope}`,
    ...(action === undefined ? [] : [action]),
    ...(severity === undefined ? [] : [`severity ${severity}`]),
  ].join(", ");
}

/**
 * Whether two destinations do the same with an alert, by the same rule as far as both have a name; order carries nothing in
 * an outcome.
 */
export function sameDestination(left: Destination, right: Destination): boolean {
  if (left.rule === undefined || right.rule === undefined) return left.rule === right.rule;
  const named = left.rule.label !== undefined && right.rule.label !== undefined;
  return !(named && left.rule.label !== right.rule.label) && settled(left.rule.outcome) === settled(right.rule.outcome);
}

function settled({ invite = [], ...outcome }: Fields): string {
  const invited = isList(invite) ? invite.map(canonical).sort().join() : canonical(invite);
  return `${canonical(outcome)} ${invited}`;
}

function differing(expectation: Expectation, found: Expectation): readonly (keyof Expectation)[] {
  return stated(expectation).filter((part) => expectation[part] !== found[part]);
}

const PARTS: readonly (keyof Expectation)[] = ["matched", "rule", "action", "severity"];

function stated(expectation: Expectation): readonly (keyof Expectation)[] {
  return PARTS.filter((part) => expectation[part] !== undefined);
}

/** A destination described as an expectation would. */
function partsOf({ rule }: Destination): Expectation {
  if (rule === undefined) return { matched: false };
  const { action, severity } = rule.outcome;
  return {
    matched: true,
    ...(rule.label === undefined ? {} : { rule: rule.label }),
    ...(typeof action === "string" ? { action } : {}),
    ...(typeof severity === "string" ? { severity } : {}),
  };
}

function worded(part: string | boolean | undefined): string {
  if (part === undefined) return "none";
  return typeof part === "string" ? JSON.stringify(part) : String(part);
}
