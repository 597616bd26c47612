import { describe, expect, test } from "vitest";
import type { Diagnostic } from "../../../src/core/diagnostic.ts";
import type { Fields } from "../../../src/core/json.ts";
import { hashValue } from "../../../src/workspace/match/last-applied.ts";
import { type PlanInput, planned } from "../../support/plans/make-plan.ts";

const named = (slug: string, more: Fields = {}): Fields => ({ slug, name: slug, ...more });
const on = (...values: readonly string[]): Fields => ({ condition_field: "severity", operator: "one_of", values });
const levels = { severities: [named("major"), named("minor")] };
const major = { severities: [{ slug: "major" }] };

function actions(document: Fields, input: PlanInput): readonly string[] {
  return planned(document, input).changes.map(({ action, address }) => `${action} ${address}`);
}

describe("the summary", () => {
  test("counts changes, unchanged resources and requests", () => {
    const live = { severities: [..."abcde"].map((slug) => named(slug)), statuses: [named("open", { enabled: false })] };
    const document = {
      severities: [named("c"), named("a"), named("b", { name: "B" }), named("d"), named("new")],
      statuses: [named("open", { lifecycle_stage: "active" })],
    };
    const { summary, operations } = planned(document, {
      live,
      settings: { removal: { default: "disable", kinds: {} } },
    });
    expect(summary).toMatchObject({ create: 1, update: 1, move: 1, enable: 1, disable: 1, delete: 0, unchanged: 2 });
    expect(summary.operations).toBe(operations.length);
    const looks = operations.filter(({ guard }) => guard !== undefined && guard.unchecked !== true).length;
    expect(summary.requests).toBe(operations.length + looks);
    expect(planned({ severities: [] }, { live }).summary).toMatchObject({ delete: 5 });
  });

  test("counts unchanged rules", () => {
    const rule = (note: string): Fields => ({ conditions: [], outcome: { action: "drop", note }, enabled: true });
    const live = { routing_rules: [rule("a"), rule("b"), rule("c")] };
    const { summary } = planned({ routing_rules: { workspace: [rule("a"), rule("b")] } }, { live });
    expect(summary).toMatchObject({ unchanged: 2, delete: 1 });
  });

  test("counts a deleted rule as deleted, although a declared one takes its position", () => {
    const rule = (service: string, note: string): Fields => ({
      conditions: [{ field: "service", operator: "is_one_of", value: [service] }],
      outcome: { action: "drop", note },
      enabled: true,
    });
    const live = { routing_rules: [rule("a", "1"), rule("b", "1")] };
    const { summary } = planned({ routing_rules: { workspace: [rule("c", "1"), rule("a", "2")] } }, { live });
    expect(summary).toMatchObject({ create: 1, update: 1, delete: 1, unchanged: 0 });
  });
});

test("a filtered plan reports only what its filter includes", () => {
  const live = {
    runbooks: [
      { slug: "a", name: "a" },
      { slug: "b", name: "b" },
    ],
  };
  const document = { runbooks: [named("a", { summary: "A" }), named("b", { summary: "B" })] };
  const { unreadable } = planned(document, { live, only: (address) => address === "runbooks/b" });
  expect(unreadable.map(({ address }) => address)).toEqual(["runbooks/b"]);
});

describe("of a filtered plan", () => {
  const doubt = (address: string): Diagnostic => ({
    code: "E_TWICE",
    severity: "error",
    message: "there are two",
    address,
  });
  const key = (name: string): Fields => ({ name, prefix: `ff_${name}`, last_used_at: null });
  const addresses = (only: (address: string) => boolean) => {
    const {
      warnings,
      others = [],
      renames = [],
      summary,
    } = planned(
      {
        incident_types: [named("outage_a", { description: "Down." }), named("leak_b", { description: "Out." })],
        api_keys: [{ name: "a" }, { name: "b" }],
      },
      {
        live: {
          incident_types: [named("outages_a", { description: "Down." }), named("leaks_b", { description: "Out." })],
          api_keys: [key("a"), key("b")],
        },
        only,
        lastApplied: { hashes: {}, resend: false, storedTokens: new Set() },
        more: {
          unsettled: [doubt("severities/a"), doubt("severities/b")],
          madeByOthers: [{ address: "webhooks/a" }, { address: "webhooks/b" }],
          tokenHistory: { now: new Date(0), creations: new Set(["api_keys/a", "api_keys/b"]) },
        },
      },
    );
    const pairs = renames.flatMap(({ from, to }) => [from, to]);
    return {
      warnings: warnings.map(({ code, address }) => `${code} ${address}`),
      others: others.map(({ address }) => address),
      count: summary.others,
      renames: pairs,
    };
  };

  test("the warnings, the resources of others and the possible renames are those of its resources", () => {
    const ofA = {
      warnings: ["W_HELD_BACK severities/a", "W_TOKEN api_keys/a"],
      others: ["webhooks/a"],
      count: 1,
      renames: ["incident_types/outages_a", "incident_types/outage_a"],
    };
    expect(addresses((address) => address.endsWith("a"))).toEqual(ofA);
    expect(addresses(() => true)).toMatchObject({
      warnings: [...ofA.warnings, "W_HELD_BACK severities/b", "W_TOKEN api_keys/b"].toSorted(),
      count: 2,
    });
  });

  test("a possible rename is named if the filter includes either of its resources", () => {
    const { renames } = addresses(() => true);
    for (const one of renames.slice(0, 2))
      expect(addresses((address) => address === one).renames).toEqual(renames.slice(0, 2));
  });
});

test("a plan says which run it undoes, and what that run has created and stays; any other plan says neither", () => {
  const live = { severities: [named("new"), named("old")] };
  const settings = { removal: { default: "keep" as const, kinds: {} } };
  const more = { undo: { run: "0001", created: ["severities/new"] } };
  const undone = planned({ severities: [named("old")] }, { live, settings, more });
  expect(undone.undoes).toBe("0001");
  expect(undone.warnings.map(({ code, address }) => `${code} ${address}`)).toEqual(["W_UNDO severities/new"]);
  const other = planned({ severities: [named("old")] }, { live, settings });
  expect([other.undoes, other.warnings, other.others]).toEqual([undefined, [], undefined]);
});

test("a preserved resource preserves the resources that it references", () => {
  const text = (name: string): Fields => ({ name, attribute_type: "text", required: false });
  const where = { condition_field: "custom_field", custom_field: "where", operator: "one_of", values: ["red"] };
  const live = {
    catalog_types: [{ ...named("squad"), attributes: [text("Floor"), text("Room")] }],
    "catalog_entries squad": [named("red", { attributes: { room: "12" } })],
    custom_fields: [{ slug: "where", field_type: "catalog_reference", catalog_type: "squad" }],
    runbooks: [{ slug: "a", conditions: [where] }],
  };
  const document = { catalog_types: [{ slug: "squad", attributes: [text("Floor")], entries: [] }] };
  const { operations, warnings } = planned(document, { live });
  expect(operations).toEqual([]);
  expect(warnings.map(({ message }) => message)).toEqual([
    'catalog_types/squad: "Room" is not in the configuration but stays: 1 entry holds a value of it',
    "catalog_types/squad/entries/red is not in the configuration but stays: used by runbooks/a, and a catalog entry cannot be disabled",
  ]);
});

describe("references that remain after a plan", () => {
  test("include those of undeclared form fields, which are never removed", () => {
    const row = { slug: "region", custom_field: "region", visible: true, required: false, conditions: [on("minor")] };
    const live = {
      ...levels,
      custom_fields: [{ slug: "region" }],
      "forms declare": [
        { slug: "summary", system_field: "summary", visible: true, required: false, conditions: [] },
        row,
      ],
    };
    const document = { ...major, forms: { declare: [{ system_field: "summary" }] } };
    expect(actions(document, { live })).toEqual(["disable severities/minor"]);
  });

  test("include those in live fields that a declared resource omits", () => {
    const live = { ...levels, runbooks: [named("a", { conditions: [on("minor")] })] };
    expect(actions({ ...major, runbooks: [named("a")] }, { live })).toEqual(["disable severities/minor"]);
    expect(actions({ ...major, runbooks: [named("a", { conditions: [] })] }, { live })).toEqual([
      "delete severities/minor",
      "update runbooks/a",
    ]);
  });

  test("include those of rules in an unmanaged list, and not in a declared one", () => {
    const pages = {
      conditions: [],
      outcome: { action: "auto_create_incident", severity_id: "severity-minor" },
      enabled: true,
    };
    const drops = { conditions: [], outcome: { action: "drop" }, enabled: true };
    const live = { ...levels, routing_rules: [pages] };
    expect(actions(major, { live })).toEqual(["disable severities/minor"]);
    expect(actions({ ...major, routing_rules: { workspace: [drops] } }, { live })[0]).toBe("delete severities/minor");
    const source = { alert_sources: [{ name: "Datadog", endpoint_path: "dd" }], "routing_rules Datadog": [pages] };
    const document = { ...major, routing_rules: { workspace: [drops] } };
    expect(actions(document, { live: { ...live, ...source } })[0]).toBe("disable severities/minor");
  });
});

describe("if the service does not return references, a resource that cannot be disabled is preserved", () => {
  const live = {
    catalog_types: [named("team", { kind: "system" })],
    "catalog_entries team": [named("web")],
    custom_fields: [{ slug: "owner", name: "owner", field_type: "catalog_reference", catalog_type: "team" }],
    runbooks: [{ slug: "a", name: "a" }],
  };
  const teams = { catalog_types: [{ slug: "team", entries: [] }] };
  const isPreserved = (document: Fields, input: PlanInput = {}) => {
    const { operations } = planned({ ...teams, ...document }, { live, ...input });
    return operations.every(({ method }) => method !== "DELETE");
  };
  const lock = (conditions: readonly Fields[]) => ({
    lastApplied: { hashes: { "runbooks/a#conditions": hashValue([...conditions]) }, resend: false },
  });

  test("while the references are unknown", () => {
    expect(isPreserved({})).toBe(true);
    expect(isPreserved({ runbooks: [named("a")] })).toBe(true);
    expect(isPreserved({ runbooks: [named("a", { conditions: [] })] })).toBe(true);
  });

  test("until the declared value is the last applied one, or is sent now", () => {
    expect(isPreserved({ runbooks: [named("a", { conditions: [] })] }, lock([]))).toBe(false);
    expect(isPreserved({ runbooks: [named("a", { conditions: [] })] }, lock([on("minor")]))).toBe(false);
    expect(isPreserved({ runbooks: [] })).toBe(false);
  });
});

test("a resource that becomes the default takes it from the former one, and the plan reports that", () => {
  const live = { severities: [named("high", { is_default: true }), named("low", { is_default: false })] };
  const derived = (document: Fields) => planned(document, { live }).derived.filter(({ path }) => path === "/default");
  expect(derived({ severities: [{ slug: "high" }, { slug: "low", default: true }] })).toEqual([
    {
      address: "severities/high",
      path: "/default",
      before: true,
      after: false,
      reason: "severities/low becomes the default",
    },
  ]);
  expect(derived({ severities: [{ slug: "high", default: false }, { slug: "low" }] })).toEqual([]);
  expect(derived({ severities: [{ slug: "high" }, { slug: "low", name: "Other" }] })).toEqual([]);
});

test("of a deleted default nothing is reported but its deletion", () => {
  const live = { severities: [named("high", { is_default: true }), named("low", { is_default: false })] };
  const plan = planned({ severities: [{ slug: "low", default: true }] }, { live });
  expect(plan.changes.map(({ address, action }) => [address, action])).toEqual([
    ["severities/low", "update"],
    ["severities/high", "delete"],
  ]);
  expect(plan.derived.filter(({ path }) => path === "/default")).toEqual([]);
});

describe("a field that the service derives from the order", () => {
  const ranked = (slug: string, rank: number): Fields => named(slug, { rank });
  const live = { severities: [ranked("a", 3), ranked("b", 2), ranked("c", 1)] };
  const ranks = (document: Fields, rows: readonly Fields[] = live.severities) =>
    planned(document, { live: { severities: rows } }).derived.map(({ address, before, after }) => [
      address,
      before,
      after,
    ]);

  test("is reported for each resource whose rank changes with another's move, creation or deletion", () => {
    expect(ranks({ severities: [{ slug: "a" }, { slug: "c" }] })).toEqual([["severities/a", 3, 2]]);
    expect(ranks({ severities: [{ slug: "c" }, { slug: "a" }, { slug: "b" }] })).toEqual([
      ["severities/c", 1, 3],
      ["severities/a", 3, 2],
      ["severities/b", 2, 1],
    ]);
    expect(ranks({ severities: [named("new"), { slug: "a" }, { slug: "b" }, { slug: "c" }] })).toEqual([
      ["severities/new", null, 4],
    ]);
  });

  test("is not reported if the plan does not change the list", () => {
    const odd = [ranked("a", 7), ranked("b", 2)];
    expect(ranks({ severities: [{ slug: "a", name: "Other" }, { slug: "b" }] }, odd)).toEqual([]);
    expect(ranks({ severities: [{ slug: "a" }, { slug: "b" }], webhooks: [{ name: "n", url: "u" }] }, odd)).toEqual([]);
  });

  test("each position is right for the list when its request runs", () => {
    const rows = { severities: [named("x"), named("a"), named("b")], incident_types: [named("t"), named("u")] };
    const document = {
      severities: [named("b"), named("a"), named("new")],
      incident_types: [named("u"), named("t")],
    };
    const { operations, changes } = planned(document, { live: rows });
    expect(
      operations.flatMap(({ address, body }) => (body?.position === undefined ? [] : [[address, body.position]])),
    ).toEqual([
      ["severities/b", 1],
      ["severities/new", 4],
      ["incident_types/u", 1],
    ]);
    expect(
      changes.flatMap(({ address, fields, neighbours }) =>
        neighbours === undefined ? [] : [[address, fields.at(-1), neighbours]],
      ),
    ).toEqual([
      ["severities/b", { path: "/position", before: 3, after: 1 }, { after: "a" }],
      ["severities/new", { path: "/position", before: null, after: 3 }, { before: "a" }],
      ["incident_types/u", { path: "/position", before: 2, after: 1 }, { after: "t" }],
    ]);
  });
});

describe("rules", () => {
  const to = (note: string): Fields => ({ action: "drop", note });
  const when = (value: string): Fields => ({ field: "service", operator: "is_one_of", value: [value] });
  const rule = (note: string, ...conditions: readonly Fields[]): Fields => ({
    conditions,
    outcome: to(note),
    enabled: true,
  });
  const source = (name: string): Fields => ({ name, endpoint_path: name.toLowerCase() });
  const two = [rule("web", when("web")), rule("db", when("db"))];
  const window = (document: Fields, input: PlanInput) =>
    planned(document, { ...input, approvals: { acceptRoutingWindow: false } }).blocked.some(
      ({ code }) => code === "ROUTING_WINDOW",
    );
  const routed = (sources: Fields, workspace?: readonly Fields[]): Fields => ({
    routing_rules: { ...(workspace === undefined ? {} : { workspace }), sources },
  });

  test("of a source without any open a routing gap only if it falls back to enabled rules", () => {
    const live = { alert_sources: [source("Datadog")], "routing_rules Datadog": [] };
    const first = routed({ Datadog: two });
    expect(window(first, { live: { ...live, routing_rules: [rule("all")] } })).toBe(true);
    expect(window(first, { live: { ...live, routing_rules: [] } })).toBe(false);
    expect(window(first, { live: { ...live, routing_rules: [{ ...rule("all"), enabled: false }] } })).toBe(false);
    expect(window(first, { live: { ...live, routing_rules: [{ ...rule("a"), enabled: false }, rule("b")] } })).toBe(
      true,
    );
  });

  test("of a new source open none", () => {
    const live = { routing_rules: [rule("all")] };
    const document = { alert_sources: [{ name: "Datadog" }], ...routed({ Datadog: two }) };
    expect(window(document, { live })).toBe(false);
    const other = { ...live, alert_sources: [source("Grafana")] };
    expect(window({ ...document, alert_sources: [{ name: "Datadog" }, { name: "Grafana" }] }, { live: other })).toBe(
      false,
    );
  });

  test("of a renamed source open one like those of any other", () => {
    const live = { alert_sources: [source("Old")], "routing_rules Old": [], routing_rules: [rule("all")] };
    const document = { alert_sources: [{ name: "New", renamed_from: "Old" }], ...routed({ New: two }) };
    expect(window(document, { live })).toBe(true);
  });

  test("of the workspace never open one", () => {
    const live = { alert_sources: [source("Datadog")], "routing_rules Datadog": [], routing_rules: [] };
    expect(window(routed({}, two), { live })).toBe(false);
    expect(window(routed({}, []), { live: { ...live, routing_rules: two } })).toBe(false);
  });

  test("that a source loses give way to a holding rule with the outcome of its catch-all rule or of the settings", () => {
    const live = (rules: readonly Fields[]) => ({
      alert_sources: [source("Datadog")],
      "routing_rules Datadog": rules,
      routing_rules: [rule("all")],
    });
    const bodies = (input: PlanInput) =>
      planned(routed({ Datadog: [] }), input).operations.flatMap(({ body }) => (body === null ? [] : [body.outcome]));
    expect(bodies({ live: live([...two, rule("rest")]) })).toContainEqual(to("rest"));
    expect(bodies({ live: live(two), settings: { holdingOutcome: to("desk") } })).toContainEqual(to("desk"));
    expect(bodies({ live: live(two) })).toEqual([]);
    expect(window(routed({ Datadog: [] }), { live: live(two) })).toBe(true);
  });

  test("of a source that gets its own change before its fallback, and those of one that loses them after it", () => {
    const live = {
      alert_sources: [source("Gains"), source("Loses")],
      "routing_rules Gains": [],
      "routing_rules Loses": [rule("l")],
      routing_rules: [rule("all")],
    };
    const document = routed({ Loses: [], Gains: [rule("g")] }, [rule("other")]);
    const scopes = planned(document, { live }).operations.map(({ query }) => query.source ?? "workspace");
    expect([...new Set(scopes)]).toEqual(["Gains", "workspace", "Loses"]);
  });
});
