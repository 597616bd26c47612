/** The commands that start a configuration, check it, plan, and apply plans. */

import { failOn, repeated } from "../../core/flag-values.ts";
import { FINDINGS, PLANS, REHEARSALS, RUNS } from "../console/formats.ts";
import type { CommandDefinition } from "./command.ts";
import {
  addAllEnvironmentsFlag,
  addApprovalFlags,
  addConfigurationFlags,
  addConnectionFlags,
  addPlanFlags,
  addReportFlags,
  addSessionFlags,
  addWriteFlags,
} from "./shared-flags.ts";

const init: CommandDefinition = {
  name: "init",
  description: "start a repository: settings, an example or the live configuration, pipelines",
  example: "incidentctl init --ci github",
  define(command, run) {
    addConnectionFlags(command);
    command
      .argument("[directory]", "where to start it (default: the current directory)")
      .addOption(command.createOption("--ci <forge>", "pipelines to copy").choices(["github", "gitlab", "none"]))
      .addOption(
        command
          .createOption("--catalog <preset>", "take entries of the catalog from other files")
          .choices(["backstage", "csv", "folders"]),
      )
      .option("--pull", "fill it from the workspace instead of an example")
      .option("--kinds <names>", "with --pull: only these kinds")
      .addHelpText("after", "  $ incidentctl init --url https://incidents.example.com --pull")
      .action((directory: string | undefined) =>
        run(
          command,
          async () => (await import("../init/init-command.ts")).init,
          directory === undefined ? {} : { directory },
        ),
      );
  },
};

const validate: CommandDefinition = {
  name: "validate",
  description: "check and analyze the configuration, without network or token",
  example: "incidentctl validate config/",
  define(command, run) {
    addConfigurationFlags(command);
    addAllEnvironmentsFlag(command);
    addReportFlags(command, FINDINGS);
    command
      .option(
        "--fail-on <severity>",
        "exit 7 for findings of at least this severity: error (default), warning, note or never",
        failOn,
      )
      .addHelpText("after", "  $ incidentctl validate --fail-on warning --report sarif=findings.sarif")
      .action((paths: string[]) =>
        run(command, async () => (await import("../files/validate-command.ts")).validate, { paths }),
      );
  },
};

const plan: CommandDefinition = {
  name: "plan",
  description: "show what apply would change",
  example: "incidentctl plan --out change.plan",
  define(command, run) {
    addPlanFlags(command);
    addAllEnvironmentsFlag(command);
    addReportFlags(command, PLANS);
    command
      .option(
        "--without-admin",
        "leave out kinds that only an administrator's token can read; the plan is then partial",
      )
      .option("-o, --out <file>", "save the sealed plan for apply --plan")
      .option("--detailed-exitcode", "exit 2 if there are changes")
      .addOption(
        command.createOption("--fail-on <state>", "exit 3 if apply would refuse the plan").choices(["blocked"]),
      );
    addApprovalFlags(command);
    command
      .option("--secrets-out <file>", "approve one-time tokens, as apply with this flag does; nothing is written to it")
      .option("--secrets-exec <command>", "approve one-time tokens, as apply with this flag does; it is not run")
      .addHelpText("after", "  $ incidentctl plan --allow-delete --secrets-out tokens.jsonl --fail-on blocked")
      .action((paths: string[]) => run(command, async () => (await import("../plan/plan-command.ts")).plan, { paths }));
  },
};

const show: CommandDefinition = {
  name: "show",
  description: "show a saved plan",
  example: "incidentctl show change.plan --format json",
  define(command, run) {
    addReportFlags(command, PLANS);
    command
      .argument("<planfile>", "a plan saved with plan --out")
      .action((file: string) => run(command, async () => (await import("../plan/show-command.ts")).show, { file }));
  },
};

const apply: CommandDefinition = {
  name: "apply",
  description: "plan, ask for confirmation, apply, and verify",
  example: "incidentctl apply --plan change.plan --yes",
  define(command, run) {
    addPlanFlags(command);
    addWriteFlags(command);
    addReportFlags(command, RUNS);
    command
      .option(
        "--without-admin",
        "leave out kinds that only an administrator's token can read, as plan with this flag does",
      )
      .option("--plan <file>", "apply a plan saved with plan --out, if it is still valid")
      .option("--expect-plan <hash>", "apply only the plan with this fingerprint, else exit 5")
      .option("--yes", "do not ask for confirmation; approves no removals");
    addApprovalFlags(command);
    command
      .option("--strict", "exit 4 if a resource had to stay although it is not in the configuration")
      .option("--rehearse", "first apply the plan to a replica, and stop with exit 7 if a check fails")
      .option("--faults", "with --rehearse: rehearse again with a fault at each request")
      .option("--dialect <name=value>", "with --rehearse: set a dialect of the replica; repeatable", repeated(String))
      .action((paths: string[]) =>
        run(command, async () => (await import("../apply/apply-command.ts")).apply, { paths }),
      );
  },
};

const resume: CommandDefinition = {
  name: "resume",
  description: "find out how an interrupted run ended, and finish its approved plan",
  example: "incidentctl resume",
  define(command, run) {
    addSessionFlags(command);
    addWriteFlags(command);
    addReportFlags(command, RUNS);
    addApprovalFlags(command);
    command.action((paths: string[]) =>
      run(command, async () => (await import("../apply/resume-command.ts")).resume, { paths }),
    );
  },
};

const undo: CommandDefinition = {
  name: "undo",
  description: "plan how to undo a run, from its journal",
  example: "incidentctl undo --out undo.plan",
  define(command, run) {
    addSessionFlags(command);
    addReportFlags(command, PLANS);
    command
      .option("--run <number>", "run to undo (default: the last one that wrote)")
      .option("--list", "only list the runs")
      .option("-o, --out <file>", "save the sealed plan for apply --plan")
      .action((paths: string[]) => run(command, async () => (await import("../undo/undo-command.ts")).undo, { paths }));
  },
};

const rehearse: CommandDefinition = {
  name: "rehearse",
  description: "apply the plan to a replica of the live workspace; exit 7 if a check fails",
  example: "incidentctl rehearse --faults",
  define(command, run) {
    addPlanFlags(command);
    command
      .option("--faults", "rehearse again with a fault at each request")
      .option(
        "--dialect <name=value>",
        "set a dialect of the replica, such as options=replace; repeatable",
        repeated(String),
      )
      .option("--accept-routing-window", "do not report the routing windows that the plan names")
      .option("--open", "afterwards serve the web pages of the replica, with the plan applied, until Ctrl+C");
    addReportFlags(command, REHEARSALS);
    command
      .addHelpText("after", "  $ incidentctl rehearse --report html=rehearsal.html --dialect options=replace")
      .action((paths: string[]) =>
        run(command, async () => (await import("../rehearse/rehearse-command.ts")).rehearse, { paths }),
      );
  },
};

/** In the order of the help. */
export const PLAN_COMMANDS: readonly CommandDefinition[] = [init, validate, plan, show, apply, resume, undo, rehearse];
