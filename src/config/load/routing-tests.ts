/** Loads routing tests: files `*.test.yaml`, held against their schema, with every error that is in them. */

import { statSync } from "node:fs";
import { InvalidConfiguration, type Location } from "../../core/diagnostic.ts";
import { Findings } from "../../core/findings.ts";
import { type Fields, isFields, isList, type Json } from "../../core/json.ts";
import type { Expectation, ExpectedRouting } from "../../routing/expectation.ts";
import { Substitutions, type Variable } from "../resolve/substitution-sources.ts";
import { evaluate } from "../resolve/value.ts";
import { explain } from "../schema/explain-violations.ts";
import { roomSchema } from "../schema/schema.ts";
import { violations } from "../schema/validator.ts";
import { locate } from "../settings/project.ts";
import { readFiles, TEST_FILES } from "../source/files.ts";
import { refuseTokens } from "../source/leaked-tokens.ts";
import { LIMITS } from "../source/limits.ts";
import type { Source } from "../source/source.ts";
import { decode } from "../source/text.ts";
import { escaped, follow, type Node } from "../source/tree.ts";
import { readYaml } from "../source/yaml/read-yaml.ts";
import type { Configuration } from "./configuration.ts";
import { masked } from "./load.ts";

/** One test, as it is declared. */
export interface RoutingTest extends ExpectedRouting {
  readonly name: string;
  /** The alert source; undefined for the workspace rules. */
  readonly source?: string;
  /** The alert, field by field, as text. */
  readonly fields: Readonly<Record<string, string>>;
  readonly at: Location;
  /** Where a value of the test stands; `pointer` is a JSON Pointer into it. */
  place(pointer: string): Location;
}

/** What loading depends on besides the files. */
export interface RoutingTestOptions {
  /** For `${env:…}`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Relative paths begin here. */
  readonly cwd: string;
  /** Looks at the tests beyond their schema; what it records is told with the rest. */
  readonly check: (tests: readonly RoutingTest[], findings: Findings) => void;
}

/** The tests, and what came into them from the environment. */
export interface RoutingTests {
  readonly tests: readonly RoutingTest[];
  /** Values to be masked wherever text leaves the program. */
  readonly secrets: readonly string[];
}

/**
 * Loads every test at or below the paths; without paths, beside the settings. `${var:…}` stands for what it stands for in the
 * configuration. Throws `InvalidConfiguration` with every error, and when there is no test at all.
 */
export function loadRoutingTests(
  paths: readonly string[],
  configuration: Configuration,
  { env, cwd, check }: RoutingTestOptions,
): RoutingTests {
  const findings = new Findings();
  const sources = new Map<string, Source>();
  const project = locate(paths, cwd, findings);
  const tests: RoutingTest[] = [];
  let secrets: readonly string[] = [];
  if (project !== undefined) {
    const variables = Object.entries(configuration.settings.vars).map(([name, value]): [string, Variable] => [
      name,
      { value, secret: configuration.secrets.includes(String(value)) },
    ]);
    const substitutions = new Substitutions(project.root, env, new Map(variables));
    const given = project.given.length > 0 ? project.given : [project.root];
    const wanted = given.map((path) => ({ path }));
    for (const { file, path, bytes } of readFiles(wanted, project.root, LIMITS, findings, TEST_FILES)) {
      const source = decode(file, path, bytes, findings);
      if (source === undefined) continue;
      sources.set(source.file, source);
      refuseTokens(source, findings);
      const read = readYaml(source, LIMITS, findings);
      if (read !== undefined) tests.push(...testsOf(read.node, source, substitutions, findings));
    }
    secrets = substitutions.secrets;
    refuseDuplicates(tests, findings);
    check(tests, findings);
  }
  const errors = findings.list("error");
  if (errors.length > 0) throw new InvalidConfiguration(masked(errors, secrets), (file) => sources.get(file)?.lines());
  return { tests, secrets };
}

/** Whether a path names a file of tests, which is no part of the configuration. */
export function isTestFile(path: string): boolean {
  return TEST_FILES.is(path) && statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true;
}

/** The tests of one file whose shape holds. */
function testsOf(node: Node, source: Source, substitutions: Substitutions, findings: Findings): readonly RoutingTest[] {
  const schema = roomSchema("routing-tests");
  const value = evaluate(node, { whole: schema, part: schema }, source, substitutions, findings);
  const broken = violations("routing_tests", value.json);
  for (const violation of broken) {
    if (!value.unresolved.has(violation.pointer)) {
      explain(violation, { source, node, title: "file of routing tests" }, findings);
    }
  }
  const wrong = [...broken.map(({ pointer }) => pointer), ...value.unresolved];
  const items = isFields(value.json) && isList(value.json.routing_tests) ? value.json.routing_tests : [];
  return items.flatMap((item, index) => {
    const base = `/routing_tests/${index}`;
    const at = (pointer: string): Location => {
      const found = follow(node, base + pointer).node;
      return source.location(found.start, found.end);
    };
    const sound = isFields(item) && !wrong.some((pointer) => `${pointer}/`.startsWith(`${base}/`));
    return sound ? [testOf(item, { source, node, base, place: at, findings })] : [];
  });
}

interface Setting {
  readonly source: Source;
  readonly node: Node;
  readonly base: string;
  readonly place: (pointer: string) => Location;
  readonly findings: Findings;
}

function testOf(item: Fields, setting: Setting): RoutingTest {
  const { node, base, place, findings } = setting;
  const start = follow(node, base).node.start;
  const at = setting.source.location(start);
  const stated = isFields(item.fields) ? item.fields : {};
  const fields = Object.entries(stated).map(([name, value]) => [
    name,
    fieldText(value, `/fields/${escaped(name)}`, setting),
  ]);
  const expect = isFields(item.expect) ? expectationOf(item.expect, "/expect", setting) : undefined;
  const forbid = (isList(item.forbid) ? item.forbid : []).flatMap((one, index) =>
    isFields(one) ? [expectationOf(one, `/forbid/${index}`, setting)] : [],
  );
  if (expect === undefined && forbid.length === 0) {
    findings.error("E_REQUIRED", 'the routing test needs "expect" or "forbid"', at);
  }
  return {
    name: String(item.name),
    ...(typeof item.source === "string" ? { source: item.source } : {}),
    fields: Object.fromEntries(fields),
    ...(expect === undefined ? {} : { expect }),
    forbid,
    at,
    place,
  };
}

/** A number or a truth value stands for its text, as long as it is written as that text. */
function fieldText(value: Json, pointer: string, { source, node, base, place, findings }: Setting): string {
  const text = String(value);
  if (typeof value === "string") return text;
  const found = follow(node, base + pointer).node;
  const written = source.text.slice(found.start, found.end);
  // What was put in by a substitution, or by an alias, is not written here.
  if (found.type === "scalar" && typeof found.value !== "string" && written !== text && !written.startsWith("*")) {
    findings.error("E_TYPE", `${written} would be compared as the text "${text}"`, place(pointer), {
      help: `Quote what is meant: "${written}".`,
    });
  }
  return text;
}

function expectationOf(stated: Fields, pointer: string, { place, findings }: Setting): Expectation {
  const { rule, action, severity, matched } = stated;
  const more = ["rule", "action", "severity"].find((name) => stated[name] !== undefined);
  if (more === undefined && matched === undefined) {
    findings.error("E_REQUIRED", "the expectation states nothing", place(pointer), {
      help: "It can state rule, action and severity, or matched: false.",
    });
  } else if (more !== undefined && matched === false) {
    findings.error("E_XOR", `an alert that no rule matches has no "${more}"`, place(`${pointer}/${more}`));
  }
  return {
    ...(typeof rule === "string" ? { rule } : {}),
    ...(typeof action === "string" ? { action } : {}),
    ...(typeof severity === "string" ? { severity } : {}),
    ...(typeof matched === "boolean" ? { matched } : {}),
  };
}

/** A report tells tests by their names. */
function refuseDuplicates(tests: readonly RoutingTest[], findings: Findings): void {
  const seen = new Map<string, RoutingTest>();
  for (const test of tests) {
    const first = seen.get(test.name);
    if (first === undefined) seen.set(test.name, test);
    else {
      findings.error("E_DUP_OBJECT", `two tests are named "${test.name}"`, test.place("/name"), {
        related: [{ message: "first here", at: first.place("/name") }],
        help: "Give one of the two another name.",
      });
    }
  }
}
