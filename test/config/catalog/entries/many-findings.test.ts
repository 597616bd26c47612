/** Mistakes that a source makes for each of many documents are one finding, at the template that makes them. */

import { describe, expect, test } from "vitest";
import { brief, type Files, findings } from "../../loading.ts";

const CONFIGURATION = `catalog_types:
  - slug: squad
    name: Squad
    entries: [{ slug: payments, name: Payments }]
  - slug: app
    name: App
    attributes:
      - { name: Owner, attribute_type: reference, reference_type: squad }
      - { name: Level, attribute_type: select, options: [gold, silver] }
      - { name: Size, attribute_type: number, required: true }
    entries_from:
      files: apps.csv
      slug: { jsonata: slug }
      name: { jsonata: name }
      aliases: { jsonata: alias }
      attributes:
        owner: { jsonata: owner }
        level: { jsonata: level }
        size: { jsonata: size }
`;

type Row = Partial<Record<"slug" | "name" | "alias" | "owner" | "level" | "size", string>>;

/** A file with so many rows. */
function rows(count: number, rowOf: (index: number) => Row): Files {
  const lines = Array.from({ length: count }, (_, index) => {
    const row = {
      slug: `app${index}`,
      name: "",
      alias: "",
      owner: "payments",
      level: "gold",
      size: "3",
      ...rowOf(index),
    };
    return [row.slug, row.name, row.alias, row.owner, row.level, row.size].join(",");
  });
  return { "a.yaml": CONFIGURATION, "apps.csv": `slug,name,alias,owner,level,size\n${lines.join("\n")}\n` };
}

/** The findings of a code, with their related places. */
async function found(code: string, files: Files) {
  const all = await findings(files);
  return all.flatMap((one) =>
    one.code === code
      ? [
          [
            `${brief(one)} ${one.message}`,
            ...(one.related ?? []).map((other) => `${brief({ ...one, ...other })} ${other.message}`),
          ],
        ]
      : [],
  );
}

describe("500 documents with one mistake", () => {
  test.each<[string, string, (index: number) => Row, readonly string[]]>([
    [
      "an option that does not exist",
      "E_ENUM",
      () => ({ level: "lead" }),
      [
        'a.yaml:18:27 E_ENUM the attribute "level" cannot be "lead" (500 times)',
        "apps.csv:2:17 E_ENUM for example",
        "apps.csv:3:17 E_ENUM for example",
        "apps.csv:4:17 E_ENUM for example",
      ],
    ],
    [
      "a value of another type",
      "E_TYPE",
      (index) => ({ size: `big${index}` }),
      [
        'a.yaml:19:26 E_TYPE the attribute "size" of type number must be a number (500 times)',
        "apps.csv:2:22 E_TYPE for example",
        "apps.csv:3:22 E_TYPE for example",
        "apps.csv:4:22 E_TYPE for example",
      ],
    ],
    [
      "a required value that is missing",
      "E_REQUIRED",
      () => ({ size: "" }),
      [
        'a.yaml:19:26 E_REQUIRED the attribute "size" is required and has no value (500 times)',
        "apps.csv:2:1 E_REQUIRED for example",
        "apps.csv:3:1 E_REQUIRED for example",
        "apps.csv:4:1 E_REQUIRED for example",
      ],
    ],
    [
      "an owner that does not exist",
      "E_REF",
      () => ({ owner: "ghost" }),
      [
        'a.yaml:17:27 E_REF there is no catalog entry "ghost" of squad, which the expression "owner" gives (500 times)',
        "apps.csv:2:8 E_REF for example",
        "apps.csv:3:8 E_REF for example",
        "apps.csv:4:8 E_REF for example",
        "a.yaml:4:5 E_REF catalog_entries of squad are declared here",
      ],
    ],
    [
      "a slug without letters",
      "E_ENTRIES_FROM",
      () => ({ slug: "日本" }),
      [
        'a.yaml:13:24 E_ENTRIES_FROM slug is "日本", which has no letter from a to z and no digit (500 times)',
        "apps.csv:2:1 E_ENTRIES_FROM for example",
        "apps.csv:3:1 E_ENTRIES_FROM for example",
        "apps.csv:4:1 E_ENTRIES_FROM for example",
      ],
    ],
    [
      "a slug that is too long",
      "E_SLUG",
      (index) => ({ slug: "x".repeat(300) + index }),
      [
        'a.yaml:13:24 E_SLUG "slug" has more than 255 characters (500 times)',
        "apps.csv:2:1 E_SLUG for example",
        "apps.csv:3:1 E_SLUG for example",
        "apps.csv:4:1 E_SLUG for example",
      ],
    ],
  ])("are one finding: %s", async (_what, code, rowOf, expected) => {
    expect(await found(code, rows(500, rowOf))).toEqual([expected]);
  });

  test("are one finding with the different values, the most frequent first", async () => {
    const owner = (index: number) => ({
      owner: index % 3 === 0 ? "ghost" : index % 2 === 0 ? "paymnts" : `gone-${index}`,
    });
    const [[message = "", ...related] = []] = await found("E_REF", rows(60, owner));
    expect(message).toBe(
      'a.yaml:17:27 E_REF there is no catalog entry "ghost" of squad, which the expression "owner" gives (and 59 similar ones)',
    );
    expect(related).toEqual([
      'apps.csv:2:8 E_REF there is no catalog entry "ghost" of squad, which the expression "owner" gives (20 times)',
      'apps.csv:4:8 E_REF there is no catalog entry "paymnts" of squad, which the expression "owner" gives (20 times). Did you mean "payments"?',
      ...Array.from({ length: 60 }, (_, index) => index)
        .filter((index) => index % 3 !== 0 && index % 2 !== 0)
        .map((index) =>
          expect.stringMatching(new RegExp(`"gone-${index}" of squad, which the expression "owner" gives$`)),
        ),
      "a.yaml:4:5 E_REF catalog_entries of squad are declared here",
    ]);
  });

  test("are one finding that says once what to do", async () => {
    const levels = ["glod", "lead", "lead", "tin"];
    const all = await findings(rows(4, (index) => ({ level: levels[index] ?? "" })));
    const said = all.flatMap(({ code, help, related = [] }) =>
      code === "E_ENUM" ? [[help, ...related.map(({ message }) => message)]] : [],
    );
    expect(said).toEqual([
      [
        "Allowed: gold and silver.",
        'the attribute "level" cannot be "lead" (2 times)',
        'the attribute "level" cannot be "glod". Did you mean "gold"?',
        'the attribute "level" cannot be "tin"',
      ],
    ]);
  });

  test("are one finding if their slugs collide, with the places of some pairs", async () => {
    const [lines, ...others] = await found(
      "E_DUP_OBJECT",
      rows(200, (index) => ({ slug: `app${index >> 1}`, name: `App ${index}` })),
    );
    expect(others).toEqual([]);
    expect(lines?.slice(0, 5)).toEqual([
      "a.yaml:13:24 E_DUP_OBJECT catalog_types/app/entries/app0 is declared twice (and 99 similar ones)",
      "apps.csv:3:1 E_DUP_OBJECT catalog_types/app/entries/app0 is declared twice",
      "apps.csv:2:1 E_DUP_OBJECT first here, with another name",
      "apps.csv:5:1 E_DUP_OBJECT catalog_types/app/entries/app1 is declared twice",
      "apps.csv:4:1 E_DUP_OBJECT first here, with another name",
    ]);
  });

  test("are one finding if they share an alias", async () => {
    const [lines, ...others] = await found(
      "E_ALIAS",
      rows(50, () => ({ alias: "same" })),
    );
    expect(others).toEqual([]);
    expect(lines?.[0]).toBe(
      'a.yaml:15:27 E_ALIAS the alias "same" is an alias of catalog_types/app/entries/app0 too (49 times)',
    );
  });
});

test("Three documents with one mistake are three findings, at their places", async () => {
  const all = await found(
    "E_ENUM",
    rows(3, () => ({ level: "lead" })),
  );
  expect(all.map(([line]) => line)).toEqual([
    'apps.csv:2:17 E_ENUM the attribute "level" cannot be "lead"',
    'apps.csv:3:17 E_ENUM the attribute "level" cannot be "lead"',
    'apps.csv:4:17 E_ENUM the attribute "level" cannot be "lead"',
  ]);
});

test("A value by hand that is wrong in 5 entries is a finding for each", async () => {
  const entries = Array.from(
    { length: 5 },
    (_, index) => `      - { slug: app${index}, attributes: { level: lead } }\n`,
  );
  const files = rows(5, () => ({}));
  const all = await found("E_ENUM", { ...files, "a.yaml": `${CONFIGURATION}    entries:\n${entries.join("")}` });
  expect(all.map(([line]) => line)).toEqual(
    [21, 22, 23, 24, 25].map((line) => expect.stringContaining(`a.yaml:${line}:`)),
  );
});
