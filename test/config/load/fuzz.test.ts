import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, it } from "vitest";
import { locationOf } from "../../../src/config/resources/origins.ts";
import { InvalidConfiguration } from "../../../src/core/diagnostic.ts";
import { loaded } from "../loading.ts";

const examples = new URL("../../../examples/", import.meta.url);
const TEXTS = readdirSync(examples)
  .filter((name) => name.endsWith(".yaml") && name !== "incidentctl.yaml")
  .map((name) => readFileSync(new URL(name, examples), "utf8"));

/** What hostile and careless hands put into YAML. */
const PIECES = [
  ..."\t\n\r :-[]{},#&*!|>'\"%@`?~=",
  "- ",
  ": ",
  "<<: ",
  "*a",
  "&a ",
  "!!set ",
  "---\n",
  "...\n",
  "null",
  "true",
  "0x1F",
  "1e999",
  ".nan",
  "\u0000",
  "\u202e",
  "\ufeff",
  "\u2028",
  '"\\ud800"',
  `\${env:X}`,
  `\${`,
  "__proto__: {}",
  "constructor: 1",
  "[".repeat(50),
];

interface Edit {
  readonly at: number;
  readonly remove: number;
  readonly insert: string;
}

const edits = fc.array(
  fc.record({
    at: fc.nat(5000),
    remove: fc.nat(8),
    insert: fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 6 })),
  }),
  { minLength: 1, maxLength: 5 },
);

function edited(text: string, changes: readonly Edit[]): string {
  return changes.reduce((rest, { at, remove, insert }) => {
    const place = at % (rest.length + 1);
    return rest.slice(0, place) + insert + rest.slice(place + remove);
  }, text);
}

async function holds(text: string | Uint8Array): Promise<void> {
  try {
    const { declared } = await loaded({ "a.yaml": text });
    for (const entry of declared) expect(locationOf(entry.origins, "/name").line).toBeGreaterThan(0);
  } catch (error) {
    if (!(error instanceof InvalidConfiguration)) throw error;
    expect(error.diagnostics.length).toBeGreaterThan(0);
    for (const { at, code, message } of error.diagnostics) {
      expect(`${code} ${message}`).not.toContain("undefined");
      expect(at).toMatchObject({ file: "a.yaml", line: expect.any(Number), column: expect.any(Number) });
      const line = error.lines("a.yaml")?.[(at?.line ?? 0) - 1];
      if (line !== undefined) expect(at?.column).toBeLessThanOrEqual(line.length + 2);
    }
  }
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
}

it("ends every mutated text in a configuration or in findings with places", async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...TEXTS), edits, async (text, changes) => holds(edited(text, changes))),
    { numRuns: 150 },
  );
});

it("ends every run of YAML's own characters so too", async () => {
  const pieces = fc.array(fc.constantFrom(...PIECES, "severities", "slug", "a", "\n  "), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(pieces, async (parts) => holds(parts.join(""))),
    { numRuns: 250 },
  );
});

it("ends every run of bytes so too", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 60 }), async (bytes) => holds(bytes)),
    { numRuns: 200 },
  );
});
