/** Rules of routing tests: their references must exist in the files, or in the service if the kind is not managed. */

import type { Location } from "../../core/diagnostic.ts";
import type { Findings } from "../../core/findings.ts";
import { didYouMean } from "../../core/suggest.ts";
import type { Expectation } from "../../kinds/routing/expectation.ts";
import type { Configuration } from "../resources/configuration.ts";
import type { RoutingTest } from "../resources/routing-tests.ts";

/** A reference of a test to a resource. */
export interface TestReference {
  readonly kind: "alert_sources" | "severities";
  readonly key: string;
  readonly at: Location;
}

const REFERENCED_KINDS: readonly TestReference["kind"][] = ["alert_sources", "severities"];

const TITLES: Readonly<Record<TestReference["kind"], string>> = {
  alert_sources: "alert source",
  severities: "severity",
};

/** Every source and severity that the tests reference. */
export function testReferences(tests: readonly RoutingTest[]): readonly TestReference[] {
  return tests.flatMap((test): readonly TestReference[] => {
    const { source, place } = test;
    const severities = expectations(test).flatMap(({ severity, at }): readonly TestReference[] =>
      severity === undefined ? [] : [{ kind: "severities", key: severity, at: place(`${at}/severity`) }],
    );
    return source === undefined
      ? severities
      : [{ kind: "alert_sources", key: source, at: place("/source") }, ...severities];
  });
}

/** Records references to resources of managed kinds and to rules that are not declared. */
export function checkDeclaredReferences(
  tests: readonly RoutingTest[],
  configuration: Configuration,
  findings: Findings,
): void {
  const keys = new Map<string, Set<string>>(REFERENCED_KINDS.map((kind) => [kind, new Set()]));
  for (const { kind, key } of configuration.declared) keys.get(kind.name)?.add(key);
  for (const reference of testReferences(tests)) {
    if (owns(configuration, reference.kind)) checkReference(reference, keys.get(reference.kind) ?? new Set(), findings);
  }
  const labels = labelsOf(configuration);
  for (const test of tests) {
    const scope = test.source !== undefined && labels.has(test.source) ? test.source : "";
    const names = labels.get(scope) ?? new Set();
    for (const { rule, at } of expectations(test)) {
      if (rule === undefined || names.has(rule)) continue;
      const where = scope === "" ? "of the workspace" : `of "${scope}"`;
      findings.error("E_REF", `no declared rule ${where} is named "${rule}"`, test.place(`${at}/rule`), {
        help: help(rule, [...names]),
      });
    }
  }
}

/** Records references to resources of other kinds that the service does not have. */
export function checkLiveReferences(
  tests: readonly RoutingTest[],
  configuration: Configuration,
  live: (kind: TestReference["kind"]) => readonly string[],
  findings: Findings,
): void {
  const keys = new Map(REFERENCED_KINDS.map((kind) => [kind, new Set(live(kind))]));
  for (const reference of testReferences(tests)) {
    if (!owns(configuration, reference.kind))
      checkReference(reference, keys.get(reference.kind) ?? new Set(), findings);
  }
}

function checkReference({ kind, key, at }: TestReference, keys: ReadonlySet<string>, findings: Findings): void {
  if (keys.has(key)) return;
  findings.error("E_REF", `there is no ${TITLES[kind]} "${key}"`, at, { help: help(key, [...keys]) });
}

function help(word: string, names: readonly string[]): string {
  if (names.length === 0) return "There are none.";
  return didYouMean(word, names) ?? `There are: ${names.map((name) => `"${name}"`).join(", ")}.`;
}

function owns({ managed }: Configuration, kind: string): boolean {
  return managed.some((list) => list.kind === kind);
}

/** The names of declared rules by scope; empty for a scope whose rules have no names. */
function labelsOf({ declared }: Configuration): ReadonlyMap<string, ReadonlySet<string>> {
  const labels = new Map<string, Set<string>>();
  for (const { kind, scope, fields } of declared) {
    if (kind.name !== "routing_rules") continue;
    const names = labels.get(scope) ?? new Set();
    labels.set(scope, typeof fields.name === "string" ? names.add(fields.name) : names);
  }
  return labels;
}

/** The expectations of a test, with their JSON Pointers. */
function expectations({ expect, forbid }: RoutingTest): readonly (Expectation & { readonly at: string })[] {
  return [
    ...(expect === undefined ? [] : [{ ...expect, at: "/expect" }]),
    ...forbid.map((one, index) => ({ ...one, at: `/forbid/${index}` })),
  ];
}
