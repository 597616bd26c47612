import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { COMMANDS } from "../../src/app/cli/commands.ts";
import { NO_WORDS, programLine } from "../../src/core/sanitise.ts";
import type { Plan } from "../../src/plan/model/plan.ts";
import { planView } from "../../src/view/plan/plan-view.ts";
import { planOf } from "../view/plans.ts";

const src = fileURLToPath(new URL("../../src", import.meta.url));

/** The commands that work on a service or an environment, so that a line without its flags may do something else. */
const BOUND = COMMANDS.filter(({ flags = {} }) => "-e, --env <name>" in flags).map(({ name }) => name);

/** Texts that name a command and are not to be run: names of reports, and who wrote a file. */
const NAMES: readonly RegExp[] = [
  /^"incidentctl (?:review|apply)"/,
  /^`incidentctl drift \(\$\{unit\.name\}\)`/,
  /^`incidentctl drift \$\{plan\.target\.host\}`/,
  /^"incidentctl validate", cases/,
  /^[`"]<!-- /,
  /^"Written by incidentctl /,
  // The help of the program, and of explain.
  /^"\\nExample:\\n/,
  /^"incidentctl explain KIND shows the fields/,
];

test("a message writes each command with the flags of its run, by programLine", () => {
  const command = new RegExp(`incidentctl (?:${BOUND.join("|")})\\b`);
  expect(BOUND).toEqual(expect.arrayContaining(["plan", "apply", "resume", "pull", "drift", "rotate"]));
  const wrong = readdirSync(src, { withFileTypes: true, recursive: true })
    .filter(({ name }) => /\.tsx?$/.test(name) && !name.endsWith("-definition.ts"))
    .flatMap((entry) => {
      const path = join(entry.parentPath, entry.name);
      const lines = readFileSync(path, "utf8").split("\n");
      return lines.flatMap((line) =>
        /^\s*(?:\/\/|\*|\/\*)/.test(line) ||
        !command.test(line) ||
        NAMES.some((name) => texts(line).some((text) => name.test(text)))
          ? []
          : [`${relative(src, path)}: ${line.trim()}`],
      );
    });
  expect(wrong).toEqual([]);
});

test("a report adds the flags of its run to the commands of a plan, and no files to a rotation", () => {
  const [accept, rotate] = ["drift accept severities/critical --until 30d", "rotate agents/bot --revoke"].map(
    (command) => programLine(command, NO_WORDS),
  ) as [string, string];
  const plan: Plan = {
    ...planOf([]),
    blocked: [{ code: "ACCEPTED", message: `run ${accept}; or not`, commands: [accept], addresses: [] }],
    warnings: [{ code: "W_TOKEN", message: `run ${rotate}`, commands: [rotate] }],
  };
  const view = planView(plan, { words: { flags: ["--env", "staging"], files: ["config"] } });
  expect(view.blocked[0]?.message).toBe(`run ${accept} --env staging config; or not`);
  expect(view.warnings[0]?.first.message).toBe(`run ${rotate} --env staging`);
});

/** Where texts begin in a line. */
function texts(line: string): readonly string[] {
  return [...line.matchAll(/["`]/g)].map(({ index }) => line.slice(index));
}
