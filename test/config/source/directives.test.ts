import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { commentsOf } from "../../../src/config/edit/yaml-cst.ts";
import { directivesOf } from "../../../src/config/source/directives.ts";
import { LIMITS } from "../../../src/config/source/limits.ts";
import { Source } from "../../../src/config/source/source.ts";
import { readYaml } from "../../../src/config/source/yaml/read-yaml.ts";
import { Findings } from "../../../src/core/findings.ts";

/** The directives of a text; undefined if it cannot be read. */
function directives(text: string): readonly string[] | undefined {
  const source = new Source("a.yaml", "/a.yaml", text);
  const file = readYaml(source, LIMITS, new Findings());
  return file && directivesOf(source, file.comments).map(({ at, line, text: said }) => `${at.line} → ${line}: ${said}`);
}

test("a comment is distinguished from a text that looks like one", () => {
  const text = `# a
x: "# no" # b
y: #c
  - 'no # no'   # d
z: |  # e
  # no
w: plain#no # f
u: [a, # g
  b]
s: plain
  # h
--- # i
"q": >-
  # no
`;
  const found = commentsOf(text).map(({ start, end }) => text.slice(start, end));
  expect(found).toEqual(["# a", "# b", "#c", "# d", "# e", "# f", "# g", "# h", "# i"]);
});

test("a directive after a value is for its line; one on a line of its own is for the next line without a comment", () => {
  const text = `# incidentctl: one
# why
# incidentctl: two
severities:
  - slug: a # incidentctl: three
  #incidentctl:four

  - slug: b
`;
  expect(directives(text)).toEqual(["1 → 4: one", "3 → 4: two", "5 → 5: three", "6 → 7: four"]);
});

test("a text, or a comment that only names the program, is not a directive", () => {
  const text =
    'a: "# incidentctl: x"\n# see incidentctl: y\n# incidentctl waits\nb: |\n  # incidentctl: z\n#\nincidentctl: c\n';
  expect(directives(text)).toEqual([]);
});

const folder = new URL("../../../examples/", import.meta.url);
const examples = readdirSync(folder)
  .filter((name) => name.endsWith(".yaml"))
  .map((name) => readFileSync(new URL(name, folder), "utf8"));
const hostile = `a: "x # y"
b: [1, 'two # too', { c: d }] # e
f: |
  text # no
g: >- # h
  folded
i: &j plain words
k: *j
l: !!str 1
"m # n": o#p
q: plain
  continued # r
`;

const RUNS = Number(process.env.CAMPAIGN_REMARKS ?? 200);

test(
  "the directives are the comments that address the program, as another parser finds comments",
  () => {
    let [read, count] = [0, 0];
    const put = fc.constantFrom(
      " # incidentctl: x",
      "\n# incidentctl: x\n",
      "#incidentctl: x",
      "# a # incidentctl: x",
      '"# incidentctl: x"',
    );
    fc.assert(
      fc.property(
        fc.oneof({ weight: 9, arbitrary: fc.constant(hostile) }, fc.constantFrom(...examples)),
        fc.double({ min: 0, max: 1, noNaN: true }),
        put,
        (text, share, directive) => {
          const at = Math.floor(share * text.length);
          const whole = text.slice(0, at) + directive + text.slice(at);
          const found = directives(whole);
          if (found === undefined) return;
          const comments = commentsOf(whole).filter(({ start, end }) =>
            /^#+\s*incidentctl\s*:/.test(whole.slice(start, end)),
          );
          expect(found).toEqual(
            directivesOf(new Source("a.yaml", "/a.yaml", whole), comments).map(
              ({ at: place, line, text: said }) => `${place.line} → ${line}: ${said}`,
            ),
          );
          read += 1;
          count += found.length;
        },
      ),
      { numRuns: RUNS },
    );
    expect(read).toBeGreaterThan(50);
    expect(count).toBeGreaterThan(20);
  },
  30_000 + RUNS * 50,
);
