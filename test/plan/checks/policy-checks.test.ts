import { describe, expect, test } from "vitest";
import type { RemovalLimit } from "../../../src/core/flag-values.ts";
import type { Fields } from "../../../src/core/json.ts";
import { type PlanInput, planned } from "../../support/plans/make-plan.ts";

const NONE = { allowDelete: false, acceptRoutingWindow: false };
const DELETE = { allowDelete: true, acceptRoutingWindow: false };

/** Why the plan of a document is blocked: the codes and the flags that would allow it. Only what is given is agreed to. */
function blocked(document: Fields, given: PlanInput): readonly string[] {
  return planned(document, given).blocked.map(({ code, flag }) => (flag === undefined ? code : `${code} ${flag}`));
}

/** The messages, and the addresses that they are about. */
function told(document: Fields, given: PlanInput): readonly unknown[] {
  return planned(document, given).blocked.map(({ message, addresses }) => [message, ...addresses]);
}

const named = (slug: string, more: Fields = {}): Fields => ({ slug, name: slug, ...more });
const types = (count: number, more: Fields = {}): readonly Fields[] =>
  Array.from({ length: count }, (_unused, index) => named(`type_${index}`, more));
const gone = (
  live: readonly Fields[],
  left: number,
): readonly [Fields, { readonly live: { incident_types: readonly Fields[] } }] => [
  { incident_types: live.slice(0, left).map(({ slug }) => ({ slug: slug ?? null })) },
  { live: { incident_types: live } },
];
const agreeing = (approvals: NonNullable<PlanInput["approvals"]>) => ({
  approvals: { maxRemovals: { entries: 1000 }, ...approvals },
});

describe("a deletion", () => {
  test("needs an approval, whatever other approvals there are", () => {
    const [document, given] = gone(types(5), 4);
    expect(blocked(document, { ...given, ...agreeing(NONE) })).toEqual(["DELETE --allow-delete"]);
    expect(blocked(document, { ...given, ...agreeing(DELETE) })).toEqual([]);
    expect(told(document, { ...given, ...agreeing(NONE) })).toEqual([
      ["the plan deletes 1 resource", "incident_types/type_4"],
    ]);
  });

  test("of several is counted, and names them", () => {
    const [document, given] = gone(types(5), 3);
    expect(told(document, { ...given, ...agreeing(NONE) })).toEqual([
      ["the plan deletes 2 resources", "incident_types/type_3", "incident_types/type_4"],
    ]);
  });

  test("is none where an entry is only disabled", () => {
    const [document, given] = gone(types(5), 4);
    const settings = { removal: { default: "disable" as const, kinds: {} } };
    expect(blocked(document, { ...given, ...agreeing(NONE), settings })).toEqual([]);
  });

  test("is none where a part of a kept entry goes, or a rule of a list that stays", () => {
    const bot = { slug: "bot", name: "Bot" };
    const live = { agents: [{ ...bot, id: "b1" }], "grants bot": [{ ability: "runbooks.read" }] };
    expect(blocked({ agents: [{ slug: "bot", grants: [] }] }, { live, ...agreeing(NONE) })).toEqual([]);
    const rule = (id: string) => ({ conditions: [], outcome: { action: "drop", note: id }, enabled: true });
    const rules = { live: { routing_rules: [rule("a"), rule("b")] } };
    expect(blocked({ routing_rules: { workspace: [rule("a")] } }, { ...rules, ...agreeing(NONE) })).toEqual([]);
    expect(blocked({ routing_rules: { workspace: [] } }, { ...rules, ...agreeing(NONE) })).toEqual([
      "DELETE --allow-delete",
    ]);
  });
});

describe("the ceiling", () => {
  test("is three of fewer than ten, and thirty percent of ten and more", () => {
    const few = (left: number) => blocked(...withConsent(gone(types(9), left)));
    expect(few(6)).toEqual([]);
    expect(few(5)).toEqual(["MAX_REMOVALS --max-removals 4"]);
    const many = (left: number) => blocked(...withConsent(gone(types(20), left)));
    expect(many(14)).toEqual([]);
    expect(many(13)).toEqual(["MAX_REMOVALS --max-removals 7"]);
  });

  test("counts the enabled entries only", () => {
    const live = [
      ...types(9),
      ...types(11, { enabled: false }).map((type, index) => ({ ...type, slug: `off_${index}` })),
    ];
    const listed = { incident_types: live.slice(0, 5).map(({ slug }) => ({ slug: slug ?? null })) };
    expect(told(listed, { live: { incident_types: live }, ...withoutCeiling })).toEqual([
      [
        "removing or disabling 4 of 9 incident_types exceeds the limit of 3",
        ...[5, 6, 7, 8].map((index) => `incident_types/type_${index}`),
      ],
    ]);
  });

  test("is the one of the settings, and that of the flag before it", () => {
    const [document, given] = gone(types(20), 13);
    const settings = { maxRemovals: { entries: 7 } };
    expect(blocked(document, { ...given, ...withoutCeiling, settings })).toEqual([]);
    const tighter = { ...withoutCeiling.approvals, maxRemovals: { entries: 6 } };
    expect(blocked(document, { ...given, approvals: tighter, settings })).toEqual(["MAX_REMOVALS --max-removals 7"]);
    expect(blocked(document, { ...given, approvals: { ...tighter, maxRemovals: { percent: 35 } } })).toEqual([]);
  });

  test("holds for what is disabled as well", () => {
    const [document, given] = gone(types(9), 5);
    const settings = { removal: { default: "disable" as const, kinds: {} } };
    expect(blocked(document, { ...given, ...withoutCeiling, settings })).toEqual(["MAX_REMOVALS --max-removals 4"]);
    const off = { incident_types: types(9, { enabled: false }) };
    expect(blocked(off, { ...given, ...withoutCeiling })).toEqual(["MAX_REMOVALS --max-removals 9"]);
  });

  test("counts what is disabled already and removed, so that all is never more than all", () => {
    const live = { incident_types: [...types(3), { ...named("off"), enabled: false }] };
    const given = { live, removesDisabled: new Set(["incident_types/off"]) };
    const approving = (maxRemovals: RemovalLimit) => ({ approvals: { ...withoutCeiling.approvals, maxRemovals } });
    expect(told({ incident_types: [] }, { ...given, ...approving({ entries: 3 }) })).toEqual([
      [
        "removing or disabling 4 of 4 incident_types exceeds the limit of 3",
        ...["type_0", "type_1", "type_2", "off"].map((slug) => `incident_types/${slug}`),
      ],
    ]);
    expect(blocked({ incident_types: [] }, { ...given, ...approving({ percent: 100 }) })).toEqual([]);
  });

  test("holds for what goes along with a deleted entry, and each is counted once", () => {
    const live = { catalog_types: [named("rack")], "catalog_entries rack": [..."abcd"].map((slug) => named(slug)) };
    expect(told({ catalog_types: [] }, { live, ...withoutCeiling })).toEqual([
      [
        "removing or disabling 4 of 4 catalog_entries exceeds the limit of 3",
        ...[..."abcd"].map((slug) => `catalog_types/rack/entries/${slug}`),
      ],
    ]);
    const fewer = { ...live, "catalog_entries rack": live["catalog_entries rack"].slice(1) };
    expect(blocked({ catalog_types: [] }, { live: fewer, ...withoutCeiling })).toEqual([]);
  });

  test("is none for parts and for rules", () => {
    const grants = [..."abcde"].map((ability) => ({ ability }));
    const live = { agents: [named("bot")], "grants bot": grants };
    expect(blocked({ agents: [{ slug: "bot", grants: [] }] }, { live, ...withoutCeiling })).toEqual([]);
    const rules = [..."abcde"].map((id) => ({ conditions: [], outcome: { action: "drop", note: id } }));
    expect(
      blocked({ routing_rules: { workspace: [] } }, { live: { routing_rules: rules }, ...withoutCeiling }),
    ).toEqual([]);
  });
});

const withoutCeiling = { approvals: { allowDelete: true, maxRemovals: undefined } } as unknown as {
  readonly approvals: NonNullable<PlanInput["approvals"]>;
};
function withConsent([document, given]: readonly [Fields, PlanInput]): readonly [Fields, PlanInput] {
  return [document, { ...given, ...withoutCeiling }];
}

describe("never, whatever was agreed to", () => {
  test("is an entry taken away that the settings or the entry itself protect", () => {
    const [document, given] = gone(types(2), 1);
    const settings = { protected: ["incident_types/type_*"] };
    expect(told(document, { ...given, settings })).toEqual([
      ["incident_types/type_1 is protected and cannot be removed, disabled or replaced", "incident_types/type_1"],
    ]);
    expect(blocked(document, { ...given, settings: { protected: ["incident_types/type_"] } })).toEqual([]);
    const own = (protect: boolean) => ({
      incident_types: [named("type_0"), named("type_1", { enabled: false, protected: protect })],
    });
    expect(blocked(own(true), given)).toEqual(["PROTECTED"]);
    expect(blocked(own(false), given)).toEqual([]);
    expect(
      blocked({ incident_types: [named("type_0", { name: "Other" }), named("type_1")] }, { ...given, settings }),
    ).toEqual([]);
  });

  test("is the key that the run itself uses", () => {
    const live = { api_keys: [{ name: "bot", prefix: "ff_123456789", active: true }] };
    const ownPrefixes = ["ff_123456789"];
    expect(told({ api_keys: [] }, { live, ownPrefixes })).toEqual([
      ["api_keys/bot is the key that this run uses; without it the run would lock itself out", "api_keys/bot"],
    ]);
    expect(blocked({ api_keys: [{ name: "bot", active: false }] }, { live, ownPrefixes })).toEqual(["OWN_KEY"]);
    expect(
      blocked({ api_keys: [{ name: "bot", permissions: { incidents: ["read"] } }] }, { live, ownPrefixes }),
    ).toEqual([]);
    expect(blocked({ api_keys: [] }, { live, ownPrefixes: ["ff_987654321"] })).toEqual([]);
    const hooks = { webhooks: [{ name: "chat", id: "ff_123456789" }] };
    expect(blocked({ webhooks: [] }, { live: hooks, ownPrefixes })).toEqual([]);
  });

  test("is the default, unless another entry becomes the default", () => {
    const live = { severities: [named("high", { is_default: true }), named("low", { is_default: false })] };
    expect(told({ severities: [{ slug: "low" }] }, { live })).toEqual([
      [
        "severities/high is the default severity and cannot be removed; set default: true on another severity first",
        "severities/high",
      ],
    ]);
    expect(blocked({ severities: [named("high", { enabled: false }), { slug: "low" }] }, { live })).toEqual([
      "DEFAULT",
    ]);
    expect(blocked({ severities: [{ slug: "low", default: true }] }, { live })).toEqual([]);
    expect(blocked({ severities: [{ slug: "low", name: "Other" }] }, { live })).toEqual(["DEFAULT"]);
    expect(blocked({ severities: [{ slug: "high" }] }, { live })).toEqual([]);
    expect(blocked({ severities: [{ slug: "low", name: "Other", default: true }] }, { live })).toEqual([]);
    const off = { severities: [live.severities[0] ?? {}, named("low", { enabled: false })] };
    expect(blocked({ severities: [{ slug: "low" }] }, { live: off })).toEqual(["DEFAULT"]);
    const both = { severities: live.severities.map((severity) => ({ ...severity, is_default: true })) };
    expect(blocked({ severities: [{ slug: "low", default: false }] }, { live: both })).toEqual(["DEFAULT"]);
    const other = { statuses: [named("open", { lifecycle_stage: "active", is_default: false })] };
    const document = { severities: [{ slug: "low" }], statuses: [{ slug: "open", default: true }] };
    expect(blocked(document, { live: { ...live, ...other } })).toEqual(["DEFAULT"]);
  });
});

describe("the last enabled status of a stage", () => {
  const status = (slug: string, lifecycle_stage: string, more: Fields = {}) =>
    named(slug, { lifecycle_stage, ...more });
  const live = {
    statuses: [status("open", "active"), status("shut", "closed"), status("gone", "closed", { enabled: false })],
  };

  test("stays, removed or disabled", () => {
    expect(told({ statuses: [{ slug: "open" }] }, { live })).toEqual([
      ["statuses/shut: the workspace needs an enabled status with lifecycle_stage closed", "statuses/shut"],
    ]);
    const off = { statuses: [{ slug: "open" }, { slug: "shut", enabled: false }, { slug: "gone", enabled: false }] };
    expect(blocked(off, { live })).toEqual(["LAST_ONE"]);
  });

  test("goes when one that stays, a new one or an enabled one is of its stage", () => {
    const more = { statuses: [...live.statuses, status("done", "closed")] };
    expect(blocked({ statuses: [{ slug: "open" }, { slug: "done" }] }, { live: more })).toEqual([]);
    expect(blocked({ statuses: [{ slug: "open" }, { slug: "done", name: "Other" }] }, { live: more })).toEqual([]);
    expect(blocked({ statuses: [{ slug: "open" }, status("done", "closed")] }, { live })).toEqual([]);
    expect(blocked({ statuses: [{ slug: "open" }, { slug: "gone", lifecycle_stage: "closed" }] }, { live })).toEqual(
      [],
    );
  });

  test("stays when what joins is of another stage, or is disabled", () => {
    expect(blocked({ statuses: [{ slug: "open" }, status("done", "active")] }, { live })).toEqual(["LAST_ONE"]);
    const off = status("done", "closed", { enabled: false });
    expect(blocked({ statuses: [{ slug: "open" }, off] }, { live })).toEqual(["LAST_ONE"]);
  });

  test("is named with the others that go", () => {
    const more = { statuses: [...live.statuses, status("done", "closed")] };
    expect(told({ statuses: [{ slug: "open" }] }, { live: more })).toEqual([
      [
        "statuses/shut, statuses/done: the workspace needs an enabled status with lifecycle_stage closed",
        "statuses/shut",
        "statuses/done",
      ],
    ]);
  });
});

test("a routing change that some alert would feel needs an approval, and the reason says for how long", () => {
  const rule = (name: string): Fields => ({
    conditions: [{ field: "service", operator: "is_one_of", value: [name] }],
    outcome: { action: "drop" },
    enabled: true,
  });
  const live = {
    alert_sources: [{ name: "Datadog", endpoint_path: "dd" }],
    routing_rules: [rule("web")],
    "routing_rules Datadog": [],
  };
  const document = {
    alert_sources: [{ name: "Datadog" }],
    routing_rules: { sources: { Datadog: [rule("db"), rule("web")] } },
  };
  expect(blocked(document, { live, ...agreeing(DELETE) })).toEqual(["ROUTING_WINDOW --accept-routing-window"]);
  expect(told(document, { live, ...agreeing(DELETE) })).toEqual([
    [expect.stringMatching(/^for \d+ requests?, some alerts would be routed neither as before nor as declared$/)],
  ]);
  expect(blocked(document, { live, ...agreeing({ ...DELETE, acceptRoutingWindow: true }) })).toEqual([]);
});

test("a source that loses its rules for those which the workspace gets in the same run needs an approval as well", () => {
  const rule = (name: string, enabled = true): Fields => ({
    conditions: [{ field: "service", operator: "is_one_of", value: [name] }],
    outcome: { action: "drop" },
    enabled,
  });
  const live = {
    alert_sources: [{ name: "Datadog", endpoint_path: "dd" }],
    routing_rules: [rule("web", false)],
    "routing_rules Datadog": [rule("db"), { conditions: [], outcome: { action: "drop" } }],
  };
  const routed = (workspace: readonly Fields[]): Fields => ({
    alert_sources: [{ name: "Datadog" }],
    routing_rules: { workspace, sources: { Datadog: [] } },
  });
  expect(blocked(routed([rule("web")]), { live, ...agreeing(DELETE) })).toEqual([
    "ROUTING_WINDOW --accept-routing-window",
  ]);
  expect(blocked(routed([]), { live, ...agreeing(DELETE) })).toEqual([]);
});

test("all reasons are told, in the order in which a person would deal with them", () => {
  const live = {
    severities: [named("high", { is_default: true }), ...[..."abcd"].map((slug) => named(slug))],
    statuses: [named("open", { lifecycle_stage: "active" })],
    api_keys: [{ name: "bot", prefix: "ff_1" }],
  };
  const given = { live, ownPrefixes: ["ff_1"], settings: { protected: ["severities/a"] } };
  const approvals = { ...withoutCeiling.approvals, allowDelete: false };
  expect(blocked({ severities: [], statuses: [], api_keys: [] }, { ...given, approvals })).toEqual([
    "PROTECTED",
    "OWN_KEY",
    "DEFAULT",
    "LAST_ONE",
    "DELETE --allow-delete",
    "MAX_REMOVALS --max-removals 5",
  ]);
});

test("a stated limit of 0 % allows no removal, also of a kind with few resources", () => {
  const [document, given] = gone(types(3), 2);
  const settings = { maxRemovals: { percent: 0 } };
  expect(blocked(document, { ...given, ...withoutCeiling, settings })).toEqual(["MAX_REMOVALS --max-removals 1"]);
});

test("a plan that issues tokens needs a place for them", () => {
  const approvals = { tokenSink: false };
  const issued = (...names: readonly string[]) =>
    [
      { api_keys: names.map((name) => ({ name, permissions: {} })), severities: [named("new")] },
      { approvals },
    ] as const;
  expect(told(...issued("bot"))).toEqual([
    ["the service shows 1 token only once; store it with --secrets-out FILE or --secrets-exec CMD", "api_keys/bot"],
  ]);
  expect(told(...issued("bot", "cat"))).toEqual([
    [
      "the service shows 2 tokens only once; store them with --secrets-out FILE or --secrets-exec CMD",
      "api_keys/bot",
      "api_keys/cat",
    ],
  ]);
  expect(blocked(...issued())).toEqual([]);
  expect(blocked(issued("bot")[0], { approvals: { tokenSink: true } })).toEqual([]);
});

test("disabling a source because the files do not list it needs the approval of a deletion", () => {
  const live = { alert_sources: [{ name: "Datadog", endpoint_path: "dd" }], severities: [named("old")] };
  const settings = { removal: { default: "disable" as const, kinds: {} } };
  const given = { live, settings, ...agreeing(NONE) };
  expect(told({ alert_sources: [], severities: [] }, given)).toEqual([
    ["the plan disables 1 resource that other systems call, which cuts them off", "alert_sources/Datadog"],
  ]);
  expect(blocked({ alert_sources: [] }, given)).toEqual(["DELETE --allow-delete"]);
  expect(blocked({ alert_sources: [] }, { ...given, ...agreeing(DELETE) })).toEqual([]);
  expect(blocked({ alert_sources: [{ name: "Datadog", enabled: false }] }, given)).toEqual([]);
});
