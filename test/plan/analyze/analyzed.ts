/** Analyses of configurations in memory, with or without live resources. */

import { describe, expect, test } from "vitest";
import type { RoutingTest } from "../../../src/config/resources/routing-tests.ts";
import type { Settings } from "../../../src/config/settings/settings.ts";
import type { Location } from "../../../src/core/diagnostic.ts";
import type { Fields } from "../../../src/core/json.ts";
import { kinds } from "../../../src/kinds/index.ts";
import { analyze } from "../../../src/plan/analyze/analyze.ts";
import type { Finding } from "../../../src/plan/analyze/analyzer.ts";
import { analyzers } from "../../../src/plan/analyze/index.ts";
import { NOTHING_READ, type Observation } from "../../../src/workspace/match/observation.ts";
import { resolve } from "../../../src/workspace/match/resolve.ts";
import { configured } from "../../support/plans/configuration.ts";

const AT: Location = { file: "a.test.yaml", line: 1, column: 1 };

/** Time of every analysis. */
const NOW: Date = new Date("2026-11-21T08:00:00Z");

/** Live state and settings of an analysis. */
export interface Surroundings {
  /** Live resources in the form of a configuration; lists that are absent were not read. */
  readonly live?: Fields;
  readonly settings?: Partial<Settings>;
  /** Fields of the alerts in routing tests. */
  readonly tested?: readonly string[];
}

/** A row of `rows/`: a configuration, its surroundings and its findings. */
export interface AnalyzedRow extends Omit<Surroundings, "tested"> {
  readonly title: string;
  readonly document: Fields;
  readonly findings: readonly string[];
}

/** A configuration and its findings: title, document, findings, live state and settings. */
export type Case = readonly [title: string, document: Fields, expected: readonly string[], around?: Surroundings];

/** Tests of one analyzer. At least one case has findings, and one has none. */
export function tables(id: string, cases: readonly Case[]): void {
  describe(id, () => {
    test.each(cases)("%s", (_title, document, expected, around = {}) => {
      expect(found(id, document as Fields, around as Surroundings)).toEqual(expected);
    });
    test.each([true, false])("has a case with findings: %s", (something) => {
      expect(cases.some(([, , expected]) => expected.length > 0 === something)).toBe(true);
    });
  });
}

/** The findings of one analyzer: `severity address: message`. */
export function found(
  id: string,
  document: Fields,
  { live, settings, tested = [] }: Surroundings = {},
): readonly string[] {
  const chosen = analyzers.filter((analyzer) => analyzer.id === id);
  const configuration = configured(document, settings);
  const observation = live === undefined ? NOTHING_READ : observationOf(live);
  const tests = tested.map(
    (name): RoutingTest => ({ name, fields: { [name]: "x" }, forbid: [], at: AT, place: () => AT }),
  );
  return analyze(chosen, resolve(configuration, kinds, observation), NOW, () => tests).map(brief);
}

/** A finding in one line. */
function brief({ severity, address, message }: Finding): string {
  return `${severity} ${address}: ${message}`;
}

/** The rows of the live resources in a document. */
function observationOf(document: Fields): Observation {
  const { declared, managed } = configured(document);
  const lists = managed.map(({ kind, scope }) => {
    const own = declared.filter((resource) => resource.kind.name === kind && resource.scope === scope);
    return { kind, scope, rows: own.map(({ fields }, at) => ({ priority: at + 1, ...fields })) };
  });
  return { lists, unread: [] };
}

/** The rules of the workspace, or of a source. */
export function routing(scope: string, ...rules: readonly Fields[]): Fields {
  return { routing_rules: scope === "" ? { workspace: rules } : { sources: { [scope]: rules } } };
}

/** A rule by its conditions, each `field operator value`; `a|b` is a list. */
export function rule(name: string, ...conditions: readonly string[]): Fields {
  return {
    name,
    outcome: { action: "drop" },
    conditions: conditions.map((condition) => {
      const [field = "", operator = "", ...rest] = condition.split(" ");
      const value = rest.join(" ");
      if (operator === "is_empty") return { field, operator };
      return { field, operator, value: operator === "is_one_of" ? value.split("|") : value };
    }),
  };
}
