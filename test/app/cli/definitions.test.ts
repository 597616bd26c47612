import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { DEFINITIONS, optionNames } from "./definitions.ts";

const app = fileURLToPath(new URL("../../../src/app/", import.meta.url));

/** The files of the function of each command, in the order of the list. */
const functions = [...readFileSync(join(app, "cli/commands.ts"), "utf8").matchAll(/await import\("(.*)"\)/g)].map(
  ([, path = ""]) => join(app, "cli", path),
);

/** A file of the program, and all that it imports there. Definitions, which name every flag, and what lists them are left out. */
function closure(path: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(path) || !path.startsWith(app) || /-definition\.ts$|app.command./.test(path)) return seen;
  seen.add(path);
  for (const [, target = ""] of readFileSync(path, "utf8").matchAll(/(?:from|import\() ?"(\.[^"]+)"/g)) {
    closure(join(dirname(path), target), seen);
  }
  return seen;
}

function camelCase(flag: string): string {
  return flag.replace(/^--/, "").replace(/-([a-z])/g, (_hyphen, letter: string) => letter.toUpperCase());
}

describe("the definitions", () => {
  test("belong to functions", () => {
    expect(functions).toHaveLength(DEFINITIONS.size);
    expect(functions.filter((path) => !existsSync(path))).toEqual([]);
  });

  test.each([...DEFINITIONS.keys()].map((name, at) => [name, functions[at] ?? ""] as const))(
    "of %s have only flags that its function or a file below it reads",
    (name, path) => {
      const texts = [...closure(path)].map((file) => readFileSync(file, "utf8")).join("\n");
      const options = Object.keys(DEFINITIONS.get(name)?.flags ?? {}).map((spelling) =>
        camelCase(optionNames(spelling).at(-1) ?? ""),
      );
      expect(options.filter((option) => !new RegExp(`(?:\\boptions\\.|[{,] *)${option}\\b`).test(texts))).toEqual([]);
    },
  );

  test.each([...DEFINITIONS])(
    "of %s have the exit codes of what it reads",
    (_name, { arguments: words = {}, flags = {}, exitCodes }) => {
      const readsFiles = "[path...]" in words || "-e, --env <name>" in flags;
      const needed = [...(readsFiles ? ["1"] : []), ...("--url <url>" in flags ? ["1", "6", "130"] : [])];
      expect(needed.filter((code) => !(code in exitCodes))).toEqual([]);
    },
  );

  test.each([...DEFINITIONS])("of %s say of each flag that may be repeated that it may be", (_name, { flags = {} }) => {
    const rows = Object.entries(flags).map(([spelling, { help, repeatable = false }]) => ({
      spelling,
      help,
      repeatable,
    }));
    expect(rows.filter(({ help, repeatable }) => /; repeatable|given twice/.test(help) !== repeatable)).toEqual([]);
  });
});
