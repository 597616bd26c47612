/** The digests of the live state in a seal: what makes a saved plan stale, and what does not. */

import { describe, expect, test } from "vitest";
import type { Fields } from "../../../src/core/json.ts";
import { fingerprintOf, sealPlan, withFingerprint } from "../../../src/plan/checks/seal.ts";
import { contextOf, type PlanInput, placedStateOf, planned, type Rows } from "../../support/plans/make-plan.ts";

/** The digest of everything that is live, and the digests by resource. */
function digestsOf(document: Fields, given: PlanInput) {
  const { usage } = contextOf(document, given);
  const made = { state: placedStateOf(document, given), usage, hashes: given.lastApplied?.hashes ?? {} };
  const { live, rows } = sealPlan(planned(document, given), made, { saved: true }).seal;
  return { live, rows };
}

const critical = { slug: "critical", name: "Critical", color: "#F00" };
const severities = { severities: [{ slug: "critical", name: "Critical" }] };
const nameIsSecret = { secrets: { "severities/critical": ["/name"] } };
const nameWasSecret = { lastApplied: { hashes: { "severities/critical#name?environment": "x" }, resend: false } };
const drop = (note: string): Fields => ({ conditions: [], outcome: { action: "drop", note }, enabled: true });
const rules = { routing_rules: { workspace: [drop("a"), drop("b")] } };
const ruleIsSecret = { secrets: { "routing_rules/workspace/1": ["/outcome/note"] } };
const source = { alert_sources: [{ name: "Datadog", endpoint_path: "dd" }] };
const summary = { slug: "summary", system_field: "summary", visible: true, required: false, conditions: [] };
const hook = (name: string, more: Fields = {}): Fields => ({ id: `w-${name}`, name, url: "https://a", ...more });

type Row = readonly [title: string, document: Fields, before: Rows, after: Rows, given?: Partial<PlanInput>];

describe("the digests stay the same", () => {
  const rows: readonly Row[] = [
    [
      "in any order of a list without an order",
      {},
      { webhooks: [hook("a"), hook("b")] },
      { webhooks: [hook("b"), hook("a")] },
    ],
    [
      "with another address of a webhook, which may be secret",
      {},
      { webhooks: [hook("a")] },
      { webhooks: [hook("a", { url: "https://b" })] },
    ],
    ["where a list without resources was read or not", {}, source, { ...source, "routing_rules Datadog": [] }],
    [
      "with another value of a field that the files take from the environment",
      severities,
      { severities: [critical] },
      { severities: [{ ...critical, name: "Hot" }] },
      nameIsSecret,
    ],
    [
      "with another value of a field that an apply took from the environment",
      severities,
      { severities: [critical] },
      { severities: [{ ...critical, name: "Hot" }] },
      nameWasSecret,
    ],
    [
      "with another outcome of any rule of a list in which one has it from the environment",
      rules,
      { routing_rules: [drop("a"), drop("b")] },
      { routing_rules: [drop("a"), drop("c")] },
      ruleIsSecret,
    ],
  ];
  test.each(rows.map(([title, document, before, after, given]) => ({ title, document, before, after, given })))(
    "$title",
    ({ document, before, after, given }) => {
      expect(digestsOf(document, { ...given, live: before })).toEqual(digestsOf(document, { ...given, live: after }));
    },
  );
});

describe("the digests change", () => {
  const rows: readonly Row[] = [
    ["with a field that is on another form", {}, { "forms declare": [summary] }, { "forms resolve": [summary] }],
    [
      "with another field of a resource whose name comes from the environment",
      severities,
      { severities: [critical] },
      { severities: [{ ...critical, color: "#00F" }] },
      nameIsSecret,
    ],
    [
      "with another name of a resource beside the one whose name comes from the environment",
      severities,
      { severities: [critical, { slug: "major", name: "Major" }] },
      { severities: [critical, { slug: "major", name: "Bad" }] },
      nameIsSecret,
    ],
    [
      "with a rule of another list than the one that has a value from the environment",
      { ...rules, ...source },
      { ...source, routing_rules: [drop("a")], "routing_rules Datadog": [drop("b")] },
      { ...source, routing_rules: [drop("a")], "routing_rules Datadog": [drop("c")] },
      ruleIsSecret,
    ],
    [
      "with the first of two resources of one name",
      {},
      { webhooks: [hook("a"), hook("a", { id: "w2" })] },
      { webhooks: [hook("a", { enabled: false }), hook("a", { id: "w2" })] },
    ],
    [
      "with the second of two resources of one name",
      {},
      { webhooks: [hook("a"), hook("a", { id: "w2" })] },
      { webhooks: [hook("a"), hook("a", { id: "w2", enabled: false })] },
    ],
  ];
  test.each(rows.map(([title, document, before, after, given]) => ({ title, document, before, after, given })))(
    "$title",
    ({ document, before, after, given }) => {
      const [then, now] = [
        digestsOf(document, { ...given, live: before }),
        digestsOf(document, { ...given, live: after }),
      ];
      expect(now.live).not.toBe(then.live);
      expect(now.rows).not.toEqual(then.rows);
    },
  );

  test("with each incident that uses a resource", () => {
    const digests = [0, 1, 2].map((count) =>
      digestsOf(severities, { live: { severities: [{ ...critical, id: "s1" }] }, held: { s1: count } }),
    );
    expect(new Set(digests.map(({ live }) => live)).size).toBe(3);
    expect(new Set(digests.map(({ rows }) => JSON.stringify(rows))).size).toBe(3);
  });
});

test("a part of a plan keeps the fingerprint of the whole, and no other plan has it", () => {
  const plan = planned({ severities: [{ slug: "a", name: "A" }] });
  const { fingerprint: _fingerprint, hash: _hash, live: _live, ...seal } = plan.seal;
  const whole = withFingerprint({ ...plan, seal });
  const part = { ...whole, changes: [], operations: [] };
  expect(fingerprintOf(part)).toBe(plan.seal.fingerprint);
  expect(fingerprintOf({ ...part, seal })).not.toBe(plan.seal.fingerprint);
});
