import fc from "fast-check";
import { expect, it } from "vitest";
import { inDirectory } from "../config/loading.ts";
import { SEVERITIES } from "./row.ts";
import { CANARY, command, type Ended, leastTimeOf } from "./run.ts";

const RUNS = Number(process.env.CAMPAIGN_FUZZ_RUNS ?? 100);
const timeout = process.env.CAMPAIGN_FUZZ_RUNS === undefined ? 60_000 : 24 * 60 * 60 * 1000;

/** Every command but the one that serves until it is told to stop. */
const COMMANDS = [
  "validate",
  "plan",
  "show",
  "apply",
  "resume",
  "undo",
  "rehearse",
  "drift",
  "refs",
  "test",
  "impact",
  "schema",
  "version",
];
const FLAGS = [
  "--url",
  "--format",
  "--report",
  "--kinds",
  "--target",
  "--exclude",
  "--out",
  "-o",
  "--plan",
  "--env",
  "-e",
  "--var",
  "--max-removals",
  "--secrets-out",
  "--secrets-exec",
  "--rate",
  "--timeout",
  "--parallelism",
  "--fail-on",
  "--last",
  "--dialect",
  "--resolve",
  "--lock-timeout",
  "--yes",
  "--allow-delete",
  "--live",
  "--offline",
  "--compare",
  "--faults",
  "--rehearse",
  "--strict",
  "--quiet",
  "--verbose",
  "--no-color",
  "--help",
  "--token",
  "--",
];
const VALUES = [
  "",
  "a.yaml",
  "b.txt",
  ".",
  "nowhere",
  "/dev/zero",
  "json",
  "json=b.json",
  "text=a.yaml",
  "severities",
  "severities/critical",
  "severities/../x",
  "a=b",
  "__proto__=b",
  "__proto__",
  "0",
  "-1",
  "1e3",
  "100%",
  "99999999999",
  "https://a.example",
  "\u001b[2J",
  "\u202e",
  "x".repeat(5000),
  CANARY,
];

const argument = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...FLAGS) },
  { weight: 3, arbitrary: fc.constantFrom(...VALUES) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(...FLAGS), fc.constantFrom(...VALUES))
      .map(([flag, value]) => `${flag}=${value}`),
  },
  // The root is left out: how long the files of a whole disk take is nobody's fault.
  { weight: 1, arbitrary: fc.string({ maxLength: 8 }).filter((text) => !/^[/.]*\/[/.]*$/.test(text)) },
);

it(
  "every command line ends with a documented exit code, sends nothing without a URL, and prints no secret",
  async () => {
    const nobody = { INCIDENTCTL_URL: undefined };
    await inDirectory({ "a.yaml": SEVERITIES }, async (folder) => {
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...COMMANDS), fc.array(argument, { maxLength: 5 }), async (name, rest) => {
          // An address would be called, and waited for.
          fc.pre(!rest.includes("--url") && !rest.some((one) => one.startsWith("--url=")));
          const ask = (): Promise<Ended> => command([name, ...rest], folder, undefined, nobody);
          const ended = await ask();
          const { exit, stdout, stderr, requests } = ended;
          expect([0, 1, 3, 5, 6, 7, 64], stderr).toContain(exit);
          if (exit !== 0) expect(stderr + stdout).not.toBe("");
          expect(stdout + stderr).not.toMatch(/^ +at |is not a function|Cannot read propert|canary/m);
          expect(stdout + stderr).not.toMatch(/[^\P{Cc}\n\t]|\u202e/u);
          expect(requests).toEqual([]);
          expect(await leastTimeOf(ended, 2000, ask)).toBeLessThan(2000);
        }),
        { numRuns: RUNS },
      );
    });
  },
  timeout,
);
