import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../../../src/core/diagnostic.ts";
import { diagnosticsJson, diagnosticsText } from "../../../src/view/findings/text.ts";
import { colored, plain } from "../../../src/view/format/ansi.ts";
import { columns } from "../../../src/view/format/columns.ts";
import { wrapText } from "../../../src/view/format/wrap.ts";

const FILES: Readonly<Record<string, readonly string[]>> = {
  "a.yaml": ["severities:", "  - slug: a", "    nmae: A", "    description: \u202eevil\u001b[31m"],
};
const lines = (file: string): readonly string[] | undefined => FILES[file];

const TYPO: Diagnostic = {
  severity: "error",
  code: "E_UNKNOWN_KEY",
  message: 'the severity has no field "nmae"',
  at: { file: "a.yaml", line: 3, column: 5, length: 4 },
  related: [{ message: "the severity begins here", at: { file: "a.yaml", line: 2, column: 5 } }],
  help: 'Did you mean "name"?',
};

describe("Findings as text", () => {
  it("have a place, a message, the line, related places and help", () => {
    expect(
      diagnosticsText([TYPO], { paint: plain }, lines),
    ).toBe(`a.yaml:3:5: error[E_UNKNOWN_KEY]: the severity has no field "nmae"
  3 |     nmae: A
    |     ^^^^
    a.yaml:2:5: the severity begins here
    Did you mean "name"?
`);
  });

  it("show no line if the file was not read, and no place if there is none", () => {
    const other: Diagnostic = { ...TYPO, related: [], at: { file: "b.yaml", line: 9, column: 1 } };
    const { at: _at, help: _help, related: _related, ...placeless } = TYPO;
    expect(diagnosticsText([other, { ...placeless, severity: "warning" }], { paint: plain }, lines)).toBe(
      `b.yaml:9:1: error[E_UNKNOWN_KEY]: the severity has no field "nmae"
    Did you mean "name"?

warning[E_UNKNOWN_KEY]: the severity has no field "nmae"
`,
    );
  });

  it("escape invisible characters, and the carets stay below the right text", () => {
    const found: Diagnostic = {
      severity: "error",
      code: "E_BIDI",
      message: "a\u202eb",
      at: { file: "a.yaml", line: 4, column: 19, length: 4 },
    };
    expect(diagnosticsText([found], { paint: plain }, lines)).toBe(`a.yaml:4:19: error[E_BIDI]: a\\u202eb
  4 |     description: \\u202eevil\\u001b[31m
    |                        ^^^^
`);
  });

  it("never show a line with a secret", () => {
    const secret: Diagnostic = { ...TYPO, code: "E_SECRET_IN_CONFIG", message: "this looks like a token" };
    expect(diagnosticsText([TYPO, secret], { paint: plain }, lines)).not.toContain("nmae: A");
  });

  it("cut long lines around the place", () => {
    const long = `${"x".repeat(5000)}HERE${"y".repeat(5000)}`;
    const found: Diagnostic = { ...TYPO, related: [], at: { file: "a.yaml", line: 1, column: 5001, length: 4 } };
    const [, text = "", marks = ""] = diagnosticsText([found], { paint: plain }, () => [long]).split("\n");
    expect(text.length).toBeLessThan(210);
    expect(text).toContain("HERE");
    expect(marks.indexOf("^")).toBe(text.indexOf("HERE"));
    expect(marks).toMatch(/ \^{4}$/);
  });

  it("have carets as wide as wide characters", () => {
    const found: Diagnostic = { ...TYPO, related: [], at: { file: "a.yaml", line: 1, column: 5, length: 2 } };
    const [, text = "", marks = ""] = diagnosticsText([found], { paint: plain }, () => ["重大な障害です"]).split("\n");
    expect(columns(marks.slice(0, marks.indexOf("^")))).toBe(columns(text.slice(0, text.indexOf("害"))));
    expect(marks).toMatch(/ \^{4}$/);
  });

  it.each([40, 60, 80])("keep the carets below the right text on a terminal of %i columns", (width) => {
    const line = `      - { title: ${"long ".repeat(30)}, nmae: A, instruction: ${"longer ".repeat(30)} }`;
    const column = line.indexOf("nmae") + 1;
    const found: Diagnostic = { ...TYPO, related: [], at: { file: "a.yaml", line: 1, column, length: 4 } };
    const style = { paint: plain, width, fold: (text: string) => wrapText(text, width) };
    const told = diagnosticsText([found], style, () => [line]).split("\n");
    expect(Math.max(...told.map((each) => each.length))).toBeLessThanOrEqual(width);
    const marks = told.findIndex((each) => each.includes("^^^^"));
    expect(told[marks]?.indexOf("^")).toBe(told[marks - 1]?.indexOf("nmae"));
  });

  it("are shown up to ten, and the rest is counted; verbose shows all", () => {
    const many = Array.from({ length: 13 }, (_, index) => ({ ...TYPO, message: `typo ${index}` }));
    const text = diagnosticsText(many, { paint: plain }, lines);
    expect(text.match(/E_UNKNOWN_KEY/g)).toHaveLength(10);
    expect(text).toMatch(/\n\n… and 3 more; --verbose shows all\n$/);
    expect(diagnosticsText(many, { paint: plain, verbose: true }, lines).match(/E_UNKNOWN_KEY/g)).toHaveLength(13);
  });

  it("are shown once if several places share them, and verbose shows each", () => {
    const many = Array.from({ length: 6 }, (_, index) => ({
      ...TYPO,
      at: { file: "b.yaml", line: index + 1, column: 2 },
    }));
    const text = diagnosticsText(many, { paint: plain }, lines);
    expect(text.match(/E_UNKNOWN_KEY/g)).toHaveLength(1);
    expect(text).toContain("    Also at b.yaml:2:2, b.yaml:3:2, b.yaml:4:2 and 2 more places.\n");
    expect(diagnosticsText(many, { paint: plain, verbose: true }, lines).match(/E_UNKNOWN_KEY/g)).toHaveLength(6);
  });

  it("are colored on a terminal, and the text is the same without colors", () => {
    const text = diagnosticsText([TYPO], { paint: colored }, lines);
    expect(text).toContain("\u001b[");
    const colour = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, "g");
    expect(text.replaceAll(colour, "")).toBe(diagnosticsText([TYPO], { paint: plain }, lines));
  });

  it("are an empty text if there are none", () => {
    expect(diagnosticsText([], { paint: plain }, lines)).toBe("");
  });
});

it("Findings as JSON have every part", () => {
  const many = JSON.parse(diagnosticsJson(Array.from({ length: 103 }, () => TYPO)));
  expect(many.diagnostics).toHaveLength(103);
  expect(many.diagnostics[0]).toEqual({
    severity: "error",
    code: "E_UNKNOWN_KEY",
    message: 'the severity has no field "nmae"',
    file: "a.yaml",
    line: 3,
    column: 5,
    length: 4,
    help: 'Did you mean "name"?',
    related: [{ message: "the severity begins here", file: "a.yaml", line: 2, column: 5 }],
  });
});
