import { describe, expect, test } from "vitest";
import { preserveSpelling } from "../../../src/app/pull/preserve-spelling.ts";
import { equal, type Fields, isFields, isList, type Json } from "../../../src/core/json.ts";

/** Two values mean the same when they are the same after this. */
type Reading = (value: Json) => Json;

const exact: Reading = (value) => value;
const lower: Reading = (value) =>
  typeof value === "string"
    ? value.toLowerCase()
    : isList(value)
      ? value.map(lower)
      : isFields(value)
        ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, lower(member)]))
        : value;
/** Without members that are empty. */
const told: Reading = (value) =>
  isFields(value)
    ? Object.fromEntries(
        Object.entries(value).flatMap(([name, member]) =>
          member === null || member === "" ? [] : [[name, told(member)]],
        ),
      )
    : isList(value)
      ? value.map(told)
      : value;
/** Lists in any order. */
const asSet: Reading = (value) =>
  isList(value)
    ? value
        .map((item) => JSON.stringify(lower(item)))
        .sort()
        .join()
    : lower(value);

/** The nearest value as text, so that the order of members counts. */
function nearest(live: Json, declared: Json, reading: Reading): string {
  return JSON.stringify(preserveSpelling(live, declared, (candidate) => equal(reading(candidate), reading(live))));
}
const text = (value: Json): string => JSON.stringify(value);

describe("the written spelling stays", () => {
  test("if it has the live value", () => {
    expect(nearest("#fff", "#FFF", lower)).toBe(text("#FFF"));
    expect(nearest(["#fff", "b"], ["#FFF", "B"], lower)).toBe(text(["#FFF", "B"]));
    expect(nearest({ a: "x" }, { a: "x", b: null }, told)).toBe(text({ a: "x", b: null }));
  });

  test("and is replaced if it has another value", () => {
    expect(nearest("#fff", "#000", lower)).toBe(text("#fff"));
    expect(nearest(1, [1], exact)).toBe(text(1));
    expect(nearest([1], 1, exact)).toBe(text([1]));
    expect(nearest({ a: 1 }, [1], exact)).toBe(text({ a: 1 }));
    expect(nearest([1], { a: 1 }, exact)).toBe(text([1]));
    expect(nearest({ a: 1 }, "a", exact)).toBe(text({ a: 1 }));
  });
});

describe("of a list", () => {
  test("several adjacent items keep their own spelling", () => {
    const declared = [
      { color: "#AAA", size: 1 },
      { color: "#BBB", size: 2 },
      { color: "#CCC", size: 3 },
    ];
    const live = [
      { color: "#aaa", size: 4 },
      { color: "#bbb", size: 5 },
      { color: "#ccc", size: 6 },
    ];
    expect(nearest(live, declared, lower)).toBe(
      text(declared.map((item, at) => ({ ...item, size: live[at]?.size ?? 0 }))),
    );
  });

  test("equal items keep their spelling at any position", () => {
    expect(nearest(["a", "b", "c"], ["B", "C"], lower)).toBe(text(["a", "B", "C"]));
    expect(nearest(["a", "b"], ["B", "x", "A"], lower)).toBe(text(["A", "B"]));
    expect(nearest(["a", "a", "b"], ["A", "a", "c"], lower)).toBe(text(["a", "A", "b"]));
    expect(nearest([], ["a"], lower)).toBe(text([]));
    expect(nearest(["a"], [], lower)).toBe(text(["a"]));
  });

  test("the declared order stays in a list without order, and new items come last", () => {
    expect(nearest(["a", "b", "c"], ["C", "a"], asSet)).toBe(text(["C", "a", "b"]));
    expect(nearest(["n", "a", "b"], ["b", "gone", "a"], asSet)).toBe(text(["b", "a", "n"]));
    expect(nearest(["n", "m", "a", "b"], ["b", "a"], asSet)).toBe(text(["b", "a", "n", "m"]));
  });

  test("the live order applies in an ordered list", () => {
    expect(nearest(["a", "b", "c"], ["c", "b", "x"], exact)).toBe(text(["a", "b", "c"]));
    expect(nearest(["b", "a"], ["a", "b"], exact)).toBe(text(["b", "a"]));
    expect(nearest(["a", "b", "a"], ["b", "a", "a", "x"], exact)).toBe(text(["a", "b", "a"]));
  });

  test("a changed item is compared with the one at its position", () => {
    const live = [
      { id: 1, tone: "#aaa" },
      { id: 2, tone: "#bbb" },
      { id: 3, tone: "#ccc" },
    ];
    const declared = [
      { tone: "#AAA", id: 1 },
      { tone: "#BBB", id: 9 },
      { tone: "#CCC", id: 3 },
    ];
    expect(nearest(live, declared, lower)).toBe(
      text([
        { tone: "#AAA", id: 1 },
        { tone: "#BBB", id: 2 },
        { tone: "#CCC", id: 3 },
      ]),
    );
    expect(nearest([{ id: 2, tone: "#bbb" }], [{ tone: "#BBB", id: 9 }], lower)).toBe(text([{ tone: "#BBB", id: 2 }]));
    expect(nearest([{ id: 2, tone: "#bbb" }, live[0] ?? {}], [declared[0] ?? {}, { tone: "#BBB", id: 9 }], lower)).toBe(
      text([
        { id: 2, tone: "#bbb" },
        { tone: "#AAA", id: 1 },
      ]),
    );
    expect(nearest([live[0] ?? {}, "b"], [declared[0] ?? {}, { tone: "#BBB" }], lower)).toBe(
      text([{ tone: "#AAA", id: 1 }, "b"]),
    );
    expect(nearest([live[0] ?? {}, { tone: "b" }], [declared[0] ?? {}, "B"], lower)).toBe(
      text([{ tone: "#AAA", id: 1 }, { tone: "b" }]),
    );
  });

  test("a list of more than sixty items is compared by equality alone", () => {
    const items = (count: number) => Array.from({ length: count }, (_unused, index) => `item ${index}`);
    const upper = (count: number) => items(count).map((item) => item.toUpperCase());
    expect(nearest([...items(59), "new"], upper(59), lower)).toBe(text([...upper(59), "new"]));
    expect(nearest([...items(60), "new"], upper(60), lower)).toBe(text([...items(60), "new"]));
    const some = [...upper(30), ...items(60).slice(30)];
    expect(nearest([...items(60), "new"], some, asSet)).toBe(text([...items(60).slice(30), ...items(30), "new"]));
  });
});

describe("of an object", () => {
  test("members keep the order of the files, and new ones come last", () => {
    expect(nearest({ c: 3, b: 1, a: 2 }, { a: 2, b: 5 }, exact)).toBe(text({ a: 2, b: 1, c: 3 }));
  });

  test("a member with the same value keeps its spelling and its position", () => {
    expect(nearest({ a: "x", b: "y", c: "z" }, { b: "Y", a: "q", c: "Z" }, lower)).toBe(
      text({ b: "Y", a: "x", c: "Z" }),
    );
    expect(nearest({ a: "x" }, { note: "", a: "q" }, told)).toBe(text({ note: "", a: "x" }));
  });

  test("a removed member is removed, unless it is empty", () => {
    expect(nearest({ a: 1 }, { a: 1, b: 2 }, exact)).toBe(text({ a: 1 }));
    expect(nearest({ a: 1 }, { b: "", a: 2, c: 3 }, told)).toBe(text({ b: "", a: 1 }));
  });

  test("an empty member that is not written is not added", () => {
    expect(nearest({ a: 1, note: null, b: "" }, { a: 2 }, told)).toBe(text({ a: 1 }));
    expect(nearest({ a: 1, note: null }, { a: 2, note: "x" }, told)).toBe(text({ a: 1, note: null }));
    expect(nearest({ a: 1, note: "x" }, { a: 2 }, told)).toBe(text({ a: 1, note: "x" }));
  });

  test("nested values are compared with those in the files", () => {
    const live: Fields = { at: { city: "oslo", zip: "1" }, tags: ["a", "b"], note: "n" };
    const declared: Fields = { tags: ["A", "c"], at: { zip: "2", city: "OSLO" } };
    expect(nearest(live, declared, lower)).toBe(text({ tags: ["A", "b"], at: { zip: "1", city: "OSLO" }, note: "n" }));
  });
});
