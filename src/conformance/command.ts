/** The conformance command: checks a service, by default our own emulator, against the rules of the interface. */

import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { allRules, type RuleFile, ruleFiles } from "./all-rules.ts";
import { serveEmulatorTarget } from "./emulator-target.ts";
import { closingLines, resultLines, resultsJson, tally } from "./report.ts";
import type { RuleResult } from "./rule.ts";
import { type ConformanceTarget, openSession } from "./session.ts";

const usage = `Usage: npm run conformance -- [options]

  --url URL              the service to check; our own emulator when absent
  --person EMAIL         a person of the workspace (or INCIDENTCTL_CONFORMANCE_PERSON)
  --chat-id ID           the same person's chat user ID
  --other-person EMAIL   another person of the workspace
  --incident ID          an incident with notes and a conversation; one of its notes is dismissed
  --rate-limit           run the rules that use up a key's requests of a minute
  --reaches-loopback     the service can deliver webhooks to this machine's loopback
  --section NAME         only the rules under headings that contain NAME
  --rule ID              only the rules whose id begins with ID
  --json FILE            also write the results as JSON
  --list                 list the rules and stop

Tokens are read from the environment: INCIDENTCTL_TOKEN and INCIDENTCTL_ADMIN_TOKEN.
Exit status: 0 when no rule failed, 1 when one did, 2 when the options are wrong.`;

const options = {
  url: { type: "string" },
  person: { type: "string" },
  "chat-id": { type: "string" },
  "other-person": { type: "string" },
  incident: { type: "string" },
  "rate-limit": { type: "boolean" },
  "reaches-loopback": { type: "boolean" },
  section: { type: "string" },
  rule: { type: "string" },
  json: { type: "string" },
  list: { type: "boolean" },
  help: { type: "boolean" },
} as const;

/** The parts of the process that the command uses. */
export interface CommandIo {
  /** The environment, which holds the tokens. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Prints one line of the response. */
  print(line: string): void;
  /** Prints one line about what went wrong. */
  complain(line: string): void;
}

type Options = ReturnType<typeof parseArgs<{ options: typeof options }>>["values"];

/** The target the options and the environment describe. */
function remoteTarget(url: string, flags: Options, env: CommandIo["env"]): ConformanceTarget {
  const token = env.INCIDENTCTL_TOKEN;
  const adminToken = env.INCIDENTCTL_ADMIN_TOKEN;
  const person = flags.person ?? env.INCIDENTCTL_CONFORMANCE_PERSON;
  if (token === undefined && adminToken === undefined) {
    throw new Error("set INCIDENTCTL_TOKEN or INCIDENTCTL_ADMIN_TOKEN to a token of the service");
  }
  return {
    url,
    ...(token === undefined ? {} : { token }),
    ...(adminToken === undefined ? {} : { adminToken }),
    ...(person === undefined ? {} : { person }),
    ...(flags["chat-id"] === undefined ? {} : { chatId: flags["chat-id"] }),
    ...(flags["other-person"] === undefined ? {} : { otherPerson: flags["other-person"] }),
    ...(flags.incident === undefined ? {} : { incident: flags.incident }),
    rateLimit: flags["rate-limit"] ?? false,
    reachesLoopback: flags["reaches-loopback"] ?? false,
  };
}

function chosen(flags: Options): readonly RuleFile[] {
  const section = flags.section?.toLowerCase() ?? "";
  const id = flags.rule ?? "";
  return ruleFiles
    .map(({ file, rules }) => ({
      file,
      rules: rules.filter((rule) => rule.section.toLowerCase().includes(section) && rule.id.startsWith(id)),
    }))
    .filter(({ rules }) => rules.length > 0);
}

async function checkChapter(
  chapter: RuleFile,
  target: ConformanceTarget,
  io: CommandIo,
): Promise<readonly RuleResult[]> {
  const session = openSession(target);
  const results: RuleResult[] = [];
  let heading = "";
  for (const rule of chapter.rules) {
    if (rule.section !== heading) {
      heading = rule.section;
      io.print(`\n${heading}`);
    }
    const result = await session.check(rule);
    results.push(result);
    for (const line of resultLines(result)) io.print(line);
  }
  for (const leftover of await session.close()) io.print(`      left over ${leftover}`);
  return results;
}

async function checkAll(flags: Options, io: CommandIo): Promise<readonly RuleResult[]> {
  const results: RuleResult[] = [];
  const remote = flags.url === undefined ? undefined : remoteTarget(flags.url, flags, io.env);
  for (const chapter of chosen(flags)) {
    // Each chapter has an emulator of its own, so that none uses up the next one's requests of a minute.
    const own = remote === undefined ? await serveEmulatorTarget() : undefined;
    const target = remote ?? own?.target;
    if (target === undefined) throw new Error("there is no target");
    try {
      results.push(...(await checkChapter(chapter, target, io)));
    } finally {
      await own?.close();
    }
  }
  return results;
}

async function runCommand(flags: Options, io: CommandIo): Promise<number> {
  if (flags.help === true) {
    io.print(usage);
    return 0;
  }
  if (flags.list === true) {
    for (const rule of allRules) io.print(`${rule.id}\t${rule.section}\t${rule.title}`);
    return 0;
  }
  const results = await checkAll(flags, io);
  if (results.length === 0) throw new Error("no rule matches --section or --rule");
  for (const line of ["", ...closingLines(results)]) io.print(line);
  if (flags.json !== undefined) {
    writeFileSync(flags.json, `${JSON.stringify(resultsJson(flags.url ?? "our own emulator", results), null, 2)}\n`);
  }
  return tally(results).failed === 0 ? 0 : 1;
}

/** Runs the command with these arguments; returns its exit status. */
export async function conformanceCommand(args: readonly string[], io: CommandIo): Promise<number> {
  try {
    return await runCommand(parseArgs({ args: [...args], options }).values, io);
  } catch (error) {
    io.complain(error instanceof Error ? error.message : String(error));
    return 2;
  }
}
