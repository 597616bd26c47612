/** Plans where little differs from another case: what is known of a field, which rules a source falls back to, what is let through. */

import { describe, expect, test } from "vitest";
import type { RemovalPolicy } from "../../src/config/settings/settings.ts";
import type { Fields } from "../../src/core/json.ts";
import { deletionRefusedKey, hashValue, UNDECLARED, UNSENT } from "../../src/workspace/match/last-applied.ts";
import { type PlanInput, planned } from "../support/plans/make-plan.ts";

const named = (slug: string, more: Fields = {}): Fields => ({ slug, name: slug, ...more });
const to = (channel_id: string): Fields => ({ action: "notify_only", notify: { type: "channel", channel_id } });
const when = (...services: readonly string[]): Fields => ({ field: "service", operator: "is_one_of", value: services });
const rule = (outcome: Fields, ...conditions: readonly Fields[]): Fields => ({ conditions, outcome, enabled: true });
const policy = (kinds: Readonly<Record<string, RemovalPolicy>>): NonNullable<PlanInput["settings"]> => ({
  removal: { default: "disable_or_delete", kinds },
});

/** What a plan does to whom, and what it warns of. */
function reportOf(document: Fields, input: PlanInput): readonly string[] {
  const { changes, warnings } = planned(document, input);
  return [
    ...changes.map(({ action, address }) => `${action} ${address}`),
    ...warnings.map(({ address }) => `${address} stays`),
  ];
}

describe("a field with references that the service does not return", () => {
  const live = {
    catalog_types: [named("team", { kind: "system" })],
    "catalog_entries team": [named("web")],
    runbooks: [named("a")],
  };
  const document = (more: Fields = {}): Fields => ({
    catalog_types: [{ slug: "team", entries: [] }],
    runbooks: [named("a", more)],
  });
  const field = "runbooks/a#conditions";
  const [deleted, preserved] = [["delete catalog_types/team/entries/web"], ["catalog_types/team/entries/web stays"]];

  test("may reference a resource to remove if it is omitted, also if the last apply recorded that", () => {
    expect(reportOf(document(), { live })).toEqual(preserved);
    expect(reportOf(document(), { live, lastApplied: { hashes: { [field]: UNDECLARED }, resend: false } })).toEqual(
      preserved,
    );
  });

  test("references only what is declared once an apply has sent it", () => {
    const remember = (names: readonly string[]) => ({
      hashes: Object.fromEntries(names.map((name) => [name, hashValue([])])),
      resend: false,
    });
    expect(reportOf(document({ conditions: [] }), { live, lastApplied: remember([field]) })).toEqual(deleted);
    expect(
      reportOf(document({ conditions: [] }), { live, lastApplied: remember([field, `${field}${UNSENT}`]) }),
    ).toEqual(preserved);
  });
});

describe("the rules that a source falls back to", () => {
  const first = [rule(to("WEB"), when("web")), rule(to("DB"), when("db"))];
  const source = { name: "Datadog", endpoint_path: "dd" };
  /** Requests during which alerts may be routed otherwise, when the workspace's own rules change as well. */
  const window = (before: readonly Fields[], after: readonly Fields[], had: number, gets: number): number => {
    const live = { alert_sources: [source], routing_rules: before, "routing_rules Datadog": first.slice(0, had) };
    const document = { routing_rules: { workspace: after, sources: { Datadog: first.slice(0, gets) } } };
    const { transitions = [] } = planned(document, { live });
    return transitions.find(({ address }) => address.includes("Datadog"))?.window ?? 0;
  };
  const all = [rule(to("ALL"))];

  test("leave a routing gap if there is no holding outcome", () => {
    const live = { alert_sources: [source], routing_rules: all, "routing_rules Datadog": [] };
    const approvals = { acceptRoutingWindow: false };
    const { warnings, blocked } = planned({ routing_rules: { sources: { Datadog: first } } }, { live, approvals });
    expect(blocked.map(({ message }) => message)).toEqual([
      "for 1 request, some alerts would be routed neither as before nor as declared",
    ]);
    expect(warnings.map(({ address, message }) => [address, message.split(".")[0]])).toEqual([
      ["routing_rules/Datadog", "routing_rules/Datadog: during 1 write alerts of this scope may match no rule"],
    ]);
  });

  test("are the live ones if the source gets rules of its own", () => {
    expect(window(all, [], 0, 2)).toBe(1);
    expect(window([], all, 0, 2)).toBe(0);
  });

  test("are the declared ones if the source loses its own", () => {
    expect(window([], all, 2, 0)).toBe(1);
    expect(window(all, [], 2, 0)).toBe(0);
  });
});

describe("a partial plan", () => {
  const rules = [rule(to("A"), when("a")), rule(to("B"), when("b")), rule(to("C"), when("c"))];
  const live = { severities: [named("major")], routing_rules: rules };
  const document = {
    severities: [named("major", { name: "Major" })],
    routing_rules: { workspace: rules.toReversed() },
  };

  test("does not mention a list that it leaves unchanged", () => {
    const { changes, transitions, warnings } = planned(document, { live, only: (at) => at === "severities/major" });
    expect(changes.map(({ address }) => address)).toEqual(["severities/major"]);
    expect([transitions, warnings]).toEqual([undefined, []]);
  });

  test("says why it leaves out a list of which its filter names a part", () => {
    const { warnings } = planned(document, { live, only: (at) => at === "routing_rules/workspace/2" });
    expect(warnings.map(({ message }) => message)).toEqual([
      "routing_rules/workspace is left out: a list of routing rules changes only as a whole; use --target routing_rules/workspace",
    ]);
  });
});

test("each request of a changed list belongs to one change", () => {
  const letters = ["A", "B", "C"].map((letter) => rule(to(letter), when(letter)));
  const lists = letters.flatMap((first) =>
    letters.flatMap((second) => [
      [first, second],
      [rule(to("D"), when("D")), first, second],
      [first, second, ...letters.filter((one) => one !== first && one !== second)],
    ]),
  );
  for (const workspace of lists.filter((list) => new Set(list).size === list.length)) {
    const { changes, operations } = planned({ routing_rules: { workspace } }, { live: { routing_rules: letters } });
    const owned = changes.flatMap((change) => change.operations);
    expect(owned.toSorted()).toEqual(operations.map(({ id }) => id).toSorted());
  }
});

test("a rule whose name came from the environment is named by its position, also as a neighbour", () => {
  const rules = ["HUSH", "Night"].map((name) => ({ ...rule(to("A"), when(name.charAt(0))), name }));
  const secrets = { "routing_rules/workspace/1": ["/name"] };
  const plan = planned({ routing_rules: { workspace: rules } }, { live: { routing_rules: [] }, secrets });
  expect(plan.changes.map(({ neighbours }) => neighbours)).toEqual([
    { after: "Night" },
    { before: "routing_rules/workspace/1" },
  ]);
  expect(JSON.stringify(plan)).not.toContain("HUSH");
});

test("only the resource that is the default loses it", () => {
  const live = { severities: [named("a", { default: true }), named("b", { default: false }), named("c")] };
  const document = { severities: [named("a", { default: false }), named("b", { default: true }), { slug: "c" }] };
  expect(planned(document, { live }).derived.filter(({ path }) => path === "/default")).toEqual([
    {
      address: "severities/a",
      path: "/default",
      before: true,
      after: false,
      reason: "severities/b becomes the default",
    },
  ]);
});

test("the last status of a stage may be removed if another one is moved to the stage first", () => {
  const status = (slug: string, lifecycle_stage: string): Fields => named(slug, { lifecycle_stage });
  const live = { statuses: [status("open", "active"), status("late", "active"), status("done", "closed")] };
  const { operations, blocked } = planned({ statuses: [status("open", "active"), status("late", "closed")] }, { live });
  expect(operations.map(({ method, path }) => `${method} ${path}`)).toEqual([
    "PATCH /api/v1/statuses/late",
    "DELETE /api/v1/statuses/done",
  ]);
  expect(blocked).toEqual([]);
  const preserved = planned({ statuses: [status("open", "active"), named("late")] }, { live }).blocked;
  expect(preserved.map(({ code, addresses }) => [code, addresses])).toEqual([["LAST_ONE", ["statuses/done"]]]);
});

describe("a referrer of an undeclared resource", () => {
  const attributeOf = (name: string, type: string): Fields => ({
    name,
    attribute_type: "reference",
    reference_type: type,
  });

  test("is not the resource itself", () => {
    const field = named("where", { field_type: "catalog_reference", catalog_type: "rack" });
    const live = {
      catalog_types: [named("rack", { attributes: [attributeOf("Beside", "rack")] })],
      custom_fields: [field],
    };
    expect(planned({ catalog_types: [] }, { live }).warnings.map(({ message }) => message)).toEqual([
      "catalog_types/rack is not in the configuration but stays: used by custom_fields/where, and a catalog type cannot be disabled",
    ]);
  });

  test("is not a rule that is deleted with its source", () => {
    const live = {
      severities: [named("minor")],
      alert_sources: [{ name: "Datadog", endpoint_path: "dd" }],
      "routing_rules Datadog": [{ outcome: { action: "auto_create_incident", severity_id: "severity-minor" } }],
    };
    const input = { live, settings: policy({ alert_sources: "delete" }) };
    expect(reportOf({ severities: [], alert_sources: [] }, input)).toEqual([
      "delete severities/minor",
      "delete alert_sources/Datadog",
    ]);
  });

  test("is not a rule that would be deleted with it, and none is reported as deleted if the source is only disabled", () => {
    const live = {
      alert_sources: [{ name: "Datadog", endpoint_path: "dd" }],
      "routing_rules Datadog": [rule(to("A"))],
    };
    const cascades = (sources: RemovalPolicy) =>
      planned({ alert_sources: [] }, { live, settings: policy({ alert_sources: sources }) }).changes.map((change) => [
        change.action,
        change.cascades,
      ]);
    expect(cascades("delete")).toEqual([["delete", ["routing_rules/Datadog/1"]]]);
    expect(cascades("disable")).toEqual([["disable", undefined]]);
  });

  test("may be any number of incidents", () => {
    const live = { severities: [named("minor")] };
    const reason = (count: number) =>
      planned({ severities: [] }, { live, held: { "severity-minor": count } }).changes.map((change) => change.reason);
    expect(reason(12)).toEqual(["not in the configuration; used by 12 incidents"]);
    expect(reason(1)).toEqual(["not in the configuration; used by 1 incident"]);
  });

  test("may be known to the service alone, and the warning says so", () => {
    const lastApplied = { hashes: { [deletionRefusedKey("catalog_types/rack")]: hashValue(null) }, resend: false };
    const { warnings } = planned({ catalog_types: [] }, { live: { catalog_types: [named("rack")] }, lastApplied });
    expect(warnings.map(({ message }) => message)).toEqual([
      "catalog_types/rack is not in the configuration but stays: the service refused to delete it at the last apply (retry with --resend-unreadable), and a catalog type cannot be disabled",
    ]);
  });
});
