import { describe, expect, test } from "vitest";
import type { Fields } from "../../../src/core/json.ts";
import { kinds } from "../../../src/kinds/index.ts";
import { incidentSearch } from "../../../src/workspace/match/incident-search.ts";
import type { ResolvedWorkspace } from "../../../src/workspace/match/resolve.ts";
import type { ReadTarget } from "../../../src/workspace/read/observe.ts";
import {
  childLists,
  countedResources,
  listsToProve,
  managedLists,
  needsDetail,
  optionCounts,
  rankedScopeLists,
  referencedLists,
  removalLists,
} from "../../../src/workspace/read/what-to-read.ts";
import { configured } from "../../support/plans/configuration.ts";
import { type PlanInput, resolvedOf } from "../../support/plans/make-plan.ts";

type Reads = (resolved: ResolvedWorkspace) => readonly ReadTarget[];

/** The collections that are wanted, in words: `kind`, `kind scope`, or `kind *` for every scope. */
function wanted(reads: Reads, document: Fields, given: PlanInput = {}): readonly string[] {
  const all = reads(resolvedOf(document, given));
  return all.map((want) => ("every" in want ? `${want.kind} *` : `${want.kind} ${want.scope}`.trim()));
}

const named = (slug: string, more: Fields = {}): Fields => ({ slug, name: slug, ...more });
const on = (...values: readonly string[]): Fields => ({ condition_field: "severity", operator: "one_of", values });
const drop = { action: "drop" };

describe("what is read first", () => {
  test("are the managed lists", () => {
    const document = { severities: [], forms: { declare: [] }, catalog_types: [{ slug: "rack", entries: [] }] };
    expect(
      managedLists(configured(document)).map((list) => ("scope" in list ? `${list.kind} ${list.scope}`.trim() : "")),
    ).toEqual(["severities", "catalog_types", "catalog_entries rack", "forms declare"]);
  });
});

describe("the references of declared resources", () => {
  test("are read once, every list of a kind", () => {
    const notify = { type: "team", team: "web" };
    const document = {
      runbooks: [named("a", { conditions: [on("major", "minor")] }), named("b", { conditions: [on("minor")] })],
      routing_rules: { workspace: [{ outcome: { action: "notify_only", notify } }] },
    };
    expect(wanted(referencedLists, document)).toEqual(["severities", "catalog_entries team"]);
    expect(wanted(referencedLists, { severities: [named("major")] })).toEqual([]);
  });

  test("include the parent of a nested resource", () => {
    const document = { agents: [named("bot", { grants: [{ ability: "runbooks.read" }] })] };
    expect(wanted(referencedLists, document)).toEqual(["agents"]);
  });

  test("include the source of a rule", () => {
    const document = { routing_rules: { sources: { Datadog: [{ outcome: drop }] } } };
    expect(wanted(referencedLists, document)).toEqual(["alert_sources"]);
  });
});

describe("the rules of a source", () => {
  const source = (name: string): Fields => ({ name, endpoint_path: name.toLowerCase() });
  const rules = (count: number): readonly Fields[] => Array.from({ length: count }, () => ({ outcome: drop }));
  const routed = (count: number, more: Fields = {}): Fields => ({
    routing_rules: { sources: { New: rules(count) } },
    ...more,
  });
  const renamed = { alert_sources: [{ name: "New", renamed_from: "Old" }] };

  test("are read under the former name while the source is renamed", () => {
    const live = { alert_sources: [source("Old")], "routing_rules New": [] };
    expect(wanted(rankedScopeLists, routed(1, renamed), { live })).toEqual(["routing_rules Old"]);
    const done = { alert_sources: [source("Old"), source("New")], "routing_rules New": [] };
    expect(wanted(rankedScopeLists, routed(1, renamed), { live: done })).toEqual([]);
    expect(wanted(rankedScopeLists, routed(1, { alert_sources: [{ name: "New" }] }), { live })).toEqual([]);
  });

  test("include its fallback if it gets its first or loses its last rule, and there are several", () => {
    const live = (count: number) => ({
      alert_sources: [source("New"), source("Other")],
      "routing_rules New": rules(count),
      "routing_rules Other": rules(1),
    });
    const both = { routing_rules: { sources: { New: [], Other: rules(2) } }, severities: [named("a"), named("b")] };
    expect(wanted(rankedScopeLists, both, { live: live(1) })).toEqual([]);
    expect(
      wanted(rankedScopeLists, { ...both, routing_rules: { sources: { New: rules(2) } } }, { live: live(0) }),
    ).toEqual(["routing_rules"]);
    expect(wanted(rankedScopeLists, routed(2), { live: live(0) })).toEqual(["routing_rules"]);
    expect(wanted(rankedScopeLists, routed(0), { live: live(2) })).toEqual(["routing_rules"]);
    expect(wanted(rankedScopeLists, routed(1), { live: live(0) })).toEqual([]);
    expect(wanted(rankedScopeLists, routed(0), { live: live(1) })).toEqual([]);
    expect(wanted(rankedScopeLists, routed(2), { live: live(1) })).toEqual([]);
    expect(wanted(rankedScopeLists, routed(2), { live: { ...live(0), alert_sources: [source("Other")] } })).toEqual([]);
  });

  test("of the workspace, and scopes of other kinds, need no more", () => {
    const live = { alert_sources: [source("New")], routing_rules: [] };
    expect(wanted(rankedScopeLists, { routing_rules: { workspace: rules(3) } }, { live })).toEqual([]);
    expect(wanted(rankedScopeLists, { forms: { declare: [] } }, { live })).toEqual([]);
    expect(wanted(rankedScopeLists, { severities: [] }, { live })).toEqual([]);
  });
});

describe("possible references to a resource to remove", () => {
  const live = { severities: [named("major"), named("minor")] };
  const one = { severities: [{ slug: "major" }] };
  const referrers = kinds
    .filter(({ references }) => references?.dependsOn?.includes("severities"))
    .map(({ name, scopes }) => (scopes === undefined ? name : `${name} *`));

  test("are read only if something would be removed", () => {
    expect(wanted(removalLists, one, { live })).toEqual(referrers);
    expect(wanted(removalLists, { severities: [{ slug: "major" }, { slug: "minor" }] }, { live })).toEqual([]);
  });

  test("are read once, however many resources are removed", () => {
    const many = { severities: Array.from({ length: 50 }, (_, at) => named(`level_${at}`)) };
    const asked = removalLists(resolvedOf({ severities: [] }, { live: many }));
    expect(asked).toHaveLength(referrers.length);
  });

  test.each(["keep", "disable"] as const)("are not read if the policy is %s", (standard) => {
    const settings = { removal: { default: standard, kinds: {} } };
    expect(wanted(removalLists, one, { live, settings })).toEqual([]);
  });

  test("are not read for a resource that is disabled, built in or permanent", () => {
    const retired = { severities: [named("major"), named("minor", { enabled: false })] };
    expect(wanted(removalLists, one, { live: retired })).toEqual([]);
    expect(
      wanted(removalLists, { incident_roles: [] }, { live: { incident_roles: [named("incident_lead")] } }),
    ).toEqual([]);
    const form = { "forms declare": [{ slug: "summary", system_field: "summary" }] };
    expect(wanted(removalLists, { forms: { declare: [] } }, { live: form })).toEqual([]);
    expect(
      wanted(removalLists, { routing_rules: { workspace: [] } }, { live: { routing_rules: [{ outcome: drop }] } }),
    ).toEqual([]);
  });

  test("include those to resources that are deleted with it", () => {
    const types = { catalog_types: [named("rack"), named("team", { kind: "system" })] };
    expect(wanted(removalLists, { catalog_types: [] }, { live: types })).toEqual([
      "catalog_types",
      "catalog_entries rack",
      "custom_fields",
    ]);
    const sources = { alert_sources: [{ name: "Datadog", endpoint_path: "dd" }] };
    expect(wanted(removalLists, { alert_sources: [] }, { live: sources })).toEqual(["routing_rules Datadog"]);
  });

  test("include the grants of agents for an environment and for an agent, and for nothing else", () => {
    const bots = { agents: [named("bot")] };
    expect(wanted(removalLists, { agents: [] }, { live: bots })).toEqual(["grants bot"]);
    const withoutEntriesOf = (slug: string) => {
      const live = { catalog_types: [named(slug, { kind: "system" })], [`catalog_entries ${slug}`]: [named("web")] };
      return wanted(removalLists, { catalog_types: [{ slug, entries: [] }] }, { live });
    };
    expect(withoutEntriesOf("team")).not.toContain("grants *");
    expect(withoutEntriesOf("environment")).toContain("grants *");
  });

  test("are read also if only an option would be removed", () => {
    const options = ["EU", "US"].map((label) => ({ id: label, label }));
    const field = { custom_fields: [named("region", { field_type: "single_select", options })] };
    const shortened = wanted(removalLists, { custom_fields: [{ slug: "region", options: ["EU"] }] }, { live: field });
    expect(shortened).toEqual(expect.arrayContaining(["forms *", "runbooks"]));
    expect(
      wanted(removalLists, { custom_fields: [{ slug: "region", options: ["EU", "US", "MEA"] }] }, { live: field }),
    ).toEqual([]);
    expect(wanted(removalLists, { custom_fields: [{ slug: "region" }] }, { live: field })).toEqual([]);
  });
});

describe("entries of a type", () => {
  const text = (name: string): Fields => ({ name, attribute_type: "text" });
  const live = { catalog_types: [named("rack", { attributes: [text("Floor"), text("Room")] })] };
  const document = (...names: readonly string[]): Fields => ({
    catalog_types: [{ slug: "rack", attributes: names.map(text) }],
  });

  test("are read if an attribute would be removed whose values they could have", () => {
    expect(wanted(childLists, document("Floor"), { live })).toEqual(["catalog_entries rack"]);
    expect(wanted(childLists, document("room", "Floor", "New"), { live })).toEqual([]);
    expect(wanted(childLists, { catalog_types: [{ slug: "rack" }] }, { live })).toEqual([]);
    expect(wanted(childLists, document("Floor"), {})).toEqual([]);
    expect(wanted(childLists, { severities: [{ slug: "major" }] }, { live: { severities: [named("major")] } })).toEqual(
      [],
    );
  });
});

describe("the field values of incidents", () => {
  const field = (slug: string): Fields =>
    named(slug, { field_type: "single_select", options: ["EU", "US"].map((label) => ({ id: label, label })) });
  const asked = (options: Fields[string] | undefined) => {
    const document = { custom_fields: [{ slug: "region", ...(options === undefined ? {} : { options }) }] };
    return optionCounts(resolvedOf(document, { live: { custom_fields: [field("region")] } }));
  };

  test("are read if an option would be removed", () => {
    expect(asked(["EU"])).toEqual([{ answeredIn: "custom_fields", key: "region" }]);
    expect(asked(["US", "EU"])).toEqual([]);
    expect(asked(["US", { label: "Europe", renamed_from: "EU" }])).toEqual([]);
    expect(asked(undefined)).toEqual([]);
    expect(asked(null)).toEqual([]);
  });
});

describe("incidents are counted", () => {
  const counted = (document: Fields, given: PlanInput) => {
    const resolved = resolvedOf(document, given);
    return countedResources(resolved).flatMap((live) => {
      const search = incidentSearch(resolved, live);
      if (search === undefined) return [];
      return `${live.address} by ${search.by}${search.by === "filter" ? ` ${search.parameter}` : ""}`;
    });
  };
  const status = (slug: string, lifecycle_stage: string): Fields => named(slug, { lifecycle_stage });

  test("for a resource to remove, by its parameter of the list of incidents", () => {
    const live = { severities: [named("major"), named("minor")], statuses: [status("open", "active")] };
    expect(counted({ severities: [{ slug: "major" }] }, { live })).toEqual(["severities/minor by filter severity_id"]);
    expect(counted({ statuses: [] }, { live })).toEqual(["statuses/open by filter status_id"]);
    const choices = (kind: string) => counted({ [kind]: [] }, { live: { [kind]: [named("other")] } });
    expect(choices("incident_types")).toEqual(["incident_types/other by reading"]);
    expect(choices("custom_fields")).toEqual(["custom_fields/other by reading"]);
    expect(choices("incident_roles")).toEqual(["incident_roles/other by nothing"]);
    expect(choices("runbooks")).toEqual(["runbooks/other by nothing"]);
    expect(choices("webhooks")).toEqual([]);
    const bare = { severities: [{ ...named("minor"), id: null }] };
    expect(counted({ severities: [] }, { live: bare })).toEqual(["severities/minor by nothing"]);
  });

  test("for a change that affects them", () => {
    const live = { statuses: [status("open", "active"), status("shut", "closed")] };
    const document = { statuses: [status("open", "closed"), status("shut", "closed")] };
    expect(counted(document, { live })).toEqual(["statuses/open by filter status_id"]);
    expect(
      counted({ statuses: [status("open", "active"), status("new", "closed"), { slug: "shut" }] }, { live }),
    ).toEqual([]);
  });
});

describe("a single resource is read", () => {
  const kind = (name: string) => {
    const found = kinds.find((one) => one.name === name);
    if (found === undefined) throw new Error(`there is no kind ${name}`);
    return found;
  };
  const detail = (document: Fields) => needsDetail(configured(document));

  test("if a declared field is not in its row, under any name", () => {
    const runbooks = detail({ runbooks: [named("a", { summary: "A" }), named("b")] });
    expect(runbooks(kind("runbooks"), { slug: "a", name: "a" })).toBe(true);
    expect(runbooks(kind("runbooks"), { slug: "a", name: "a", summary: null })).toBe(false);
    expect(runbooks(kind("runbooks"), { slug: "b", name: "b" })).toBe(false);
    expect(runbooks(kind("runbooks"), { slug: "c" })).toBe(false);
    const severities = detail({ severities: [{ slug: "a", default: true }] });
    expect(severities(kind("severities"), { slug: "a", is_default: true })).toBe(false);
    expect(severities(kind("severities"), { slug: "a", default: true })).toBe(false);
    expect(severities(kind("severities"), { slug: "a" })).toBe(true);
    expect(severities(kind("statuses"), { slug: "a" })).toBe(false);
  });

  test("not for a label", () => {
    const rules = detail({ routing_rules: { workspace: [{ name: "First", outcome: drop }] } });
    expect(
      rules(
        { ...kind("routing_rules"), identity: { ...kind("routing_rules").identity, keys: ["place"] } },
        { place: 1, outcome: drop },
      ),
    ).toBe(false);
  });
});

describe("lists to prove complete", () => {
  const entries = (...slugs: readonly string[]): Fields => ({
    catalog_types: [{ slug: "rack", name: "Rack", entries: slugs.map((slug) => named(slug)) }],
  });
  const live = (...slugs: readonly string[]): PlanInput => ({
    live: { catalog_types: [named("rack")], "catalog_entries rack": slugs.map((slug) => named(slug)) },
  });
  const missing = (document: Fields, given: PlanInput) => wanted(listsToProve, document, given);

  test("are none if exactly the declared resources exist", () => {
    expect(missing(entries("a", "b"), live("a", "b"))).toEqual([]);
  });

  test("include that of a resource to create", () => {
    expect(missing(entries("a", "b"), live("a"))).toEqual(["catalog_entries rack"]);
  });

  test("include that of a resource to remove, and those of its possible referrers", () => {
    const found = missing(entries("a"), live("a", "b"));
    expect(found[0]).toBe("catalog_entries rack");
    expect(found).toContain("routing_rules *");
  });

  test("include that of a referenced resource that was not found", () => {
    const notify = { type: "team", team: "web" };
    const document = { routing_rules: { workspace: [{ outcome: { action: "notify_only", notify } }] } };
    expect(missing(document, { live: { "catalog_entries team": [] } })).toContain("catalog_entries team");
  });
});
