import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fileOf } from "../../../src/config/resources/origins.ts";
import { DISK } from "../../../src/config/source/disk.ts";
import { InvalidConfiguration } from "../../../src/core/diagnostic.ts";
import { brief, type Files, findings, inDirectory, loadDirectory, loaded } from "../loading.ts";

const SEVERITIES = "severities: [{slug: a}]\n";

/** The findings of a directory that is prepared by hand. */
async function problems(files: Files, prepare: (directory: string) => void): Promise<readonly string[]> {
  return await inDirectory(files, async (directory) => {
    prepare(directory);
    try {
      await loadDirectory(directory);
      return [];
    } catch (error) {
      if (error instanceof InvalidConfiguration) return error.diagnostics.map(brief);
      throw error;
    }
  });
}

describe("The files of a configuration", () => {
  it("are every YAML file below, but not hidden ones, backups, tests, packages and settings", async () => {
    const { declared } = await loaded({
      "a.yaml": SEVERITIES,
      "b.yml": "statuses: [{slug: b}]\n",
      "deep/er/c.yaml": "webhooks: [{name: c}]\n",
      ".hidden.yaml": "]",
      ".git/config.yaml": "]",
      ".incidentctl/state.yaml": "]",
      "node_modules/x/y.yaml": "]",
      "routing.test.yaml": "routing_tests: []",
      "a.yaml.orig": "]",
      "a.yaml~": "]",
      "#a.yaml": "]",
      "deep/incidentctl.yaml": "]",
      "README.md": "]",
    });
    expect(declared.map(fileOf)).toEqual(["a.yaml", "b.yml", "deep/er/c.yaml"]);
  });

  it("are read in the order of their paths", async () => {
    const one = (slug: string): string => `severities: [{slug: ${slug}}]\n`;
    const { declared } = await loaded({
      "b.yaml": one("c"),
      "a/b.yaml": one("b"),
      "a.yaml": one("a"),
      "B.yaml": one("z"),
    });
    expect(declared.map(({ key }) => key)).toEqual(["z", "a", "b", "c"]);
  });

  it("may be links that stay inside the root, each file read once", async () => {
    await inDirectory({ "..data/real.yaml": SEVERITIES }, async (directory) => {
      symlinkSync("..data", join(directory, "current"));
      symlinkSync("..data/real.yaml", join(directory, "a.yaml"));
      symlinkSync(".", join(directory, "circle"));
      const { declared } = await loadDirectory(directory);
      expect(declared.map(({ address }) => address)).toEqual(["severities/a"]);
    });
  });

  it("must exist: an empty directory is refused", async () => {
    expect((await findings({ "README.md": "" })).map(brief)).toEqual(["E_EMPTY"]);
  });

  it.each([
    [
      "a link that leaves the root",
      (root: string) => symlinkSync("/etc/hostname", join(root, "b.yaml")),
      "b.yaml:1:1 E_INCLUDE_ROOT",
    ],
    [
      "a linked directory that leaves the root",
      (root: string) => symlinkSync("/etc", join(root, "b")),
      "b:1:1 E_INCLUDE_ROOT",
    ],
    ["a link to nothing", (root: string) => symlinkSync("nowhere.yaml", join(root, "b.yaml")), "b.yaml:1:1 E_FILE"],
    ["links in a circle", (root: string) => symlinkSync("b.yaml", join(root, "b.yaml")), "b.yaml:1:1 E_FILE"],
    ["a named pipe", (root: string) => execFileSync("mkfifo", [join(root, "b.yaml")]), "b.yaml:1:1 E_FILE"],
  ])("B01: cannot be %s", async (_title, prepare, expected) => {
    expect(await problems({ "a.yaml": SEVERITIES }, (root) => prepare(root))).toEqual([expected]);
  });

  it("may have directories that are named like files", async () => {
    expect(await problems({ "a.yaml": SEVERITIES }, (root) => mkdirSync(join(root, "b.yaml")))).toEqual([]);
  });
});

describe.each(["linux", "darwin"] as const)("A file that is named, on %s,", (platform) => {
  const own = process.platform;
  const setPlatform = (value: string): unknown => Object.defineProperty(process, "platform", { value });
  beforeEach(() => setPlatform(platform));
  afterEach(() => setPlatform(own));

  it.each([
    ["a.yaml", undefined],
    ["below.yaml", undefined],
    ["linked/c.yaml", undefined],
    ["out.yaml", "E_INCLUDE_ROOT"],
    ["outside/hostname", "E_INCLUDE_ROOT"],
    ["secret.yaml", "E_INCLUDE_ROOT"],
    [".git/config", "E_INCLUDE_ROOT"],
    ["nowhere.yaml", "E_FILE"],
  ])("is read by its real path: %s", async (name, code) => {
    await inDirectory({ "a.yaml": "a", "b/c.yaml": "a", ".git/config": "a" }, (root) => {
      for (const [target, link] of [
        ["b/c.yaml", "below.yaml"],
        ["b", "linked"],
        ["/etc/hostname", "out.yaml"],
        ["/etc", "outside"],
        [".git/config", "secret.yaml"],
      ] as const) {
        symlinkSync(target, join(root, link));
      }
      const read = DISK.read(join(root, name), { root, maximum: 1000, mayBeHidden: false });
      expect("code" in read ? read.code : Buffer.from(read).toString()).toBe(code ?? "a");
    });
  });
});

describe("B18: Too much is refused before it is parsed", () => {
  it.each([
    ["a large file", { "a.yaml": `# ${"x".repeat(5 * 1024 * 1024)}` }, "a.yaml:1:1 E_TOO_LARGE"],
    ["many values in a file", { "a.yaml": `severities: [${"1,".repeat(300_000)}]` }, "a.yaml:1:400014 E_TOO_LARGE"],
    ["many files", Object.fromEntries(Array.from({ length: 1001 }, (_, at) => [`f${at}.yaml`, SEVERITIES])), undefined],
  ] as const)("%s", async (_title, files, expected) => {
    const found = (await findings(files)).map(brief);
    expect(found.filter((line) => line.endsWith("E_TOO_LARGE"))).toEqual([expected ?? expect.any(String)]);
  });

  it("unless the limit is raised", async () => {
    const files = { "a.yaml": `${SEVERITIES}# ${"x".repeat(5 * 1024 * 1024)}` };
    expect((await loaded(files, { limits: { fileBytes: 8 * 1024 * 1024 } })).declared).toHaveLength(1);
  });
});

describe("an allowed file", () => {
  it.each([
    [
      "B07: a byte order mark at the start, which moves no place",
      "\uFEFFseverities: [{slug: a, nmae: x}]\n",
      ["a.yaml:1:24 E_UNKNOWN_KEY"],
    ],
    ["B16: lines that end in CRLF", "severities:\r\n  - slug: a\r\n    nmae: x\r\n", ["a.yaml:3:5 E_UNKNOWN_KEY"]],
    ["B19: a line of a megabyte", `severities: [{slug: a, description: "${"x".repeat(1_000_000)}"}]\n`, []],
    ["B30: the directive of YAML 1.2", "%YAML 1.2\n---\nseverities: []\n", []],
    ["a document marker", "---\nseverities: []\n...\n", []],
    ["B50: words that were booleans once, as texts", "severities: [{slug: a, name: no}, {slug: b, name: on}]\n", []],
    [
      "B54: texts that look like numbers or times",
      "severities: [{slug: a, name: 2024-01-01}, {slug: b, name: 12:30}]\n",
      [],
    ],
    ["B60: emoji with joiners, and right-to-left text", "severities: [{slug: a, name: 👩‍🚒 חירום}]\n", []],
    ["a numeric slug in quotes", 'severities: [{slug: "010"}]\n', []],
    ["tags of the core schema", "severities: [{slug: !!str 010}]\n", []],
    [
      "marks of direction in free text, written as escapes",
      'severities: [{slug: a, description: "\\u2067x\\u2069"}]\n',
      [],
    ],
    [
      "regular expressions of Ruby that JavaScript lacks",
      "routing_rules: {workspace: [{conditions: [{field: a, operator: matches_regex, value: '\\\\A(?>a+)b++'}], outcome: {action: drop}}]}\n",
      [],
    ],
    ["an aliased list", "severities: &all []\nstatuses: *all\n", []],
  ])("%s", async (_title, text, expected) => {
    expect((await findings(text)).map(brief)).toEqual(expected);
  });
});

it("B35: reads a mapping of 32,000 keys in linear time, if so many are allowed", async () => {
  const keys = Array.from({ length: 32_000 }, (_, at) => `k${at}: 1`).join(", ");
  const started = process.cpuUsage();
  const { declared } = await loaded(`severities: [{slug: a, extra: {${keys}}}]\n`, { limits: { keys: 40_000 } });
  expect(Object.keys(declared[0]?.fields ?? {})).toHaveLength(32_001);
  expect(process.cpuUsage(started).user).toBeLessThan(5_000_000);
});
