/** Loads routing tests from files `*.test.yaml`. */

import { InvalidConfiguration, type Location } from "../../core/diagnostic.ts";
import { Findings } from "../../core/findings.ts";
import { defined, escapedStep, type Fields, fieldsIn, isFields, type Json, listIn, textIn } from "../../core/json.ts";
import type { Expectation, ExpectedRouting } from "../../kinds/routing/expectation.ts";
import { explainViolation } from "../schema/explain-violations.ts";
import { moduleSchema } from "../schema/schema.ts";
import { violations } from "../schema/validator.ts";
import { locate } from "../settings/project.ts";
import { DISK } from "../source/disk.ts";
import type { FileTree } from "../source/file-tree.ts";
import { readFiles, TEST_FILES } from "../source/files.ts";
import { refuseTokens } from "../source/leaked-tokens.ts";
import { LIMITS } from "../source/limits.ts";
import type { Source } from "../source/source.ts";
import { decode } from "../source/text.ts";
import { follow, type Node } from "../source/tree.ts";
import { readYaml } from "../source/yaml/read-yaml.ts";
import { withoutEnvironment } from "../values/substitution.ts";
import { Substitutions, type Variable } from "../values/substitution-sources.ts";
import { resolveValue, type SubstitutionResolver } from "../values/value.ts";
import type { Configuration } from "./configuration.ts";

/** A routing test in a file. */
export interface RoutingTest extends ExpectedRouting {
  readonly name: string;
  /** The alert source; absent for the workspace rules. */
  readonly source?: string;
  /** The fields of the alert, as text. */
  readonly fields: Readonly<Record<string, string>>;
  readonly at: Location;
  /** Returns the place of a value; `pointer` is a JSON Pointer into the test. */
  place(pointer: string): Location;
}

/** Options of a load. */
export interface RoutingTestOptions {
  /** The base of relative paths. */
  readonly cwd: string;
  /** Checks that go beyond the schema. */
  readonly check: (tests: readonly RoutingTest[], findings: Findings) => void;
  /** There need not be any test. */
  readonly mayBeEmpty?: boolean;
  /** The files. Default: the disk. */
  readonly tree?: FileTree;
}

/**
 * Loads every test at or below the paths; without paths, in the folder of the settings. `${var:…}` has its value in the
 * configuration; values from the environment are refused, because
 * the result of a test would tell them. Throws `InvalidConfiguration` with all errors, or if there are no tests and must be some.
 */
export function loadRoutingTests(
  paths: readonly string[],
  configuration: Configuration,
  { cwd, check, mayBeEmpty = false, tree = DISK }: RoutingTestOptions,
): readonly RoutingTest[] {
  const findings = new Findings();
  const sources = new Map<string, Source>();
  const project = locate(paths, cwd, findings, tree);
  const tests: RoutingTest[] = [];
  if (project !== undefined) {
    const variables = Object.entries(configuration.settings.vars).map(([name, value]): [string, Variable] => [
      name,
      { value, secret: configuration.secretVariables.includes(name) },
    ]);
    const { root } = project;
    const all = new Substitutions(root, {}, new Map(variables), { tree });
    const substitutions: SubstitutionResolver = {
      resolverFor: (source) => withoutEnvironment(all.resolverFor(source)),
    };
    const given = project.given.length > 0 ? project.given : [root];
    const searchPaths = given.map((path) => ({ path }));
    const search = { root, tree, limits: LIMITS, type: TEST_FILES, mayBeEmpty };
    for (const { file, path, bytes } of readFiles(searchPaths, search, findings)) {
      const source = decode(file, path, bytes, findings);
      if (source === undefined) continue;
      sources.set(source.file, source);
      refuseTokens(source, findings);
      const read = readYaml(source, LIMITS, findings);
      if (read !== undefined) tests.push(...testsOf(read.node, source, substitutions, findings));
    }
    refuseDuplicates(tests, findings);
    check(tests, findings);
  }
  const errors = findings.list("error");
  if (errors.length > 0) throw new InvalidConfiguration(errors, (file) => sources.get(file)?.lines());
  return tests;
}

/** Whether a path is a file of routing tests. */
export function isTestFile(path: string): boolean {
  return TEST_FILES.matches(path) && DISK.typeOf(path) !== "directory";
}

/** The valid tests of a file. */
function testsOf(
  node: Node,
  source: Source,
  substitutions: SubstitutionResolver,
  findings: Findings,
): readonly RoutingTest[] {
  const schemaOf = () => {
    const whole = moduleSchema("routing-tests");
    return { whole, part: whole };
  };
  const value = resolveValue(node, schemaOf, source, substitutions, findings);
  const broken = violations("routing_tests", value.json);
  for (const violation of broken) {
    if (!value.unresolved.has(violation.pointer)) {
      explainViolation(violation, { source, node, title: "file of routing tests" }, findings);
    }
  }
  const wrong = [...broken.map(({ pointer }) => pointer), ...value.unresolved];
  const items = listIn(fieldsIn(value.json).routing_tests);
  return items.flatMap((item, index) => {
    const base = `/routing_tests/${index}`;
    const at = (pointer: string): Location => {
      const testNode = follow(node, base + pointer).node;
      return source.location(testNode.start, testNode.end);
    };
    const isValid = isFields(item) && !wrong.some((pointer) => `${pointer}/`.startsWith(`${base}/`));
    return isValid ? [testOf(item, { source, node, base, place: at, findings })] : [];
  });
}

interface TestContext {
  readonly source: Source;
  readonly node: Node;
  readonly base: string;
  readonly place: (pointer: string) => Location;
  readonly findings: Findings;
}

function testOf(item: Fields, setting: TestContext): RoutingTest {
  const { node, base, place, findings } = setting;
  const start = follow(node, base).node.start;
  const at = setting.source.location(start);
  const fileFields = fieldsIn(item.fields);
  const fields = Object.entries(fileFields).map(([name, value]) => [
    name,
    fieldText(value, `/fields/${escapedStep(name)}`, setting),
  ]);
  const expect = isFields(item.expect) ? expectationOf(item.expect, "/expect", setting) : undefined;
  const forbid = listIn(item.forbid).flatMap((one, index) =>
    isFields(one) ? [expectationOf(one, `/forbid/${index}`, setting)] : [],
  );
  if (expect === undefined && forbid.length === 0) {
    findings.error("E_REQUIRED", 'the routing test needs "expect" or "forbid"', at);
  }
  return {
    name: String(item.name),
    ...defined({ source: textIn(item.source) }),
    fields: Object.fromEntries(fields),
    ...defined({ expect }),
    forbid,
    at,
    place,
  };
}

/** The text of a value. A number or boolean must be written as its text, so 010 is refused. */
function fieldText(value: Json, pointer: string, { source, node, base, place, findings }: TestContext): string {
  const text = String(value);
  if (typeof value === "string") return text;
  const expectationNode = follow(node, base + pointer).node;
  const written = source.text.slice(expectationNode.start, expectationNode.end);
  // The text of a substitution or alias is elsewhere.
  if (
    expectationNode.type === "scalar" &&
    typeof expectationNode.value !== "string" &&
    written !== text &&
    !written.startsWith("*")
  ) {
    findings.error("E_TYPE", `${written} is compared as the text "${text}"`, place(pointer), {
      help: `Quote it: "${written}".`,
    });
  }
  return text;
}

function expectationOf(fileFields: Fields, pointer: string, { place, findings }: TestContext): Expectation {
  const { rule, action, severity, matched } = fileFields;
  const more = ["rule", "action", "severity"].find((name) => fileFields[name] !== undefined);
  if (more === undefined && matched === undefined) {
    findings.error("E_REQUIRED", "the expectation is empty", place(pointer), {
      help: "Set rule, action or severity, or matched: false.",
    });
  } else if (more !== undefined && matched === false) {
    findings.error("E_XOR", `matched: false cannot have "${more}"`, place(`${pointer}/${more}`));
  }
  return {
    ...(typeof rule === "string" ? { rule } : {}),
    ...(typeof action === "string" ? { action } : {}),
    ...(typeof severity === "string" ? { severity } : {}),
    ...(typeof matched === "boolean" ? { matched } : {}),
  };
}

/** Records tests with the name of an earlier one: reports identify tests by name. */
function refuseDuplicates(tests: readonly RoutingTest[], findings: Findings): void {
  const byName = new Map<string, RoutingTest>();
  for (const test of tests) {
    const first = byName.get(test.name);
    if (first === undefined) byName.set(test.name, test);
    else {
      findings.error("E_DUP_OBJECT", `two tests are named "${test.name}"`, test.place("/name"), {
        related: [{ message: "first here", at: first.place("/name") }],
        help: "Rename one of the two.",
      });
    }
  }
}
