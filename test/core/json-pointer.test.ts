import { expect, test } from "vitest";
import { pointerIsWithin, stepsOf, valueAt, withoutMembers, withValueAt } from "../../src/core/json.ts";

const FIELDS = { options: [{ label: "One" }, { label: "Two" }], attributes: { "a/b~c": 1 } };

test("a pointer leads through lists and mappings, with its escapes", () => {
  expect(valueAt(FIELDS, stepsOf("/options/1/label"))).toBe("Two");
  expect(valueAt(FIELDS, stepsOf("/attributes/a~1b~0c"))).toBe(1);
  expect(valueAt(FIELDS, stepsOf("/attributes/toString"))).toBeUndefined();
  expect(valueAt(FIELDS, stepsOf(""))).toBe(FIELDS);
});

test("a value is replaced where it is, and the mappings to a new one are added", () => {
  expect(withValueAt(FIELDS, stepsOf("/options/0/label"), "Eins")).toMatchObject({ options: [{ label: "Eins" }, {}] });
  expect(withValueAt({}, ["a", "b"], [])).toEqual({ a: { b: [] } });
});

test("members are removed, and items of lists stay", () => {
  expect(withoutMembers(FIELDS, ["/attributes/a~1b~0c", "/options/0/label", "/options/1"])).toEqual({
    options: [{}, { label: "Two" }],
    attributes: {},
  });
});

test("a pointer is within itself and those above it, and not within one whose text it only begins with", () => {
  expect(["/a", "/a/b", "/ab"].map((pointer) => pointerIsWithin(pointer, "/a"))).toEqual([true, true, false]);
});
