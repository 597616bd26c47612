import { describe, expect, test } from "vitest";
import { explainError } from "../../../src/app/console/error-report.ts";
import type { AnalyzerRule, Finding } from "../../../src/plan/analyze/analyzer.ts";
import type { RankedTransition } from "../../../src/plan/model/plan.ts";
import type { TestRun } from "../../../src/preview/routing-tests/result.ts";
import { countOutcomes, type Outcome } from "../../../src/run/journal/outcome.ts";
import { ApprovalPending, ServiceError } from "../../../src/service/requests/service-error.ts";
import { sarif } from "../../../src/view/findings/sarif.ts";
import { diagnosticsJson, diagnosticsText, findingsJunit } from "../../../src/view/findings/text.ts";
import { plain } from "../../../src/view/format/ansi.ts";
import { prettyJson } from "../../../src/view/format/json.ts";
import { outcomePage, planPage } from "../../../src/view/page/page.ts";
import { driftJunit } from "../../../src/view/plan/drift.ts";
import { driftJson, planJson } from "../../../src/view/plan/json.ts";
import { planMarkdown } from "../../../src/view/plan/markdown.ts";
import { driftView, planView } from "../../../src/view/plan/plan-view.ts";
import { planText } from "../../../src/view/plan/text.ts";
import { rehearsalMarkdown } from "../../../src/view/rehearsal/markdown.ts";
import { rehearsalHtml } from "../../../src/view/rehearsal/page.ts";
import { type Rehearsal, rehearsalJson, rehearsalText } from "../../../src/view/rehearsal/rehearsal.ts";
import { eventLog, summaryLine } from "../../../src/view/run/events.ts";
import { outcomeMarkdown } from "../../../src/view/run/markdown.ts";
import type { Applied } from "../../../src/view/run/outcome-view.ts";
import { progress } from "../../../src/view/run/progress.ts";
import { outcomeRecord, outcomeText } from "../../../src/view/run/text.ts";
import { junitReport, testRunJson, testRunText } from "../../../src/view/tests/text.ts";
import { type ImpactReport, impactJson, impactText } from "../../../src/view/workspace/impact.ts";
import { linksIn, structureOf } from "../../support/markdown.ts";
import { commandsIn, hostileTexts, withTexts } from "../../support/samples/hostile-texts.ts";
import { everything, planOf } from "../plans.ts";

/** Names of members whose texts are this program's own words. */
const OWN: readonly string[] = [
  ...["format_version", "tool", "seal", "action", "risk", "method", "status", "because", "code"],
  ...["severity", "subject", "about", "mode", "asked", "calibrated", "created_at"],
];
const own = (name: string): boolean => OWN.includes(name);

const finding: Finding = {
  severity: "warning",
  code: "A001",
  message: "says",
  address: "webhooks/x",
  at: { file: "a.yaml", line: 1, column: 2, length: 3 },
  related: [{ message: "as here", at: { file: "b.yaml", line: 1, column: 1 } }],
  help: "do this",
};
/** Addresses of resources of which the reports say the same. */
const alike: readonly string[] = ["a", "b", "c", "d"].map((name) => `webhooks/${name}`);
const findings: readonly Finding[] = [
  finding,
  ...alike.map((address) => ({ ...finding, message: `${address} says the same`, address })),
  { ...finding, waived: { until: "2031-01-01", reason: "because", at: { file: "a.yaml", line: 1, column: 1 } } },
  { severity: "error", code: "E_SYNTAX", message: "says" },
];
const rules: readonly AnalyzerRule[] = [
  { id: "A001", name: "a-rule", severity: "warning", title: "Title.", why: "Why.", fix: "Fix." },
];
const rehearsal: Rehearsal = {
  plan: everything,
  looks: [
    { subject: "replica", held: true, did: "made again" },
    { subject: "routing", held: false, did: "looked" },
  ],
  findings: [
    { subject: "routing", message: "went wrong", operation: "op-1", address: "webhooks/x", faults: ["reset"] },
    { subject: "routing", message: "went wrong" },
    ...alike.map((address) => ({ subject: "routing" as const, message: "is lost", address })),
  ],
  assumptions: [{ about: "permissions", message: "assumed" }],
  samples: [
    {
      ...{ name: "disks", source: "Datadog", fields: { title: "disk" }, exposed: false, moves: true },
      ...{
        before: { action: "create", note: "old" },
        after: null,
        others: [{ operation: "op-1", answer: { a: "b" } }],
      },
    },
  ],
};
const routing: TestRun = {
  mode: "compare",
  trust: { calibrated: true, trusted: ["eq"], doubted: ["matches"] },
  warnings: ["no such role"],
  results: [
    {
      ...{ name: "disks", source: "Datadog", fields: { title: "disk" }, at: { file: "a.yaml", line: 1, column: 1 } },
      ...{ expected: { expect: { rule: "all" }, forbid: [{ action: "drop" }] }, status: "failed", reasons: ["not so"] },
      destination: {
        rule: {
          scope: "Datadog",
          place: 1,
          label: "all",
          outcome: { action: "drop", note: "why" },
          shownOutcome: { action: "drop", note: "why" },
        },
      },
      before: {
        rule: {
          scope: "",
          place: undefined,
          label: undefined,
          outcome: { note: "why" },
          shownOutcome: { note: "why" },
        },
      },
      moves: true,
      trace: () => [
        {
          ...{ place: 1, label: "all", skipped: false, matched: false },
          conditions: [
            ...[{ field: "title", operator: "eq", value: "a", actual: "b", derived: false, matched: false, why: "so" }],
            ...[{ field: "title", operator: "eq", value: ["a"], actual: null, derived: true, matched: undefined }],
          ],
        },
      ],
    },
  ],
};
const impact: ImpactReport = {
  ...{ last: 10, routing: true, ranks: [{ severity: "critical", before: 1, after: 2, incidents: 3 }] },
  impact: {
    ...{ incidents: 9, refused: 2, possibly: 1, already: 1 },
    sources: [
      {
        ...{ source: "Datadog", incidents: 9, refused: 2, possibly: 1, already: 0 },
        reasons: [
          { code: "required", subject: "region", refused: 1, possibly: 0 },
          { code: "severity", subject: "critical", refused: 1, possibly: 1 },
        ],
      },
    ],
  },
};

const transitions: readonly RankedTransition[] = [
  {
    ...{ address: "routing_rules/workspace", kind: "severities", added: 1, edited: 0, moved: 1, removed: 1 },
    ...{ writes: 4, window: 1, exposed: ["routing_rules/workspace/1", "routing_rules/workspace/2"] },
    order: [
      { name: "first", before: 2, after: 1 },
      { name: "second", before: 1, after: 2 },
      { name: "new", before: null, after: 3 },
      { name: "gone", before: 3, after: null },
    ],
  },
];

/** Every report that there is, of values in which each text of the service or of the files begins with this one. */
function reports(hostile: string): Readonly<Record<string, string>> {
  const told = <Value>(value: Value): Value => withTexts(value, (text) => (text === "" ? "" : hostile + text), own);
  const warnings = alike.map((address) => ({ code: "W_X", message: `${address} says the same`, address }));
  const unreadable = alike.map((address) => ({ address, path: "/url", reason: "not returned" }));
  const plan = told({ ...everything, transitions, warnings, unreadable });
  const error = new ServiceError({ method: "PATCH", path: "/api/v1/severities/a" }, 422, {
    ...{ message: `${hostile}is wrong`, type: hostile, requestId: hostile },
    errors: [{ field: hostile, message: hostile }, { message: hostile }],
  });
  const pending = new ApprovalPending({ method: "POST", path: `/api/v1/${hostile}` }, hostile, {
    ...{ message: hostile, requestId: hostile, errors: [] },
  });
  const [operation = everything.operations[0]] = plan.operations;
  if (operation === undefined) throw new Error("the plan has operations");
  const outcomes: readonly Outcome[] = [
    { status: "failed", operation, error },
    { status: "unknown", operation, error: pending },
    { status: "pending", operation, approvalId: hostile, message: hostile, body: null },
    { status: "fell_back", operation, message: hostile },
    { status: "retained", operation, message: hostile },
    { status: "skipped", operation, because: "depends", after: hostile },
  ];
  const applied: Applied = {
    ...{
      plan,
      result: { outcomes, counts: countOutcomes(outcomes) },
      verification: { status: "differs", remaining: plan },
    },
    explain: (thrown) => explainError(thrown),
  };
  let display = "";
  const tell = progress({ write: (text) => (display += text), terminal: false, paint: plain, now: () => 0, total: 1 });
  for (const outcome of outcomes) tell(outcome);
  const log = eventLog(
    plan,
    (thrown) => explainError(thrown),
    () => {},
  );
  log.end(outcomes);
  const difference = {
    ...{ address: "severities/a", action: "update" as const, path: "/name", fingerprint: "0", declared: "0" },
    accepted: { until: "2031-01-01", because: "so", by: "ada" },
  };
  const gone = { ...difference, ...difference.accepted, host: "http://localhost" };
  const memory = told({
    ...{ fingerprint: null, new: [difference], known: [difference], expired: [difference], resolved: [gone] },
  });
  const style = { paint: plain, verbose: false };
  const verbose = { paint: plain, verbose: true };
  // What is a severity in a finding is the service's word here.
  const elsewhere = withTexts(
    impact,
    (text) => hostile + text,
    (name) => name === "code",
  );
  const lines = () => [`${hostile}: ${hostile}`];
  return {
    "plan text": planText(planView(plan), style),
    "verbose plan text": planText(planView(plan), verbose),
    "drift text": planText(driftView(plan, memory), style),
    "accepted drift text": planText(driftView(told(planOf([])), memory), style),
    "drift json": driftJson(plan, memory),
    "plan json": planJson(plan),
    "plan markdown": planMarkdown(planView(plan), { verbose: false }),
    "plan html": planPage(planView(plan)),
    "drift html": planPage(driftView(plan, memory)),
    "outcome html": outcomePage(applied),
    "drift xml": driftJunit(driftView(plan, memory)),
    "verbose plan markdown": planMarkdown(planView(plan), { verbose: true }),
    "drift markdown": planMarkdown(driftView(plan, memory), { verbose: false }),
    "outcome markdown": outcomeMarkdown(applied, { verbose: true }),
    "outcome text": outcomeText(applied, verbose),
    "outcome json": prettyJson(outcomeRecord(applied)),
    "events in json": `[${[...log.lines, summaryLine(applied)].join(",")}]`,
    progress: display,
    "diagnostics text": diagnosticsText(told(findings), { paint: plain }, lines),
    "diagnostics json": diagnosticsJson(told(findings)),
    "sarif json": sarif(told(findings), rules, { name: "incidentctl", version: "0.1.0" }),
    "findings xml": findingsJunit(told(findings), rules, () => true),
    "rehearsal text": rehearsalText(told(rehearsal), style),
    "verbose rehearsal text": rehearsalText(told(rehearsal), verbose),
    "rehearsal json": rehearsalJson(told(rehearsal)),
    "rehearsal html": rehearsalHtml(told(rehearsal)),
    "rehearsal markdown": rehearsalMarkdown(told(rehearsal)),
    "routing text": testRunText(told(routing), verbose),
    "routing json": testRunJson(told(routing)),
    "routing xml": junitReport(told(routing)),
    "impact text": impactText(elsewhere, style, { flags: [], files: [] }),
    "impact json": impactJson(elsewhere),
    "error text": explainError(error).join("\n"),
    "pending text": explainError(pending).join("\n"),
    "foreign error text": explainError(new Error(hostile)).join("\n"),
  };
}

const plainReports = reports("");

test("there are enough hostile texts, each of another sort", () => {
  expect(new Set(hostileTexts.map(([, text]) => text)).size).toBeGreaterThanOrEqual(60);
  expect(hostileTexts.flatMap(([what, text]) => (commandsIn(text).length > 0 ? [what] : [])).length).toBeGreaterThan(
    40,
  );
});

describe("no text in a report acts as a command", () => {
  test.each(hostileTexts)("%s", (_what, text) => {
    for (const [name, report] of Object.entries(reports(text))) {
      expect(commandsIn(report), name).toEqual([]);
      // What ends a text ends neither an element nor a document.
      if (/html|xml/.test(name)) {
        const [tags, wanted] = [tagsOf(report), tagsOf(plainReports[name] ?? "")];
        const known = new Set(wanted);
        // A text of several lines is shown line by line; it is never made of other tags.
        if (/(plan|drift|outcome) html/.test(name))
          expect(
            tags.filter((tag) => !known.has(tag)),
            name,
          ).toEqual([]);
        else expect(tags, name).toEqual(wanted);
      }
      if (name.endsWith("markdown")) {
        expect(linksIn(report), name).toEqual([]);
        expect(structureOf(report), name).toEqual(structureOf(plainReports[name] ?? ""));
      }
      if (name === "accepted drift text")
        expect(report.split("\n").length).toBe(plainReports[name]?.split("\n").length);
      if (name.endsWith("json")) expect(shapeOf(report), name).toEqual(shapeOf(plainReports[name] ?? ""));
    }
  });
});

test("a text of a million characters does not slow down reports", () => {
  const started = performance.now();
  const name = `${"a\u001b".repeat(500_000)}`;
  const [change = everything.changes[0]] = everything.changes;
  if (change === undefined) throw new Error("the plan has changes");
  const plan = { ...everything, changes: [{ ...change, fields: [{ path: "/name", before: name, after: "b" }] }] };
  expect(planText(planView(plan), { paint: plain, verbose: false }).length).toBeLessThan(20_000);
  expect(commandsIn(planJson(plan))).toEqual([]);
  expect(performance.now() - started).toBeLessThan(10_000);
});

/** The tags with the names of their attributes, in order; anything else that looks like markup makes it fail. */
function tagsOf(document: string): readonly string[] {
  const tags = [...document.matchAll(/<[^>]*>/g)].map(([tag]) => tag.replace(/="[^"]*"/g, '=""'));
  const rest = document.replace(/<style>[^<]*<\/style>|<script>.*?<\/script>/gs, "").replace(/<[^>]*>/g, "");
  expect(rest).not.toMatch(/[<>]|&(?!(amp|lt|gt|quot|#39);)/);
  return tags;
}

/** What members a document has, at every depth, without what the texts say. */
function shapeOf(document: string): unknown {
  return withTexts(
    JSON.parse(document),
    () => "",
    () => false,
  );
}
