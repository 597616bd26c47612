/** The flags that several commands share, in groups. Help lists flags in the order in which they are added. */

import { PARALLELISM, REQUESTS_PER_MINUTE, TIMEOUT_SECONDS } from "../core/defaults.ts";
import { positive, repeated, variable } from "../core/flag-values.ts";
import { type Formats, format, listed, reportTarget } from "../output/formats.ts";
import type { Command } from "./command.ts";

/** Adds the paths and flags of commands that load the configuration. */
export function addConfigurationFlags(command: Command): void {
  command
    .argument("[path...]", "configuration directories or files; the settings say when left out")
    .option("-e, --env <name>", "environment of the settings to use")
    .option("--var <name=value>", "a variable of the configuration; repeatable", variable);
}

/** Adds the flags that say how to reach the service. */
export function addConnectionFlags(command: Command): void {
  command
    .option("--url <url>", "the service (INCIDENTCTL_URL); must be the settings' base_url")
    .option("--emulator [file]", "use the embedded service; its database is =FILE, or .incidentctl/emulator.db")
    .option("--parallelism <number>", `requests in flight at a time (${PARALLELISM})`, positive("--parallelism"))
    .option(
      "--rate <number>",
      `requests per minute to stay under (the settings', else ${REQUESTS_PER_MINUTE})`,
      positive("--rate"),
    )
    .option("--timeout <seconds>", `time for one request (${TIMEOUT_SECONDS})`, positive("--timeout"));
}

/** Adds the flags of commands that load the configuration and talk to the service. */
export function addSessionFlags(command: Command): void {
  addConfigurationFlags(command);
  addConnectionFlags(command);
}

/** Adds the flags of commands that plan, those of a session included. */
export function addPlanFlags(command: Command): void {
  addSessionFlags(command);
  command
    .option("--kinds <names>", "only these kinds: severities,statuses")
    .option("--target <address>", "only this entry and what lies in it; repeatable", repeated(String))
    .option("--exclude <address>", "all but this entry and what lies in it; repeatable", repeated(String))
    .option("--resend-unreadable", "send the fields that the service does not return, changed or not");
}

/** Adds the flags of commands that write. */
export function addWriteFlags(command: Command): void {
  command
    .option("--keep-going", "after a refused write go on with what does not depend on it")
    .addOption(
      command
        .createOption(
          "--resolve <how>",
          "of a creation whose answer was lost: resend, where nothing of it is to be seen, sends it again, also where that may make a second entry; keep lets the one entry be that may be it",
        )
        .choices(["resend", "keep"]),
    )
    .option("--lock-timeout <seconds>", "time to wait for another run to end (0)", positive("--lock-timeout"))
    .option("--secrets-out <file>", "append one-time tokens to a file, a line of JSON each")
    .option("--secrets-exec <command>", "give each one-time token to a command, on its standard input");
}

/** Adds the flag for the format of what a command prints. */
export function addFormatFlag(command: Command, formats: Formats): void {
  command.addOption(command.createOption("--format <name>", listed(formats)).argParser(format(formats)));
}

/** Adds the flag for the format, and the one for files in the same formats. */
export function addReportFlags(command: Command, formats: Formats): void {
  addFormatFlag(command, formats);
  command.option(
    "--report <format=path>",
    "write a report to a file as well; repeatable",
    repeated(reportTarget(formats)),
  );
}
