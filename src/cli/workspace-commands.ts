/** The commands that compare the configuration with the workspace, and the one that formats it. */

import type { AcceptOptions } from "../commands/accept.ts";
import type { DriftOptions } from "../commands/drift.ts";
import type { FmtOptions } from "../commands/fmt.ts";
import type { ImpactOptions } from "../commands/impact.ts";
import type { PullOptions } from "../commands/pull.ts";
import type { RefsOptions } from "../commands/refs.ts";
import type { TestOptions } from "../commands/test.ts";
import { last } from "../core/flag-values.ts";
import { ANSWERS, DRIFTS, TESTS } from "../output/formats.ts";
import { refuseOuterFlags } from "./arguments.ts";
import type { CommandDefinition } from "./command.ts";
import { exitCodeHelp } from "./exit-code-help.ts";
import { addFormatFlag, addPlanFlags, addReportFlags, addSessionFlags } from "./shared-flags.ts";

const ACCEPT_EXAMPLE =
  '  $ incidentctl drift accept severities/critical --until 2026-12-31 --because "renamed for the audit"';

const drift: CommandDefinition = {
  name: "drift",
  description: "say how the workspace differs; exit 2 when it does",
  example: "incidentctl drift --format json",
  define(command, run) {
    addPlanFlags(command);
    addReportFlags(command, DRIFTS);
    command
      .addHelpText("after", ACCEPT_EXAMPLE)
      .action((paths: string[]) =>
        run<DriftOptions>(
          { ...command.optsWithGlobals(), paths },
          async () => (await import("../commands/drift.ts")).drift,
        ),
      );
    const accept = command
      .command("accept")
      .description("remember in incidentctl.accepted.json that a difference is accepted, until when and why")
      // The flags of the report are those of `drift` alone.
      .configureHelp({ showGlobalOptions: true, visibleGlobalOptions: () => [...(command.parent?.options ?? [])] })
      .addHelpText("after", () => `${exitCodeHelp("drift accept")}\nExample:\n${ACCEPT_EXAMPLE}`)
      .argument("<address>", "the entry that differs, as drift names it; what lies in it is meant too");
    addSessionFlags(accept);
    addFormatFlag(accept, ANSWERS);
    accept
      .requiredOption("--until <date>", "the last day on which it counts, in UTC: 2026-12-31")
      .requiredOption("--because <text>", "the reason, for whoever reviews the file")
      .action((address: string, paths: string[]) => {
        refuseOuterFlags(command, accept, ANSWERS);
        return run<AcceptOptions>(
          { ...accept.optsWithGlobals(), address, paths },
          async () => (await import("../commands/accept.ts")).accept,
        );
      });
  },
};

const pull: CommandDefinition = {
  name: "pull",
  description: "write what is live into the files, comments and layout kept",
  example: "incidentctl pull config/",
  define(command, run) {
    addSessionFlags(command);
    addFormatFlag(command, ANSWERS);
    command
      .option("--kinds <names>", "only these kinds, also ones that no file mentions yet: severities,statuses")
      .option("--dry-run", "show what would be written as a unified diff, and write nothing")
      .addHelpText("after", "  $ incidentctl pull --kinds webhooks --dry-run")
      .action((paths: string[]) =>
        run<PullOptions>(
          { ...command.optsWithGlobals(), paths },
          async () => (await import("../commands/pull.ts")).pull,
        ),
      );
  },
};

const refs: CommandDefinition = {
  name: "refs",
  description: "what points at an entry, with incident counts",
  example: "incidentctl refs severities/major",
  define(command, run) {
    command.argument("<address>", "the entry, as plans name it");
    addSessionFlags(command);
    addFormatFlag(command, ANSWERS);
    command.action((address: string, paths: string[]) =>
      run<RefsOptions>(
        { ...command.optsWithGlobals(), address, paths },
        async () => (await import("../commands/refs.ts")).refs,
      ),
    );
  },
};

const test: CommandDefinition = {
  name: "test",
  description: "run routing tests (*.test.yaml); exit 7 when one does not pass",
  example: "incidentctl test config/",
  define(command, run) {
    addSessionFlags(command);
    command
      .option("--live", "let the service evaluate its live rules")
      .option("--offline", "evaluate the declared rules here (the default), calibrated where a service is named")
      .option("--compare", "which samples change destination between the live rules and the declared ones");
    addReportFlags(command, TESTS);
    command
      .addHelpText(
        "after",
        "  $ incidentctl test --live --report junit=routing.xml\n  $ incidentctl test --compare --emulator",
      )
      .action((paths: string[]) =>
        run<TestOptions>(
          { ...command.optsWithGlobals(), paths },
          async () => (await import("../commands/test.ts")).test,
        ),
      );
  },
};

const impact: CommandDefinition = {
  name: "impact",
  description: "what the plan would do to recent incidents: refused declarations, changed ranks",
  example: "incidentctl impact --last 500",
  define(command, run) {
    addSessionFlags(command);
    addFormatFlag(command, ANSWERS);
    command
      .option("--last <number>", "recent incidents to replay, at most 1000; 100 when left out", last)
      .option("--fail-on-refusals", "exit 7 when an incident like a recent one would be refused")
      .action((paths: string[]) =>
        run<ImpactOptions>(
          { ...command.optsWithGlobals(), paths },
          async () => (await import("../commands/impact.ts")).impact,
        ),
      );
  },
};

const fmt: CommandDefinition = {
  name: "fmt",
  description: "lay the files out alike, every word and comment kept",
  example: "incidentctl fmt --check config/",
  define(command, run) {
    command
      .argument("[path...]", "configuration directories or files; the settings say when left out")
      .option("--check", "write nothing; exit 7 when a file has another layout")
      .action((paths: string[]) =>
        run<FmtOptions>({ ...command.optsWithGlobals(), paths }, async () => (await import("../commands/fmt.ts")).fmt),
      );
  },
};

/** In the order of the help. */
export const WORKSPACE_COMMANDS: readonly CommandDefinition[] = [drift, pull, refs, test, impact, fmt];
