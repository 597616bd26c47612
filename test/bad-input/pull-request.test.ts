import { readdirSync, readFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { createEmulator } from "../../src/emulator/emulator.ts";
import { type Files, inDirectory } from "../config/loading.ts";
import { SEVERITIES } from "./row.ts";
import { command, SERVICE } from "./run.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const sources = readdirSync(join(root, "src"), { withFileTypes: true, recursive: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
  .map((entry) => {
    const path = join(entry.parentPath, entry.name);
    const code = readFileSync(path, "utf8").replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, "");
    return { path: relative(root, path), code };
  });
const having = (pattern: RegExp): readonly string[] =>
  sources.filter(({ code }) => pattern.test(code)).map(({ path }) => path);

describe("A configuration cannot run code", () => {
  it("five files start processes: a command that comes from a flag, the system's opener of files, git to read its objects and to push a branch, and the program itself in a pipeline", () => {
    expect(having(/"(?:node:)?child_process"/)).toEqual([
      "src/app/ci/branch.ts",
      "src/app/ci/program.ts",
      "src/app/serve/open-browser.ts",
      "src/config/base/git.ts",
      "src/run/tokens/command-sink.ts",
    ]);
    expect(having(/\bshell: *true\b/)).toEqual([]);
  });

  it("no code is compiled from text, and no module name is computed", () => {
    expect(having(/\beval\s*\(|\bnew Function\b|(?<!\w)Function\s*\(|\bsetTimeout\(\s*["'`]/)).toEqual([]);
    // All give a regular expression a context of its own, where its time can be limited: it is data there.
    expect(having(/"(?:node:)?(?:vm|worker_threads|cluster|inspector)"/)).toEqual([
      "src/kinds/routing/regular-expression.ts",
      "src/config/catalog/entries/bounds.ts",
      "src/emulator/modules/routing/routing-conditions.ts",
    ]);
    // It loads the database when the first one is opened.
    expect(having(/"(?:node:)?module"/)).toEqual(["src/emulator/store/database.ts"]);
    expect(having(/\b(?:enableCompileCache|cachedData|createCachedData|compileFunction|NODE_COMPILE_CACHE)\b/)).toEqual(
      [],
    );
    expect(having(/\bimport\(\s*[^"\s]|(?<![\w.#])require\(\s*[^"\s]|createRequire\([^)]*\)\((?!")/)).toEqual([]);
    expect(having(/\bcreateRequire\b/)).toEqual(["src/emulator/store/database.ts"]);
    expect(having(/\bprocess\.(?:binding|dlopen|mainModule)\b/)).toEqual([]);
  });
});

describe("A configuration cannot send the token to another host", () => {
  const evil = "https://evil.example";
  it.each<readonly [title: string, settings: string, args: readonly string[]]>([
    ["another base_url", `base_url: ${evil}\n`, []],
    ["another base_url in an environment", `environments: {e: {base_url: "${evil}"}}\n`, ["-e", "e"]],
    ["another port", 'base_url: "http://127.0.0.1:4011"\n', []],
    ["another spelling", 'base_url: "http://127.1:4010"\n', []],
    ["a user name that looks like the host", 'base_url: "http://127.0.0.1:4010@evil.example"\n', []],
    ["a variable", `vars: {INCIDENTCTL_URL: "${evil}", url: "${evil}"}\n`, []],
    ["a proxy", `vars: {HTTPS_PROXY: "${evil}", https_proxy: "${evil}"}\n`, []],
    ["settings nearer by", "", []],
  ])("not with %s", async (_title, settings, args) => {
    const files: Files =
      settings === ""
        ? { "a.yaml": SEVERITIES, "deep/incidentctl.yaml": `base_url: ${evil}\n`, "deep/a.yaml": SEVERITIES }
        : { "a.yaml": SEVERITIES, "incidentctl.yaml": settings };
    await inDirectory(files, async (folder) => {
      const emulator = createEmulator();
      const paths = settings === "" ? ["deep"] : [];
      const { exit, origins } = await command(["plan", ...args, ...paths], folder, emulator);
      emulator.close();
      expect([[], [SERVICE]]).toContainEqual(origins);
      expect(exit).toBe(origins.length === 0 ? 1 : 0);
    });
  });

  it("not with a plan for another host", async () => {
    await inDirectory({ "a.yaml": SEVERITIES, "incidentctl.yaml": "removal: {default: keep}\n" }, async (folder) => {
      const emulator = createEmulator();
      expect((await command(["plan", "--out", "saved.plan"], folder, emulator)).exit).toBe(0);
      const path = join(folder, "saved.plan");
      await writeFile(path, (await readFile(path, "utf8")).replace(SERVICE, evil));
      const { exit, origins } = await command(["apply", "--plan", "saved.plan", "--yes"], folder, emulator);
      emulator.close();
      expect({ exit, origins }).toEqual({ exit: 5, origins: [] });
    });
  });
});

describe("Names of resources are data", () => {
  it("names of members of every JavaScript object can be planned and applied, and then there are no changes", async () => {
    const configuration = `incident_types:
  - { slug: constructor, name: constructor }
alert_sources:
  - { name: toString }
  - { name: hasOwnProperty }
routing_rules:
  sources:
    toString: [{ name: valueOf, conditions: [{ field: __proto__, operator: is_empty }], outcome: { action: drop } }]
catalog_types:
  - slug: constructor
    name: Constructor
    attributes: [{ name: Prototype, attribute_type: text }]
    entries: [{ slug: prototype, name: prototype, attributes: { prototype: toString } }]
webhooks:
  - { name: __proto__, url: "https://hooks.example.com/x" }
`;
    const settings =
      "removal: { default: keep }\nvars: { __proto__: a, constructor: b }\nprotected: [incident_types/constructor, webhooks/__proto__]\n";
    await inDirectory({ "a.yaml": configuration, "incidentctl.yaml": settings }, async (folder) => {
      const emulator = createEmulator({ dialects: { slug: "accept" } });
      const applied = await command(["apply", "--yes"], folder, emulator);
      expect(applied.exit, applied.stderr).toBe(0);
      const again = await command(["plan", "--detailed-exitcode"], folder, emulator);
      emulator.close();
      expect(again.exit, again.stdout).toBe(0);
      expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    });
  });
});
