import { expect, test } from "vitest";
import { agreesWith, isAnswerTo, mayShowName, mayShowValue } from "../../../src/kinds/values/same-answer.ts";

test.each([
  ["Down", "down\n"],
  ["2026-01-01T00:00:00Z", "2026-01-01T01:00:00+01:00"],
  ["critical", { id: "7", slug: "critical" }],
  ["critical", "7"],
  [
    ["b", "a"],
    ["a", "b"],
  ],
  [["a"], "a"],
  ["a", ["a"]],
  [["a", "b"], 2],
  [3, "3"],
  [true, "true"],
  [true, 1],
  [false, 0],
  [null, ""],
  ["", []],
  [false, null],
  [
    { a: "x", b: 1 },
    { a: "X", c: 2 },
  ],
])("%j is answered by %j", (sent, returned) => {
  expect(isAnswerTo(sent, returned, { critical: "7" })).toBe(true);
});

test.each([
  ["null", null],
  [null, "null"],
  ["Down", "Off"],
  ["Down", ["Down", "Off"]],
  [["a", "b"], ["a"]],
  [
    ["a", "a"],
    ["a", "b"],
  ],
  [{ a: 1 }, { a: 2 }],
  [0, null],
  [true, 0],
  [false, "true"],
  [true, 2],
])("%j is not answered by %j", (sent, returned) => {
  expect(isAnswerTo(sent, returned)).toBe(false);
});

test("a name may be shown shortened, or with something added, but not by another one", () => {
  expect(mayShowName("Deploy bot", "acme/deploy-bot")).toBe(true);
  expect(mayShowName("Deploy bot", "Depl")).toBe(true);
  expect(mayShowName("R&D's", "R&amp;D&#39;s")).toBe(true);
  expect(mayShowName("Déploy bot", "Deploy bot")).toBe(true);
  expect(mayShowName("Déploy bot", "Dploy bot")).toBe(true);
  expect(mayShowName("Deploy bot", "Nightly job")).toBe(false);
  expect(mayShowName("ae", "Nightly database")).toBe(false);
  expect(mayShowName("Deploy bot", "")).toBe(false);
  expect(mayShowName("!", "?")).toBe(false);
  expect(mayShowName("***", "*** (edited)")).toBe(true);
  expect(mayShowName("***", "edited")).toBe(false);
});

test("answers agree in what both have, with numbers as texts and switches as numbers", () => {
  expect(agreesWith([{ position: "1", title: "Look" }], [{ position: 1, title: "Look", tool: null }])).toBe(true);
  expect(agreesWith({ enabled: true }, { enabled: 1 })).toBe(true);
  expect(agreesWith({ enabled: 0 }, { enabled: "false" })).toBe(false);
  expect(agreesWith({ position: 1 }, { position: 2 })).toBe(false);
});

test("a value without a member or an item is not made of one that was sent: it looks like an update that was not carried out", () => {
  expect(mayShowValue([{ key: "a", default: "15" }], [{ key: "a", default: 15 }])).toBe(true);
  expect(mayShowValue([{ key: "a", default: "15" }], [{ key: "a", default: 1 }])).toBe(false);
  expect(mayShowValue({ state: "false" }, { state: false })).toBe(true);
  expect(mayShowValue({ state: "off" }, { state: true })).toBe(false);
  expect(mayShowValue({ steps: ["Look"] }, {})).toBe(false);
  expect(mayShowValue({ steps: ["Look"] }, { steps: [] })).toBe(false);
  expect(mayShowValue({ steps: ["Look"] }, { steps: null })).toBe(false);
});

test("a value that may lack members is made of one that was sent, but not if an item is missing", () => {
  expect(mayShowValue([{ title: "Look", tool: "x" }], [{ title: "look" }], { mayLack: true })).toBe(true);
  expect(mayShowValue([{ title: "Look", tool: "x" }], [{ title: "Act" }], { mayLack: true })).toBe(false);
  expect(mayShowValue([{ title: "Look" }, { title: "Act" }], [{ title: "Look" }], { mayLack: true })).toBe(false);
  expect(mayShowValue({ steps: ["Look"] }, { steps: null }, { mayLack: true })).toBe(false);
});

test("a text that was sent empty may be filled in where nobody else can have done it", () => {
  expect(mayShowValue({ title: "Look", tool: "" }, { title: "Look", tool: "none" }, { mayFill: true })).toBe(true);
  expect(mayShowValue({ title: "Look", tool: "" }, { title: "Look", tool: "none" })).toBe(false);
  expect(mayShowValue({ title: "Look" }, { title: "Act" }, { mayFill: true })).toBe(false);
});

test("texts of a list may be shown in another order and another form, and each only once", () => {
  expect(mayShowValue(["billing", "R&D"], ["R&amp;D", "billing"])).toBe(true);
  expect(mayShowValue(["billing", "R&D"], ["billing", "billing"])).toBe(false);
  expect(mayShowValue([{ title: "Look" }, { title: "Act" }], [{ title: "Act" }, { title: "Look" }])).toBe(false);
});
