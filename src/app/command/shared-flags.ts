/** The flags and arguments that several commands share, in groups. */

import { PARALLELISM, REQUESTS_PER_MINUTE, TIMEOUT_SECONDS } from "../../config/settings/request-defaults.ts";
import type { ConsoleOptions } from "../console/console.ts";
import { type Formats, listNames } from "../console/formats.ts";
import type { ArgumentsOf, OptionsOf } from "./flag.ts";

/** The paths of commands that read the files. */
export const PATHS = {
  "[path...]": {
    help: "configuration directories or files (default: from the settings)",
    completes: ["files"],
  },
} as const;

/** The flags of commands that load the configuration. */
export const CONFIGURATION_FLAGS = {
  "-e, --env <name>": {
    help: "environment in the settings; empty for none (default: INCIDENTCTL_ENVIRONMENT)",
    mayBeEmpty: true,
    completes: "environments",
  },
  "--var <name=value>": { help: "variable of the configuration; repeatable", takes: "variables", repeatable: true },
} as const;

/** The flag of commands that can run in every environment. */
export const ALL_ENVIRONMENTS_FLAG = {
  "--all-environments": {
    help: "run in every environment of the settings, with one summary; tokens: INCIDENTCTL_TOKEN_<ENV>",
  },
} as const;

/** The flags that say how to reach the service. */
export const CONNECTION_FLAGS = {
  "--url <url>": { help: "the service (INCIDENTCTL_URL); must equal the settings' base_url" },
  "--emulator [file]": {
    help: "use the embedded service; =FILE names its database (default: .incidentctl/emulator.db)",
    takes: "text",
  },
  "--parallelism <number>": {
    help: `requests in flight at a time (default: ${PARALLELISM})` as string,
    takes: "count",
  },
  "--rate <number>": {
    help: `most requests per minute (default: from the settings, else ${REQUESTS_PER_MINUTE})` as string,
    takes: "count",
  },
  "--timeout <seconds>": { help: `time for one request (default: ${TIMEOUT_SECONDS})` as string, takes: "count" },
} as const;

/** The flags of commands that load the configuration and talk to the service. */
export const SESSION_FLAGS: typeof CONFIGURATION_FLAGS & typeof CONNECTION_FLAGS = {
  ...CONFIGURATION_FLAGS,
  ...CONNECTION_FLAGS,
};

/** The flags that narrow a command to some addresses. */
export const ADDRESS_FLAGS = {
  "--target <address>": {
    help: "only this resource and the resources in it; repeatable",
    repeatable: true,
    completes: "addresses",
  },
  "--exclude <address>": {
    help: "all but this resource and the resources in it; repeatable",
    repeatable: true,
    completes: "addresses",
  },
} as const;

const KINDS_FLAG = {
  "--kinds <names>": { help: "only these kinds: severities,statuses", completes: "kinds" },
} as const;

const RESEND_FLAG = {
  "--resend-unreadable": { help: "send fields that the service does not return, even if unchanged" },
} as const;

const WITHOUT_ADMIN_FLAG = {
  "--without-admin": {
    help: "leave out kinds that only an administrator's token can read; the result is then partial",
  },
} as const;

/** The flags of commands that plan. */
export const PLANNING_FLAGS: typeof SESSION_FLAGS &
  typeof KINDS_FLAG &
  typeof ADDRESS_FLAGS &
  typeof WITHOUT_ADMIN_FLAG &
  typeof RESEND_FLAG = {
  ...{ ...SESSION_FLAGS, ...KINDS_FLAG },
  ...{ ...ADDRESS_FLAGS, ...WITHOUT_ADMIN_FLAG, ...RESEND_FLAG },
};

/** The flags of commands that show which changes are of the change of the files. */
export const BASE_FLAGS = {
  "--base <rev>": {
    help: "the configuration before the change: a git revision, a directory, or none (default: from the settings, else the merge base with the remote's default branch, else HEAD)",
  },
  "--only-changed": { help: "only resources whose declaration differs from that of the base" },
} as const;

/** The flags of commands that write. */
export const WRITE_FLAGS = {
  "--keep-going": { help: "after a failed write, continue with what does not depend on it" },
  "--resolve <how>": {
    help: "when the response to a create was lost: resend it if no such resource is visible, which may create a second one; or keep the one resource that may be it",
    choices: ["resend", "keep"],
  },
  "--lock-timeout <seconds>": { help: "time to wait for another run to end (default: 0)", takes: "count" },
  "--secrets-out <file>": { help: "append one-time tokens to a file, one line of JSON each" },
  "--secrets-exec <command>": { help: "run a command for each one-time token, on its standard input" },
} as const;

/** The flags that approve what a plan needs, but for a token sink. */
export const APPROVAL_FLAGS = {
  "--allow-delete": { help: "approve deletions, and cutting off other systems" },
  "--max-removals <limit>": {
    help: "most removals of one kind: a number, or a share such as 30%",
    takes: "removals",
  },
  "--accept-routing-window": { help: "approve a routing change that takes several requests to take effect" },
} as const;

/** The flag for the format of what a command prints. */
export function formatFlag<Name extends string>(formats: Formats<Name>): FormatFlag<Name> {
  return { "--format <name>": { help: listNames(formats), formats } };
}

/** The flag for the format, and the one for files in the same formats. */
export function reportFlags<Name extends string>(formats: Formats<Name>): ReportFlags<Name> {
  return {
    ...formatFlag(formats),
    "--report <format=path>": { help: "also write a report to a file; repeatable", formats, repeatable: true },
  };
}

/** The row of `--format`. */
export type FormatFlag<Name extends string> = {
  readonly "--format <name>": { readonly help: string; readonly formats: Formats<Name> };
};

/** The rows of `--format` and `--report`. */
export type ReportFlags<Name extends string> = FormatFlag<Name> & {
  readonly "--report <format=path>": {
    readonly help: string;
    readonly formats: Formats<Name>;
    readonly repeatable: true;
  };
};

/** The options of commands that load the configuration. */
export type ConfigurationOptions = ConsoleOptions & ArgumentsOf<typeof PATHS> & OptionsOf<typeof CONFIGURATION_FLAGS>;

/** The options that say how to reach the service. */
export type ConnectionOptions = OptionsOf<typeof CONNECTION_FLAGS>;

/** The options of commands that load the configuration and talk to the service. */
export type SessionOptions = ConfigurationOptions & ConnectionOptions;

/** The options of commands that plan. */
export type PlanningOptions = ConfigurationOptions & OptionsOf<typeof PLANNING_FLAGS>;

/** The options of commands that compare the files with their base. */
export type BaseOptions = OptionsOf<typeof BASE_FLAGS>;

export type WriteOptions = OptionsOf<typeof WRITE_FLAGS>;

/** The options that approve what a plan needs, but for a token sink. */
export type ApprovalOptions = OptionsOf<typeof APPROVAL_FLAGS>;
