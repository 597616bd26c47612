/** Files of many kinds and sizes, the hostile ones too. */

import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findFiles } from "../../../../src/config/catalog/files/find-files.ts";
import { readForeignFiles } from "../../../../src/config/catalog/files/read-files.ts";
import { DISK } from "../../../../src/config/source/disk.ts";
import { FOREIGN_LIMITS } from "../../../../src/config/source/limits.ts";
import { Findings } from "../../../../src/core/findings.ts";
import { sampleSize } from "../../../support/samples/sample-size.ts";
import { growsEvenly } from "../../../support/times.ts";
import { errorsOf, readIn, readText, valuesOf, withFiles } from "./reading.ts";

describe("a file", () => {
  test("is named by its path from the configuration in messages, and from the repository in its documents", async () => {
    await withFiles({ "services/a.yaml": "a: [", "services/b.yaml": "b: 1" }, async (root) => {
      const { documents, errors } = await readIn(root, ["services/a.yaml", "services/b.yaml"]);
      expect(errors.map(({ at }) => at)).toMatchObject([{ file: "../services/a.yaml", line: 1, column: 4 }]);
      expect(documents.map(({ path, source }) => [path, source.file])).toEqual([
        ["services/b.yaml", "../services/b.yaml"],
      ]);
    });
  });

  test("with an error has its text for a code frame", async () => {
    await withFiles({ "a.json": "{\n  x\n}" }, async (root) => {
      const { sources } = await readForeignFiles(
        [join(root, "a.json")],
        { tree: DISK, root, configuration: root },
        new Findings(),
      );
      expect(sources.map(({ file }) => file)).toEqual(["a.json"]);
      expect(sources[0]?.lines()).toEqual(["{", "  x", "}"]);
    });
  });

  test.each(["README.md", "services", "a.yaml.j2"])("of an unknown format is an error: %s", async (name) => {
    const { errors } = await readText(name, "a: 1");
    expect(errors).toMatchObject([
      {
        code: "E_FILE",
        message: `the format of "${name}" is not known`,
        help: `Known are .yaml, .yml, .json, .jsonl, .ndjson, .csv, .tsv, .toml. Exclude it with a glob: "!${name}".`,
      },
    ]);
  });

  test.each([
    ["a.yaml", "name: {{ name }}", '"!a.yaml"'],
    ["skeleton/a.yaml", "{%- if x %}\na: 1\n", '"!**/skeleton/**"'],
    ["x/templates/y/a.json", '{"a": {{ a }}}', '"!**/templates/**"'],
    ["x/skeleton/a.yaml", "a: [$\x7b{ x }}, b: c: d]", '"!**/skeleton/**"'],
  ])("that is a template says how to exclude it: %s", async (name, text, glob) => {
    const { errors } = await readText(name, text);
    expect(errors.length).toBeGreaterThan(0);
    for (const { help } of errors) expect(help).toBe(`If the file is a template, exclude it with a glob: ${glob}.`);
  });

  test.each([
    ["Latin-1", Buffer.from("a: 1\nname: caf\xe9\n", "latin1"), "2:10 E_UTF8 the byte at offset 14 is not valid UTF-8"],
    [
      "UTF-16 without a mark",
      Buffer.from("name,tier\n", "utf16le"),
      "1:1 E_ENCODING the file seems to be encoded as UTF-16, without a byte order mark",
    ],
    [
      "UTF-16 of half a character",
      Buffer.from("\ufeffa\ud800", "utf16le"),
      "1:1 E_ENCODING the file begins as UTF-16 (little endian), and is none",
    ],
  ])("in %s is an error", async (_, bytes, error) => {
    for (const name of ["a.yaml", "a.csv", "a.json", "a.toml"]) expect(await errorsOf(name, bytes)).toEqual([error]);
  });

  test("in UTF-16 with a byte order mark is read", async () => {
    const text = '\ufeff{"name": "café"}\n';
    const little = Buffer.from(text, "utf16le");
    for (const bytes of [little, Buffer.from(little).swap16()]) {
      for (const name of ["a.yaml", "a.json"]) expect(await valuesOf(name, bytes)).toEqual([{ name: "café" }]);
    }
    const table = Buffer.from("\ufeffname\ttier\r\ncafé\t1\r\n", "utf16le");
    expect(await valuesOf("a.csv", table)).toEqual([{ name: "café", tier: "1" }]);
  });

  test("says what spreadsheets call the encoding", async () => {
    const bytes = Buffer.from("name\ncaf\xe9\n", "latin1");
    expect((await readText("a.csv", bytes)).errors).toMatchObject([
      {
        at: { file: expect.stringContaining("a.csv") },
        help: 'Save the file as UTF-8; spreadsheets call it "CSV UTF-8".',
      },
    ]);
  });
});

describe("a hostile file is an error:", () => {
  test.each<[string, string, string, RegExp]>([
    ["nested lists in YAML", "a.yaml", "[".repeat(100_000), /E_DEPTH/],
    [
      "nested mappings in YAML",
      "a.yaml",
      Array.from({ length: 500 }, (_, at) => `${" ".repeat(at)}a:`).join("\n"),
      /E_DEPTH/,
    ],
    ["nested lists in JSON", "a.json", "[".repeat(100_000), /E_DEPTH/],
    ["nested lists in TOML", "a.toml", `a = ${"[".repeat(20_000)}${"]".repeat(20_000)}`, /E_DEPTH/],
    ["nested keys in TOML", "a.toml", `a${".a".repeat(20_000)} = 1`, /E_DEPTH/],
    ["nested tables in TOML", "a.toml", `[a${".a".repeat(20_000)}]`, /E_DEPTH/],
    ["a million commas in YAML", "a.yaml", `[${"1,".repeat(1_000_000)}]`, /E_TOO_LARGE/],
    ["a million commas in JSON", "a.json", `[${"1,".repeat(1_000_000)}1]`, /E_TOO_LARGE/],
    ["a million commas in CSV", "a.csv", `a\n${",".repeat(1_000_000)}`, /E_TOO_LARGE/],
    [
      "a million keys in TOML",
      "a.toml",
      Array.from({ length: 300_000 }, (_, at) => `a${at}=1`).join("\n"),
      /E_TOO_LARGE/,
    ],
    [
      "aliases that double",
      "a.yaml",
      Array.from({ length: 30 }, (_, at) =>
        at === 0 ? "a0: &a0 [x, x]" : `a${at}: &a${at} [*a${at - 1}, *a${at - 1}]`,
      ).join("\n"),
      /E_ALIAS_LIMIT/,
    ],
    [
      "merge keys that double",
      "a.yaml",
      [
        `a: &a {${Array.from({ length: 5000 }, (_, at) => `k${at}: 1`).join(", ")}}`,
        `b: [${"{<<: *a}, ".repeat(900)}]`,
      ].join("\n"),
      /E_ALIAS_LIMIT/,
    ],
    ["an open quote in many lines of JSON", "a.json", `["${"a\\".repeat(500_000)}`, /E_SYNTAX/],
  ])("%s", async (_, name, text, code) => {
    const { documents, errors } = await readText(name, text);
    expect(documents).toEqual([]);
    expect(errors.map((error) => error.code).join()).toMatch(code);
  });

  test("one larger than 4 MiB", async () => {
    await withFiles({ "a.yaml": "" }, async (root) => {
      truncateSync(join(root, "a.yaml"), FOREIGN_LIMITS.fileBytes + 1);
      const { errors } = await readIn(root, ["a.yaml"]);
      expect(errors).toMatchObject([{ code: "E_TOO_LARGE", message: "the file has more than 4194304 bytes" }]);
    });
  });

  test("one that passes the limit of all", async () => {
    await withFiles({ "a.yaml": "a: 1", "b.yaml": "b: 1", "c.yaml": "c: 1" }, async (root) => {
      const { errors } = await readIn(root, ["a.yaml", "b.yaml", "c.yaml"], { totalBytes: 10 });
      expect(errors).toMatchObject([
        { code: "E_TOO_LARGE", message: "the files have more than 10 bytes together", at: { file: "../c.yaml" } },
      ]);
    });
  });

  test("a link out of the repository, a hidden file, a pipe, a circle of links, a directory", async () => {
    await withFiles({ ".secrets/a.yaml": "a: 1", "repo/x": "" }, async (above) => {
      const root = join(above, "repo");
      mkdirSync(join(root, ".hidden"));
      writeFileSync(join(root, ".hidden/b.yaml"), "b: 1");
      symlinkSync("../.secrets/a.yaml", join(root, "out.yaml"));
      symlinkSync(".hidden/b.yaml", join(root, "in.yaml"));
      symlinkSync("loop.yaml", join(root, "loop.yaml"));
      mkdirSync(join(root, "folder.yaml"));
      execFileSync("mkfifo", [join(root, "pipe.yaml")]);
      const names = ["folder.yaml", "gone.yaml", "in.yaml", "loop.yaml", "out.yaml", "pipe.yaml"];
      const { documents, errors } = await readIn(root, names);
      expect(documents).toEqual([]);
      expect(errors.map(({ at, code, message }) => [at?.file, code, message])).toEqual([
        ["../folder.yaml", "E_FILE", "not a regular file"],
        ["../gone.yaml", "E_FILE", "the file cannot be read: it does not exist"],
        ["../in.yaml", "E_INCLUDE_ROOT", "the file is hidden, or outside the repository"],
        ["../loop.yaml", "E_FILE", "the file cannot be read: its symbolic links form a circle"],
        ["../out.yaml", "E_INCLUDE_ROOT", "the file is hidden, or outside the repository"],
        ["../pipe.yaml", "E_FILE", "not a regular file"],
      ]);
    });
  });

  test("fifty broken ones, behind which no more are tried", async () => {
    const files = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`${100 + at}.yaml`, "a: ["]));
    await withFiles(files, async (root) => {
      const { errors } = await readIn(root, Object.keys(files).sort());
      expect(errors).toHaveLength(51);
      expect(errors.at(-1)).toMatchObject({ code: "E_MORE_ERRORS", at: { file: "../150.yaml" } });
    });
  });
});

/** A quarter of the files; 2,500 in the larger samples. */
const FEW = Math.min(2_500, sampleSize(6_000));

test("four times as many files take no more than their share of time", async () => {
  const text = `apiVersion: backstage.io/v1alpha1
kind: Component
metadata:
  name: orders
  description: >-
    Takes orders of customers and hands them to the warehouse,
    with retries and a queue.
  labels: { tier: "1" }
  annotations:
    github.com/project-slug: example/orders
  tags: [java, orders, backend]
spec:
  type: service
  lifecycle: production
  owner: group:default/team-1
  dependsOn:
    - resource:default/orders
`;
  const names = (count: number) =>
    Array.from({ length: count }, (_, at) => `${count}/t${at % 100}/s${at}/catalog-info.yaml`);
  const files = [...names(FEW), ...names(FEW * 4)].map((name) => [name, text]);
  await withFiles(Object.fromEntries(files), (root) =>
    growsEvenly(FEW, (count) => async () => {
      const globs = [`${count}/**/catalog-info.yaml`, "!**/skeleton/**"];
      const found = findFiles(globs, { tree: DISK, root, folder: root }, FOREIGN_LIMITS);
      const paths = "files" in found ? found.files : [];
      const findings = new Findings();
      const { documents } = await readForeignFiles(paths, { tree: DISK, root, configuration: root }, findings);
      expect([paths.length, documents.size, findings.errorCount]).toEqual([count, count, 0]);
    }),
  );
}, 120_000);
