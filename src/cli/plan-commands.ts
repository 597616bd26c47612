/** The commands that begin a configuration, check it, plan, and carry plans out. */

import type { ApplyOptions } from "../commands/apply.ts";
import type { InitOptions } from "../commands/init.ts";
import type { PlanOptions } from "../commands/plan.ts";
import type { RehearseOptions } from "../commands/rehearse.ts";
import type { ResumeOptions } from "../commands/resume.ts";
import type { ShowOptions } from "../commands/show.ts";
import type { UndoOptions } from "../commands/undo.ts";
import type { ValidateOptions } from "../commands/validate.ts";
import { ceiling, failOn, repeated } from "../core/flag-values.ts";
import { FINDINGS, PLANS, REHEARSALS, RUNS } from "../output/formats.ts";
import type { CommandDefinition } from "./command.ts";
import {
  addConfigurationFlags,
  addConnectionFlags,
  addPlanFlags,
  addReportFlags,
  addSessionFlags,
  addWriteFlags,
} from "./shared-flags.ts";

const init: CommandDefinition = {
  name: "init",
  description: "begin a repository: settings, an example or what is live, pipelines",
  example: "incidentctl init --ci github",
  define(command, run) {
    addConnectionFlags(command);
    command
      .argument("[directory]", "where it begins; here when left out")
      .addOption(command.createOption("--ci <forge>", "whose pipelines to copy").choices(["github", "gitlab", "none"]))
      .option("--pull", "fill it from the workspace instead of with an example")
      .option("--kinds <names>", "with --pull: only these kinds")
      .addHelpText("after", "  $ incidentctl init --url https://incidents.example.com --pull")
      .action((directory: string | undefined) => {
        const options = { ...command.optsWithGlobals(), ...(directory === undefined ? {} : { directory }) };
        return run<InitOptions>(options, async () => (await import("../commands/init.ts")).init);
      });
  },
};

const validate: CommandDefinition = {
  name: "validate",
  description: "check and analyze the configuration: no network, no token",
  example: "incidentctl validate config/",
  define(command, run) {
    addConfigurationFlags(command);
    addReportFlags(command, FINDINGS);
    command
      .option(
        "--fail-on <severity>",
        "exit 7 for findings from here on: error (the default), warning, note or never",
        failOn,
      )
      .addHelpText("after", "  $ incidentctl validate --fail-on warning --report sarif=findings.sarif")
      .action((paths: string[]) =>
        run<ValidateOptions>(
          { ...command.optsWithGlobals(), paths },
          async () => (await import("../commands/validate.ts")).validate,
        ),
      );
  },
};

const plan: CommandDefinition = {
  name: "plan",
  description: "show what apply would do",
  example: "incidentctl plan --out change.plan",
  define(command, run) {
    addPlanFlags(command);
    addReportFlags(command, PLANS);
    command
      .option("-o, --out <file>", "save the sealed plan for apply --plan")
      .option("--detailed-exitcode", "exit 2 when there are changes")
      .action((paths: string[]) =>
        run<PlanOptions>(
          { ...command.optsWithGlobals(), paths },
          async () => (await import("../commands/plan.ts")).plan,
        ),
      );
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
      .action((file: string) =>
        run<ShowOptions>(
          { ...command.optsWithGlobals(), file },
          async () => (await import("../commands/show.ts")).show,
        ),
      );
  },
};

const apply: CommandDefinition = {
  name: "apply",
  description: "plan, ask, write, and read again to verify",
  example: "incidentctl apply --plan change.plan --yes",
  define(command, run) {
    addPlanFlags(command);
    addWriteFlags(command);
    addReportFlags(command, RUNS);
    command
      .option("--plan <file>", "apply a plan saved with plan --out, if it still holds")
      .option("--expect-plan <hash>", "apply only if the plan has the fingerprint that was reviewed; else exit 5")
      .option("--yes", "answer the prompt; never a consent to remove")
      .option("--allow-delete", "consent to delete entries")
      .option("--max-removals <limit>", "removals of one kind to allow: a number, or a share like 30%", ceiling)
      .option("--accept-routing-window", "consent to a routing change that takes several requests to take effect")
      .option("--strict", "exit 4 when something had to stay although the files do not list it")
      .option("--rehearse", "first carry the plan out on a replica, and stop with exit 7 if anything does not hold")
      .option("--faults", "with --rehearse: with a fault at every request as well")
      .option("--dialect <name=value>", "with --rehearse: a switch of the replica; repeatable", repeated(String))
      .action((paths: string[]) =>
        run<ApplyOptions>(
          { ...command.optsWithGlobals(), paths },
          async () => (await import("../commands/apply.ts")).apply,
        ),
      );
  },
};

const resume: CommandDefinition = {
  name: "resume",
  description: "find out how an interrupted run ended, and finish what was approved with it",
  example: "incidentctl resume",
  define(command, run) {
    addSessionFlags(command);
    addWriteFlags(command);
    addReportFlags(command, RUNS);
    command.action((paths: string[]) =>
      run<ResumeOptions>(
        { ...command.optsWithGlobals(), paths },
        async () => (await import("../commands/resume.ts")).resume,
      ),
    );
  },
};

const undo: CommandDefinition = {
  name: "undo",
  description: "plan what takes a run back, from its journal",
  example: "incidentctl undo --out undo.plan",
  define(command, run) {
    addSessionFlags(command);
    addReportFlags(command, PLANS);
    command
      .option("--run <number>", "the run to take back; the last one that wrote when left out")
      .option("--list", "only tell which runs there are")
      .option("-o, --out <file>", "save the sealed plan for apply --plan")
      .action((paths: string[]) =>
        run<UndoOptions>(
          { ...command.optsWithGlobals(), paths },
          async () => (await import("../commands/undo.ts")).undo,
        ),
      );
  },
};

const rehearse: CommandDefinition = {
  name: "rehearse",
  description: "carry the plan out on a replica of the live workspace; exit 7 when something does not hold",
  example: "incidentctl rehearse --faults",
  define(command, run) {
    addPlanFlags(command);
    command
      .option("--faults", "with a fault at every request as well")
      .option("--dialect <name=value>", "a switch of the replica where services differ; repeatable", repeated(String))
      .option("--accept-routing-window", "routing windows that the plan names are no findings");
    addReportFlags(command, REHEARSALS);
    command
      .addHelpText("after", "  $ incidentctl rehearse --report html=rehearsal.html --dialect options=replace")
      .action((paths: string[]) =>
        run<RehearseOptions>(
          { ...command.optsWithGlobals(), paths },
          async () => (await import("../commands/rehearse.ts")).rehearse,
        ),
      );
  },
};

/** In the order of the help. */
export const PLAN_COMMANDS: readonly CommandDefinition[] = [init, validate, plan, show, apply, resume, undo, rehearse];
