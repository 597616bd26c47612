import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The words of the right column of CONTRIBUTING.md, "Words", without hyphens. */
function forbiddenWords(): readonly string[] {
  const [, section = ""] = readFileSync(join(root, "CONTRIBUTING.md"), "utf8").split("\n## Words\n");
  const rows = [...(section.split("\n## ")[0] ?? "").matchAll(/^\| (?!Use )([^|]+) \| ([^|]+) \|$/gm)];
  return rows.flatMap(([, , words = ""]) => words.split(",").map((word) => word.trim().replaceAll("-", "")));
}

/** The names that the files of `src` export, with their path. */
function exportedNames(): readonly (readonly [name: string, path: string])[] {
  return readdirSync(join(root, "src"), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .flatMap((entry) => {
      const path = join(entry.parentPath, entry.name);
      const declarations = readFileSync(path, "utf8").matchAll(
        /^export (?:abstract |async )?(?:interface|type|class|function\*?|const) (\w+)/gm,
      );
      return [...declarations].map(([, name = ""]) => [name, relative(root, path)] as const);
    });
}

/** Whether successive parts of the name are the word: `unheldTokens` has "unheld" and not "held", `PreImage` has "preimage". */
function hasWord(name: string, word: string): boolean {
  const parts = name.split(/(?=[A-Z][a-z])|_/).map((part) => part.toLowerCase());
  return parts.some((_, from) => parts.some((_, to) => parts.slice(from, to + 1).join("") === word));
}

test("no exported name contains a word that CONTRIBUTING.md forbids", () => {
  const words = forbiddenWords();
  expect(words.length).toBeGreaterThan(10);
  const wrong = exportedNames().filter(([name]) => words.some((word) => hasWord(name, word)));
  expect(wrong).toEqual([]);
});

test.each([
  ["unheldTokens", "unheld", true],
  ["unheldTokens", "held", false],
  ["custodyPath", "custody", true],
  ["PreImage", "preimage", true],
  ["isHeldBack", "held", true],
])("%s has the word %s: %s", (name, word, expected) => {
  expect(hasWord(name, word)).toBe(expected);
});
