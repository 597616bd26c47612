/** The flags that several commands share, in groups. */

import { PARALLELISM, REQUESTS_PER_MINUTE, TIMEOUT_SECONDS } from "../core/defaults.ts";
import { positive, repeated, variable } from "../core/flag-values.ts";
import { type Formats, format, listed, reportTarget } from "../output/formats.ts";
import type { Command } from "./command-line.ts";

/** The flags of commands that load the configuration. */
export function configured(self: Command): Command {
  return self
    .argument("[path...]", "configuration directories or files; the settings say when left out")
    .option("-e, --env <name>", "environment of the settings to use")
    .option("--var <name=value>", "a variable of the configuration; repeatable", variable);
}

/** The flags of commands that plan. */
export function talking(self: Command): Command {
  return connecting(configured(self))
    .option("--kinds <names>", "only these kinds: severities,statuses")
    .option("--target <address>", "only this entry and what lies in it; repeatable", repeated(String))
    .option("--exclude <address>", "all but this entry and what lies in it; repeatable", repeated(String))
    .option("--resend-unreadable", "send the fields that the service does not return, changed or not");
}

/** The flags that say how to reach the service. */
export function connecting(self: Command): Command {
  return self
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

/** The flags of commands that write. */
export function writing(self: Command): Command {
  return self
    .option("--keep-going", "after a refused write go on with what does not depend on it")
    .addOption(
      self
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

/** The flags of commands that give out a report in these formats. */
export function presenting(self: Command, formats: Formats): Command {
  return answering(self, formats).option(
    "--report <format=path>",
    "write a report to a file as well; repeatable",
    repeated(reportTarget(formats)),
  );
}

/** The flag of commands that answer in these formats. */
export function answering(self: Command, formats: Formats): Command {
  return self.addOption(self.createOption("--format <name>", listed(formats)).argParser(format(formats)));
}

/** What the environment says to every command, as the help of the program tells it. */
export const ENVIRONMENT = `
Environment:
  INCIDENTCTL_TOKEN        the token of the service; never a flag
  INCIDENTCTL_ADMIN_TOKEN  an administrator's, for service keys and agents
  INCIDENTCTL_URL          the service, as --url
  NO_COLOR, COLUMNS        no colour; the width to break lines for
`;
