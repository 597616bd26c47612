/** Runs a command that only reads in every environment of the settings, one after another, and reports all of them as one. */

import { environmentNames } from "../../config/load/environment-names.ts";
import { EXIT, Stop } from "../../core/exit-codes.ts";
import { misuse } from "../../core/flag-values.ts";
import type { Io } from "../../core/io.ts";
import { quoted } from "../../core/sanitise.ts";
import { kinds } from "../../kinds/index.ts";
import { plain } from "../../view/format/ansi.ts";
import type { ReportStyle } from "../../view/format/style.ts";
import {
  type EnvironmentResult,
  environmentHeading,
  environmentsJson,
  environmentsMarkdown,
  environmentsText,
} from "../../view/workspace/environments.ts";
import type { SessionOptions } from "../command/shared-flags.ts";
import type { Console } from "../console/console.ts";
import { problemOf, reportError } from "../console/error-report.ts";
import { textsOfError } from "../console/failure-report.ts";
import { PLACEHOLDER, type ReportTarget } from "../console/formats.ts";
import { refusePathConflicts } from "../console/path-conflicts.ts";
import {
  type PresentOptions,
  type ReportByFormat,
  type ShownReport,
  type ShowReport,
  textOf,
  writeReports,
} from "../console/present.ts";
import { saveFile } from "../console/save-file.ts";
import { type TokenVariables, takeAllTokens, tokenVariables } from "./tokens.ts";

/** A command that can run in every environment. */
export interface EnvironmentCommand<Options> {
  /** The command as it is typed: `plan`. */
  readonly name: string;
  /** The command sends requests. */
  readonly needsToken: boolean;
  /** Runs it in one environment, and returns the exit code. */
  run(options: Options, io: Io, console: Console, show: ShowReport): Promise<number>;
}

/** The options of such a command. */
export type EnvironmentOptions = SessionOptions &
  PresentOptions<string> & { readonly allEnvironments?: boolean; readonly out?: string };

/** Formats of a report about all environments. */
const COMBINED: readonly string[] = ["text", "json", "markdown"];

/** Exit codes, the worst first. */
const WORST_FIRST: readonly number[] = [
  EXIT.interrupted,
  EXIT.usage,
  EXIT.cannotSee,
  EXIT.error,
  EXIT.findings,
  EXIT.refused,
  EXIT.changes,
];

/** Runs the command in every environment, also after an error in one of them. Returns the worst exit code. */
export async function runInAllEnvironments<Options extends EnvironmentOptions>(
  command: EnvironmentCommand<Options>,
  options: Options,
  io: Io,
  console: Console,
): Promise<number> {
  const { format = "text", report = [], out } = options;
  const combined = report.filter(({ path }) => !path.includes(PLACEHOLDER));
  refuseFlagsOfOne(options, combined, io.env);
  refusePathConflicts({ paths: options.paths, report: combined }, io.cwd);
  const tokens = takeAllTokens(io.env);
  console.conceal([...tokens.values()]);
  const names = environmentNames(options.paths, { cwd: io.cwd, env: io.env, kinds });
  if (command.needsToken) refuseSharedVariables(names);
  if (out !== undefined || combined.length < report.length) refuseUnfitNames(names);

  const outcomes: Outcome[] = [];
  for (const environment of names.length === 0 ? [null] : names) {
    if (format === "text") console.print(environmentHeading(environment, console.outputStyle));
    const outcome = await runIn(environment, command, options, tokens, io, console);
    // An error is on standard error.
    if (format === "text" && !outcome.hasFailed) {
      console.print(`${(await textOf(outcome.texts, "text", console.outputStyle)).trimEnd()}\n`);
    }
    if (format === "text") console.print("\n");
    outcomes.push(outcome);
  }
  const exitCode = worstOf(outcomes.map((outcome) => outcome.exitCode));
  const textIn = async (name: string, style: ReportStyle): Promise<string> => {
    const results = await Promise.all(outcomes.map((outcome) => resultIn(name, outcome, style)));
    const all = { command: command.name, exitCode, results };
    if (name === "json") return environmentsJson(all);
    return name === "markdown" ? environmentsMarkdown(all, style.verbose) : environmentsText(all, style);
  };
  console.print(await textIn(format, console.outputStyle));
  const style = { paint: plain, verbose: console.outputStyle.verbose };
  for (const target of combined) {
    await saveFile(target.path, console.safe(await textIn(target.format, style)), io.cwd);
  }
  return exitCode;
}

/** The result of one environment, with the texts of its report or of the error that it ended with. */
interface Outcome {
  readonly environment: string | null;
  readonly exitCode: number;
  readonly verdict: string;
  readonly hasFailed: boolean;
  readonly texts: ReportByFormat;
}

async function runIn<Options extends EnvironmentOptions>(
  environment: string | null,
  command: EnvironmentCommand<Options>,
  options: Options,
  tokens: ReadonlyMap<string, string>,
  io: Io,
  console: Console,
): Promise<Outcome> {
  const variables = tokenVariables(environment);
  const [token, adminToken] = [tokens.get(variables.token), tokens.get(variables.adminToken)];
  const env = { ...io.env, INCIDENTCTL_TOKEN: token, INCIDENTCTL_ADMIN_TOKEN: adminToken };
  const own = withVariableNames(console, variables);
  let shown: ShownReport | undefined;
  try {
    if (command.needsToken && token === undefined) {
      throw new Stop(EXIT.cannotSee, "there is no token: set INCIDENTCTL_TOKEN");
    }
    const exitCode = await command.run(inEnvironment(options, environment), { ...io, env }, own, async (report) => {
      shown = report;
    });
    const { verdict = "", texts = {} } = shown ?? {};
    return { environment, exitCode, verdict, texts, hasFailed: false };
  } catch (error) {
    if (environment !== null) own.alert(`environment ${quoted(environment)}:`);
    const exitCode = reportError(error, own, (io.env.INCIDENTCTL_DEBUG ?? "") !== "");
    const texts = withNames(textsOfError(error, command.name), variables);
    const { report = [] } = inEnvironment(options, environment);
    await writeReports(
      texts,
      report.filter(({ path }) => !own.reported.has(path)),
      io,
      own,
    );
    return { environment, exitCode, verdict: nameVariables(problemOf(error), variables), texts, hasFailed: true };
  }
}

/** The flags of the command in one environment. An empty name is that of no environment, whatever INCIDENTCTL_ENVIRONMENT says. */
function inEnvironment<Options extends EnvironmentOptions>(options: Options, environment: string | null): Options {
  const fill = (path: string): string => path.replaceAll(PLACEHOLDER, environment ?? "none");
  const { report = [], out } = options;
  const own = report.filter(({ path }) => path.includes(PLACEHOLDER));
  return {
    ...options,
    env: environment ?? "",
    report: own.map((target) => ({ ...target, path: fill(target.path) })),
    ...(out === undefined ? {} : { out: fill(out) }),
  };
}

async function resultIn(format: string, { texts, ...result }: Outcome, style: ReportStyle): Promise<EnvironmentResult> {
  // The texts of single environments stand above the summary.
  return { ...result, report: format === "text" ? "" : await textOf(texts, format, style) };
}

function worstOf(codes: readonly number[]): number {
  const unknown = codes.find((code) => code !== EXIT.success && !WORST_FIRST.includes(code));
  return unknown ?? WORST_FIRST.find((code) => codes.includes(code)) ?? EXIT.success;
}

/** The console with the names of this environment's variables in messages. */
function withVariableNames(console: Console, variables: TokenVariables): Console {
  return {
    ...console,
    note: (line) => console.note(nameVariables(line, variables)),
    alert: (line) => console.alert(nameVariables(line, variables)),
  };
}

/** The texts of an error with the names of this environment's variables. */
function withNames(texts: ReportByFormat, variables: TokenVariables): ReportByFormat {
  return Object.fromEntries(
    Object.entries(texts).map(([format, text]) => [
      format,
      async (style: ReportStyle) => nameVariables((await text?.(style)) ?? "", variables),
    ]),
  );
}

function nameVariables(text: string, { token, adminToken }: TokenVariables): string {
  return text.replace(/\bINCIDENTCTL_(ADMIN_)?TOKEN\b/g, (_name, admin) => (admin === undefined ? token : adminToken));
}

/** Refuses flags and variables that are about one service, and reports that cannot hold several environments. */
function refuseFlagsOfOne(
  options: EnvironmentOptions,
  combined: readonly ReportTarget<string>[],
  env: Io["env"],
): void {
  const { env: name, url, emulator, out, format = "text" } = options;
  const flags = { "--env": name, "--url": url, "--emulator": emulator };
  const [flag] = Object.entries(flags).find(([, value]) => value !== undefined) ?? [];
  if (flag !== undefined) throw misuse(`${flag} is for one environment; leave it out, or leave out --all-environments`);
  if ((env.INCIDENTCTL_URL ?? "") !== "") {
    throw misuse("INCIDENTCTL_URL names one service; unset it to use --all-environments with each base_url");
  }
  if (out !== undefined && !out.includes(PLACEHOLDER)) {
    throw misuse(`a saved plan is for one environment; name a file for each: --out change-${PLACEHOLDER}.plan`);
  }
  const unfit = [{ format, path: "" }, ...combined].find((target) => !COMBINED.includes(target.format));
  if (unfit === undefined) return;
  throw misuse(
    `${unfit.format} is a report about one environment; name a file for each: --report ${unfit.format}=PATH with ${PLACEHOLDER} in it`,
  );
}

/** Refuses environments that would get the same token, which would be sent to both services. */
function refuseSharedVariables(names: readonly string[]): void {
  const owners = new Map<string, string>();
  for (const name of names) {
    const { token } = tokenVariables(name);
    const other = owners.get(token);
    if (other !== undefined) {
      const both = `${quoted(other)} and ${quoted(name)}`;
      throw new Stop(EXIT.error, `the environments ${both} would both read ${token}; rename one of them`);
    }
    owners.set(token, name);
  }
}

/** Refuses names that would lead to another folder, or to the file of another environment where case does not matter. */
function refuseUnfitNames(names: readonly string[]): void {
  const unfit = names.find(
    (name, at) =>
      !/^\w[\w.-]*$/.test(name) || names.findIndex((other) => other.toLowerCase() === name.toLowerCase()) !== at,
  );
  if (unfit === undefined) return;
  throw new Stop(
    EXIT.error,
    `the environment ${quoted(unfit)} cannot be a part of a file name; use letters, digits, ".", "-" and "_", and names that differ not only in case`,
  );
}
