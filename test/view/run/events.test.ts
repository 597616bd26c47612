import { expect, test } from "vitest";
import { countOutcomes, type Outcome } from "../../../src/run/journal/outcome.ts";
import { masked } from "../../../src/view/format/mask.ts";
import { eventLog, summaryLine } from "../../../src/view/run/events.ts";
import { changeOf, planOf } from "../plans.ts";

const plan = planOf(["a", "b", "c", "d", "e", "f", "g"].map((slug) => changeOf(`severities/${slug}`, "create")));
const explain = (error: Error): readonly string[] => [error.message];
const operation = (at: number) => {
  const found = plan.operations[at];
  if (found === undefined) throw new Error("the plan has seven operations");
  return found;
};
const outcomes: readonly Outcome[] = [
  { status: "done", operation: operation(0) },
  { status: "fell_back", operation: operation(1), message: "in use" },
  { status: "retained", operation: operation(2), message: "in use" },
  { status: "pending", operation: operation(3), approvalId: "ap_1", message: "ask", body: null },
  { status: "unknown", operation: operation(4), error: new Error("no answer") },
  { status: "failed", operation: operation(5), error: new Error("refused") },
  { status: "skipped", operation: operation(6), because: "stopped", after: "op-6" },
];

test("a run has an event for the plan, for each operation's start and end, and a summary in the last line", () => {
  const told: string[] = [];
  const log = eventLog(plan, explain, (line) => told.push(line));
  for (const outcome of outcomes.slice(0, 6)) {
    log.report({ status: "started", operation: outcome.operation });
    log.report(outcome);
  }
  log.end(outcomes);
  told.push(summaryLine({ plan, result: { outcomes, counts: countOutcomes(outcomes) }, verification: null, explain }));
  const events = told.map((line) => JSON.parse(line));
  expect(events.map(({ event }) => event)).toEqual([
    "planned",
    ...outcomes.slice(0, 6).flatMap(({ status }) => ["started", status]),
    "skipped",
    "summary",
  ]);
  expect(events[0]).toMatchObject({ format_version: 1, target: plan.target, summary: plan.summary });
  expect(events[2]).toEqual({
    ...{ event: "done", id: "op-1", number: 1, of: 7, address: "severities/a" },
    ...{ method: "POST", path: "/api/v1/severities", why: "create it" },
  });
  expect(events[12]).toMatchObject({ event: "failed", number: 6, message: "refused" });
  expect(events.at(-2)).toMatchObject({ event: "skipped", because: "stopped", after: "op-6" });
  expect(events.at(-1)).toMatchObject({ event: "summary", counts: { done: 1, skipped: 1 }, verification: null });
  expect(told.slice(0, -1)).toEqual(log.lines);
});

test("every line of JSON stays valid when a secret in it is masked", () => {
  const log = eventLog(
    plan,
    () => ['severities/a, 12345678 and "],'],
    () => {},
  );
  log.end(outcomes);
  const safe = masked(log.lines.join(""), ["12345678", "severities/a", '"],"'.padEnd(9, "x")]);
  expect(safe).not.toContain("12345678");
  const events = safe
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(events[5]).toMatchObject({ event: "unknown", message: '(secret), (secret) and "],' });
});
