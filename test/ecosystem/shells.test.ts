/** Completion in zsh and fish themselves, as a person types. */

import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canRun, newFolder, root, succeed } from "./support.ts";

const hasFish = await canRun("fish", ["--version"]);
const hasZsh = await canRun("zsh", ["--version"]);

let folder: string;
let env: Readonly<Record<string, string>>;

beforeAll(async () => {
  folder = newFolder();
  const program = join(root, "dist/cli.cjs");
  writeFileSync(join(folder, "incidentctl"), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`);
  chmodSync(join(folder, "incidentctl"), 0o755);
  writeFileSync(join(folder, "severities.yaml"), CONFIGURATION);
  env = { PATH: `${folder}${delimiter}${process.env.PATH ?? ""}`, HOME: folder, TERM: "xterm" };
  for (const shell of ["fish", "zsh"]) {
    const script = await succeed(folder, join(folder, "incidentctl"), ["completion", shell], env);
    writeFileSync(join(folder, `completion.${shell}`), script);
  }
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

const CONFIGURATION = `severities:
  - { slug: critical, name: Critical }
webhooks:
  - { name: deploy bot, url: "https://a.example.com" }
`;

/** A line that is typed, and the words that complete it. */
const LINES: readonly (readonly [typed: string, offered: readonly string[]])[] = [
  ["incidentctl pl", ["plan"]],
  ["incidentctl plan --allow", ["--allow-delete"]],
  ["incidentctl explain webhooks.sub", ["webhooks.subscribed_events"]],
  ["incidentctl refs severities/c", ["severities/critical"]],
  ["incidentctl get webhooks/dep", ["webhooks/deploy bot"]],
  ["incidentctl drift acc", ["accept"]],
];

describe.runIf(hasFish)("fish", () => {
  test.each(LINES)("completes %j", async (typed, offered) => {
    const script = `source completion.fish; complete -C ${JSON.stringify(typed)}`;
    const stdout = await succeed(folder, "fish", ["--no-config", "-c", script], env);
    expect(stdout.split("\n").flatMap((line) => (line === "" ? [] : [line.split("\t")[0]]))).toEqual(offered);
  });
});

describe.runIf(hasZsh)("zsh", () => {
  test.each(LINES)("completes %j", async (typed, offered) => {
    // A terminal of its own, since only the line editor completes. Then the line is printed and not run.
    const script = `
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PROMPT=; bindkey -e; autoload -Uz compinit; compinit -u -D; source completion.zsh; print -r loa''ded"
zpty -r -m shell text '*loaded*'
zpty -w -n shell ${JSON.stringify(typed)}$'\\t'
sleep 3
zpty -w shell $'\\x01print -r -- \\x05 > typed; print -r en\\'\\'ded'
zpty -r -m shell text '*ended*'
`;
    await succeed(folder, "zsh", ["-f", "-c", script], env);
    const line = readFileSync(join(folder, "typed"), "utf8").trimEnd();
    expect(line).toBe([...typed.split(" ").slice(0, -1), ...offered].join(" "));
  });
});
