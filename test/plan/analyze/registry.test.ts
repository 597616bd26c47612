import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { analyzers, rules } from "../../../src/plan/analyze/index.ts";

test("every analyzer has a table of cases", () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.\w+$/.test(name),
  );
  const tests = files.map((file) => readFileSync(`${import.meta.dirname}/${file}`, "utf8"));
  const told = tests.flatMap((text) => [...text.matchAll(/^(?:tables\(")?(A\d{3})[":]/gm)].map(([, id]) => id));
  expect(told.sort()).toEqual(analyzers.map(({ id }) => id));
});

test("ids and names are unique, ids are in order, and every rule has an explanation in sentences", () => {
  const ids = rules.map(({ id }) => id);
  expect([...new Set(ids)].sort()).toEqual(ids);
  expect(new Set(rules.map(({ name }) => name)).size).toBe(rules.length);
  for (const { id, name, title, why, fix } of rules) {
    expect(id).toMatch(/^A\d{3}$/);
    expect(name).toMatch(/^[a-z]+(-[a-z]+)+$/);
    expect(title).toMatch(/^[A-Z].*\.$/);
    expect(why).toMatch(/^[A-Z].*\.$/);
    expect(fix.length).toBeGreaterThan(20);
  }
});
