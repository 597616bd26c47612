/** The definition of `emulator` and of `emulator export`. */

import type { CommandDefinition, OptionsFor } from "../command/definition.ts";
import { OFFLINE } from "../command/exit-codes.ts";

const FLAGS = {
  "--port <number>": { help: "port to listen on (default: a free one)", takes: "port" },
  "--host <address>": { help: "address to listen on, such as 0.0.0.0 in a container (default: 127.0.0.1)" },
  "--allow-host <name>": {
    help: "accept requests for this host name, with or without a port; repeatable",
    repeatable: true,
  },
  "--allow-origin <origin>": { help: "let web pages of this origin send requests; repeatable", repeatable: true },
  "--file <path>": { help: "database file (default: in memory)" },
  "--tokens-file <path>": {
    help: "tokens for every start, created if absent (default: new ones at each start)",
  },
  "--ready-file <path>": { help: "write address and tokens to this file while listening" },
  "--dialect <name=value>": {
    help: "respond like other services, for example options=replace; repeatable",
    repeatable: true,
  },
  "--workspace <name>": { help: "content of a new workspace", choices: ["default", "bare"] },
  "--seed [file]": {
    help: "fill a new workspace from a seed file, or with an example: configuration, people and a week of incidents",
  },
  "--deliver-to <target>": {
    help: "deliver webhooks to HOST:PORT, loopback or anywhere; repeatable (default: recorded only)",
    repeatable: true,
  },
  "--control": { help: "also serve /control: faults, clock, request log, people, reset" },
} as const;

const EXPORT_ARGUMENTS = {
  "[database]": {
    help: "database of an emulator that does not run (default: the emulator at INCIDENTCTL_URL)",
    completes: ["files"],
  },
} as const;

const EXPORT_FLAGS = { "-o, --out <file>": { help: "write to a file (default: stdout)" } } as const;

export const emulatorExport: CommandDefinition<typeof EXPORT_FLAGS, typeof EXPORT_ARGUMENTS> = {
  name: "export",
  summary: "write the workspace of an emulator as a seed file",
  arguments: EXPORT_ARGUMENTS,
  flags: EXPORT_FLAGS,
  exitCodes: {
    ...OFFLINE,
    1: "the database or the emulator cannot be read",
    6: "INCIDENTCTL_TOKEN or INCIDENTCTL_CONTROL_KEY is missing",
  },
  examples: ["incidentctl emulator export workspace.db --out seed.yaml"],
  page: "emulator.md",
};

export type ExportFlags = OptionsFor<typeof emulatorExport>;

export const emulator: CommandDefinition<typeof FLAGS> = {
  name: "emulator",
  summary: "serve the embedded service",
  flags: FLAGS,
  exitCodes: { ...OFFLINE, 0: "stopped", 1: "the port, the database or the seed cannot be used" },
  examples: ["incidentctl emulator --port 8080 --dialect options=replace"],
  page: "emulator.md",
};

export type EmulatorFlags = OptionsFor<typeof emulator>;
