/** Wrong command lines: each error ends with a form that works. */

import { describe, expect, test } from "vitest";
import { runCommandLine } from "../../../src/app/cli/command-line.ts";
import { COMMANDS } from "../../../src/app/cli/commands.ts";
import type { Command } from "../../../src/app/command/definition.ts";
import { openWorld } from "../../commands/world.ts";

/** Runs a command line, and returns what it writes to stderr. */
async function refusalOf(args: readonly string[]): Promise<string> {
  const world = await openWorld({});
  let stderr = "";
  const stream = {
    terminal: false,
    write: (text: string) => {
      stderr += text;
    },
  };
  const exit = await runCommandLine(args, { ...world.io, stderr: stream, stdout: stream });
  await world.close();
  expect([args.join(" "), exit, stderr]).toEqual([args.join(" "), 64, expect.stringContaining("error: ")]);
  return stderr;
}

/** A command of ours, a flag of ours, or a name that was meant. */
const FORM = /incidentctl \w|incidentctl --help|[Dd]id you mean|--format json|; use | like https?:/;

const takesValue = (spelling: string): boolean => /<\S+>$/.test(spelling);

function wrongLines({ name, flags = {}, arguments: rows = {} }: Command): readonly (readonly string[])[] {
  const valued = Object.keys(flags).filter(takesValue);
  const given = Object.keys(rows).map(() => "severities/critical");
  return [
    [name, ...given, "--no-such-flag"],
    [name, ...given, "-o", ...(valued.some((flag) => flag.startsWith("-o")) ? ["json"] : [])],
    ...valued.map((flag) => [name, ...given, /--[\w-]+/.exec(flag)?.[0] ?? flag]),
    ...("--format <name>" in flags ? [[name, ...given, "--format", "no-such-format"]] : []),
  ];
}

describe("a wrong command line is answered with one that works", () => {
  test.each(COMMANDS.filter(({ name }) => name !== "completion").map((command) => [command.name, command] as const))(
    "%s",
    async (_name, command) => {
      for (const args of wrongLines(command)) expect(await refusalOf(args), args.join(" ")).toMatch(FORM);
    },
  );

  test.each([
    [["plan", "-o", "json"], "--format json prints one"],
    [["plan", "--out", "yaml"], "--format json prints one"],
    [["get", "severities", "-o", "json"], "--format json prints JSON"],
    [["plan", "--out"], "incidentctl plan --out FILE"],
    [["plan", "--format"], "incidentctl plan --format json"],
    [["nonsense"], "incidentctl --help lists the commands"],
    [["test", "--live", "--offline"], "for example: incidentctl test"],
    [["rotate"], "for example: incidentctl rotate agents/triage_bot"],
  ])("%j", async (args, form) => {
    expect(await refusalOf(args)).toContain(form);
  });
});
