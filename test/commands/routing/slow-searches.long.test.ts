import { expect, test } from "vitest";
import { test as runTests } from "../../../src/app/plan/test-command.ts";
import { openTestWorld } from "../world.ts";

test("a regular expression whose search does not end leaves its alerts undecided, and does not stop a replay", async () => {
  const slow = "{ field: title, operator: matches_regex, value: '^(a+)+$' }";
  const lines = Array.from({ length: 300 }, (_, at) => JSON.stringify({ title: `${"a".repeat(40)}${at}` }));
  const world = await openTestWorld({
    "incidentctl.yaml": "version: 1\n",
    "rules.yaml": `routing_rules:\n  workspace:\n    - { conditions: [${slow}], outcome: { action: drop } }\n`,
    "alerts.jsonl": lines.join("\n"),
  });
  const options = { paths: [], alerts: "alerts.jsonl", base: "none", offline: true, format: "json" } as const;
  const { exit, stdout, stderr } = await world.run(runTests, options);
  expect(exit, stderr).toBe(0);
  expect(JSON.parse(stdout).recorded_alerts.outcomes).toEqual([{ outcome: "undecided", after: 300 }]);
}, 120_000);
