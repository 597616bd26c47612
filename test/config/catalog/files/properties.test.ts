/** Random values, written in each format: they are read as they were written, and each place is that of the text. */

import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ReadFormat } from "../../../../src/config/catalog/files/document.ts";
import { readCsv } from "../../../../src/config/catalog/files/formats/csv.ts";
import { readJsonDocument } from "../../../../src/config/catalog/files/formats/json.ts";
import { readToml } from "../../../../src/config/catalog/files/formats/toml.ts";
import { FileErrors, Refused } from "../../../../src/config/source/file-errors.ts";
import { FOREIGN_LIMITS } from "../../../../src/config/source/limits.ts";
import { Source } from "../../../../src/config/source/source.ts";
import type { Node } from "../../../../src/config/source/tree.ts";
import { plainValue } from "../../../../src/config/source/yaml/core-schema.ts";
import { readForeignYaml } from "../../../../src/config/source/yaml/read-yaml.ts";
import { Findings } from "../../../../src/core/findings.ts";
import type { Fields, Json } from "../../../../src/core/json.ts";
import { sampleSize } from "../../../support/samples/sample-size.ts";
import { readsAs, styled } from "../../../support/samples/yaml-styles.ts";
import { textsOf } from "./reading.ts";

const RUNS = { numRuns: sampleSize(1500) };

/** Reads a text; fails if it has errors. */
function read(format: ReadFormat, text: string): readonly Node[] {
  const findings = new Findings();
  const source = new Source("a", "/a", text);
  try {
    const parts = format(source, FOREIGN_LIMITS, new FileErrors(source, findings));
    if (findings.errorCount === 0) return parts;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
  }
  throw new Error(`${JSON.stringify(findings.list("error"))} in ${JSON.stringify(text)}`);
}

function plain(parts: readonly Node[]): unknown {
  return JSON.parse(JSON.stringify(parts.map(({ value }) => value ?? null)));
}

/** The scalars of a value by their JSON Pointers. */
function scalarsOf(value: Json, pointer = ""): Readonly<Record<string, Json>> {
  if (typeof value !== "object" || value === null) return { [pointer]: value };
  return Object.assign({}, ...Object.entries(value).map(([name, child]) => scalarsOf(child, `${pointer}/${name}`)));
}

const text = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.constantFrom("a: b", "- x", "#", "'", '"', "\n", "  x ", "1", "true", "{{", ","),
);
const scalar = fc.oneof(
  text,
  fc.integer(),
  fc.boolean(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((one) => (one === 0 ? 0 : one)),
);
const isExact = (one: unknown) => typeof one !== "number" || !Number.isInteger(one) || Number.isSafeInteger(one);
const exact = scalar.filter(isExact);
const key = fc.oneof(
  fc.stringMatching(/^[a-z]{1,8}$/),
  text.filter((one) => one.length < 50),
);
const { value: anyValue } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    exact,
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(key, tie("value"), { maxKeys: 4 }),
  ),
}));
const { value: tomlValue } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    exact,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(key, tie("value"), { maxKeys: 4 }),
  ),
}));

describe("JSON", () => {
  test("is read as JSON.parse reads it, with the text of each scalar", () => {
    fc.assert(
      fc.property(anyValue, fc.constantFrom(undefined, 1, "\t"), (value, indent) => {
        const parts = read(readJsonDocument, JSON.stringify(value, null, indent));
        expect(plain(parts)).toEqual([value]);
        const texts = Object.entries(textsOf(parts[0] ?? never())).map(([at, one]) => [at, JSON.parse(one)]);
        expect(Object.fromEntries(texts)).toEqual(scalarsOf(value));
      }),
      RUNS,
    );
  });

  test("is refused exactly if JSON.parse refuses it, or a key is there twice", () => {
    const token = fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      '"a"',
      '"b"',
      "1",
      "-",
      "01",
      "1.",
      "true",
      "nul",
      " ",
      "\n",
      "'",
      "\\",
      '"',
    );
    fc.assert(
      fc.property(fc.array(token, { maxLength: 8 }), (tokens) => {
        const json = tokens.join("");
        const findings = new Findings();
        const source = new Source("a", "/a", json);
        try {
          readJsonDocument(source, FOREIGN_LIMITS, new FileErrors(source, findings));
        } catch (error) {
          if (!(error instanceof Refused)) throw error;
        }
        if (findings.list("error").some(({ code }) => code === "E_DUP_KEY")) return;
        expect([json, findings.errorCount === 0]).toEqual([json, isJson(json)]);
      }),
      { numRuns: sampleSize(30_000) },
    );
  });
});

describe("YAML", () => {
  test("that is JSON is read as JSON.parse reads it, with the text of each scalar", () => {
    fc.assert(
      fc.property(
        anyValue.filter((one) => one !== null),
        fc.constantFrom(undefined, 1),
        (value, indent) => {
          const parts = read(readForeignYaml, `--- ${JSON.stringify(value, null, indent)}\n`);
          expect(plain(parts)).toEqual([value]);
          const texts = Object.entries(textsOf(parts[0] ?? never())).map(([at, one]) => [at, JSON.parse(one)]);
          expect(Object.fromEntries(texts)).toEqual(scalarsOf(value));
        },
      ),
      RUNS,
    );
  });

  test("in any style is read as it was written, with the text of each scalar without quotes", () => {
    fc.assert(
      fc.property(
        anyValue.filter((one) => one !== null),
        fc.array(fc.nat(7), { minLength: 1 }),
        (value, choices) => {
          // With another indentation, the writer states a wrong one for blocks of text.
          const yaml = styled(value, choices, 2);
          // Behind a comment, the writer puts brackets where YAML does not allow them.
          fc.pre(!/^ *[[{]/m.test(yaml) && readsAs(yaml, value));
          const parts = read(readForeignYaml, yaml);
          expect([yaml, plain(parts)]).toEqual([yaml, [value]]);
          const scalars = scalarsOf(value);
          for (const [at, one] of Object.entries(textsOf(parts[0] ?? never()))) {
            if (!/^["']|\n/.test(one) && typeof scalars[at] !== "string") expect(plainValue(one)).toEqual(scalars[at]);
            if (/^[a-z]+$/.test(String(scalars[at]))) expect(one.replaceAll(/["']/g, "")).toBe(String(scalars[at]));
          }
        },
      ),
      RUNS,
    );
  });
});

describe("CSV", () => {
  const cell = fc.oneof(fc.string(), fc.constantFrom("", "a,b", 'a "b"', "a\nb", "a\r\nb", " x ", ";", "|", "\t"));
  const header = fc.uniqueArray(fc.stringMatching(/^[a-z_]{1,6}$/), { minLength: 1, maxLength: 5 });
  const table = header.chain((names) =>
    fc.tuple(fc.constant(names), fc.array(fc.array(cell, { minLength: names.length, maxLength: names.length }))),
  );
  const quoted = (one: string) => `"${one.replaceAll('"', '""')}"`;
  const lines = (one: string) => one.replaceAll("\r\n", "\n");

  test("with quotes is read as it was written but for the ends of lines, with the text of each cell", () => {
    fc.assert(
      fc.property(
        table,
        fc.constantFrom(",", ";", "\t", "|"),
        fc.constantFrom("\n", "\r\n"),
        fc.boolean(),
        ([names, rows], delimiter, end, isEnded) => {
          const written = [names, ...rows.map((row) => row.map(quoted))].map((row) => row.join(delimiter));
          const parts = read(readCsv, written.join(end) + (isEnded ? end : ""));
          const expected = rows
            .filter((row) => row.some((one) => one !== ""))
            .map((row) => Object.fromEntries(row.flatMap((one, at) => (one === "" ? [] : [[names[at], lines(one)]]))));
          expect(plain(parts)).toEqual(expected);
          for (const node of parts) {
            const texts = Object.entries(textsOf(node)).map(([at, one]) => [at.slice(1), lines(one)]);
            expect(texts).toEqual(
              Object.entries(node.value as Fields).map(([name, one]) => [name, quoted(String(one))]),
            );
          }
        },
      ),
      RUNS,
    );
  });

  test("is read as csv-parse reads it", () => {
    const token = fc.constantFrom("a", " ", ",", "\n", "\r\n", '"', '""', '"x"', '"x,\n"', "b c");
    fc.assert(
      fc.property(fc.array(token, { maxLength: 20 }), (tokens) => {
        const csv = `k,l\n${tokens.join("")}`;
        // csv-parse reads more text behind a closing quote, which is an error here.
        fc.pre(!/" +"/.test(csv));
        const other = parsed(csv);
        // csv-parse refuses a quote within a cell without quotes.
        if (other === undefined) return;
        expect([csv, plain(read(readCsv, csv))]).toEqual([csv, other]);
      }),
      { numRuns: sampleSize(30_000) },
    );
  });

  function parsed(csv: string): unknown {
    try {
      const rows: readonly Fields[] = parse(csv, {
        columns: true,
        trim: true,
        skip_empty_lines: true,
        record_delimiter: ["\n", "\r\n"],
      });
      const filled = rows.map((row) =>
        Object.fromEntries(
          Object.entries(row).flatMap(([name, one]) => (one === "" ? [] : [[name, lines(String(one))]])),
        ),
      );
      return filled.filter((row) => Object.keys(row).length > 0);
    } catch {
      return undefined;
    }
  }
});

describe("TOML", () => {
  const name = (one: string) => JSON.stringify(one).replaceAll("\u007f", "\\u007f");
  const written = (value: Json): string => {
    if (Array.isArray(value)) return `[${value.map(written).join(", ")}]`;
    if (typeof value === "object" && value !== null) {
      return `{ ${Object.entries(value)
        .map(([at, one]) => `${name(at)} = ${written(one)}`)
        .join(", ")} }`;
    }
    if (typeof value === "number" && !Number.isInteger(value)) return String(value).replace("e+", "e");
    return typeof value === "string" ? name(value) : JSON.stringify(value);
  };

  test("is read as it was written, with the text of each scalar", () => {
    const document = fc.dictionary(key, tomlValue, { minKeys: 1, maxKeys: 5 });
    fc.assert(
      fc.property(
        document,
        fc.array(document, { maxLength: 3 }),
        fc.constantFrom("\n", "\r\n"),
        (fields, tables, end) => {
          const pairs = (one: Fields) => Object.entries(one).map(([at, value]) => `${name(at)} = ${written(value)}`);
          const lines = [...pairs(fields), ...tables.flatMap((one) => ["[[TABLES.t]]", ...pairs(one)])];
          const value = tables.length === 0 ? fields : { ...fields, TABLES: { t: tables } };
          const parts = read(readToml, lines.join(end));
          expect(plain(parts)).toEqual([value]);
          for (const [at, one] of Object.entries(textsOf(parts[0] ?? never())))
            expect(one).toBe(written(scalarsOf(value)[at] ?? null));
        },
      ),
      // A 0 at the end of the file.
      { numRuns: sampleSize(600), examples: [[{ b: 1 }, [{ a: 0 }], "\n"]] },
    );
  });
});

function isJson(json: string): boolean {
  try {
    JSON.parse(json);
    return true;
  } catch {
    return false;
  }
}

function never(): never {
  throw new Error("there is no document");
}
