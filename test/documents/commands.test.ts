/**
 * The page of all commands is what `--help` says, so that nobody writes it and it is never old:
 * `npm run documents` writes it anew.
 */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { EXIT } from "../../src/core/exit-codes.ts";
import { DEFINITIONS } from "../app/cli/definitions.ts";
import { commandsBelow, help } from "./help.ts";

const docs = fileURLToPath(new URL("../../docs", import.meta.url));

const commands = await commandsBelow("");
const texts = new Map(await Promise.all(commands.map(async (name) => [name, await help(name)] as const)));

function descriptionOf(command: string): string {
  const [, description = ""] = (texts.get(command) ?? "").split("\n\n");
  return description.replaceAll("\n", " ").replaceAll("|", "\\|");
}

function section(command: string): string {
  const page = DEFINITIONS.get(command)?.page;
  const more = page === undefined ? "" : `\nMore: [${page}](${page}).\n`;
  return `## ${command}\n${more}\n\`\`\`console\n$ incidentctl ${command} --help\n${texts.get(command)}\n\`\`\`\n`;
}

describe("the page of commands", () => {
  test("has the text of the help", async () => {
    const page = [
      "# Commands",
      "",
      "<!-- Written by a test from what --help says: npm run documents -->",
      "",
      "What `incidentctl COMMAND --help` says, of every command. What to do after each exit code: [exit-codes.md](exit-codes.md).",
      "",
      "| Command | Does |",
      "|---|---|",
      ...commands.map((name) => `| [\`${name}\`](#${name.replaceAll(" ", "-")}) | ${descriptionOf(name)} |`),
      "",
      commands.map(section).join("\n"),
    ].join("\n");
    await expect(page).toMatchFileSnapshot(join(docs, "commands.md"));
  });

  test("links only existing pages", () => {
    const pages = [...DEFINITIONS.values()].flatMap(({ page }) => page ?? []);
    expect(pages.length).toBeGreaterThan(10);
    expect(pages.filter((page) => !existsSync(join(docs, page)))).toEqual([]);
  });
});

describe("the help of every command", () => {
  test.each(commands)("%s has an example that starts with it, and exit codes of the table", (command) => {
    const text = texts.get(command) ?? "";
    expect(text.split("Example:\n")[1]).toMatch(new RegExp(`^ {2}\\$ (?:source <\\()?incidentctl ${command}\\b`));
    const [, list = ""] = /^Exit codes:\n((?: {2}\d.*\n)*)/m.exec(text) ?? [];
    const codes = [...list.matchAll(/^ {2}(\d+) +\S/gm)].map(([, code]) => Number(code));
    expect(codes).toEqual(expect.arrayContaining([EXIT.success, EXIT.usage]));
    const known: readonly number[] = Object.values(EXIT);
    expect(codes.filter((code) => !known.includes(code))).toEqual([]);
  });

  test("mentions an exit code only if the table has it for the command or for all", () => {
    const rows = readFileSync(join(docs, "exit-codes.md"), "utf8");
    const row = (code: number) => rows.split("\n").find((line) => line.startsWith(`| ${code} |`)) ?? "";
    const findings = commands.filter((command) => /^ {2}7 /m.test(texts.get(command) ?? ""));
    expect(findings).toContain("doctor");
    expect(findings.filter((command) => !row(EXIT.findings).includes(`\`${command}`))).toEqual([]);
  });
});
