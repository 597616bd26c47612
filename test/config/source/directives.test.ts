import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Findings } from "../../../src/config/load/findings.ts";
import { remarksOf } from "../../../src/config/source/directives.ts";
import { LIMITS } from "../../../src/config/source/limits.ts";
import { Source } from "../../../src/config/source/source.ts";
import type { Node } from "../../../src/config/source/tree.ts";
import { comments, parse } from "../../../src/config/source/yaml.ts";
import { quickTree } from "../../../src/config/source/yaml-events.ts";

const remarks = async (text: string, node: Node = treeOf(text)) =>
  (await remarksOf({ source: new Source("a.yaml", "/a.yaml", text), node })).map(
    (remark) => `${remark.at.line} → ${remark.line}: ${remark.text}`,
  );

function treeOf(text: string): Node {
  const node = parse(new Source("a.yaml", "/a.yaml", text), LIMITS, new Findings());
  if (node === undefined) throw new Error(`not to be read:\n${text}`);
  return node;
}

test("comments are told from what only looks like one", () => {
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
  const found = comments(text).map(({ start, end }) => text.slice(start, end));
  expect(found).toEqual(["# a", "# b", "#c", "# d", "# e", "# f", "# g", "# h", "# i"]);
});

test("a remark behind a value speaks about its line, one that stands alone about the next that is no comment", async () => {
  const text = `# incidentctl: one
# why
# incidentctl: two
severities:
  - slug: a # incidentctl: three
  #incidentctl:four

  - slug: b
`;
  expect(await remarks(text)).toEqual(["1 → 4: one", "3 → 4: two", "5 → 5: three", "6 → 7: four"]);
});

test("neither a text nor a comment that only mentions the program is a remark", async () => {
  expect(
    await remarks('a: "# incidentctl: x"\n# see incidentctl: y\n# incidentctl waits\nb: |\n  # incidentctl: z\n'),
  ).toEqual([]);
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
  "a remark is the same whichever way it is found, wherever it is put in",
  async () => {
    let [read, told] = [0, 0];
    const put = fc.constantFrom(
      " # incidentctl: x",
      "\n# incidentctl: x\n",
      "#incidentctl: x",
      "# a # incidentctl: x",
      '"# incidentctl: x"',
    );
    await fc.assert(
      fc.asyncProperty(
        fc.oneof({ weight: 9, arbitrary: fc.constant(hostile) }, fc.constantFrom(...examples)),
        fc.double({ min: 0, max: 1, noNaN: true }),
        put,
        async (text, share, remark) => {
          const at = Math.floor(share * text.length);
          const given = text.slice(0, at) + remark + text.slice(at);
          const node = parse(new Source("a.yaml", "/a.yaml", given), LIMITS, new Findings());
          if (node === undefined) return;
          const empty: Node = { type: "list", items: [], start: 0, end: 0 };
          // Without a break that this program does not read by, and with one: then every comment is looked for.
          const expected = await remarks(`${given}\n\n# \u2028`, empty);
          const quick = quickTree(given, LIMITS);
          expect(await remarks(given, node)).toEqual(expected);
          if (quick !== undefined) expect(await remarks(given, quick)).toEqual(expected);
          read += 1;
          told += expected.length;
        },
      ),
      { numRuns: RUNS },
    );
    expect(read).toBeGreaterThan(50);
    expect(told).toBeGreaterThan(20);
  },
  30_000 + RUNS * 50,
);
