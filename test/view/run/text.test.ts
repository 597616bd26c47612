import { expect, test } from "vitest";
import { countOutcomes, type Outcome } from "../../../src/run/journal/outcome.ts";
import { ServiceError } from "../../../src/service/requests/service-error.ts";
import { plain } from "../../../src/view/format/ansi.ts";
import type { Applied, Verification } from "../../../src/view/run/outcome-view.ts";
import { progress } from "../../../src/view/run/progress.ts";
import { outcomeRecord, outcomeText } from "../../../src/view/run/text.ts";
import { changeOf, everything, planOf } from "../plans.ts";

const operations = everything.operations;
const refusal = new ServiceError({ method: "PATCH", path: "/api/v1/severities/critical" }, 422, {
  message: "Name is taken\u001b[2J",
  type: "validation_error",
  requestId: "req-1",
  errors: [],
});

function outcome(at: number, rest: Partial<Outcome> & Pick<Outcome, "status">): Outcome {
  return { operation: operations[at], ...rest } as Outcome;
}

const mixed: readonly Outcome[] = [
  outcome(0, { status: "done" }),
  outcome(1, { status: "failed", error: refusal }),
  outcome(2, { status: "unknown", error: new Error("the connection broke") }),
  outcome(3, { status: "pending", approvalId: "ap-7", message: "needs two people" }),
  outcome(4, { status: "fell_back", message: "3 incidents refer to it" }),
  outcome(5, { status: "retained", message: "option is used by 2 incidents" }),
  outcome(6, { status: "skipped", because: "depends", after: "op-2" }),
  outcome(7, { status: "skipped", because: "stopped", after: "op-3" }),
  outcome(8, { status: "skipped", because: "interrupted" }),
];

function applied(outcomes: readonly Outcome[], verification: Verification = null): Applied {
  return {
    plan: everything,
    result: { outcomes, counts: countOutcomes(outcomes) },
    verification,
    explain: (error) => [JSON.stringify(error.message), "severities.yaml:3:11: name: is taken"],
  };
}

test("the report of a partial apply has the outcome of every operation, and the next command", async () => {
  await expect(outcomeText(applied(mixed), { paint: plain, verbose: false })).toMatchFileSnapshot(
    "../golden/outcome-partial.txt",
  );
});

test("the JSON report has the same outcomes", async () => {
  const record = `${JSON.stringify(outcomeRecord(applied(mixed)), undefined, 2)}\n`;
  await expect(record).toMatchFileSnapshot("../golden/outcome-partial.json");
});

const done: readonly Outcome[] = [outcome(0, { status: "done" }), outcome(1, { status: "done", gone: true })];

test.each<readonly [title: string, verification: Verification, text: string]>([
  [
    "a verified apply is reported",
    { status: "verified" },
    "Applied: 2 of 2 operations done.\nVerified: the workspace matches what the files declare.\n",
  ],
  [
    "a workspace that still differs is reported",
    { status: "differs", remaining: planOf([changeOf("severities/minor", "move")]) },
    "Applied: 2 of 2 operations done.\nNot verified: the workspace still differs from the configuration, as shown below.\nNext: to see the differences, run incidentctl plan\n",
  ],
  [
    "a workspace that could not be read again is reported",
    { status: "unread", reason: "the connection was refused" },
    "Applied: 2 of 2 operations done.\nNot verified: the workspace could not be read again: the connection was refused\nNext: to see the differences, run incidentctl plan\n",
  ],
])("%s", (_title, verification, text) => {
  expect(outcomeText(applied(done, verification), { paint: plain, verbose: false })).toBe(text);
});

test("the next command is for the same service and environment", () => {
  const unread: Verification = { status: "unread", reason: "x" };
  const words = { flags: ["--emulator", "--env", "staging"], files: [] };
  expect(outcomeText({ ...applied(done, unread), words }, { paint: plain, verbose: false })).toContain(
    "run incidentctl plan --emulator --env staging\n",
  );
});

test("the verification mentions options that were preserved because they are in use", () => {
  const kept = [outcome(0, { status: "done" }), outcome(5, { status: "retained", message: "used by 2 incidents" })];
  expect(outcomeText(applied(kept, { status: "verified" }), { paint: plain, verbose: false })).toContain(
    "the workspace matches what the files declare, except for what was preserved because it is in use.\n",
  );
});

test("without a terminal, progress is one plain line for each outcome", () => {
  const written = told(false);
  expect(written).toBe(
    "[1/9] severities/blocker (create it): done\n[2/9] severities/critical (update it): failed\n[3/9] severities/minor (move it): unknown\n",
  );
});

test("on a terminal, a line shows the current operation and is updated", () => {
  expect(told(true)).toContain(
    "\u001b[2K\r[1/9] severities/blocker (create it) …\u001b[2K\r[1/9] severities/blocker (create it): done\n",
  );
});

function told(terminal: boolean): string {
  let text = "";
  const tell = progress({
    write: (piece) => (text += piece),
    terminal,
    paint: plain,
    now: () => 0,
    total: mixed.length,
  });
  for (const one of mixed.slice(0, 3)) {
    tell({ status: "started", operation: one.operation });
    tell(one);
  }
  return text;
}

test("values that look the same are told apart at the end of a run", () => {
  const name = { address: "severities/high", field: { path: "/name", before: "a b", after: "a\u00a0b" } };
  const list = { address: "severities/high", field: { path: "/name", before: ["Cafe\u0301"], after: ["Caf\u00e9"] } };
  const text = outcomeText(applied(done, { status: "verified", stored: [name, list] }), {
    paint: plain,
    verbose: false,
  });
  expect(text).toContain('sent "a\\u00a0b", stored "a b"');
  expect(text).toContain('sent ["Café"], stored ["Cafe\\u0301"]');
});
