import { describe, expect, test } from "vitest";
import type { Fields } from "../../src/core/json.ts";
import { matchResources } from "../../src/match/match.ts";
import type { ResolvedState } from "../../src/match/resolved-state.ts";
import { type PlanInput, planned, refused, requests, stateOf } from "../support/plans/make-plan.ts";

function matchIn(state: ResolvedState, kind: string, scope = "") {
  return matchResources(state.declaredIn(kind, scope), state.live(kind, scope) ?? []);
}

/** Declared entry → the id of the live one that it means; and the live ones that nothing means. */
function met(document: Fields, kind: string, live: readonly Fields[]) {
  const given: PlanInput = { live: { [kind]: live } };
  const { matches: pairs, unlisted } = matchIn(stateOf(document, given), kind);
  return { pairs: pairs.map((pair) => pair.live?.id), unlisted: unlisted.map(({ id }) => id) };
}

const hooks = (...list: readonly Fields[]): Fields => ({ webhooks: list });
const hook = (name: string, id: string): Fields => ({ name, id, url: "https://a.example" });

describe("which live entry a declared one means", () => {
  test("by its slug, whatever either is called", () => {
    const document = { severities: [{ slug: "major", name: "Big" }, { slug: "minor" }] };
    const live = [
      { slug: "minor", name: "major" },
      { slug: "major", name: "Major" },
    ];
    expect(met(document, "severities", live)).toEqual({ pairs: ["major", "minor"], unlisted: [] });
  });

  test("a key of another field is another key", () => {
    const document = { forms: { declare: [{ custom_field: "summary" }] } };
    const live = { forms: [], "forms declare": [{ system_field: "summary", slug: "summary", visible: true }] };
    const { matches: pairs } = matchIn(stateOf(document, { live }), "forms", "declare");
    expect(pairs.map((pair) => pair.live)).toEqual([undefined]);
  });

  test("by the pin where one is written, although another one bears the name", () => {
    const document = hooks({ name: "chat", id: "w2" }, { name: "pager" });
    expect(met(document, "webhooks", [hook("chat", "w1"), hook("board", "w2"), hook("pager", "w3")])).toEqual({
      pairs: ["w2", "w3"],
      unlisted: ["w1"],
    });
  });

  test("a pinned entry does not take part in the meeting by name", () => {
    const document = hooks({ name: "chat", id: "w2" }, { name: "chat" });
    expect(met(document, "webhooks", [hook("chat", "w1"), hook("chat", "w2")]).pairs).toEqual(["w2", "w1"]);
  });

  test("a pin that nothing bears is an error and never a second entry", () => {
    const live = { webhooks: [hook("chat", "w1")] };
    expect(refused(hooks(hook("chat", "w9")), { live })).toEqual([
      'E_PIN webhooks/chat is pinned to "w9", but no live webhook has that id',
    ]);
  });

  test("of two live entries with one name none is chosen", () => {
    const live = { webhooks: [hook("chat", "w1"), hook("chat", "w2")] };
    expect(refused(hooks({ name: "chat" }), { live })).toEqual([
      'E_AMBIGUOUS 2 live webhooks are named "chat" (w1, w2)',
    ]);
  });

  test("the other of two with one name is free once the first is pinned", () => {
    const live = { webhooks: [hook("chat", "w1"), hook("chat", "w2")] };
    expect(refused(hooks({ name: "chat", id: "w1" }, { name: "board", renamed_from: "chat" }), { live })).toEqual([]);
  });
});

describe("a former name", () => {
  test("is known, and the name becomes the declared one", () => {
    const document = hooks({ name: "board", renamed_from: "chat" });
    expect(requests(document, { live: { webhooks: [hook("chat", "w1")] } })).toEqual([
      'PATCH /webhooks/w1 {"name":"board"}',
    ]);
  });

  test("says nothing where the new one is met", () => {
    const document = hooks({ name: "board", renamed_from: "chat" });
    expect(met(document, "webhooks", [hook("chat", "w1"), hook("board", "w2")])).toEqual({
      pairs: ["w2"],
      unlisted: ["w1"],
    });
  });

  test("of two live entries is an error", () => {
    const live = { webhooks: [hook("chat", "w1"), hook("chat", "w2")] };
    expect(refused(hooks({ name: "board", renamed_from: "chat" }), { live })).toEqual([
      'E_AMBIGUOUS 2 live webhooks are named "board" (w1, w2)',
    ]);
  });

  test("is free for an entry that bears it now", () => {
    const document = hooks({ name: "board", renamed_from: "chat" }, { name: "chat" });
    expect(met(document, "webhooks", [hook("chat", "w1")]).pairs).toEqual([undefined, "w1"]);
  });
});

describe("no second copy", () => {
  const live = { severities: [{ slug: "critical_outage", name: "Critical outage" }] };
  const message =
    'E_OTHER_SLUG a live severity with the slug "critical_outage" is already named "Critical outage"; creating severities/critical would make a second one';

  test.each(["Critical outage", "critical OUTAGE", " Critical outage "])("of a name that is there: %j", (name) => {
    expect(refused({ severities: [{ slug: "critical", name }] }, { live })).toEqual([message]);
  });

  test("a disabled entry counts as well", () => {
    const disabled = { severities: [{ slug: "critical_outage", name: "Critical outage", enabled: false }] };
    expect(refused({ severities: [{ slug: "critical", name: "Critical outage" }] }, { live: disabled })).toEqual([
      message,
    ]);
  });

  test("a name is free when the entry that bears it is listed itself, or bears another one", () => {
    const both = { severities: [{ slug: "critical_outage" }, { slug: "critical", name: "Critical outage" }] };
    expect(refused(both, { live })).toEqual([]);
    expect(refused({ severities: [{ slug: "critical", name: "Critical" }] }, { live })).toEqual([]);
  });

  test("what is known by its name has no other slug", () => {
    const plan = planned(hooks({ name: "Chat", url: "https://a.example" }), {
      live: { webhooks: [hook("chat", "w1")] },
    });
    expect(plan.changes.map(({ action, address }) => `${action} ${address}`)).toEqual([
      "create webhooks/Chat",
      "delete webhooks/chat",
    ]);
  });
});

test("an error says what to write", () => {
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
