/** The package as others install it: what it brings along, what runs on their machine, and what is in it. */

import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { copyFile, cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";

interface LockedPackage {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly dev?: true;
  readonly optional?: true;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly hasInstallScript?: true;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (file: string) => JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url), "utf8"));
const answer = (program: string, ...words: readonly string[]) =>
  JSON.parse(execFileSync(program, [...words], { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }));

const lock = read("package-lock.json") as { readonly packages: Readonly<Record<string, LockedPackage>> };
const packages = Object.entries(lock.packages).filter(([place]) => place !== "");
/** The places of the packages that the bundle holds, and of ajv, of which it has a part. */
const bundled = readFileSync(new URL("../../dist/bundle/licenses.txt", import.meta.url), "utf8")
  .split(/^-{80}$/m)
  .map((text) => `node_modules/${text.trim().split(" ", 1)[0]}`);
const installed = packages.filter(([, { dev }]) => dev !== true);
const shipped = packages.filter(([place, { dev }]) => dev !== true || bundled.includes(place));
const textOf = (path: string): string => readFileSync(join(root, path), "utf8");
const places = (some: readonly (readonly [string, LockedPackage])[]) => some.map(([place]) => place);

const EXACT = /^(npm:[a-z0-9-]+@)?\d+\.\d+\.\d+$/;

describe("a dependency", () => {
  test("has an exact version", () => {
    const { dependencies, devDependencies } = read("package.json");
    const versions: readonly unknown[] = Object.values({ ...dependencies, ...devDependencies });
    expect(versions.length).toBeGreaterThan(10);
    expect(versions.filter((version) => !EXACT.test(String(version)))).toEqual([]);
  });

  test("has a hash and no registry URL", () => {
    expect(shipped.length).toBeGreaterThan(5);
    expect(places(shipped.filter(([, { integrity }]) => integrity?.startsWith("sha512-") !== true))).toEqual([]);
    expect(places(packages.filter(([, { resolved }]) => resolved !== undefined))).toEqual([]);
  });

  test("without a hash is an optional tool for another platform than that of the tests", () => {
    const unhashed = packages.filter(([, { integrity }]) => integrity === undefined);
    const isForTests = ({ os = ["linux"], cpu = ["x64"], libc = ["glibc"] }: LockedPackage) =>
      os.includes("linux") && cpu.includes("x64") && libc.includes("glibc");
    expect(places(unhashed.filter(([, one]) => one.dev !== true || one.optional !== true || isForTests(one)))).toEqual(
      [],
    );
    expect(places(packages.filter(([, { integrity = "sha512-" }]) => !integrity.startsWith("sha512-")))).toEqual([]);
  });

  test.each([".ci/node", ".ci/ecosystem", ".ci/github-api", "docs/reference"])(
    "has exact versions and hashes in %s, which npm ci does not install",
    (folder) => {
      const manifest = read(`${folder}/package.json`);
      const { packages: tools } = read(`${folder}/package-lock.json`);
      const locked = Object.entries<LockedPackage>(tools).filter(([place]) => place !== "");
      expect(Object.values(manifest.devDependencies).filter((version) => !EXACT.test(String(version)))).toEqual([]);
      expect(places(locked.filter(([, { integrity }]) => integrity?.startsWith("sha512-") !== true))).toEqual([]);
      expect(places(locked.filter(([, { resolved }]) => resolved !== undefined))).toEqual([]);
    },
  );

  test("is in the bundle, unless it reads a file from beside itself", () => {
    expect(places(installed)).toEqual(["node_modules/node-sqlite3-wasm"]);
    expect(bundled).toEqual(expect.arrayContaining(["node_modules/hono", "node_modules/js-yaml"]));
    expect(bundled.filter((place) => !(place in lock.packages))).toEqual([]);
  });

  test("is one of few", () => {
    expect(shipped.length).toBeLessThanOrEqual(21);
  });

  test("has no install script", () => {
    expect(places(shipped.filter(([, { hasInstallScript }]) => hasInstallScript === true))).toEqual([]);
  });

  test("has all its optional packages in the lock file, so that npm ci works on any machine", () => {
    const missing = packages.flatMap(([place, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter(
        (name) => !(`node_modules/${name}` in lock.packages || `${place}/node_modules/${name}` in lock.packages),
      ),
    );
    expect(missing).toEqual([]);
  });

  test("is in the bill of materials", () => {
    const { bomFormat, components } = answer("npm", "run", "--silent", "sbom") as {
      readonly bomFormat: string;
      readonly components: readonly { readonly name: string; readonly version: string }[];
    };
    expect(bomFormat).toBe("CycloneDX");
    const listed = components.map(({ name, version }) => `node_modules/${name}@${version}`);
    const held = shipped.filter(([place]) => place !== "node_modules/ajv");
    expect(listed.sort()).toEqual(held.map(([place, { version }]) => `${place}@${version}`).sort());
  });
});

describe("the published package", () => {
  let paths: readonly string[];
  /** Texts of the declarations, by their paths. */
  let declarations: ReadonlyMap<string, string>;

  beforeAll(() => {
    const [{ files }] = answer("npm", "pack", "--dry-run", "--json", "--ignore-scripts") as [
      { readonly files: readonly { readonly path: string }[] },
    ];
    paths = files.map(({ path }) => path);
    declarations = new Map(paths.filter((path) => path.endsWith(".d.ts")).map((path) => [path, textOf(path)]));
  });

  test("has the program, the library, schemas, examples, templates and the man page, and nothing else", () => {
    const expected = [
      /^(README|CHANGELOG|SECURITY|ARCHITECTURE|CONTRIBUTING)\.md$/,
      /^docs\/[\w-]+\.(md|svg|png)$/,
      /^(LICENSE|package\.json)$/,
      /^dist\/index\.js$/,
      /^dist\/[\w/-]+\.d\.ts$/,
      /^dist\/(cli|validators|plan-validator|(page|web)-assets|bundle\/[\w-]+)\.cjs$/,
      /^dist\/bundle\/licenses\.txt$/,
      /^schemas\/[\w.-]+\.json$/,
      /^examples\/[\w./-]+\.(yaml|md|jsonl)$/,
      /^templates\/[\w./-]+\.(sh|mjs|yml|yaml)$/,
      /^man\/incidentctl\.1$/,
    ];
    expect(paths).toEqual(
      expect.arrayContaining([
        "dist/cli.cjs",
        "dist/index.js",
        "dist/index.d.ts",
        "dist/bundle/licenses.txt",
        "LICENSE",
      ]),
    );
    expect(paths.filter((path) => !expected.some((pattern) => pattern.test(path)))).toEqual([]);
  });

  test("has every page that a page links to, except source code that docs/ refers to", () => {
    const isCode = (from: string, target: string) => from.startsWith("docs/") && /^(src|test)\//.test(target);
    const links = paths
      .filter((path) => path.endsWith(".md"))
      .flatMap((path) => {
        const targets = [...textOf(path).matchAll(/\]\(([^)#\s:]+)(?:#[^)]*)?\)/g)].map(([, target = ""]) => target);
        return targets.map((target) => [path, join(dirname(path), target).replaceAll("\\", "/")] as const);
      });
    expect(links.length).toBeGreaterThan(100);
    const missing = links.filter(([from, target]) => !(isCode(from, target) || holds(target)));
    expect(missing).toEqual([]);

    function holds(target: string): boolean {
      return paths.some((path) => path === target || path.startsWith(`${target.replace(/\/$/, "")}/`));
    }
  });

  test("is packed with its file name alone on stdout, which pre-commit reads, although the build prints", async () => {
    const folder = await mkdtemp(join(tmpdir(), "incidentctl-pack-"));
    try {
      const manifest = { name: "prints", version: "1.0.0", scripts: { prepare: "echo built" } };
      await writeFile(join(folder, "package.json"), JSON.stringify(manifest));
      await copyFile(join(root, ".npmrc"), join(folder, ".npmrc"));
      const packed = execFileSync("npm", ["pack"], {
        cwd: folder,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      });
      expect(packed).toBe("prints-1.0.0.tgz\n");
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test("has every declaration that another one imports, and no other one", () => {
    const imported = [...declarations].flatMap(([path, text]) =>
      [...text.matchAll(/\b(?:from |import\()"([^"]+)"/g)].map(([, target = ""]) =>
        target.startsWith(".") ? join(dirname(path), target.replace(/(?<!\.d)\.ts$/, ".d.ts")) : target,
      ),
    );
    const own = new Set(["dist/index.d.ts", ...imported.map((path) => path.replaceAll("\\", "/"))]);
    expect([...own].filter((name) => !isBuiltin(name)).sort()).toEqual([...declarations.keys()].sort());
  });

  test("exports what the library exports", async () => {
    const built = await import(new URL("../../dist/index.js", import.meta.url).href);
    const source = await import("../../src/index.ts");
    expect(Object.keys(built).sort()).toEqual(Object.keys(source).sort());
  });

  test("needs no package but its dependency", async () => {
    const folder = await mkdtemp(join(tmpdir(), "incidentctl-alone-"));
    try {
      for (const path of ["package.json", "dist", "schemas", "node_modules/node-sqlite3-wasm"]) {
        await cp(join(root, path), join(folder, path), { recursive: true });
      }
      const program = `
        for (const file of fs.readdirSync("dist/bundle")) if (file.endsWith(".cjs")) require("./dist/bundle/" + file);
        import("./dist/index.js").then(({ createEmulator }) => createEmulator().close());
      `;
      const { status, stderr } = spawnSync(process.execPath, ["--eval", program], { cwd: folder, encoding: "utf8" });
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
