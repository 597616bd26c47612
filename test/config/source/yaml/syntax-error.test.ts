import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { syntaxError } from "../../../../src/config/source/yaml/syntax-error.ts";

/** Every reason for which the parser gives up, as its code states it; what is put in differs from text to text. */
const parser = readFileSync(new URL("../../../../node_modules/js-yaml/dist/js-yaml.mjs", import.meta.url), "utf8");
const [, reading = ""] = /\/\/#region src\/parser\/parser\.ts\n(.*?)\/\/#endregion/s.exec(parser) ?? [];
const reasons = [...reading.matchAll(/throw(?:Error\(state|At\(input, \w+), (["`])(.*?)\1/g)].map(([, , reason = ""]) =>
  reason.replaceAll(/\$\{.*?\}/g, "x"),
);

test("the parser has the reasons that these tests look for", () => {
  expect(reasons.length).toBeGreaterThan(40);
});

test.each(reasons)("%s: has words of its own", (reason) => {
  if (reason.startsWith("nesting exceeded")) return;
  const { code, message, help, start } = syntaxError(reason, "a: b\nc: d\n", 7);
  expect(code).toMatch(/^E_[A-Z]+$/);
  expect(message).not.toContain("this is not YAML");
  expect(help).toMatch(/\.$/);
  expect(start).toBeLessThanOrEqual(10);
});
