/** The definition of `conformance`. */

import type { CommandDefinition, OptionsFor } from "../command/definition.ts";
import { ONLINE } from "../command/exit-codes.ts";
import { type ReportFlags, reportFlags } from "../command/shared-flags.ts";
import { CONFORMANCE, type ConformanceFormat } from "../console/formats.ts";

const FLAGS = {
  "--url <url>": { help: "the service; neither the settings nor INCIDENTCTL_URL are used" },
  "--disposable <host>": {
    help: "the host of --url again, to confirm: the rules page people and leave resources behind",
  },
  "--emulator": { help: "check a new embedded service instead" },
  "--person <email>": { help: "a person of the workspace" },
  "--chat-id <id>": { help: "the same person's chat user ID" },
  "--other-person <email>": { help: "another person of the workspace" },
  "--incident <id>": { help: "an incident with notes and a conversation; one of its notes is dismissed" },
  "--rate <number>": {
    help: "requests a minute (default: as many as the service takes)",
    takes: "count",
  },
  "--rate-limit": { help: "also use up a key's requests of a minute" },
  "--reaches-loopback": { help: "the service can deliver webhooks to this machine's loopback" },
  "--section <name>": { help: "only rules under headings that contain this" },
  "--rule <id>": { help: "only rules whose id begins with this" },
  "--list": { help: "list the rules, and check none" },
  "-o, --out <file>": { help: "save a profile of the service, for service_profile in the settings" },
} as const;

export const conformance: CommandDefinition<typeof FLAGS & ReportFlags<ConformanceFormat>> = {
  name: "conformance",
  summary: "check which rules of the interface a service keeps; declares incidents there",
  flags: { ...FLAGS, ...reportFlags(CONFORMANCE) },
  exitCodes: {
    ...ONLINE,
    1: "the service cannot be reached, or a report cannot be written",
    3: "--disposable is missing, or names another host; nothing was sent",
    7: "the service does not keep a rule",
  },
  examples: [
    "incidentctl conformance --url https://sandbox.example.com --disposable sandbox.example.com",
    "incidentctl conformance --emulator --rule severity",
  ],
  note: "Tokens: INCIDENTCTL_CONFORMANCE_TOKEN, INCIDENTCTL_CONFORMANCE_ADMIN_TOKEN; no other is used.",
};

export type ConformanceOptions = OptionsFor<typeof conformance>;
