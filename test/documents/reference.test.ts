/** What the library exports, as a reader of its reference meets it; `npm run reference` makes the pages themselves. */

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");

interface Exported {
  readonly name: string;
  /** The name in its file, which may be another one. */
  readonly declared: string;
  readonly file: string;
}

/** Every name that src/index.ts hands on, with the file that declares it. */
function exported(): readonly Exported[] {
  return [...read("src/index.ts").matchAll(/^export (?:type )?\{([^}]+)\} from "\.\/([^"]+)";$/gm)].flatMap(
    ([, names = "", file = ""]) =>
      names
        .split(",")
        .map((name) => name.trim().replace(/^type /, ""))
        .filter((name) => name !== "")
        .map((text) => {
          const [declared = "", name = declared] = text.split(" as ");
          return { name, declared, file: `src/${file}` };
        }),
  );
}

describe("the reference of the library", () => {
  test("has a sentence for every export", () => {
    const all = exported();
    const names = all.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["load", "plan", "apply", "Plan", "Outcome", "createEmulator"]));
    const silent = all.filter(({ declared, file }) => {
      const declaration = new RegExp(
        `\\*/\\nexport (?:async )?(?:function\\*?|class|interface|type|const) ${declared}\\b`,
      );
      return !declaration.test(read(file));
    });
    expect(silent).toEqual([]);
  });

  test("is built with exact versions that have hashes and no registry URL", () => {
    const { devDependencies } = JSON.parse(read("docs/reference/package.json"));
    expect(Object.values(devDependencies).filter((version) => !/^\d+\.\d+\.\d+$/.test(String(version)))).toEqual([]);
    const lock = JSON.parse(read("docs/reference/package-lock.json")) as {
      readonly packages: Readonly<Record<string, { readonly resolved?: string; readonly integrity?: string }>>;
    };
    const packages = Object.entries(lock.packages).filter(([place]) => place !== "");
    expect(packages.length).toBeGreaterThan(10);
    const loose = packages.filter(([, { resolved, integrity }]) => resolved !== undefined || !integrity);
    expect(loose.map(([place]) => place)).toEqual([]);
  });
});
