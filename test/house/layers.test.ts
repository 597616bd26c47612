import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { cruise, type ICruiseResult, type IFlattenedRuleSet } from "dependency-cruiser";
import { afterEach, expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const { forbidden }: IFlattenedRuleSet = createRequire(import.meta.url)(join(root, ".dependency-cruiser.cjs"));

let folder: string | undefined;
afterEach(() => {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  folder = undefined;
});

/** The names of the rules that an import of one file by another breaks, in a folder that has only these two. */
async function broken(from: string, to: string, statement: string): Promise<readonly string[]> {
  folder = mkdtempSync(join(tmpdir(), "layers-"));
  for (const [path, text] of [
    [from, statement],
    [to, "export type Thing = 1;\n"],
  ] as const) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const options = {
    baseDir: folder,
    ruleSet: { forbidden: forbidden ?? [] },
    validate: true,
    tsPreCompilationDeps: true,
  };
  const { output } = await cruise(["src"], options);
  return (output as ICruiseResult).summary.violations.map(({ rule }) => rule.name);
}

test.each([
  ["a room by a room above it", "src/plan/diff/x.ts", "src/run/apply/y.ts", "order-src-plan"],
  ["a part by a part before it", "src/plan/diff/x.ts", "src/plan/order/y.ts", "order-plan-diff"],
  ["a file beside folders by a folder before it", "src/kinds/rows/x.ts", "src/kinds/index.ts", "order-kinds-rows"],
  ["a room by a room that imports core alone", "src/emulator/x.ts", "src/kinds/model/y.ts", "alone-emulator"],
])("refuses an import of %s, also of a type", async (_, from, to, rule) => {
  const path = `${"../".repeat(from.split("/").length - 2)}${to.slice("src/".length)}`;
  expect(await broken(from, to, `import type { Thing } from "${path}";\nexport type Other = Thing;\n`)).toContain(rule);
});

test("allows an import of a part before", async () => {
  const statement = 'import type { Thing } from "../model/y.ts";\nexport type Other = Thing;\n';
  expect(await broken("src/plan/diff/x.ts", "src/plan/model/y.ts", statement)).toEqual([]);
});
