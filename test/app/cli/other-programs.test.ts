import { expect, test } from "vitest";
import { COMMANDS } from "../../../src/app/cli/commands.ts";
import { COMMAND_HINTS, FLAG_HINTS, otherProgramsHint } from "../../../src/app/cli/other-programs.ts";
import { optionNames } from "./definitions.ts";

test.each([
  ["error: unknown option '--auto-approve'", "--yes answers the prompt; --allow-delete approves deletions"],
  [
    "error: unknown option '--var-file=prod.tfvars'",
    "variables of an environment are in incidentctl.yaml; select it with --env",
  ],
  ["error: unknown command 'import'", "use pull"],
  ["error: unknown option '--frob'", undefined],
  ["error: unknown command 'constructor'", undefined],
  ["error: missing required argument 'file'", undefined],
])("%s", (message, hint) => {
  expect(otherProgramsHint(message)).toBe(hint);
});

const names = COMMANDS.map(({ name }) => name);
const flags = COMMANDS.flatMap(({ flags = {} }) => Object.keys(flags).flatMap((spelling) => optionNames(spelling)));

test("no hint is for a command that exists", () => {
  expect(Object.keys(COMMAND_HINTS).filter((name) => names.includes(name))).toEqual([]);
});

test.each(Object.entries(COMMAND_HINTS))("the hint for %s names commands and flags that exist", (_name, hint) => {
  const [, first = "", other = first] = /^([\w-]+)(?:.*? or (\w+))?/.exec(hint) ?? [];
  expect([first, other].filter((word) => ![...names, "--env"].includes(word))).toEqual([]);
  expect((hint.match(/--[a-z-]+/g) ?? []).filter((flag) => !flags.includes(flag))).toEqual([]);
});

test.each(Object.entries(FLAG_HINTS))("the hint for %s names commands and flags that exist", (_flag, hint) => {
  const commands = [...hint.matchAll(/incidentctl (\w+)|(\w+) --out|^(\w+) shows/g)].map(([, ...some]) =>
    some.find(Boolean),
  );
  expect(commands.filter((name) => !names.includes(name ?? ""))).toEqual([]);
  const known = [...flags, "--verbose"];
  expect((hint.match(/--[a-z-]+/g) ?? []).filter((flag) => !known.includes(flag))).toEqual([]);
});
