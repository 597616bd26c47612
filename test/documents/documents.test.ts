import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { COMMANDS } from "../../src/app/cli/commands.ts";
import { EXIT } from "../../src/core/exit-codes.ts";
import { dialectChoices } from "../../src/emulator/dialects.ts";
import { typed } from "../support/typed.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (file: string) => readFileSync(join(root, file), "utf8");

/** The texts in a document's fences of one language. */
function blocks(document: string, language: string): readonly string[] {
  return [...document.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms"))].map(([, text = ""]) => text);
}

/** The first cells of a document's tables, as far as they are in code or numbers. */
function firstCells(document: string): readonly string[] {
  return [...document.matchAll(/^\| `?([\w-]+)`? \|/gm)].map(([, cell = ""]) => cell);
}

const documents = [
  ...readdirSync(root).filter((file) => file.endsWith(".md")),
  ...readdirSync(join(root, "docs")).flatMap((file) => (file.endsWith(".md") ? [`docs/${file}`] : [])),
];

/** The text of a line of the picture. */
function textOf(line: string): string {
  const text = line.replace(/<[^>]*>/g, "").replaceAll("&#160;", " ");
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}

describe("the readme", () => {
  test("opens with the two commands", () => {
    const [commands = ""] = blocks(read("README.md"), "sh");
    expect(commands.split("\n").map((line) => line.split(/ {2,}/)[0])).toEqual([
      "npm ci && npm run demo",
      "npm ci && npm test",
      "",
    ]);
  });

  test("has at most 120 lines", () => {
    expect(read("README.md").trimEnd().split("\n").length).toBeLessThanOrEqual(120);
  });

  test("has a picture of the plan that its configuration gives on a fresh workspace", async () => {
    const [configuration = ""] = blocks(read("README.md"), "yaml");
    const lines = [...read("docs/plan.svg").matchAll(/<text [^>]*>(.*)<\/text>/g)].map(([, line = ""]) => textOf(line));
    const folder = mkdtempSync(join(tmpdir(), "incidentctl-readme-"));
    try {
      writeFileSync(join(folder, "severities.yaml"), configuration);
      const { stdout } = await typed(["plan", "--emulator"], { cwd: folder });
      expect(lines, "draw it again: npm run documents").toEqual([
        "$ incidentctl plan --emulator",
        ...stdout.trimEnd().split("\n"),
      ]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

test("the readme shows a small screenshot of the page that its configuration gives today", () => {
  expect(read("README.md")).toContain("(docs/page.png)");
  expect(statSync(join(root, "docs", "page.png")).size).toBeLessThan(150_000);
  const check = spawnSync(process.execPath, [join(root, "scripts", "page-picture.mjs"), "--check"], {
    encoding: "utf8",
  });
  expect({ status: check.status, stderr: check.stderr }).toEqual({ status: 0, stderr: "" });
});

test("the page about the emulator shows two small screenshots of today's pages", () => {
  for (const name of ["incidents.png", "incident.png"]) {
    expect(read("docs/emulator.md")).toContain(`(${name})`);
    expect(statSync(join(root, "docs", name)).size).toBeLessThan(150_000);
  }
  const check = spawnSync(process.execPath, [join(root, "scripts", "emulator-pictures.mjs"), "--check"], {
    encoding: "utf8",
  });
  expect({ status: check.status, stderr: check.stderr }).toEqual({ status: 0, stderr: "" });
});

test("the readme names every command", () => {
  const [, status = ""] = read("README.md").split("## Status\n");
  const commands = COMMANDS.map(({ name }) => `\`${name}\``);
  expect(commands.length).toBeGreaterThan(5);
  expect(commands.filter((name) => !status.includes(name))).toEqual([]);
});

describe("every document", () => {
  test.each(documents)("%s links only to existing files", (file) => {
    const links = [...read(file).matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, link = ""]) => link);
    expect(links.filter((link) => !existsSync(join(root, dirname(file), link)))).toEqual([]);
  });

  test.each(documents)("%s runs only scripts of the package", (file) => {
    const { scripts } = JSON.parse(read("package.json"));
    const named = [...read(file).matchAll(/npm run ([\w:]+)/g)].map(([, name = ""]) => name);
    expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
  });
});

test("the table of exit codes matches the program", () => {
  const codes = Object.values(EXIT).map(String);
  expect(firstCells(read("docs/exit-codes.md"))).toEqual(expect.arrayContaining(codes));
});

test("the table of dialects matches the emulator, with the default first", () => {
  const lines = read("docs/emulator.md").split("\n");
  for (const [name, [usual, other]] of dialectChoices()) {
    const line = lines.find((candidate) => candidate.startsWith(`| \`${name}\` |`)) ?? "";
    expect(
      line
        .split("|")
        .slice(2, 4)
        .map((cell) => /`(\w+)`/.exec(cell)?.[1]),
    ).toEqual([usual, other]);
  }
});
