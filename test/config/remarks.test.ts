import { expect, test } from "vitest";
import { remarksOf } from "../../src/config/remarks.ts";
import { Source } from "../../src/config/source.ts";
import { comments } from "../../src/config/yaml.ts";

const remarks = async (text: string) =>
  (await remarksOf(new Source("a.yaml", "/a.yaml", text))).map(
    (remark) => `${remark.at.line} → ${remark.line}: ${remark.text}`,
  );

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
