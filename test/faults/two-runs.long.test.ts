import { afterAll, describe, expect, test } from "vitest";
import { sampleSize } from "../support/samples/sample-size.ts";
import { reportFigures } from "./figures/figures.ts";
import { type Grain, interleavings, playSchedule, type Turn } from "./injection/interleavings.ts";
import { randomFrom, sample } from "./stage/random.ts";
import type { Scenario } from "./stage/scenarios.ts";
import { Stage } from "./stage/stage.ts";

const CAMPAIGN = process.env.CAMPAIGN_FAULTS !== undefined;
const SEED = Number(process.env.CAMPAIGN_SEED ?? 1);

/** Six creations for which the service chooses the id and accepts duplicates. */
const sixCreations: Scenario = {
  number: 26,
  name: "six creations",
  after: {
    "workspace.yaml": `
webhooks:
  - { name: pager, url: https://pager.example.com/in }
  - { name: board, url: https://board.example.com/in }
  - { name: archive, url: https://archive.example.com/in }
api_keys:
  - { name: deploy bot, permissions: { incidents: [read] } }
  - { name: status page, permissions: { severities: [read] } }
  - { name: importer, permissions: { incidents: [create] } }
`,
  },
};

/** Six operations of different types. */
const sixChanges: Scenario = {
  number: 27,
  name: "six changes",
  before: {
    "workspace.yaml": `
webhooks:
  - { name: pager, url: https://pager.example.com/in }
  - { name: board, url: https://board.example.com/in }
runbooks:
  - { slug: failover, name: Failover }
  - { slug: restart, name: Restart }
catalog_types:
  - { slug: team, entries: [{ slug: payments, name: Payments }] }
`,
  },
  after: {
    "workspace.yaml": `
webhooks:
  - { name: pager, url: https://pager.example.com/second }
  - { name: archive, url: https://archive.example.com/in }
runbooks:
  - { slug: failover, name: Failover, summary: The database is gone. }
catalog_types:
  - { slug: team, entries: [{ slug: payments, name: Payments and fees }] }
`,
  },
};

/** Six appends to a list in which a rule has no name but its rank. */
const sixRules: Scenario = {
  number: 28,
  name: "six routing rules",
  before: { "workspace.yaml": rules("drills", "everything else") },
  after: { "workspace.yaml": rules("drills", "everything else", "one", "two", "three", "four", "five", "six") },
};

function rules(...titles: readonly string[]): string {
  const items = titles.map(
    (title) =>
      `    - { name: ${title}, conditions: [{ field: title, operator: contains, value: ${title} }], outcome: { action: drop } }`,
  );
  return `routing_rules:\n  workspace:\n${items.join("\n")}\n`;
}

const SCENARIOS: readonly Scenario[] = [sixCreations, sixChanges, sixRules];

let schedules = 0;
/** Schedules in which both runs created the same resource before either saw the other's. */
let duplicated = 0;
let violations = 0;
const began = performance.now();

const REPLAY = /scenario=(\d+) schedule=(write|request):([01]+)/.exec(process.env.FAULTS_REPLAY ?? "");

if (REPLAY !== null)
  test("the schedule that FAULTS_REPLAY names", async () => {
    const [, scenario = "", grain, turns = ""] = REPLAY ?? [];
    const chosen = SCENARIOS.find(({ number }) => number === Number(scenario));
    const stage = await Stage.open(chosen ?? sixChanges);
    const schedule = [...turns].map((turn): Turn => (turn === "0" ? 0 : 1));
    try {
      const { violations: found } = await playSchedule(stage, schedule, grain === "write" ? "write" : "request");
      expect(found).toEqual([]);
    } finally {
      await stage.close();
    }
  });

afterAll(() => {
  const details = { "with a duplicate created at first": duplicated };
  if (schedules > 0) reportFigures({ part: "interleavings", runs: schedules, violations, details }, began);
});

describe.skipIf(process.env.FAULTS_REPLAY !== undefined).each(SCENARIOS)("two runs with $name", (scenario) => {
  test.each<Grain>(["write", "request"])(
    "create no duplicate and lose nothing, in any order of each %s",
    async (grain) => {
      const stage = await Stage.open(scenario);
      const writes = stage.undisturbed.sent.filter(({ method }) => method !== "GET").length;
      expect(writes).toBe(6);
      const random = randomFrom(SEED);
      const failures: string[] = [];
      try {
        for (const schedule of chosen(grain)) {
          schedules += 1;
          const played = await playSchedule(stage, schedule, grain);
          if (played.duplicated) duplicated += 1;
          // Each run removes what it has appended second, so that not even one rule is there twice until somebody applies again.
          if (scenario === sixRules) expect(played.leftovers, schedule.join("")).toEqual([]);
          for (const { invariant, what } of played.violations) {
            failures.push(
              `REPLAY scenario=${scenario.number} schedule=${grain}:${schedule.join("")} ${invariant}: ${what}`,
            );
          }
        }
      } finally {
        await stage.close();
      }
      violations += failures.length;
      expect(failures).toEqual([]);

      function chosen(by: Grain): readonly (readonly Turn[])[] {
        if (by === "write") return sample(random, interleavings(6), CAMPAIGN ? 924 : sampleSize(24));
        const alternating = ([0, 1] as const).map((first) =>
          Array.from({ length: 60 }, (_, at): Turn => (at % 2 === first ? 0 : 1)),
        );
        const others = Array.from({ length: CAMPAIGN ? 500 : sampleSize(16) }, () => {
          return Array.from({ length: 60 }, (): Turn => (random() < 0.5 ? 0 : 1));
        });
        return [...alternating, ...others];
      }
    },
    CAMPAIGN ? 7_200_000 : 120_000,
  );
});
