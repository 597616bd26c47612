/** The package as others install it: what it brings along, what runs on their machine, and what is in it. */

import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

interface LockedPackage {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly dev?: true;
  readonly hasInstallScript?: true;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (file: string) => JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), "utf8"));
const answer = (program: string, ...words: readonly string[]) =>
  JSON.parse(execFileSync(program, [...words], { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }));

const lock = read("package-lock.json") as { readonly packages: Readonly<Record<string, LockedPackage>> };
const packages = Object.entries(lock.packages).filter(([place]) => place !== "");
const shipped = packages.filter(([, { dev }]) => dev !== true);
const places = (some: readonly (readonly [string, LockedPackage])[]) => some.map(([place]) => place);

describe("what comes along", () => {
  test("is named by its exact version", () => {
    const { dependencies, devDependencies } = read("package.json");
    const versions: readonly unknown[] = Object.values({ ...dependencies, ...devDependencies });
    expect(versions.length).toBeGreaterThan(10);
    expect(versions.filter((version) => !/^\d+\.\d+\.\d+$/.test(String(version)))).toEqual([]);
  });

  test("is held to its hash, and bound to no registry", () => {
    expect(shipped.length).toBeGreaterThan(5);
    expect(places(shipped.filter(([, { integrity }]) => integrity?.startsWith("sha512-") !== true))).toEqual([]);
    expect(places(packages.filter(([, { resolved }]) => resolved !== undefined))).toEqual([]);
  });

  test("is little", () => {
    expect(shipped.length).toBeLessThanOrEqual(15);
  });

  test("runs nothing when it is installed", () => {
    expect(places(shipped.filter(([, { hasInstallScript }]) => hasInstallScript === true))).toEqual([]);
  });

  test("is locked with every optional package of a locked one, so that npm ci accepts the lock on any machine", () => {
    const missing = packages.flatMap(([place, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter(
        (name) => !(`node_modules/${name}` in lock.packages || `${place}/node_modules/${name}` in lock.packages),
      ),
    );
    expect(missing).toEqual([]);
  });

  test("is what the bill of materials says", () => {
    const { bomFormat, components } = answer("npm", "run", "--silent", "sbom") as {
      readonly bomFormat: string;
      readonly components: readonly { readonly name: string; readonly version: string }[];
    };
    expect(bomFormat).toBe("CycloneDX");
    const listed = components.map(({ name, version }) => `node_modules/${name}@${version}`);
    expect(listed.sort()).toEqual(shipped.map(([place, { version }]) => `${place}@${version}`).sort());
  });
});

/** Milliseconds: two programs that compile what they look at. */
const LONG = 120_000;

test("what is published is sound: its entries and types are found by every program that can load it", {
  timeout: LONG,
}, () => {
  const { status, stdout, stderr } = spawnSync("npm", ["run", "--silent", "check:package"], {
    cwd: root,
    encoding: "utf8",
    // Packing would build the program again, under the tests that run it.
    env: { ...process.env, npm_config_ignore_scripts: "true" },
    timeout: LONG,
  });
  expect({ status, told: status === 0 ? "" : stdout + stderr }).toEqual({ status: 0, told: "" });
});

test("what is published is the program, its types, schemas, examples and templates, and nothing else", () => {
  const [{ files }] = answer("npm", "pack", "--dry-run", "--json", "--ignore-scripts") as [
    { readonly files: readonly { readonly path: string }[] },
  ];
  const paths = files.map(({ path }) => path);
  const expected = [
    /^(README|CHANGELOG|SECURITY)\.md$/,
    /^(LICENSE|package\.json)$/,
    /^dist\/[\w/-]+\.(js|d\.ts)$/,
    /^dist\/(cli|validators|cli\/[\w-]+)\.cjs$/,
    /^dist\/cli\/licenses\.txt$/,
    /^schemas\/[\w.-]+\.json$/,
    /^examples\/[\w./-]+\.(yaml|md)$/,
    /^templates\/[\w./-]+\.(sh|mjs|yml)$/,
  ];
  expect(paths).toEqual(
    expect.arrayContaining(["dist/cli.cjs", "dist/index.d.ts", "dist/cli/licenses.txt", "SECURITY.md", "LICENSE"]),
  );
  expect(paths.filter((path) => !expected.some((pattern) => pattern.test(path)))).toEqual([]);
});
