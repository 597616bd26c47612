import { expect, test } from "vitest";
import type { Drift } from "../../../src/plan/drift/drift.ts";
import { driftJunit } from "../../../src/view/plan/drift.ts";
import { driftView } from "../../../src/view/plan/plan-view.ts";
import { everything, planOf } from "../plans.ts";

const nothing: Drift = { fingerprint: null, new: [], known: [], expired: [], resolved: [] };

test("every resource that differs is a failed test of its kind", () => {
  const xml = driftJunit(driftView(everything, nothing));
  expect(xml.match(/<failure /g)).toHaveLength(everything.changes.length);
  expect(xml).toContain('<testsuites name="drift" tests="12" failures="12" errors="0" skipped="0">');
  expect(xml).toContain(
    '<testcase name="alert_sources/Datadog" classname="alert_sources">\n<failure message="not in the configuration"/>',
  );
});

test("an accepted difference is skipped with its date, its author and its reason, and the rest passes", () => {
  const accepted = { until: "2026-12-31", because: "until <the> migration", by: "ada" };
  const xml = driftJunit(
    driftView(planOf([]), {
      ...nothing,
      known: [{ address: "severities/a", action: "update", path: "/name", fingerprint: "0", declared: "0", accepted }],
    }),
  );
  expect(xml).toContain('<testsuites name="drift" tests="2" failures="0" errors="0" skipped="1">');
  expect(xml).toContain('<testcase name="severities/a name" classname="severities">');
  expect(xml).toContain('<skipped message="accepted until 2026-12-31, by ada: until &lt;the&gt; migration"/>');
  expect(xml).toContain('classname="workspace"/>');
});

test("what the settings ignore is skipped, a resource and a field", () => {
  const ignored = [{ address: "webhooks/pager" }, { address: "severities/a", path: "/color" }];
  const xml = driftJunit(driftView({ ...planOf([]), ignored }, nothing));
  expect(xml).toContain('<testsuites name="drift" tests="3" failures="0" errors="0" skipped="2">');
  const skipped = '<skipped message="ignored by the settings"/>';
  expect(xml).toContain(`<testcase name="webhooks/pager" classname="webhooks">\n${skipped}`);
  expect(xml).toContain(`<testcase name="severities/a color" classname="severities">\n${skipped}`);
});
