/** The corrected line below an error in the syntax of a file. */

import { describe, expect, it } from "vitest";
import { command } from "../bad-input/run.ts";
import { inDirectory } from "../config/loading.ts";

/** What `validate` prints on standard error for a file. */
async function errorsOf(text: string): Promise<string> {
  return inDirectory({ "x.yaml": text }, async (folder) => (await command(["validate"], folder)).stderr);
}

/** The corrected line in an output. */
function correctionIn(output: string): string | undefined {
  return /For example:\n +\d+ \| (.*)\n/.exec(output)?.[1];
}

const FLOW: readonly (readonly [line: string, correction: string])[] = [
  ['  - { slug: a, name: "b: c }', '  - { slug: a, name: "b: c" }'],
  ["  - { slug: a, name: b: c }", '  - { slug: a, name: "b: c" }'],
  ["  - { slug: a, name: one, two }", '  - { slug: a, name: "one, two" }'],
  ["  - { slug: a, color: #C0392B }", '  - { slug: a, color: "#C0392B" }'],
  ["  - { slug: a name: b }", "  - { slug: a, name: b }"],
  ["  - { slug: a, name: @oncall }", '  - { slug: a, name: "@oncall" }'],
  ["  - { slug: a, name: `oncall` }", '  - { slug: a, name: "`oncall`" }'],
  ["  - { slug: a, name: %one }", '  - { slug: a, name: "%one" }'],
  ["  - { slug: a, name: * }", '  - { slug: a, name: "*" }'],
  ['  - { slug: a, name: "b" - c }', `  - { slug: a, name: '"b" - c' }`],
  ["  - { slug: a, name: 'it's }", `  - { slug: a, name: "it's" }`],
  ["  - { slug: a, name: $" + "{env:NAME} }", `  - { slug: a, name: "$\{env:NAME}" }`],
  ["  - { slug: a, name: b", "  - { slug: a, name: b }"],
  ["  - slug: a, name: b }", "  - { slug: a, name: b }"],
];

const BLOCK: readonly (readonly [line: string, correction: string])[] = [
  ["    name: @oncall", '    name: "@oncall"'],
  ["    name: Page legal: now", '    name: "Page legal: now"'],
  ['    name: "b', '    name: "b"'],
  ["\tname: b", "    name: b"],
  ["   name: b", "    name: b"],
];

describe("The message of a syntax error shows the corrected line", () => {
  it.each(FLOW)("for %s", async (line, correction) => {
    const rest = "  - { slug: z, name: Z }\n";
    expect(correctionIn(await errorsOf(`severities:\n${line}\n${rest}`))).toBe(correction);
    expect(await errorsOf(`severities:\n${correction}\n${rest}`)).not.toMatch(/E_SYNTAX|E_UNKNOWN_KEY|E_ALIAS/);
  });

  it.each(BLOCK)("for %s", async (line, correction) => {
    const [before, after] = ["severities:\n  - slug: a\n", "  - slug: z\n    name: Z\n"];
    expect(correctionIn(await errorsOf(`${before}${line}\n${after}`))).toBe(correction);
    expect(await errorsOf(`${before}${correction}\n${after}`)).not.toContain("error");
  });

  it("but not if the line holds a token", async () => {
    const output = await errorsOf(`severities:\n  - { slug: a, name: b: ghp_${"a1B2".repeat(9)} }\n`);
    expect(output).toContain("E_SYNTAX");
    expect(output).not.toContain("a1B2");
  });

  it("but not if no guess makes the line valid", async () => {
    expect(correctionIn(await errorsOf("severities:\n  - { slug: a, name: b]}\n"))).toBeUndefined();
  });
});

it("A key without a blank after its colon is named with the way to write it", async () => {
  expect(await errorsOf("severities:\n  - { slug: a, name:b }\n")).toContain("Write a blank after the colon: name: b.");
});
