import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatText } from "../../../src/config/edit/format-files.ts";
import { LIMITS } from "../../../src/config/source/limits.ts";
import { Source } from "../../../src/config/source/source.ts";
import { readYaml } from "../../../src/config/source/yaml/read-yaml.ts";
import { Findings } from "../../../src/core/findings.ts";
import { configuration } from "../../support/samples/arbitrary-configuration.ts";
import { folder } from "../../support/samples/example-workspace.ts";
import { meaning, readsAs, styled } from "../../support/samples/yaml-styles.ts";

function format(text: string): string | undefined {
  const source = new Source("a.yaml", "/a.yaml", text);
  const findings = new Findings();
  const file = readYaml(source, LIMITS, findings);
  if (file === undefined) throw new Error(JSON.stringify(findings.list("error")));
  return formatText(source, file, LIMITS);
}

/** Few in every run of the tests, many in the campaign. */
const RUNS = Number(process.env.CAMPAIGN_EDITS ?? 50);

describe("the canonical layout", () => {
  test.each(readdirSync(folder).filter((name) => name.endsWith(".yaml")))("examples/%s has it", (name) => {
    const text = readFileSync(join(folder, name), "utf8");
    expect(format(text)).toBe(text);
  });

  test("indentation, blanks and line ends become one; words, quotes and comments stay", () => {
    const text = `#top\r\n\r\n\r\nseverities:   # the list\r\n- {slug: a,name:   'A' , color: "#fff"}  #  why\r\n-   slug:   b\r\n    # about the name\r\n    name:    "B"\r\n\r\n\r\n\r\n    description: |\r\n          Two\r\n            lines\r\n\r\n# at the end\r\nforms: {}\r\n`;
    expect(format(text)).toBe(`#top

severities: # the list
  - { slug: a, name: 'A', color: "#fff" } #  why
  - slug: b
    # about the name
    name: "B"

    description: |
      Two
        lines

# at the end
forms: {}
`);
  });

  test("a value that is too long for a line is broken, and one that fits is not", () => {
    const names = Array.from({ length: 16 }, (_, at) => `option_${at}`);
    const text = `custom_fields:\n  - slug: a\n    options: [${names.join(", ")}]\n  - { slug: b,\n      options: [\n        one, two ] }\n`;
    expect(format(text)).toBe(
      `custom_fields:\n  - slug: a\n    options:\n      [\n${names.map((name) => `        ${name},\n`).join("")}      ]\n  - { slug: b, options: [one, two] }\n`
        .replace("options:\n      [", "options: [")
        .replaceAll(/^ {8}(?=option)/gm, "      ")
        .replace("\n      ]", "\n    ]"),
    );
  });

  test(
    "whatever the style: the same is said with the same comments, and formatting again changes nothing",
    () => {
      let done = 0;
      let left = 0;
      fc.assert(
        fc.property(
          configuration,
          fc.array(fc.nat(20), { minLength: 3, maxLength: 9 }),
          fc.constantFrom(1, 2, 4),
          (value, choices, indent) => {
            const text = styled(value, choices, indent);
            fc.pre(readsAs(text, value));
            const once = format(text);
            if (once === undefined) {
              left += 1;
              return;
            }
            done += 1;
            expect(meaning(once)).toEqual(value);
            expect(format(once)).toBe(once);
          },
        ),
        { numRuns: RUNS },
      );
      expect({ left, most: done > 20 * left }).toMatchObject({ most: true });
    },
    60_000 + RUNS * 100,
  );
});
