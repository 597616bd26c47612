import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ApplyPlan } from "../../../src/app/rehearse/run.ts";
import type { Fields } from "../../../src/core/json.ts";
import type { Dialects } from "../../../src/emulator/dialects.ts";
import type { RehearsalFinding } from "../../../src/view/rehearsal/rehearsal.ts";
import { configuration } from "../../support/samples/arbitrary-configuration.ts";
import { loadExamples, modules } from "../../support/samples/example-workspace.ts";
import { sampleSize, someOf } from "../../support/samples/sample-size.ts";
import { serviceFor } from "../../support/service/test-service.ts";
import { carryOut, rehearsed, rehearsedFor } from "./stage.ts";

const ROWS: readonly Partial<Dialects>[] = [
  {},
  { options: "replace", condition_values: "id" },
  { envelope: "wrapped", fallback: "sticky", delete_guard: "incidents" },
  { readable: "partial", condition_values: "id", locked_fields: "ignore" },
  { slug: "accept", options: "replace", delete_guard: "incidents" },
];

const severities = [
  { slug: "critical", name: "Critical" },
  { slug: "major", name: "Major", default: true },
];
const to = (channel_id: string): Fields => ({ action: "notify_only", notify: { type: "channel", channel_id } });
const when = (service: string): Fields => ({ field: "service", operator: "is_one_of", value: [service] });
const rules = (...list: readonly Fields[]): Fields => ({ severities, routing_rules: { workspace: list } });
const messages = (findings: readonly RehearsalFinding[]) =>
  findings.map(({ subject, message }) => `${subject}: ${message}`);

describe("a rehearsal of random configurations", () => {
  test("the plan of the replica is the real one, it succeeds, and the live service receives only GET requests", async () => {
    await fc.assert(
      fc.asyncProperty(configuration, configuration, fc.constantFrom(...ROWS), async (first, second, dialects) => {
        const service = serviceFor({ dialects });
        try {
          await service.converge(first);
          service.forget();
          const { rehearsal } = await rehearsed(service, second);
          expect(messages(rehearsal.findings)).toEqual([]);
          expect(service.seen.filter(({ method }) => method !== "GET")).toEqual([]);
        } finally {
          await service.emulator.close();
        }
      }),
      { numRuns: sampleSize(40), endOnFailure: true },
    );
  }, 240_000);
});

test("a source that goes follows the new rules of the workspace until it is removed", async () => {
  const service = serviceFor();
  const sources = (...names: readonly string[]): Fields => ({
    alert_sources: names.map((name) => ({ name, provider: "generic" })),
  });
  try {
    await service.converge({ ...rules(), ...sources("Datadog", "Northflank") });
    const { rehearsal } = await rehearsed(service, {
      ...rules({ outcome: { action: "drop" } }),
      ...sources("Datadog"),
    });
    expect(messages(rehearsal.findings)).toEqual([]);
    const going = rehearsal.samples.filter(({ source }) => source === "Northflank");
    expect(going.map(({ before, after, others }) => ({ before, after, others }))).toEqual([
      { before: null, after: undefined, others: [] },
    ]);
  } finally {
    await service.emulator.close();
  }
});

describe("a rehearsal of the example workspace", () => {
  test.each(someOf(ROWS, 1))("succeeds on a new workspace with %o, and again after the apply", async (dialects) => {
    const service = serviceFor({ dialects });
    try {
      const example = await loadExamples(modules);
      const { plan, rehearsal } = await rehearsedFor(service, example);
      expect(messages(rehearsal.findings)).toEqual([]);
      expect(rehearsal.samples.length).toBeGreaterThan(10);
      await service.carryOut(plan);
      service.forget();
      const again = await rehearsedFor(service, example);
      expect(again.plan.operations).toEqual([]);
      expect(messages(again.rehearsal.findings)).toEqual([]);
      expect(service.seen.filter(({ method }) => method !== "GET")).toEqual([]);
    } finally {
      await service.emulator.close();
    }
  });
});

describe("incidents that use resources", () => {
  test("are simulated, so that a removal has the same result on the replica as on the live service", async () => {
    const service = serviceFor({ seed: true });
    try {
      const { plan, rehearsal } = await rehearsed(service, {
        severities: [{ slug: "major", name: "Major", default: true }],
      });
      expect(plan.summary).toMatchObject({ disable: 2, delete: 0 });
      expect(messages(rehearsal.findings)).toEqual([]);
      const [made] = rehearsal.assumptions.filter(({ about }) => about === "incidents");
      expect(made?.message).toMatch(/^6 incidents are invented/);
    } finally {
      await service.emulator.close();
    }
  });
});

describe("faults at every request", () => {
  test("leave no duplicate and no misrouted alert if every creation can be found again", async () => {
    const service = serviceFor();
    try {
      await service.converge(rules({ conditions: [when("web")], outcome: to("C1") }, { outcome: to("C2") }));
      const document = {
        ...rules(
          { conditions: [when("db")], outcome: to("C3") },
          { conditions: [when("web")], outcome: to("C4") },
          { outcome: to("C2") },
        ),
        webhooks: [{ name: "pager", url: "https://a.example.com/x" }],
      };
      const { plan, rehearsal } = await rehearsed(service, document, { withFaults: true });
      expect(messages(rehearsal.findings)).toEqual([]);
      expect(rehearsal.faults?.runs).toBe(plan.operations.length * 5);
      // Only a creation of which nothing is to be seen is left to the next plan; all else is found out at once.
      const creations = plan.operations.filter(({ method }) => method === "POST");
      expect(rehearsal.faults?.recovered).toBe(creations.length * 2);
    } finally {
      await service.emulator.close();
    }
  });

  const keys = { api_keys: [{ name: "deploy bot", permissions: { incidents: ["read"] } }] };
  const robots = { agents: [{ slug: "helper", name: "Helper", grants: [{ ability: "runbooks.update" }] }] };

  test.each([
    ["a service key", keys],
    ["an agent", robots],
  ])("leave no live token of %s that is not saved", async (_title, document) => {
    const service = serviceFor();
    try {
      const { rehearsal } = await rehearsed(service, document, { withFaults: true });
      expect(messages(rehearsal.findings)).toEqual([]);
    } finally {
      await service.emulator.close();
    }
  });

  test("report a token that would be lost", async () => {
    const service = serviceFor();
    const forgetful: ApplyPlan = (plan, writer, props) =>
      carryOut(plan, writer, { ...props, sink: { probe: async () => {}, store: async () => {} } });
    try {
      const { rehearsal } = await rehearsed(service, keys, { withFaults: true, carryOut: forgetful });
      expect(messages(rehearsal.findings).join()).toMatch(/the token \S{12} is valid, but was not stored/);
    } finally {
      await service.emulator.close();
    }
  });
});

describe("a faulty applier is detected", () => {
  const live = rules({ conditions: [when("web")], outcome: to("C1") }, { outcome: to("C2") });
  const wanted = rules(
    { conditions: [when("db")], outcome: to("C3") },
    { conditions: [when("web")], outcome: to("C1") },
    { outcome: to("C2") },
  );
  const dropped: ApplyPlan = (plan, writer, props) =>
    carryOut({ ...plan, operations: plan.operations.slice(0, -1) }, writer, props);
  const reversed: ApplyPlan = (plan, writer, props) =>
    carryOut(
      { ...plan, operations: [...plan.operations].reverse().map((one) => ({ ...one, depends_on: [] })) },
      writer,
      props,
    );
  const twice: ApplyPlan = (plan, writer, props) =>
    carryOut(
      {
        ...plan,
        // The check before the second one would find the first.
        operations: plan.operations.flatMap(({ guard, ...one }) => {
          const checked = guard === undefined ? one : { ...one, guard };
          return one.method === "POST" ? [checked, { ...one, id: `${one.id}b` }] : [checked];
        }),
      },
      writer,
      props,
    );

  test.each([
    ["it leaves the last operation out", dropped, "next-plan"],
    ["it turns the order round", reversed, "routing"],
    ["it creates everything twice", twice, "next-plan"],
  ])("when %s", async (_title, misbehaving, subject) => {
    const service = serviceFor();
    try {
      await service.converge(live);
      const { rehearsal } = await rehearsed(service, wanted, { carryOut: misbehaving });
      expect(rehearsal.findings.map((finding) => finding.subject)).toContain(subject);
    } finally {
      await service.emulator.close();
    }
  });
});

describe("a routing window", () => {
  const sources = { alert_sources: [{ name: "Datadog" }] };
  const before = { ...rules({ outcome: to("C1") }), ...sources };
  const own = {
    workspace: [{ outcome: to("C1") }],
    sources: {
      Datadog: [
        { conditions: [when("web")], outcome: to("C2") },
        { conditions: [when("db")], outcome: to("C3") },
        { outcome: to("C4") },
      ],
    },
  };
  const after = { ...before, routing_rules: own };

  test.each([
    ["is a finding as long as nobody accepts it", false, ["routing"]],
    ["is told of and no finding once it is accepted", true, []],
  ])("%s", async (_title, windowsAccepted, subjects) => {
    const service = serviceFor();
    try {
      await service.converge(before);
      const { plan, rehearsal } = await rehearsed(service, after, { windowsAccepted });
      expect(plan.warnings.map(({ code }) => code)).toContain("W_ROUTING_WINDOW");
      expect([...new Set(rehearsal.findings.map(({ subject }) => subject))]).toEqual(subjects);
      expect(rehearsal.samples.filter(({ others }) => others.length > 0).map(({ source }) => source)).toContain(
        "Datadog",
      );
    } finally {
      await service.emulator.close();
    }
  });
});

describe("the replica", () => {
  test("a dialect that responses do not show comes from the flag", async () => {
    const service = serviceFor({ dialects: { options: "replace" } });
    try {
      const field = (options: readonly string[]): Fields => ({
        custom_fields: [{ slug: "region", name: "Region", field_type: "single_select", options }],
      });
      await service.converge(field(["EU", "US"]));
      const { rehearsal } = await rehearsed(service, field(["EU", "APAC"]));
      expect(messages(rehearsal.findings)).toEqual([]);
      expect(rehearsal.assumptions.filter(({ message }) => message.startsWith("options=replace"))).toHaveLength(1);
    } finally {
      await service.emulator.close();
    }
  });

  test("a dialect that responses show needs no flag", async () => {
    const service = serviceFor({ dialects: { envelope: "wrapped", readable: "partial" } });
    try {
      const { rehearsal } = await rehearsed(service, { severities }, { dialects: {} });
      const seen = rehearsal.assumptions.filter(({ message }) => message.endsWith("(seen in responses)"));
      expect(seen.map(({ message }) => message.split(":")[0])).toEqual(["envelope=wrapped", "readable=partial"]);
      expect(rehearsal.findings).toEqual([]);
    } finally {
      await service.emulator.close();
    }
  });
});
