/** `incidentctl` alone: shows the next command for this directory. It reads only files, and sends nothing. */

import { join } from "node:path";
import type { Configuration } from "../../config/resources/configuration.ts";
import { InvalidConfiguration } from "../../core/diagnostic.ts";
import { EXIT } from "../../core/exit-codes.ts";
import type { Io } from "../../core/io.ts";
import { NO_WORDS, programLine } from "../../core/sanitise.ts";
import { counted } from "../../core/value-text.ts";
import { isUnfinished } from "../../run/journal/journal-status.ts";
import { type JournalStore, listJournals, readContents } from "../../run/journal/journal-store.ts";
import { nodeDisk } from "../../run/journal/node-disk.ts";
import { trustedOrigin } from "../../service/http/credentials.ts";
import type { Console, ConsoleOptions } from "../console/console.ts";
import { loadConfiguration } from "../session/load-configuration.ts";
import { takeTokens } from "../session/tokens.ts";

/** The state of the directory in one sentence, and commands to run, each with what it does. */
interface NextStep {
  readonly state: string;
  readonly commands: readonly (readonly [command: string, purpose: string])[];
}

const START: NextStep = {
  state: "There is no configuration in this directory.",
  commands: [
    ["incidentctl init", "starts one with an example"],
    ["incidentctl init --url URL --pull", "starts one from a workspace"],
  ],
};

/** Prints the next step on stderr. Exits with 64, so that a script does not succeed without a command. */
export async function showNextStep(options: ConsoleOptions, io: Io, console: Console): Promise<number> {
  const { state, commands } = await nextStep(options, io, console);
  const width = Math.max(...commands.map(([command]) => command.length));
  const lines = commands.map(([command, purpose]) => `  ${command.padEnd(width)}  ${purpose}`);
  console.alert([state, "", ...lines, "", "incidentctl --help lists all commands."].join("\n"));
  return EXIT.usage;
}

async function nextStep(options: ConsoleOptions, io: Io, console: Console): Promise<NextStep> {
  const { token } = takeTokens(io.env);
  const configuration = await configurationHere(options, io, console);
  if (configuration === undefined) return START;
  if (configuration instanceof InvalidConfiguration) {
    const count = configuration.diagnostics.filter(({ severity }) => severity === "error").length;
    return {
      state: `The configuration has ${counted(count, "error")}.`,
      commands: [[programLine("validate", NO_WORDS), "shows them"]],
    };
  }
  const { baseUrl, home } = configuration.settings;
  const url = io.env.INCIDENTCTL_URL || baseUrl;
  const service = url === undefined ? undefined : trustedOrigin(url, io.env.INCIDENTCTL_PLAIN_HTTP_HOST ?? "");
  const embedded = `emulator ${join(home, ".incidentctl", "emulator.db")}`;
  const disk = io.disk ?? nodeDisk;
  for (const [name, flag] of [
    [service, ""],
    [embedded, " --emulator"],
  ] as const) {
    const run = name === undefined ? undefined : await openRun({ disk, home, service: name });
    if (run === undefined) continue;
    return {
      state: `Run ${run} on ${name} has not ended: it is in progress, or it was interrupted.`,
      commands: [[programLine(`resume${flag}`, NO_WORDS), "finds out how it ended, and finishes it"]],
    };
  }
  const size = `The configuration declares ${counted(configuration.declared.length, "resource")}`;
  if (service === undefined) {
    return {
      state: `${size}, and names no service.`,
      commands: [
        [
          programLine("plan --url URL", NO_WORDS),
          "plans for a service; base_url in incidentctl.yaml names it for good",
        ],
        [programLine("plan --emulator", NO_WORDS), "plans for the embedded service"],
      ],
    };
  }
  if (token === undefined) {
    return {
      state: `${size} for ${service}, and there is no token.`,
      commands: [
        ["export INCIDENTCTL_TOKEN=…", "sets the token of the service"],
        [programLine("plan --emulator", NO_WORDS), "plans for the embedded service, without a token"],
      ],
    };
  }
  return {
    state: `${size} for ${service}.`,
    commands: [
      [programLine("plan", NO_WORDS), "shows what apply would change"],
      [programLine("drift", NO_WORDS), "shows how the workspace differs"],
    ],
  };
}

/** The configuration of the directory, or its errors; undefined if there is none. */
async function configurationHere(
  options: ConsoleOptions,
  io: Io,
  console: Console,
): Promise<Configuration | InvalidConfiguration | undefined> {
  try {
    return await loadConfiguration({ ...options, paths: [] }, io, console);
  } catch (error) {
    if (!(error instanceof InvalidConfiguration)) throw error;
    const isEmpty = error.diagnostics.every(({ code, at }) => code === "E_EMPTY" && at === undefined);
    return isEmpty ? undefined : error;
  }
}

/** The number of the first run on a service that has not ended. */
async function openRun(store: JournalStore): Promise<string | undefined> {
  for (const file of await listJournals(store)) {
    if (!file.isOpen || file.foreign !== undefined) continue;
    const contents = await readContents(store.disk, file);
    if (contents !== undefined && isUnfinished(contents)) return file.run;
  }
  return undefined;
}
