/** The command line: what is typed becomes the options of a command, what comes of it becomes the exit code. */

import { Command, CommanderError, Option } from "commander";
import type { AcceptOptions } from "../commands/accept.ts";
import type { ApplyOptions } from "../commands/apply.ts";
import type { DriftOptions } from "../commands/drift.ts";
import type { EmulatorOptions } from "../commands/emulator.ts";
import type { FmtOptions } from "../commands/fmt.ts";
import type { ImpactOptions } from "../commands/impact.ts";
import type { InitOptions } from "../commands/init.ts";
import type { PlanOptions } from "../commands/plan.ts";
import type { PullOptions } from "../commands/pull.ts";
import type { RefsOptions } from "../commands/refs.ts";
import type { RehearseOptions } from "../commands/rehearse.ts";
import type { ResumeOptions } from "../commands/resume.ts";
import type { SchemaOptions } from "../commands/schema.ts";
import type { ShowOptions } from "../commands/show.ts";
import type { TestOptions } from "../commands/test.ts";
import type { UndoOptions } from "../commands/undo.ts";
import type { ValidateOptions } from "../commands/validate.ts";
import { EXIT } from "../core/exit-codes.ts";
import { ceiling, failOn, last, port, repeated } from "../core/flag-values.ts";
import type { Io } from "../core/io.ts";
import { sanitised } from "../core/sanitise.ts";
import { version } from "../core/version.ts";
import type { Console, LookOptions } from "../output/console.ts";
import { ANSWERS, DRIFTS, FINDINGS, PLANS, REHEARSALS, RUNS, TESTS } from "../output/formats.ts";
import { refuseOuterFlags, refuseTokens, watch } from "./arguments.ts";
import { type Making, making } from "./command-making.ts";
import { endings } from "./exit-code-help.ts";
import { guides, type Runner } from "./meta-commands.ts";
import { answering, configured, connecting, ENVIRONMENT, presenting, talking, writing } from "./shared-flags.ts";

export type { Command };

/** A command: it says everything on its console and gives the exit code. */
type Run<Options> = (options: Options, io: Io, console: Console) => number | Promise<number>;

/** Runs the command that the arguments name and gives the exit code; whatever goes wrong is told on stderr. */
export async function runCommandLine(args: readonly string[], io: Io): Promise<number> {
  let exit: number = EXIT.success;
  /** Loads a command only when it is called for: its modules cost more to load than the program itself. */
  async function run<Options extends LookOptions>(options: Options, load: () => Promise<Run<Options>>): Promise<void> {
    const { openConsole } = await import("../output/console.ts");
    const console = openConsole(io, options);
    try {
      exit = await (await load())(options, io, console);
    } catch (error) {
      exit = await failed(error, io, console);
    } finally {
      console.end();
    }
  }
  try {
    refuseTokens(args, io.env);
    const root = program(io, run, making(args));
    for (const each of [root, ...root.commands.flatMap((own) => [own, ...own.commands])]) {
      for (const option of each.options) each.on(`option:${option.name()}`, watch(option, args));
    }
    await root.parseAsync(args.map(withValue), { from: "user" });
    return exit;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.success : EXIT.usage;
    const { openConsole } = await import("../output/console.ts");
    return failed(error, io, openConsole(io, {}));
  }
}

async function failed(error: unknown, io: Io, console: Console): Promise<number> {
  const { report } = await import("../output/error-report.ts");
  return report(error, console, (io.env.INCIDENTCTL_DEBUG ?? "") !== "");
}

/** `--emulator` takes a value only behind `=`: the argument after it is a path of the configuration. */
function withValue(argument: string): string {
  return argument === "--emulator" ? "--emulator=" : argument;
}

function program(io: Io, run: Runner, command: Making): Command {
  const root = new Command("incidentctl")
    .description("Configuration as code for an incident-management workspace.")
    .version(version)
    .option("--no-color", "no colour, also on a terminal (NO_COLOR does the same)")
    .option("--quiet", "only the answer and errors")
    .option("--verbose", "nothing summarised or cut; sources and requests shown")
    .addHelpText("after", ENVIRONMENT)
    .addHelpText("after", "\nExample:\n  $ incidentctl init\n  $ incidentctl plan --emulator")
    .configureHelp({ showGlobalOptions: true, subcommandTerm: (one) => one.name() })
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      getOutHelpWidth: () => (io.stdout.terminal ? (io.stdout.columns ?? 80) : 80),
      getErrHelpWidth: () => (io.stderr.terminal ? (io.stderr.columns ?? 80) : 80),
      outputError: (text, write) => write(text.split("\n").map(sanitised).join("\n")),
    });

  connecting(
    command(
      root,
      "init",
      "begin a repository: settings, an example or what is live, pipelines",
      "incidentctl init --ci github",
    ),
  )
    .argument("[directory]", "where it begins; here when left out")
    .addOption(new Option("--ci <forge>", "whose pipelines to copy").choices(["github", "gitlab", "none"]))
    .option("--pull", "fill it from the workspace instead of with an example")
    .option("--kinds <names>", "with --pull: only these kinds")
    .addHelpText("after", "  $ incidentctl init --url https://incidents.example.com --pull")
    .action((directory: string | undefined, _flags, self: Command) =>
      run<InitOptions>({ ...self.optsWithGlobals(), ...(directory === undefined ? {} : { directory }) }, async () => {
        return (await import("../commands/init.ts")).init;
      }),
    );

  presenting(
    configured(
      command(
        root,
        "validate",
        "check and analyze the configuration: no network, no token",
        "incidentctl validate config/",
      ),
    ),
    FINDINGS,
  )
    .option(
      "--fail-on <severity>",
      "exit 7 for findings from here on: error (the default), warning, note or never",
      failOn,
    )
    .addHelpText("after", "  $ incidentctl validate --fail-on warning --report sarif=findings.sarif")
    .action((paths: string[], _flags, self: Command) =>
      run<ValidateOptions>({ ...self.optsWithGlobals(), paths }, async () => {
        return (await import("../commands/validate.ts")).validate;
      }),
    );

  presenting(talking(command(root, "plan", "show what apply would do", "incidentctl plan --out change.plan")), PLANS)
    .option("-o, --out <file>", "save the sealed plan for apply --plan")
    .option("--detailed-exitcode", "exit 2 when there are changes")
    .action((paths: string[], _flags, self: Command) =>
      run<PlanOptions>({ ...self.optsWithGlobals(), paths }, async () => (await import("../commands/plan.ts")).plan),
    );

  presenting(command(root, "show", "show a saved plan", "incidentctl show change.plan --format json"), PLANS)
    .argument("<planfile>", "a plan saved with plan --out")
    .action((file: string, _flags, self: Command) =>
      run<ShowOptions>({ ...self.optsWithGlobals(), file }, async () => (await import("../commands/show.ts")).show),
    );

  presenting(
    writing(
      talking(
        command(
          root,
          "apply",
          "plan, ask, write, and read again to verify",
          "incidentctl apply --plan change.plan --yes",
        ),
      ),
    ),
    RUNS,
  )
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
    .action((paths: string[], _flags, self: Command) =>
      run<ApplyOptions>({ ...self.optsWithGlobals(), paths }, async () => (await import("../commands/apply.ts")).apply),
    );

  presenting(
    writing(
      connecting(
        configured(
          command(
            root,
            "resume",
            "find out how an interrupted run ended, and finish what was approved with it",
            "incidentctl resume",
          ),
        ),
      ),
    ),
    RUNS,
  ).action((paths: string[], _flags, self: Command) =>
    run<ResumeOptions>(
      { ...self.optsWithGlobals(), paths },
      async () => (await import("../commands/resume.ts")).resume,
    ),
  );

  presenting(
    connecting(
      configured(
        command(root, "undo", "plan what takes a run back, from its journal", "incidentctl undo --out undo.plan"),
      ),
    ),
    PLANS,
  )
    .option("--run <number>", "the run to take back; the last one that wrote when left out")
    .option("--list", "only tell which runs there are")
    .option("-o, --out <file>", "save the sealed plan for apply --plan")
    .action((paths: string[], _flags, self: Command) =>
      run<UndoOptions>({ ...self.optsWithGlobals(), paths }, async () => (await import("../commands/undo.ts")).undo),
    );

  presenting(
    talking(
      command(
        root,
        "rehearse",
        "carry the plan out on a replica of the live workspace; exit 7 when something does not hold",
        "incidentctl rehearse --faults",
      ),
    )
      .option("--faults", "with a fault at every request as well")
      .option("--dialect <name=value>", "a switch of the replica where services differ; repeatable", repeated(String))
      .option("--accept-routing-window", "routing windows that the plan names are no findings"),
    REHEARSALS,
  )
    .addHelpText("after", "  $ incidentctl rehearse --report html=rehearsal.html --dialect options=replace")
    .action((paths: string[], _flags, self: Command) =>
      run<RehearseOptions>({ ...self.optsWithGlobals(), paths }, async () => {
        return (await import("../commands/rehearse.ts")).rehearse;
      }),
    );

  const drift = presenting(
    talking(
      command(root, "drift", "say how the workspace differs; exit 2 when it does", "incidentctl drift --format json"),
    ),
    DRIFTS,
  )
    .addHelpText("after", ACCEPTING)
    .action((paths: string[], _flags, self: Command) =>
      run<DriftOptions>({ ...self.optsWithGlobals(), paths }, async () => (await import("../commands/drift.ts")).drift),
    );

  answering(
    connecting(
      configured(
        drift
          .command("accept")
          .description("remember in incidentctl.accepted.json that a difference is accepted, until when and why")
          // The flags of the report are not its own.
          .configureHelp({ showGlobalOptions: true, visibleGlobalOptions: () => [...root.options] })
          .addHelpText("after", () => `${endings("drift accept")}\nExample:\n${ACCEPTING}`)
          .argument("<address>", "the entry that differs, as drift names it; what lies in it is meant too"),
      ),
    ),
    ANSWERS,
  )
    .requiredOption("--until <date>", "the last day on which it counts, in UTC: 2026-12-31")
    .requiredOption("--because <text>", "the reason, for whoever reviews the file")
    .action((entry: string, paths: string[], _flags, self: Command) => {
      refuseOuterFlags(drift, self, ANSWERS);
      return run<AcceptOptions>({ ...self.optsWithGlobals(), address: entry, paths }, async () => {
        return (await import("../commands/accept.ts")).accept;
      });
    });

  answering(
    connecting(
      configured(
        command(
          root,
          "pull",
          "write what is live into the files, comments and layout kept",
          "incidentctl pull config/",
        ),
      ),
    ),
    ANSWERS,
  )
    .option("--kinds <names>", "only these kinds, also ones that no file mentions yet: severities,statuses")
    .option("--dry-run", "show what would be written as a unified diff, and write nothing")
    .addHelpText("after", "  $ incidentctl pull --kinds webhooks --dry-run")
    .action((paths: string[], _flags, self: Command) =>
      run<PullOptions>({ ...self.optsWithGlobals(), paths }, async () => (await import("../commands/pull.ts")).pull),
    );

  answering(
    connecting(
      configured(
        command(
          root,
          "refs",
          "what points at an entry, with incident counts",
          "incidentctl refs severities/major",
        ).argument("<address>", "the entry, as plans name it"),
      ),
    ),
    ANSWERS,
  ).action((entry: string, paths: string[], _flags, self: Command) =>
    run<RefsOptions>({ ...self.optsWithGlobals(), address: entry, paths }, async () => {
      return (await import("../commands/refs.ts")).refs;
    }),
  );

  presenting(
    connecting(
      configured(
        command(
          root,
          "test",
          "run routing tests (*.test.yaml); exit 7 when one does not pass",
          "incidentctl test config/",
        ),
      ),
    )
      .option("--live", "let the service evaluate its live rules")
      .option("--offline", "evaluate the declared rules here (the default), calibrated where a service is named")
      .option("--compare", "which samples change destination between the live rules and the declared ones"),
    TESTS,
  )
    .addHelpText(
      "after",
      "  $ incidentctl test --live --report junit=routing.xml\n  $ incidentctl test --compare --emulator",
    )
    .action((paths: string[], _flags, self: Command) =>
      run<TestOptions>({ ...self.optsWithGlobals(), paths }, async () => (await import("../commands/test.ts")).test),
    );

  answering(
    connecting(
      configured(
        command(
          root,
          "impact",
          "what the plan would do to recent incidents: refused declarations, changed ranks",
          "incidentctl impact --last 500",
        ),
      ),
    ),
    ANSWERS,
  )
    .option("--last <number>", "recent incidents to replay, at most 1000; 100 when left out", last)
    .option("--fail-on-refusals", "exit 7 when an incident like a recent one would be refused")
    .action((paths: string[], _flags, self: Command) =>
      run<ImpactOptions>({ ...self.optsWithGlobals(), paths }, async () => {
        return (await import("../commands/impact.ts")).impact;
      }),
    );

  command(root, "fmt", "lay the files out alike, every word and comment kept", "incidentctl fmt --check config/")
    .argument("[path...]", "configuration directories or files; the settings say when left out")
    .option("--check", "write nothing; exit 7 when a file has another layout")
    .action((paths: string[], _flags, self: Command) =>
      run<FmtOptions>({ ...self.optsWithGlobals(), paths }, async () => (await import("../commands/fmt.ts")).fmt),
    );

  command(
    root,
    "emulator",
    "serve the embedded service on loopback",
    "incidentctl emulator --port 8080 --dialect options=replace",
  )
    .option("--port <number>", "port to listen on; a free one when left out", port)
    .option("--file <path>", "database file; in memory when left out")
    .option("--dialect <name=value>", "a switch where services differ; repeatable", repeated(String))
    .addOption(new Option("--workspace <name>", "what a new workspace holds").choices(["default", "bare"]))
    .option("--seed", "fill a new default workspace with people and a week of incidents")
    .option("--control", "serve /control as well: faults, clock, request log, people, reset")
    .action((_flags, self: Command) =>
      run<EmulatorOptions>(self.optsWithGlobals(), async () => (await import("../commands/emulator.ts")).emulator),
    );

  command(root, "schema", "print the JSON Schema of the configuration, a kind or a report", "incidentctl schema plan")
    .argument("[name]", "a kind, routing_tests, plan or drift; the whole configuration if left out")
    .option("--overlay", "of the files that an environment lays over the configuration")
    .option("--settings", "of the settings file")
    .action((name: string | undefined, _flags, self: Command) =>
      run<SchemaOptions>({ ...self.optsWithGlobals(), ...(name === undefined ? {} : { name }) }, async () => {
        return (await import("../commands/schema.ts")).schema;
      }),
    );

  command(root, "version", "print the version", "incidentctl version").action((_flags, self: Command) =>
    run(self.optsWithGlobals<LookOptions>(), async () => (await import("../commands/version.ts")).printVersion),
  );
  guides(root, command, run);
  return root;
}

const ACCEPTING =
  '  $ incidentctl drift accept severities/critical --until 2026-12-31 --because "renamed for the audit"';
