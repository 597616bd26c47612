/** What the undo of a run removes, keeps and gives back, where another part of the run or somebody else has a say in it. */

import { describe, expect, test } from "vitest";
import type { Fields } from "../../../src/core/json.ts";
import { MASK } from "../../../src/core/value-text.ts";
import { inverse, level, named, rule, type UndoCase } from "../../support/plans/make-undo.ts";

/** Key → fields, of the desired resources; the warnings. */
function undone(...one: UndoCase) {
  const { desired, warnings } = inverse(...one);
  return { desired: desired.map(({ key, fields }) => [key, fields]), warnings: warnings.map(({ message }) => message) };
}

const source = (name: string): Fields => ({ id: name, name, endpoint_path: "dd" });

test("the undo removes what the run created, and nothing that it changed", () => {
  const hook = { name: "new", url: "u" };
  const before = { severities: [level("a")] };
  const document = { webhooks: [hook], severities: [level("a", { color: "#fff" })] };
  const { removed } = inverse(document, before, { webhooks: [hook], severities: [level("a", { color: "#fff" })] });
  expect(removed).toEqual(["webhooks/new"]);
});

describe("the default", () => {
  const taken = { severities: [level("b", { default: true })] };
  const before = { severities: [level("a", { is_default: true }), level("b")] };
  const first = (...one: UndoCase) => {
    const { key, fields } = inverse(...one).desired[0] ?? {};
    return [key, fields?.default, fields?.enabled];
  };

  test("goes back to one that was disabled instead of deleted", () => {
    const now = { severities: [level("a", { enabled: false }), level("b", { is_default: true })] };
    expect(first(taken, before, now)).toEqual(["a", true, true]);
  });

  test("goes back, whatever else is created again", () => {
    const document = { severities: [{ slug: "a" }, level("b", { default: true })], runbooks: [] };
    const live = { severities: [...before.severities, level("c")], runbooks: [named("r", { summary: "R." })] };
    const now = { severities: [level("a"), level("b", { is_default: true })] };
    expect(first(document, live, now)).toEqual(["a", true, true]);
  });

  test("stays with a resource that is kept", () => {
    const now = { severities: [level("a"), level("b", { is_default: true })] };
    const document = { severities: [{ slug: "a" }, level("b", { default: true })] };
    const kept = { "severities/b": "it is in use" };
    expect(undone(document, before, now, { kept })).toEqual({
      desired: [],
      warnings: ["severities/b stays as it is: it is in use"],
    });
  });
});

describe("a list of rules", () => {
  const rules = (...channels: readonly string[]) => channels.map(rule);
  const workspace = (...channels: readonly string[]) => ({ routing_rules: { workspace: rules(...channels) } });
  const stays = "the routing rules of the workspace stay: ";

  test("stays if somebody has changed one of several rules since", () => {
    const one = undone(workspace("b", "c"), { routing_rules: rules("a") }, { routing_rules: rules("b", "x") });
    expect(one).toEqual({ desired: [], warnings: [`${stays}somebody has changed them since`] });
  });

  test("stays if its former rules were not recorded in full", () => {
    const now = { routing_rules: rules("b") };
    const before = { routing_rules: rules("a") };
    const withValue = (value: Fields) =>
      undone(workspace("b"), before, now, { recorded: (list) => ({ ...list, before: [value] }) });
    expect(withValue({ ...rule("a"), name: MASK })).toEqual({
      desired: [],
      warnings: [`${stays}some of their values are secret and were not recorded`],
    });
    expect(withValue({ outcome: rule("a").outcome ?? null })).toEqual({
      desired: [],
      warnings: [`${stays}the service did not return the conditions of the former ones`],
    });
  });

  test("gets its secret values back from the variables that held them", () => {
    const [before, now] = [{ routing_rules: rules("a", "b") }, { routing_rules: rules("c") }];
    const secrets = [["/outcome/notify/channel_id"]];
    const { desired } = inverse(workspace("c"), before, now, { recorded: (list) => ({ ...list, secrets }) });
    expect(desired.map((one) => [one.key, "secrets" in one ? one.secrets : undefined])).toEqual([
      ["1", ["/outcome/notify/channel_id"]],
      ["2", undefined],
    ]);
  });

  test("of a source that had none says what cannot be restored", () => {
    const applied = (before: readonly Fields[]) =>
      undone(
        { routing_rules: { sources: { Datadog: rules("d") } } },
        { alert_sources: [source("Datadog")], "routing_rules Datadog": before, routing_rules: rules("w", "x") },
        { alert_sources: [source("Datadog")], "routing_rules Datadog": rules("d"), routing_rules: rules("w", "x") },
      );
    expect(applied([])).toEqual({
      desired: [],
      warnings: [
        "routing_rules/Datadog had no routing rules of its own, and that cannot be restored: if the service does not fall back to those of the workspace, all its alerts are dropped",
      ],
    });
    expect(applied(rules("c")).warnings).toEqual([]);
    expect(undone(workspace("b"), { routing_rules: [] }, { routing_rules: rules("b") }).warnings).toEqual([]);
  });

  test("goes back under the former name of its source, and that of another source under its own", () => {
    const both = (name: string, ...channels: readonly string[]) => ({
      alert_sources: [
        { ...source(name), id: "s1", endpoint_path: "p1" },
        { ...source("Other"), endpoint_path: "p2" },
      ],
      [`routing_rules ${name}`]: rules(...channels),
      "routing_rules Other": rules(...channels),
    });
    const document = {
      alert_sources: [{ name: "New", renamed_from: "Old" }, { name: "Other" }],
      routing_rules: { sources: { New: rules("b"), Other: rules("b") } },
    };
    const { desired } = inverse(document, both("Old", "a"), both("New", "b"));
    const lists = desired.filter(({ kind }) => kind.name === "routing_rules");
    expect(lists.map(({ scope, fields }) => [scope, fields.outcome])).toEqual([
      ["Old", rule("a").outcome],
      ["Other", rule("a").outcome],
    ]);
  });
});
