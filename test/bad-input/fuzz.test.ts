import { readdirSync, readFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { isFields, isList, type Json } from "../../src/core/json.ts";
import { createEmulator } from "../../src/emulator/emulator.ts";
import { type Files, inDirectory } from "../config/loading.ts";
import { SEVERITIES } from "./row.ts";
import { command, type Ended, leastTimeOf, run } from "./run.ts";

/** Inputs to try of each sort: few in every run of the tests, many in the campaign. */
const RUNS = Number(process.env.CAMPAIGN_FUZZ_RUNS ?? 60);
const CAMPAIGN = process.env.CAMPAIGN_FUZZ_RUNS !== undefined;
/** Milliseconds of this process for one input; by the clock it depends on what else runs. */
const MOST = 1000;
const timeout = CAMPAIGN ? 24 * 60 * 60 * 1000 : 60_000;

const examples = new URL("../../examples/", import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, examples), "utf8");
const NAMES = readdirSync(examples).filter((name) => name.endsWith(".yaml"));

/** What hostile and careless hands put into a line. */
const HOSTILE = [
  ..."\t\n\r:-[]{},#&*!|>'\"%@`?~=",
  "<<: *a",
  "&a ",
  "*a",
  "!!js/function x",
  "---",
  "...",
  "%YAML 1.1",
  "null",
  "0x1F",
  "1e999",
  ".nan",
  "\u0000",
  "\u001b[2J",
  "\u202e",
  "\ufeff",
  "\u2028",
  '"\\ud800"',
  `\${env:INCIDENTCTL_TOKEN}`,
  `\${file:../../../etc/passwd}`,
  `\${file:.git/config}`,
  `\${var:__proto__}`,
  `\${`,
  "__proto__: {polluted: true}",
  "constructor: {prototype: {polluted: true}}",
  "../api_keys/x",
  "%2e%2e%2f",
  "[".repeat(60),
  "{a: ".repeat(60),
  "x".repeat(3000),
  "include: /etc/passwd",
  "token: x",
  "id: x",
];

type Mutation = (text: string) => string;

const place = fc.nat(1_000_000);
const byte: fc.Arbitrary<Mutation> = fc.tuple(place, fc.integer({ min: 1, max: 255 })).map(([at, mask]) => (text) => {
  const bytes = Buffer.from(text);
  if (bytes.length > 0) bytes.writeUInt8((bytes[at % bytes.length] ?? 0) ^ mask, at % bytes.length);
  return bytes.toString("latin1");
});
const lines = (change: (all: string[], from: number, count: number) => void): fc.Arbitrary<Mutation> =>
  fc.tuple(place, fc.integer({ min: 1, max: 4 })).map(([at, count]) => (text) => {
    const all = text.split("\n");
    change(all, at % all.length, count);
    return all.join("\n");
  });
const removed = lines((all, from, count) => all.splice(from, count));
const doubled = lines((all, from, count) => all.splice(from, 0, ...all.slice(from, from + count)));
const moved = lines((all, from, count) => all.splice((from * 7) % all.length, 0, ...all.splice(from, count)));
const indented = lines((all, from, count) => {
  all[from] = `${" ".repeat(count)}${all[from] ?? ""}`;
});
const inserted: fc.Arbitrary<Mutation> = fc.tuple(place, fc.constantFrom(...HOSTILE)).map(([at, piece]) => (text) => {
  const from = at % (text.length + 1);
  return text.slice(0, from) + piece + text.slice(from);
});
const replaced: fc.Arbitrary<Mutation> = fc.tuple(place, fc.constantFrom(...HOSTILE)).map(([at, piece]) => (text) => {
  const words = [...text.matchAll(/[\w$]+/g)];
  const word = words[at % Math.max(1, words.length)];
  return word === undefined ? piece : text.slice(0, word.index) + piece + text.slice(word.index + word[0].length);
});
const mutations = fc.array(fc.oneof(byte, removed, doubled, moved, indented, inserted, replaced), {
  minLength: 1,
  maxLength: 4,
});

const mutated = (text: string, all: readonly Mutation[]): string => all.reduce((rest, mutate) => mutate(rest), text);

/** A validation ends with an answer or with findings, each at its place; it sends nothing and tells no token. */
async function expectAnswer(files: Files): Promise<void> {
  const row = { title: "", files, args: ["validate", "--format", "json"], exit: 0, code: "" };
  const ended = await run(row);
  const { exit, stdout, stderr, requests } = ended;
  expect([0, 1, 7], stderr).toContain(exit);
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: readonly Record<string, unknown>[] };
  const errors = diagnostics.filter(({ code }) => String(code).startsWith("E_"));
  expect(errors.length > 0, stdout + stderr).toBe(exit === 1);
  for (const finding of errors) {
    expect(finding).toMatchObject({
      line: expect.any(Number),
      column: expect.any(Number),
      message: expect.any(String),
    });
    expect(Object.keys(files)).toContain(finding.file);
    expect(String(finding.message)).not.toMatch(/undefined|\[object|is not a function/);
  }
  expect(requests).toEqual([]);
  expect(stdout + stderr).not.toMatch(/canary|root:x:/);
  expect(await leastTimeOf(ended, MOST, () => run(row))).toBeLessThan(MOST);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
}

it(
  "every mutated configuration is valid or gives errors with positions",
  async () => {
    const kinds = NAMES.filter((name) => name !== "incidentctl.yaml" && !name.endsWith(".test.yaml"));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...kinds), mutations, (name, all) =>
        expectAnswer({ "a.yaml": mutated(read(name), all), "incidentctl.yaml": read("incidentctl.yaml") }),
      ),
      { numRuns: RUNS },
    );
  },
  timeout,
);

it(
  "every mutated settings file is valid or gives errors with positions",
  async () => {
    await fc.assert(
      fc.asyncProperty(mutations, (all) =>
        expectAnswer({ "a.yaml": SEVERITIES, "incidentctl.yaml": mutated(read("incidentctl.yaml"), all) }),
      ),
      { numRuns: RUNS },
    );
  },
  timeout,
);

/** A folder with a sealed plan for a service that still is as it was, and what becomes of the plan in another text. */
async function withPlan(
  judge: (text: string, applied: (other: string) => Promise<number>) => Promise<void>,
): Promise<void> {
  const configuration = "incident_types:\n  - { slug: outage, name: Outage }\n";
  const files = { "a.yaml": configuration, "incidentctl.yaml": "removal: { default: keep }\n" };
  await inDirectory(files, async (folder) => {
    // The plan is looked at more often than a service would let anybody.
    const emulator = createEmulator({ requestsPerMinute: 1e9 });
    try {
      expect((await command(["plan", "--out", "saved.plan"], folder, emulator)).exit).toBe(0);
      const path = join(folder, "saved.plan");
      await judge(await readFile(path, "utf8"), async (other) => {
        await writeFile(path, other, "latin1");
        const apply = (): Promise<Ended> => command(["apply", "--plan", "saved.plan"], folder, emulator);
        const ended = await apply();
        expect(ended.requests.filter((request) => !request.startsWith("GET "))).toEqual([]);
        expect(ended.stderr).not.toMatch(/^ +at /m);
        expect(await leastTimeOf(ended, MOST, apply)).toBeLessThan(MOST);
        expect([3, 5], ended.stderr).toContain(ended.exit);
        return ended.exit;
      });
    } finally {
      emulator.close();
    }
  });
}

/** The moment at which a plan was made is the one thing in it that decides nothing. */
const sealed = (text: string): string => text.replace(/"created_at": "[^"]*"/, "");

/** Without --yes and with nobody to ask, a plan that holds is exit code 3: then nothing but its moment may differ. Else it is 5. */
async function expectJudged(text: string, other: string, applied: (other: string) => Promise<number>): Promise<void> {
  const exit = await applied(other);
  if (exit === 3) expect(sealed(other)).toBe(sealed(text));
  else expect(exit).toBe(5);
}

it(
  "a changed byte in a saved plan is detected",
  async () => {
    await withPlan(async (text, applied) => {
      const size = Buffer.byteLength(text);
      expect(await applied(text), "as it was saved").toBe(3);
      const places = CAMPAIGN
        ? Array.from({ length: size }, (_, at) => at)
        : fc.sample(fc.nat(size - 1), { numRuns: RUNS, seed: 1 });
      for (const at of places) {
        for (const mask of CAMPAIGN ? [1, 2, 4, 8, 16, 32, 64, 128] : [1 << (at % 8)]) {
          const bytes = Buffer.from(text);
          bytes.writeUInt8((bytes[at] ?? 0) ^ mask, at);
          const other = bytes.toString("latin1");
          await expectJudged(text, other, applied);
        }
      }
    });
  },
  timeout,
);

it(
  "a changed value in a saved plan is detected",
  async () => {
    await withPlan(async (text, applied) => {
      await fc.assert(
        fc.asyncProperty(place, fc.constantFrom(...CHANGES), async (at, change) => {
          const plan = JSON.parse(text) as Json;
          const spots = spotsOf(plan);
          const spot = spots[at % spots.length];
          if (spot !== undefined) change(spot);
          const other = `${JSON.stringify(plan, null, 2)}\n`;
          await expectJudged(text, other, applied);
        }),
        { numRuns: RUNS },
      );
    });
  },
  timeout,
);

/** A member of an object or a list of the plan. */
interface Spot {
  readonly holder: Record<string, Json> | Json[];
  readonly key: string;
}

function spotsOf(value: Json): readonly Spot[] {
  if (!isFields(value) && !isList(value)) return [];
  const holder = value as Record<string, Json> | Json[];
  return Object.entries(holder).flatMap(([key, member]) => [{ holder, key }, ...spotsOf(member)]);
}

const set =
  (value: Json) =>
  ({ holder, key }: Spot): void => {
    Object.assign(holder, { [key]: value });
  };

const CHANGES: readonly ((spot: Spot) => void)[] = [
  ...[null, true, -1, 1e9, "", "DELETE", "/api/v1/api_keys", "../x", "\u001b[2J", [], {}].map((value) =>
    set(value as Json),
  ),
  ({ holder, key }) => {
    if (Array.isArray(holder)) holder.splice(Number(key), 1);
    else delete holder[key];
  },
  ({ holder, key }) => {
    if (Array.isArray(holder)) holder.push(structuredClone(holder[Number(key)] ?? null));
    else holder[`${key}_too`] = structuredClone(holder[key] ?? null);
  },
];
