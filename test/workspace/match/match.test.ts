import { describe, expect, test } from "vitest";
import type { Fields } from "../../../src/core/json.ts";
import { matchResources } from "../../../src/workspace/match/match.ts";
import type { ResolvedState } from "../../../src/workspace/match/resolved-state.ts";
import { type PlanInput, refused, requests, stateOf } from "../../support/plans/make-plan.ts";

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

  test.each(["Chat", " chat", "CHAT "])("under the name of a live resource in another form: %j", (name) => {
    expect(refused(hooks({ name, url: "https://a.example" }), { live: { webhooks: [hook("chat", "w1")] } })).toEqual([
      `E_OTHER_FORM a live webhook has the name "chat", which is the same in another form; creating webhooks/${name} would make a second one`,
    ]);
  });

  test("in another Unicode form", () => {
    const live = { webhooks: [hook("Café".normalize("NFD"), "w1")] };
    expect(refused(hooks({ name: "Café".normalize("NFC"), url: "https://a.example" }), { live })).toHaveLength(1);
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
