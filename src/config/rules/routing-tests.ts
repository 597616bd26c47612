/** Routing tests: what they mention must exist, in the files or, where the files leave it to the service, there. */

import type { Location } from "../../core/diagnostic.ts";
import type { Findings } from "../../core/findings.ts";
import { suggest } from "../../core/suggest.ts";
import type { Expectation } from "../../routing/expectation.ts";
import type { Configuration } from "../load/configuration.ts";
import type { RoutingTest } from "../load/routing-tests.ts";

/** An entry that a test mentions by its key. */
export interface Mention {
  readonly kind: "alert_sources" | "severities";
  readonly key: string;
  readonly at: Location;
}

const MENTIONED: readonly Mention["kind"][] = ["alert_sources", "severities"];

const TITLES: Readonly<Record<Mention["kind"], string>> = { alert_sources: "alert source", severities: "severity" };

/** Every source and severity that the tests mention. */
function mentionsOf(tests: readonly RoutingTest[]): readonly Mention[] {
  return tests.flatMap((test): readonly Mention[] => {
    const { source, place } = test;
    const severities = expectations(test).flatMap(({ severity, at }): readonly Mention[] =>
      severity === undefined ? [] : [{ kind: "severities", key: severity, at: place(`${at}/severity`) }],
    );
    return source === undefined
      ? severities
      : [{ kind: "alert_sources", key: source, at: place("/source") }, ...severities];
  });
}

/** Records mentions of what the files own the list of and do not declare, and of rules that no file names. */
export function checkDeclared(tests: readonly RoutingTest[], configuration: Configuration, findings: Findings): void {
  const keys = new Map<string, Set<string>>(MENTIONED.map((kind) => [kind, new Set()]));
  for (const { kind, key } of configuration.declared) keys.get(kind.name)?.add(key);
  for (const mention of mentionsOf(tests)) {
    if (owns(configuration, mention.kind)) checkMention(mention, keys.get(mention.kind) ?? new Set(), findings);
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

/** Records mentions, of what the files leave to the service, that the service does not have either. */
export function checkLive(
  tests: readonly RoutingTest[],
  configuration: Configuration,
  live: (kind: Mention["kind"]) => readonly string[],
  findings: Findings,
): void {
  const keys = new Map(MENTIONED.map((kind) => [kind, new Set(live(kind))]));
  for (const mention of mentionsOf(tests)) {
    if (!owns(configuration, mention.kind)) checkMention(mention, keys.get(mention.kind) ?? new Set(), findings);
  }
}

function checkMention({ kind, key, at }: Mention, keys: ReadonlySet<string>, findings: Findings): void {
  if (keys.has(key)) return;
  findings.error("E_REF", `there is no ${TITLES[kind]} "${key}"`, at, { help: help(key, [...keys]) });
}

function help(word: string, names: readonly string[]): string {
  const meant = suggest(word, names);
  if (meant !== undefined) return `Did you mean "${meant}"?`;
  return names.length === 0 ? "There are none." : `There are: ${names.map((name) => `"${name}"`).join(", ")}.`;
}

function owns({ managed }: Configuration, kind: string): boolean {
  return managed.some((list) => list.kind === kind);
}

/** The names of the rules that the files declare, by scope; a scope whose rules have no names is there as well. */
function labelsOf({ declared }: Configuration): ReadonlyMap<string, ReadonlySet<string>> {
  const labels = new Map<string, Set<string>>();
  for (const { kind, scope, fields } of declared) {
    if (kind.name !== "routing_rules") continue;
    const names = labels.get(scope) ?? new Set();
    labels.set(scope, typeof fields.name === "string" ? names.add(fields.name) : names);
  }
  return labels;
}

/** What a test expects and forbids, with where each stands in it. */
function expectations({ expect, forbid }: RoutingTest): readonly (Expectation & { readonly at: string })[] {
  return [
    ...(expect === undefined ? [] : [{ ...expect, at: "/expect" }]),
    ...forbid.map((one, index) => ({ ...one, at: `/forbid/${index}` })),
  ];
}
