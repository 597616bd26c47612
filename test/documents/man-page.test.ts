/**
 * The man page is what `--help` says, in the language of man pages:
 * `npm run documents` writes it anew.
 */

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { COMMANDS } from "../../src/app/cli/commands.ts";
import { commandsBelow, help } from "./help.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const file = `${root}man/incidentctl.1`;
const manifest = JSON.parse(readFileSync(`${root}package.json`, "utf8"));

/** Text for a man page: a backslash, a hyphen, and a dot or a quote at the beginning of a line have a meaning there. */
function escaped(text: string): string {
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll(/^(?=[.'])/gm, "\\&");
}

/** Lines that are not filled. */
function asWritten(text: string): string {
  return `.EX\n${escaped(text.trimEnd())}\n.EE\n`;
}

/** The lines of a section of the program's help. */
function sectionOf(text: string, title: string): string {
  return new RegExp(`^${title}:\\n((?: .*\\n?)*)`, "m").exec(text)?.[1] ?? "";
}

const program = await help("");
const names = await commandsBelow("");
const details = await Promise.all(names.map(async (name) => `.SS ${escaped(name)}\n${asWritten(await help(name))}`));
const page = [
  `.\\" Written by a test from what \\-\\-help says.`,
  `.TH INCIDENTCTL 1 "" "incidentctl" "User Commands"`,
  ".SH NAME",
  `incidentctl \\- configuration as code for an incident\\-management workspace`,
  ".SH SYNOPSIS",
  ".B incidentctl",
  ".I command",
  "[\\fIpath\\fR ...] [\\fIflags\\fR]",
  ".SH DESCRIPTION",
  "Makes an incident\\-management workspace match a set of YAML files.",
  "Without a command, it shows the next one for the directory.",
  ".SH OPTIONS",
  asWritten(sectionOf(program, "Options")).trimEnd(),
  ".SH COMMANDS",
  ...COMMANDS.flatMap(({ name, summary }) => [".TP", `.B ${escaped(name)}`, escaped(summary)]),
  ".SH ENVIRONMENT",
  asWritten(sectionOf(program, "Environment")).trimEnd(),
  ".SH THE HELP OF EACH COMMAND",
  ...details.map((text) => text.trimEnd()),
  "",
].join("\n");

describe("the man page", () => {
  test("has the text of the help", async () => {
    await expect(page).toMatchFileSnapshot(file);
  });

  test("is in the package, where npm installs it from", () => {
    expect(manifest.man).toBe("man/incidentctl.1");
    expect(manifest.files).toContain("man");
  });

  test.each([
    ["groff", ["-man", "-Tutf8", "-ww", "-z"]],
    ["man", ["-l", "-"]],
  ] as const)("is read by %s without a warning, where there is one", (command, args) => {
    const { error, status, stderr } = spawnSync(command, args, {
      encoding: "utf8",
      input: page,
      env: { ...process.env, MANWIDTH: "80" },
    });
    if (error !== undefined) return expect(error).toMatchObject({ code: "ENOENT" });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  });
});
