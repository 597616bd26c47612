import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyEdit, checkEdit, EditRefused } from "../../../src/config/edit/edit.ts";
import { type EditableDocument, editableDocument } from "../../../src/config/edit/editable-document.ts";
import { documentText, flowText, itemText, pairsText } from "../../../src/config/edit/yaml-writer.ts";
import { LIMITS } from "../../../src/config/source/limits.ts";
import { Source } from "../../../src/config/source/source.ts";
import { isFields, isList, type Json } from "../../../src/core/json.ts";
import { meaning, readsAs, styled } from "../../support/samples/yaml-styles.ts";

function open(text: string): EditableDocument {
  const document = editableDocument(new Source("a.yaml", "/a.yaml", text), LIMITS);
  if (document === undefined) throw new Error(`cannot be read:\n${text}`);
  return document;
}

/** Few in every run of the tests, many in the campaign. */
const RUNS = Number(process.env.CAMPAIGN_EDITS ?? 200);

const texts = fc.oneof(
  fc.constantFrom(
    "a",
    "true",
    "No",
    "1",
    "0x1f",
    "1.5",
    "~",
    "",
    " ",
    "a b",
    "a: b",
    "# a",
    "a #b",
    "- a",
    "{a}",
    "[a]",
    "a, b",
  ),
  fc.constantFrom(
    "two\nlines",
    "two\nlines\n",
    "  in\nout",
    "x\n\ny\n\n",
    "tab\there",
    "caf\u00e9",
    "\u{1f6a8} on fire",
    "&a",
    "*a",
    "!a",
    "|",
    "> a",
    "%",
    "@",
    "`",
    "'",
    '"',
    "it's",
    "2026-01-01",
    "12:30",
    "https://a.example/x?y=1#z",
    `${"$"}{env:A}x`,
    `a ${"$"}{b`,
  ),
  fc.string({ maxLength: 12 }).filter((text) => !text.includes("${")),
);
const keys = fc.constantFrom("a", "b", "c", "of", "on", "1", "x y", "a:b");
const values: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    texts,
    fc.oneof(fc.integer({ min: -9, max: 9 }), fc.boolean(), fc.constant(null)),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(keys, tie("value"), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value;
const mappings = fc.dictionary(keys, values, { minKeys: 1, maxKeys: 4, noNullPrototype: true });

describe("notation", () => {
  test("a written value reads back unchanged", () => {
    fc.assert(
      fc.property(mappings, (value) => {
        const spot = { indent: 0, column: 0, eol: "\n" };
        expect(meaning(pairsText(value, spot))).toEqual(value);
        expect(meaning(`- ${itemText(value, spot)}`)).toEqual([value]);
        expect(meaning(flowText(value))).toEqual(value);
      }),
      { numRuns: 100 },
    );
  });
});

describe("editing a text in place", () => {
  test(
    "the text means what it was to become, and an edit that changes nothing keeps every byte",
    () => {
      const refused = { style: 0, comment: 0, anchor: 0, substitution: 0 };
      let made = 0;
      fc.assert(
        fc.property(
          mappings,
          mappings,
          fc.array(fc.nat(20), { minLength: 3, maxLength: 9 }),
          fc.constantFrom(1, 2, 4),
          (was, to, choices, indent) => {
            const before = styled(was, choices, indent);
            // What the library writes is not always what it reads.
            fc.pre(!before.includes("? ") && readsAs(before, was));
            const written = open(before);
            expect(applyEdit(written, { was, to: was })).toBe(before);
            let after: string;
            try {
              after = applyEdit(written, { was, to });
            } catch (error) {
              if (!(error instanceof EditRefused)) throw error;
              refused[error.reason] += 1;
              return;
            }
            made += 1;
            expect(meaning(after), `${before}\n=>\n${after}`).toEqual(to);
          },
        ),
        { numRuns: RUNS },
      );
      expect(made).toBeGreaterThan(RUNS / 4);
    },
    60_000 + RUNS * 50,
  );

  test(
    "texts that become others leave every comment where it can be read",
    () => {
      let made = 0;
      fc.assert(
        fc.property(
          mappings,
          fc.array(texts, { minLength: 1, maxLength: 5 }),
          fc.array(fc.nat(20), { minLength: 3, maxLength: 9 }),
          (was, others, choices) => {
            const before = styled(was, choices, 2);
            fc.pre(!before.includes("? ") && readsAs(before, was));
            let at = 0;
            const to = retold(was, () => others[at++ % others.length] ?? "");
            const written = open(before);
            let after: string;
            try {
              after = applyEdit(written, { was, to });
            } catch (error) {
              if (!(error instanceof EditRefused)) throw error;
              return;
            }
            made += 1;
            expect(meaning(after), `${before}\n=>\n${after}`).toEqual(to);
            expect(open(after).comments, `${before}\n=>\n${after}`).toHaveLength(written.comments.length);
          },
        ),
        { numRuns: RUNS },
      );
      expect(made).toBeGreaterThan(RUNS / 4);
    },
    60_000 + RUNS * 50,
  );

  const edits: readonly (readonly [string, string, Json, string])[] = [
    ["quotes become lines where the text gets some", 'a: "x"\nb: 1\n', { a: "x\ny\n", b: 1 }, "a: |\n  x\n  y\nb: 1\n"],
    ["an empty mapping is new among lines", "b:\n - a: x\n", { b: ["two", {}] }, "b:\n - two\n - {}\n"],
    ["a comment behind a text stays behind it", "a: x # why\n", { a: "x\ny" }, 'a: "x\\ny" # why\n'],
    [
      "and so it does in the head of a block",
      "a: >- # why\n  x\nb: 1\n",
      { a: "y\nz\n", b: 1 },
      "a: | # why\n  y\n  z\nb: 1\n",
    ],
    ["also where no block is left", "a: |- # why\n  x\n  y\nb: 1\n", { a: "z", b: 1 }, "a: z # why\nb: 1\n"],
  ];
  test.each(edits)("%s", (_title, before, to, after) => {
    expect(applyEdit(open(before), { was: meaning(before), to })).toBe(after);
  });

  test("a change of one value does not go through the others, however many there are", () => {
    const whole = open("- { a: x } # one\n- [y]\n- b: &b z\n  c: *b\n  d: w\n");
    const root = new Proxy(whole.root, { get: (_root, name) => expect.unreachable(`the root's ${String(name)}`) });
    const values = whole.root.items.flatMap(({ value }) => value ?? []);
    const to = [{ a: "q" }, ["q", "r"], { b: "z", c: "z", d: "q" }];
    for (const [at, value] of values.entries()) {
      const was = meaning(whole.text);
      checkEdit({ ...whole, root }, value, { was: isList(was) ? (was[at] ?? null) : null, to: to[at] ?? null });
    }
    expect(values).toHaveLength(3);
  });

  test("items with anchors change places, but not with their aliases", () => {
    const swap = { items: [{ from: 1 }, { from: 0 }] } as const;
    expect(applyEdit(open("- &a x\n- y\n"), swap)).toBe("- y\n- &a x\n");
    expect(applyEdit(open("- [&a x, *a]\n- y\n"), swap)).toBe("- y\n- [&a x, *a]\n");
    expect(() => applyEdit(open("- &a x\n- *a\n"), swap)).toThrow(EditRefused);
  });
});

/** A value of the same shape with other texts outside of lists, whose items go and come with their comments. */
function retold(value: Json, next: () => string): Json {
  if (typeof value === "string") return next();
  if (!isFields(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, retold(one, next)]));
}

test("a new file has no blank lines between empty lists, and has them between lists with items", () => {
  const text = documentText({ catalog_types: [], catalog_entries: { environment: [], team: [] } });
  expect(text).toBe("catalog_types: []\n\ncatalog_entries:\n  environment: []\n  team: []\n");
  expect(documentText({ forms: { declare: [{ system_field: "name" }], cancel: [] } })).toBe(
    "forms:\n  declare:\n    - system_field: name\n\n  cancel: []\n",
  );
});
