/** The commands that compare the configuration with the workspace, and the one that formats it. */

import { last, repeated, variable } from "../../core/flag-values.ts";
import { DOCUMENTS, DRIFTS, RESULTS, TESTS } from "../console/formats.ts";
import { refuseOuterFlags } from "./arguments.ts";
import type { CommandDefinition } from "./command.ts";
import { exitCodeHelp } from "./exit-code-help.ts";
import {
  addAllEnvironmentsFlag,
  addConfigurationFlags,
  addFormatFlag,
  addPlanFlags,
  addReportFlags,
  addSessionFlags,
} from "./shared-flags.ts";

const ACCEPT_EXAMPLE =
  '  $ incidentctl drift accept severities/critical --until 2026-12-31 --because "renamed for the audit"';

const drift: CommandDefinition = {
  name: "drift",
  description: "show how the workspace differs from the configuration; exit 2 if it does",
  example: "incidentctl drift --format json",
  define(command, run) {
    addPlanFlags(command);
    addAllEnvironmentsFlag(command);
    addReportFlags(command, DRIFTS);
    command
      .addHelpText("after", ACCEPT_EXAMPLE)
      .action((paths: string[]) =>
        run(command, async () => (await import("../drift/drift-command.ts")).drift, { paths }),
      );
    const accept = command
      .command("accept")
      .description("accept a difference until a day and for a reason: plan and apply leave it alone")
      // The flags of the report are those of `drift` alone.
      .configureHelp({ showGlobalOptions: true, visibleGlobalOptions: () => [...(command.parent?.options ?? [])] })
      .addHelpText("after", () => `${exitCodeHelp("drift accept")}\nExample:\n${ACCEPT_EXAMPLE}`)
      .argument("<address>", "resource that differs, as in drift; includes the resources in it");
    addSessionFlags(accept);
    addFormatFlag(accept, RESULTS);
    accept
      .requiredOption("--until <date>", "last day on which it is accepted, in UTC: 2026-12-31")
      .requiredOption("--because <text>", "reason, for the reviewers of the file")
      .option("--by <name>", "who accepts it (default: GITHUB_ACTOR, GITLAB_USER_LOGIN or USER, if set)")
      .action((address: string, paths: string[]) => {
        refuseOuterFlags(command, accept, RESULTS);
        return run(accept, async () => (await import("../drift/accept-command.ts")).accept, { address, paths });
      });
  },
};

const pull: CommandDefinition = {
  name: "pull",
  description: "write the live configuration into the files, and keep comments and layout",
  example: "incidentctl pull config/",
  define(command, run) {
    addSessionFlags(command);
    addFormatFlag(command, RESULTS);
    command
      .option("--kinds <names>", "only these kinds, even if no file has them yet: severities,statuses")
      .option("--dry-run", "show the changes as a unified diff, and write nothing")
      .addHelpText("after", "  $ incidentctl pull --kinds webhooks --dry-run")
      .action((paths: string[]) => run(command, async () => (await import("../pull/pull-command.ts")).pull, { paths }));
  },
};

const refs: CommandDefinition = {
  name: "refs",
  description: "show what references a resource, with counts of incidents",
  example: "incidentctl refs severities/major",
  define(command, run) {
    command.argument("<address>", "resource, as in plans");
    addSessionFlags(command);
    addFormatFlag(command, RESULTS);
    command.action((address: string, paths: string[]) =>
      run(command, async () => (await import("../files/refs-command.ts")).refs, { address, paths }),
    );
  },
};

const test: CommandDefinition = {
  name: "test",
  description: "run routing tests (*.test.yaml); exit 7 if one fails",
  example: "incidentctl test config/",
  define(command, run) {
    addSessionFlags(command);
    command
      .option("--live", "evaluate the live rules, by the service")
      .option("--offline", "evaluate the rules of the configuration here (default); calibrate if a service is named")
      .option("--compare", "show which samples the rules of the configuration route differently from the live ones");
    addReportFlags(command, TESTS);
    command
      .addHelpText(
        "after",
        "  $ incidentctl test --live --report junit=routing.xml\n  $ incidentctl test --compare --emulator",
      )
      .action((paths: string[]) => run(command, async () => (await import("../plan/test-command.ts")).test, { paths }));
  },
};

const impact: CommandDefinition = {
  name: "impact",
  description: "show what the plan would do to recent incidents: refused declarations, changed ranks",
  example: "incidentctl impact --last 500",
  define(command, run) {
    addSessionFlags(command);
    addFormatFlag(command, RESULTS);
    command
      .option("--last <number>", "recent incidents to replay, at most 1000 (default: 100)", last)
      .option("--fail-on-refusals", "exit 7 if an incident like a recent one would be refused")
      .action((paths: string[]) =>
        run(command, async () => (await import("../plan/impact-command.ts")).impact, { paths }),
      );
  },
};

const fmt: CommandDefinition = {
  name: "fmt",
  description: "format the files, and keep every value and comment",
  example: "incidentctl fmt --check config/",
  define(command, run) {
    command
      .argument("[path...]", "configuration directories or files (default: from the settings)")
      .option("--check", "write nothing; exit 7 if a file is not formatted")
      .action((paths: string[]) => run(command, async () => (await import("../files/fmt-command.ts")).fmt, { paths }));
  },
};

const render: CommandDefinition = {
  name: "render",
  description: "print the configuration with overlays and variables resolved, without network or token",
  example: "incidentctl render -e staging",
  define(command, run) {
    addConfigurationFlags(command);
    addFormatFlag(command, DOCUMENTS);
    command.action((paths: string[]) =>
      run(command, async () => (await import("../plan/render-command.ts")).render, { paths }),
    );
  },
};

const diff: CommandDefinition = {
  name: "diff",
  description: "show how the configurations of two environments differ; exit 2 if they do",
  example: "incidentctl diff -e staging -e production",
  define(command, run) {
    command
      .argument("[path...]", "configuration directories or files (default: from the settings)")
      .option("-e, --env <name>", "environment in the settings, given twice; empty for none", repeated(String))
      .option("--var <name=value>", "variable of the configuration; repeatable", variable);
    addFormatFlag(command, RESULTS);
    command.action((paths: string[]) =>
      run(command, async () => (await import("../plan/diff-command.ts")).diff, { paths }),
    );
  },
};

/** In the order of the help. */
export const WORKSPACE_COMMANDS: readonly CommandDefinition[] = [drift, pull, refs, test, impact, fmt, render, diff];
