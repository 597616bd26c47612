import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync(`${root}package.json`, "utf8"));

/** Test files that no script with this name runs, of those with a text that matches. */
function notRunBy(script: string, text: RegExp): readonly string[] {
  const run = scripts[script]?.split(" ").filter((word) => /^test\/|^\.long/.test(word)) ?? [];
  return readdirSync(`${root}test`, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".test.ts") && !run.some((path) => `test/${name}`.includes(path)))
    .filter((name) => text.test(readFileSync(`${root}test/${name}`, "utf8")))
    .map((name) => `add test/${name} to "${script}" in package.json`);
}

test("a test that takes a larger sample is one of those that test:samples runs", () => {
  expect(notRunBy("test:samples", /\b(sampleSize|someOf)\(/)).toEqual([]);
});

test("a test that reads a variable of the campaign is one of those that test:campaign runs", () => {
  const variables = [...(scripts["test:campaign"] ?? "").matchAll(/\b(CAMPAIGN_\w+)=/g)].map(([, name = ""]) => name);
  expect(notRunBy("test:campaign", new RegExp(`env\\.(${variables.join("|")})\\b`))).toEqual([]);
});
