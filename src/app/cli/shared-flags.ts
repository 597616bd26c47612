/** The flags that several commands share, in groups. Help lists flags in the order in which they are added. */

import { PARALLELISM, REQUESTS_PER_MINUTE, TIMEOUT_SECONDS } from "../../config/settings/request-defaults.ts";
import { ceiling, positive, repeated, variable } from "../../core/flag-values.ts";
import { type Formats, listNames, parseFormat, parseReportTarget } from "../console/formats.ts";
import type { Command } from "./command.ts";

/** Adds the paths and flags of commands that load the configuration. */
export function addConfigurationFlags(command: Command): void {
  command
    .argument("[path...]", "configuration directories or files (default: from the settings)")
    .option("-e, --env <name>", "environment in the settings; empty for none (default: INCIDENTCTL_ENVIRONMENT)")
    .option("--var <name=value>", "variable of the configuration; repeatable", variable);
}

/** Adds the flag of commands that can run in every environment. */
export function addAllEnvironmentsFlag(command: Command): void {
  command.option(
    "--all-environments",
    "run in every environment of the settings, with one summary; tokens: INCIDENTCTL_TOKEN_<ENV>",
  );
}

/** Adds the flags that say how to reach the service. */
export function addConnectionFlags(command: Command): void {
  command
    .option("--url <url>", "the service (INCIDENTCTL_URL); must equal the settings' base_url")
    .option(
      "--emulator [file]",
      "use the embedded service; =FILE names its database (default: .incidentctl/emulator.db)",
    )
    .option(
      "--parallelism <number>",
      `requests in flight at a time (default: ${PARALLELISM})`,
      positive("--parallelism"),
    )
    .option(
      "--rate <number>",
      `most requests per minute (default: from the settings, else ${REQUESTS_PER_MINUTE})`,
      positive("--rate"),
    )
    .option("--timeout <seconds>", `time for one request (default: ${TIMEOUT_SECONDS})`, positive("--timeout"));
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
    .option("--target <address>", "only this resource and the resources in it; repeatable", repeated(String))
    .option("--exclude <address>", "all but this resource and the resources in it; repeatable", repeated(String))
    .option("--resend-unreadable", "send fields that the service does not return, even if unchanged");
}

/** Adds the flags of commands that write. */
export function addWriteFlags(command: Command): void {
  command
    .option("--keep-going", "after a failed write, continue with what does not depend on it")
    .addOption(
      command
        .createOption(
          "--resolve <how>",
          "when the response to a create was lost: resend it if no such resource is visible, which may create a second one; or keep the one resource that may be it",
        )
        .choices(["resend", "keep"]),
    )
    .option("--lock-timeout <seconds>", "time to wait for another run to end (default: 0)", positive("--lock-timeout"))
    .option("--secrets-out <file>", "append one-time tokens to a file, one line of JSON each")
    .option("--secrets-exec <command>", "run a command for each one-time token, on its standard input");
}

/** Adds the flags that approve what a plan needs, but for a token sink. */
export function addApprovalFlags(command: Command): void {
  command
    .option("--allow-delete", "approve deletions")
    .option("--max-removals <limit>", "most removals of one kind: a number, or a share such as 30%", ceiling)
    .option("--accept-routing-window", "approve a routing change that takes several requests to take effect");
}

/** Adds the flag for the format of what a command prints. */
export function addFormatFlag(command: Command, formats: Formats): void {
  command.addOption(command.createOption("--format <name>", listNames(formats)).argParser(parseFormat(formats)));
}

/** Adds the flag for the format, and the one for files in the same formats. */
export function addReportFlags(command: Command, formats: Formats): void {
  addFormatFlag(command, formats);
  command.option(
    "--report <format=path>",
    "also write a report to a file; repeatable",
    repeated(parseReportTarget(formats)),
  );
}
