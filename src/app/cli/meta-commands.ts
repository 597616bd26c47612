/** The commands that serve, explain and check: none of them plans or writes. */

import { port, repeated, variable } from "../../core/flag-values.ts";
import { CONFORMANCE, RESULTS } from "../console/formats.ts";
import { refuseOuterFlags } from "./arguments.ts";
import type { Command, CommandDefinition } from "./command.ts";
import type { CompletionOptions } from "./completion-command.ts";
import { exitCodeHelp } from "./exit-code-help.ts";
import { addFormatFlag, addReportFlags, addSessionFlags } from "./shared-flags.ts";

const EXPORT_EXAMPLE = "  $ incidentctl emulator export workspace.db --out seed.yaml";

const emulator: CommandDefinition = {
  name: "emulator",
  description: "serve the embedded service",
  example: "incidentctl emulator --port 8080 --dialect options=replace",
  define(command, run) {
    command
      .option("--port <number>", "port to listen on (default: a free one)", port)
      .option("--host <address>", "address to listen on, such as 0.0.0.0 in a container (default: 127.0.0.1)")
      .option(
        "--allow-host <name>",
        "accept requests for this host name, with or without a port; repeatable",
        repeated(String),
      )
      .option("--allow-origin <origin>", "let web pages of this origin send requests; repeatable", repeated(String))
      .option("--file <path>", "database file (default: in memory)")
      .option("--tokens-file <path>", "tokens for every start, created if absent (default: new ones at each start)")
      .option("--ready-file <path>", "write address and tokens to this file while listening")
      .option(
        "--dialect <name=value>",
        "respond like other services, for example options=replace; repeatable",
        repeated(String),
      )
      .addOption(command.createOption("--workspace <name>", "content of a new workspace").choices(["default", "bare"]))
      .option("--seed [file]", "fill a new workspace from a seed file, or with people and a week of incidents")
      .option(
        "--deliver-to <target>",
        "deliver webhooks to HOST:PORT, loopback or anywhere; repeatable (default: recorded only)",
        repeated(String),
      )
      .option("--control", "also serve /control: faults, clock, request log, people, reset")
      .action(() => run(command, async () => (await import("../serve/emulator-command.ts")).emulator));
    const exporting = command
      .command("export")
      .description("write the workspace of an emulator as a seed file")
      // The flags of the server are those of `emulator` alone.
      .configureHelp({ showGlobalOptions: true, visibleGlobalOptions: () => [...(command.parent?.options ?? [])] })
      .addHelpText("after", () => `${exitCodeHelp("emulator export")}\nExample:\n${EXPORT_EXAMPLE}`)
      .argument("[database]", "database of an emulator that does not run (default: the emulator at INCIDENTCTL_URL)")
      .option("-o, --out <file>", "write to a file (default: stdout)")
      .action((database: string | undefined) => {
        refuseOuterFlags(command, exporting, RESULTS);
        const load = async () => (await import("../serve/emulator-command.ts")).emulatorExport;
        return run(exporting, load, database === undefined ? {} : { database });
      });
  },
};

const conformance: CommandDefinition = {
  name: "conformance",
  description: "check which rules of the interface a service keeps; declares incidents there",
  example: "incidentctl conformance --url https://sandbox.example.com --disposable sandbox.example.com",
  define(command, run) {
    command
      .option("--url <url>", "the service; neither the settings nor INCIDENTCTL_URL are used")
      .option(
        "--disposable <host>",
        "the host of --url again, to confirm: the rules page people and leave resources behind",
      )
      .option("--emulator", "check a new embedded service instead")
      .option("--person <email>", "a person of the workspace")
      .option("--chat-id <id>", "the same person's chat user ID")
      .option("--other-person <email>", "another person of the workspace")
      .option("--incident <id>", "an incident with notes and a conversation; one of its notes is dismissed")
      .option("--rate-limit", "also use up a key's requests of a minute")
      .option("--reaches-loopback", "the service can deliver webhooks to this machine's loopback")
      .option("--section <name>", "only rules under headings that contain this")
      .option("--rule <id>", "only rules whose id begins with this")
      .option("--list", "list the rules, and check none")
      .option("-o, --out <file>", "save a profile of the service, for service_profile in the settings");
    addReportFlags(command, CONFORMANCE);
    command
      .addHelpText("after", "  $ incidentctl conformance --emulator --rule severity")
      .addHelpText(
        "after",
        "\nTokens: INCIDENTCTL_CONFORMANCE_TOKEN, INCIDENTCTL_CONFORMANCE_ADMIN_TOKEN; no other is used.",
      )
      .action(() => run(command, async () => (await import("../conformance/conformance-command.ts")).conformance));
  },
};

const schema: CommandDefinition = {
  name: "schema",
  description: "print the JSON Schema of the configuration, a kind or a report, or the OpenAPI document",
  example: "incidentctl schema plan",
  define(command, run) {
    command
      .argument(
        "[name]",
        "a kind, routing_tests, plan, drift, openapi, control or seed (default: the whole configuration)",
      )
      .option("--overlay", "schema of overlay files")
      .option("--settings", "schema of the settings file")
      .action((name: string | undefined) =>
        run(
          command,
          async () => (await import("../files/schema-command.ts")).schema,
          name === undefined ? {} : { name },
        ),
      );
  },
};

const version: CommandDefinition = {
  name: "version",
  description: "print the version",
  example: "incidentctl version",
  define(command, run) {
    command.action(() => run(command, async () => (await import("./version-command.ts")).printVersion));
  },
};

const explain: CommandDefinition = {
  name: "explain",
  description: "explain a kind or a field, or where the values of a resource come from",
  example: "incidentctl explain custom_fields.options",
  define(command, run) {
    command
      .argument("[subject...]", "KIND or KIND.field; with --origin: directories or files (default: from the settings)")
      .option("--origin <address>", "show the file and line of each value of this resource")
      .option(
        "-e, --env <name>",
        "with --origin: environment in the settings; empty for none (default: INCIDENTCTL_ENVIRONMENT)",
      )
      .option("--var <name=value>", "with --origin: variable of the configuration; repeatable", variable);
    addFormatFlag(command, RESULTS);
    command
      .addHelpText("after", "  $ incidentctl explain --origin severities/critical -e staging")
      .action((paths: string[]) =>
        run(command, async () => (await import("../files/explain-command.ts")).explain, { paths }),
      );
  },
};

const doctor: CommandDefinition = {
  name: "doctor",
  description: "check tokens, permissions, clock, lock and journals; exit 7 if there is a problem",
  example: "incidentctl doctor",
  define(command, run) {
    addSessionFlags(command);
    addFormatFlag(command, RESULTS);
    command.action((paths: string[]) =>
      run(command, async () => (await import("../doctor/doctor-command.ts")).doctor, { paths }),
    );
  },
};

const completion: CommandDefinition = {
  name: "completion",
  description: "print a completion script for bash, zsh or fish",
  example: "source <(incidentctl completion bash)",
  define(command, run) {
    command
      .argument("<shell>", "bash, zsh or fish; or addresses or environments, to list those in the files")
      .action((shell: string) =>
        run(command, async () => (await import("./completion-command.ts")).completion, {
          shell,
          program: shapeOf(command.parent ?? command),
        }),
      );
  },
};

/** The names, flags and arguments of a command and its subcommands, for completion scripts. */
function shapeOf(command: Command): CompletionOptions["program"] {
  return {
    name: command.name(),
    description: command.description(),
    flags: [
      ...command.options,
      { long: "--help", short: "-h", description: "display help for command", required: false },
    ].map((option) => ({
      long: option.long ?? "",
      short: option.short,
      description: option.description,
      valued: option.required,
      ...("argChoices" in option ? { choices: option.argChoices } : {}),
    })),
    arguments: command.registeredArguments.map((argument) => argument.name()),
    commands: command.commands.map(shapeOf),
  };
}

/** In the order of the help. */
export const META_COMMANDS: readonly CommandDefinition[] = [
  emulator,
  conformance,
  schema,
  version,
  explain,
  doctor,
  completion,
];
