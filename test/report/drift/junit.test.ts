import { expect, test } from "vitest";
import type { Drift } from "../../../src/drift/drift.ts";
import { driftJunit } from "../../../src/report/drift/junit.ts";
import { everything, planOf } from "../plans.ts";

const nothing: Drift = { fingerprint: null, new: [], known: [], expired: [], resolved: [] };

test("every resource that differs is a failed test of its kind", () => {
  const xml = driftJunit(everything, nothing);
  expect(xml.match(/<failure /g)).toHaveLength(everything.changes.length);
  expect(xml).toContain('<testsuites name="drift" tests="12" failures="12" errors="0" skipped="0">');
  expect(xml).toContain(
    '<testcase name="alert_sources/Datadog" classname="alert_sources">\n<failure message="not in the configuration"/>',
  );
});

test("an accepted difference is skipped with its reason and date, and the rest passes", () => {
  const accepted = { until: "2026-12-31", because: "until <the> migration" };
  const xml = driftJunit(planOf([]), {
    ...nothing,
    known: [{ address: "severities/a", action: "update", path: "/name", fingerprint: "0", declared: "0", accepted }],
  });
  expect(xml).toContain('<testsuites name="drift" tests="2" failures="0" errors="0" skipped="1">');
  expect(xml).toContain('<testcase name="severities/a name" classname="severities">');
  expect(xml).toContain('<skipped message="accepted until 2026-12-31: until &lt;the&gt; migration"/>');
  expect(xml).toContain('classname="workspace"/>');
});
