import { describe, expect, test } from "vitest";
import { exemptionsOf } from "../../../src/config/settings/exemptions.ts";
import type { Fields } from "../../../src/core/json.ts";
import type { LiveResource } from "../../../src/kinds/model/resource.ts";
import { isInScope, Matching, madeByOthers, matchResources } from "../../../src/workspace/match/match.ts";
import { ResolvedState } from "../../../src/workspace/match/resolved-state.ts";
import { type PlanInput, refused, requests, resolvedOf, stateOf } from "../../support/plans/make-plan.ts";

function matchIn(state: ResolvedState, kind: string, scope = "") {
  return matchResources(state.declaredIn(kind, scope), state.live(kind, scope) ?? []);
}

/** Declared entry → the id of the live one that it means; and the live ones that nothing means. */
function met(document: Fields, kind: string, live: readonly Fields[]) {
  const given: PlanInput = { live: { [kind]: live } };
  const { matches: pairs, undeclared } = matchIn(stateOf(document, given), kind);
  return { pairs: pairs.map((pair) => pair.live?.id), undeclared: undeclared.map(({ id }) => id) };
}

const hooks = (...list: readonly Fields[]): Fields => ({ webhooks: list });
const hook = (name: string, id: string): Fields => ({ name, id, url: "https://a.example" });

describe("the match of a declared resource", () => {
  test("is by slug, with any names", () => {
    const document = { severities: [{ slug: "major", name: "Big" }, { slug: "minor" }] };
    const live = [
      { slug: "minor", name: "major" },
      { slug: "major", name: "Major" },
    ];
    expect(met(document, "severities", live)).toEqual({ pairs: ["major", "minor"], undeclared: [] });
  });

  test("is not by a key of another field", () => {
    const document = { forms: { declare: [{ custom_field: "summary" }] } };
    const live = { forms: [], "forms declare": [{ system_field: "summary", slug: "summary", visible: true }] };
    const { matches: pairs } = matchIn(stateOf(document, { live }), "forms", "declare");
    expect(pairs.map((pair) => pair.live)).toEqual([undefined]);
  });

  test("is by the pin if there is one, although another resource has the name", () => {
    const document = hooks({ name: "chat", id: "w2" }, { name: "pager" });
    expect(met(document, "webhooks", [hook("chat", "w1"), hook("board", "w2"), hook("pager", "w3")])).toEqual({
      pairs: ["w2", "w3"],
      undeclared: ["w1"],
    });
  });

  test("by name does not include pinned resources", () => {
    const document = hooks({ name: "chat", id: "w2" }, { name: "chat" });
    expect(met(document, "webhooks", [hook("chat", "w1"), hook("chat", "w2")]).pairs).toEqual(["w2", "w1"]);
  });

  test("with an unknown pin is an error and never a second resource", () => {
    const live = { webhooks: [hook("chat", "w1")] };
    expect(refused(hooks(hook("chat", "w9")), { live })).toEqual([
      'E_PIN webhooks/chat is pinned to "w9", but no live webhook has that id',
    ]);
  });

  test("by name is none if two live resources have that name", () => {
    const live = { webhooks: [hook("chat", "w1"), hook("chat", "w2")] };
    expect(refused(hooks({ name: "chat" }), { live })).toEqual([
      'E_AMBIGUOUS 2 live webhooks are named "chat" (w1, w2)',
    ]);
  });

  test("by name is the other of two if the first is pinned", () => {
    const live = { webhooks: [hook("chat", "w1"), hook("chat", "w2")] };
    expect(refused(hooks({ name: "chat", id: "w1" }, { name: "board", renamed_from: "chat" }), { live })).toEqual([]);
  });
});

describe("of several of one name, which only an undo declares", () => {
  const webhooks = (...urls: readonly string[]) => urls.map((url, at) => ({ name: "chat", id: `w${at + 1}`, url }));
  const twins = hooks({ name: "chat", url: "a" }, { name: "chat", url: "b" });

  test("each matches the live one with its values, and another one if there is none", () => {
    expect(met(twins, "webhooks", webhooks("b", "a"))).toEqual({ pairs: ["w2", "w1"], undeclared: [] });
    expect(met(twins, "webhooks", webhooks("c", "a"))).toEqual({ pairs: ["w2", "w1"], undeclared: [] });
    expect(met(twins, "webhooks", webhooks("b"))).toEqual({ pairs: ["w1", undefined], undeclared: [] });
  });

  test("a value that the service does not return tells nothing", () => {
    const live = webhooks("b", "a").map(({ name, id }) => ({ name, id }));
    expect(met(twins, "webhooks", live)).toEqual({ pairs: ["w1", "w2"], undeclared: [] });
  });

  test("more live ones than declared ones are in doubt", () => {
    const { errors } = matchIn(stateOf(twins, { live: { webhooks: webhooks("a", "b", "c") } }), "webhooks");
    expect(errors[0]?.message).toBe('3 live webhooks are named "chat" (w1, w2, w3)');
  });
});

describe("a pinned resource", () => {
  const sources = (...names: readonly string[]) => names.map((name, at) => ({ name, endpoint_path: `p${at + 1}` }));
  const errorsOf = (declared: readonly Fields[], live: readonly Fields[]) =>
    matchIn(stateOf({ alert_sources: declared }, { live: { alert_sources: live } }), "alert_sources").errors.map(
      ({ code, message, help }) => [code, message, help],
    );

  test("cannot take the name of another live one", () => {
    expect(errorsOf([{ name: "B", endpoint_path: "p1" }], sources("A", "B"))).toEqual([
      [
        "E_NAME_TAKEN",
        'alert_sources/B is pinned to the live alert source "A", and another live one (p2) has the name "B"',
        "Correct endpoint_path, choose another name, or rename the other alert source first.",
      ],
    ]);
  });

  test("can keep a name that another live one has too, and take a free one", () => {
    expect(errorsOf([{ name: "A", endpoint_path: "p1" }], sources("A", "A"))).toEqual([]);
    expect(errorsOf([{ name: "C", endpoint_path: "p1" }], sources("A", "B"))).toEqual([]);
  });

  test("can take the name of another one of a kind that allows duplicates", () => {
    const document = hooks({ name: "pager", id: "w1" });
    const live = { webhooks: [hook("chat", "w1"), hook("pager", "w2")] };
    expect(matchIn(stateOf(document, { live }), "webhooks").errors).toEqual([]);
  });
});

describe("a former name", () => {
  test("matches, and the name becomes the declared one", () => {
    const document = hooks({ name: "board", renamed_from: "chat" });
    expect(requests(document, { live: { webhooks: [hook("chat", "w1")] } })).toEqual([
      'PATCH /webhooks/w1 {"name":"board"}',
    ]);
  });

  test("is ignored if the new one matches", () => {
    const document = hooks({ name: "board", renamed_from: "chat" });
    expect(met(document, "webhooks", [hook("chat", "w1"), hook("board", "w2")])).toEqual({
      pairs: ["w2"],
      undeclared: ["w1"],
    });
  });

  test("of two live entries is an error", () => {
    const live = { webhooks: [hook("chat", "w1"), hook("chat", "w2")] };
    expect(refused(hooks({ name: "board", renamed_from: "chat" }), { live })).toEqual([
      'E_AMBIGUOUS 2 live webhooks are named "board" (w1, w2)',
    ]);
  });

  test("is free for a resource that has it now", () => {
    const document = hooks({ name: "board", renamed_from: "chat" }, { name: "chat" });
    expect(met(document, "webhooks", [hook("chat", "w1")]).pairs).toEqual([undefined, "w1"]);
  });
});

describe("no duplicate is created", () => {
  const live = { severities: [{ slug: "critical_outage", name: "Critical outage" }] };
  const message =
    'E_OTHER_SLUG a live severity with the slug "critical_outage" is already named "Critical outage"; creating severities/critical would make a second one';

  test.each(["Critical outage", "critical OUTAGE", " Critical outage "])("for an existing name: %j", (name) => {
    expect(refused({ severities: [{ slug: "critical", name }] }, { live })).toEqual([message]);
  });

  test("for the name of a disabled resource", () => {
    const disabled = { severities: [{ slug: "critical_outage", name: "Critical outage", enabled: false }] };
    expect(refused({ severities: [{ slug: "critical", name: "Critical outage" }] }, { live: disabled })).toEqual([
      message,
    ]);
  });

  test("a name is free if its resource is declared itself, or has another name", () => {
    const both = { severities: [{ slug: "critical_outage" }, { slug: "critical", name: "Critical outage" }] };
    expect(refused(both, { live })).toEqual([]);
    expect(refused({ severities: [{ slug: "critical", name: "Critical" }] }, { live })).toEqual([]);
  });

  test.each([
    ["Chat", "in another case"],
    [" chat", "with other white space"],
    ["CHAT ", "with other white space and in another case"],
  ])("under the name of a live resource in another form: %j", (name, form) => {
    expect(refused(hooks({ name, url: "https://a.example" }), { live: { webhooks: [hook("chat", "w1")] } })).toEqual([
      `E_OTHER_FORM a live webhook has the name "chat", which is the same ${form}; creating webhooks/${name} would make a second one`,
    ]);
  });

  test("in another Unicode form", () => {
    const live = { webhooks: [hook("Café".normalize("NFD"), "w1")] };
    expect(refused(hooks({ name: "Café".normalize("NFC"), url: "https://a.example" }), { live })).toEqual([
      'E_OTHER_FORM a live webhook has the name "Cafe\\u0301", which is the same in another Unicode form; creating webhooks/Café would make a second one',
    ]);
  });

  test("with a no-break space, which is escaped", () => {
    const live = { webhooks: [hook("Team Chat", "w1")] };
    expect(refused(hooks({ name: "Team\u00a0Chat", url: "https://a.example" }), { live })).toEqual([
      'E_OTHER_FORM a live webhook has the name "Team Chat", which is the same with other white space; creating webhooks/Team\\u00a0Chat would make a second one',
    ]);
  });

  test("a name in another form is free if its resource is declared itself, or renamed", () => {
    const live = { webhooks: [hook("chat", "w1")] };
    expect(refused(hooks({ name: "chat" }, { name: "Chat", url: "https://a.example" }), { live })).toEqual([]);
    expect(refused(hooks({ name: "Chat", renamed_from: "chat" }), { live })).toEqual([]);
  });
});

test("an error has the line to write", () => {
  const helps = (document: Fields, live: readonly Fields[], kind: string) =>
    matchIn(stateOf(document, { live: { [kind]: live } }), kind).errors.map(({ help }) => help);
  const twins = [hook("chat", "w1"), hook("chat", "w2")];
  const other = { name: "chat", url: "https://a.example" };
  expect(helps(hooks(other), [hook("Chat\n", "w1")], "webhooks")).toEqual([
    'Write name: "Chat\\n" to manage that one, add renamed_from: "Chat\\n" to rename it, or choose another name.',
  ]);
  expect(helps(hooks({ name: "chat" }), twins, "webhooks")).toEqual([
    "Write id: w1 (or another of these) to choose one.",
  ]);
  expect(helps(hooks({ name: "chat", id: "w9" }), twins, "webhooks")).toEqual([
    "Remove id to create the webhook, or write the id of a live one.",
  ]);
  const levels = [{ slug: "major" }, { slug: "major", id: "other" }];
  expect(helps({ severities: [{ slug: "major" }] }, levels, "severities")).toEqual([
    "Give the live ones different names first.",
  ]);
  expect(helps({ severities: [{ slug: "sev1", name: "A" }] }, [{ slug: "a", name: "A" }], "severities")).toEqual([
    "Write slug: a to manage that one, or choose another name.",
  ]);
});

const named = (slug: string, more: Fields = {}): Fields => ({ slug, name: slug, ...more });

describe("the matches of a list", () => {
  const severities = ["mine", "theirs"].map((slug) => named(slug));
  const live = { severities: ["theirs", "mine", "old", "older"].map((slug) => named(slug)) };
  const keys = (resources: readonly LiveResource[] | undefined) => resources?.map(({ key }) => key);
  const parts = (matching: Matching, kind: string, scope = "") => {
    const list = matching.list(kind, scope);
    return {
      matches: list?.matches.map(({ declared }) => declared.key),
      otherMatches: list?.otherMatches.map(({ declared }) => declared.key),
      undeclared: keys(list?.undeclared),
      otherUndeclared: keys(list?.otherUndeclared),
    };
  };

  test("are all of a run of everything", () => {
    expect(parts(resolvedOf({ severities }, { live }).matching, "severities")).toEqual({
      matches: ["mine", "theirs"],
      otherMatches: [],
      undeclared: ["old", "older"],
      otherUndeclared: [],
    });
  });

  test("are divided in a partial run, and reference both parts", () => {
    const reach = { targets: ["severities/mine", "severities/old"], excludes: [] };
    const { matching } = resolvedOf({ severities }, { live, reach });
    expect(parts(matching, "severities")).toEqual({
      matches: ["mine"],
      otherMatches: ["theirs"],
      undeclared: ["old"],
      otherUndeclared: ["older"],
    });
    expect([...matching.liveByDeclared()].map(([declared, { key }]) => [declared.key, key])).toEqual([
      ["mine", "mine"],
      ["theirs", "theirs"],
    ]);
    expect([...matching.declaredByLive()].map(([, { key }]) => key)).toEqual(["mine"]);
  });

  test("leave what the settings ignore, and refuse it under another name", () => {
    const { configuration, kinds } = stateOf({ severities: [named("new", { renamed_from: "old" })] });
    const exempt = { ...configuration, exemptions: exemptionsOf(["severities/old*"]) };
    const rows = live.severities.map((row) => ({ ...row, id: row.slug ?? "" }));
    const lists = [{ kind: "severities", scope: "", rows }];
    const matching = new Matching(new ResolvedState([...kinds.values()], exempt, { lists, unread: [] }));
    expect(parts(matching, "severities")).toMatchObject({
      undeclared: ["theirs", "mine"],
      otherUndeclared: ["older"],
    });
    expect(matching.list("severities")?.errors).toMatchObject([
      {
        severity: "error",
        code: "E_IGNORE",
        message: "severities/new is the live severities/old, which the settings ignore",
        help: "Remove it from the files, or the pattern from ignore in incidentctl.yaml.",
      },
    ]);
  });

  test("leave what other systems or people made, and say where nobody can know", () => {
    const { configuration, kinds } = stateOf({ catalog_types: [named("rack", { entries: [] })] });
    const managed = configuration.managed.map((list) => ({ ...list, madeBy: ["csv"] }));
    const rows = [
      named("own", { source: "csv", external_id: "1" }),
      named("other", { source: "api", external_id: "2" }),
      named("hand", { source: null }),
      named("unknown"),
    ];
    const lists = [
      { kind: "catalog_types", scope: "", rows: [named("rack")] },
      { kind: "catalog_entries", scope: "rack", rows },
    ];
    const state = new ResolvedState([...kinds.values()], { ...configuration, managed }, { lists, unread: [] });
    const matching = new Matching(state);
    expect(parts(matching, "catalog_entries", "rack")).toMatchObject({
      undeclared: ["own"],
      otherUndeclared: ["hand", "other", "unknown"],
    });
    expect(madeByOthers(matching)).toEqual([
      { address: "catalog_types/rack/entries/hand" },
      { address: "catalog_types/rack/entries/other" },
      { address: "catalog_types/rack/entries/unknown", why: "the service does not return who made it" },
    ]);
  });

  test("of a partial run are decided by address, and those of rules by their list", () => {
    const document = { routing_rules: { workspace: [{}], sources: { A: [{}], B: [{}] } }, severities };
    const { configuration } = stateOf(document);
    const managed = configuration.managed.filter(({ kind, scope }) => kind === "severities" || scope === "A");
    const reach = { targets: ["severities/mine", "routing_rules/A"], excludes: [] };
    const inScope = (part: Parameters<typeof isInScope>[0]) =>
      configuration.declared.filter((one) => isInScope(part, one)).map(({ address }) => address);
    expect(inScope({ ...configuration, managed, reach })).toEqual(["severities/mine", "routing_rules/A/1"]);
    expect(inScope(configuration)).toEqual(configuration.declared.map(({ address }) => address));
  });
});
