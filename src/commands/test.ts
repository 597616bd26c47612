/** `test`: says where sample alerts go, and whether that is where they should. It reads, and asks the dry run; it cannot write. */

import { evaluator as evaluatorOf } from "../api/http/client.ts";
import { TransportError } from "../api/http/transport-error.ts";
import type { Configuration } from "../config/load/configuration.ts";
import { Findings } from "../config/load/findings.ts";
import { isTestFile, loadRoutingTests, type RoutingTest } from "../config/load/routing-tests.ts";
import { checkDeclared, checkLive } from "../config/rules/routing-tests.ts";
import { PARALLELISM } from "../core/defaults.ts";
import { InvalidConfiguration } from "../core/diagnostic.ts";
import { EXIT } from "../core/exit-codes.ts";
import { misuse } from "../core/flag-values.ts";
import type { Io } from "../core/io.ts";
import { type Console, openConsole } from "../output/console.ts";
import type { TestFormat } from "../output/formats.ts";
import { type PresentOptions, present, type Texts } from "../output/present.ts";
import { plannedRouting, readRouting } from "../refresh/routing-rules.ts";
import { junitReport } from "../report/tests/junit.ts";
import { testRunJson, testRunText } from "../report/tests/text.ts";
import { placesOf } from "../routing-tests/paths.ts";
import { type Mode, type TestRun, tally } from "../routing-tests/result.ts";
import { type Asked, runLive, runPlanned } from "../routing-tests/run.ts";
import { openService, type ServiceOptions } from "../session/connect.ts";
import { type ConfigurationOptions, loadConfiguration } from "../session/load-configuration.ts";
import { tellRetry } from "../session/session.ts";
import { type Tokens, takeTokens } from "../session/tokens.ts";

/** The flags of `test`. */
export interface TestOptions extends ConfigurationOptions, ServiceOptions, PresentOptions<TestFormat> {
  /** The service evaluates its live rules. */
  readonly live?: boolean;
  /** Our own evaluator evaluates the declared rules; the same as no flag. */
  readonly offline?: boolean;
  /** Offline, and where the live rules send each alert as well. */
  readonly compare?: boolean;
  /** Requests in flight at a time. */
  readonly parallelism?: number;
}

/** Runs the tests; exit code 7 when one did not pass. */
export async function test(options: TestOptions, io: Io, console: Console = openConsole(io, options)): Promise<number> {
  const mode = modeOf(options);
  const tokens = takeTokens(io.env);
  console.conceal([tokens.token, tokens.adminToken]);
  const places = placesOf(options.paths, io.cwd, isTestFile);
  const configuration = await loadConfiguration(
    { ...options, paths: places.configuration },
    { ...io, cwd: places.cwd },
    console,
  );
  const { tests, secrets } = loadRoutingTests(places.tests, configuration, {
    env: io.env,
    cwd: places.cwd,
    check: (all, findings) => checkDeclared(all, configuration, findings),
  });
  console.conceal(secrets);
  const run = await carryOut(mode, tests, configuration, tokens, options, io, console);
  await present(textsOf(run), options, io, console);
  const { failed, untrusted } = tally(run);
  // A comparison is about what changes: where it cannot be trusted it says so, and only a broken expectation is a failure.
  return failed > 0 || (untrusted > 0 && mode !== "compare") ? EXIT.findings : EXIT.success;
}

function modeOf({ live, offline, compare }: TestOptions): Mode {
  const chosen = Object.entries({ live, offline, compare }).flatMap(([mode, given]) => (given === true ? [mode] : []));
  const [mode = "offline", other] = chosen;
  if (other !== undefined) throw misuse(`--${mode} and --${other} exclude each other`);
  return mode as Mode;
}

async function carryOut(
  mode: Mode,
  tests: readonly RoutingTest[],
  configuration: Configuration,
  tokens: Tokens,
  options: TestOptions,
  io: Io,
  console: Console,
): Promise<TestRun> {
  if (mode === "offline" && !namesService(options, tokens, configuration, io)) {
    return runPlanned(mode, tests, plannedRouting(configuration, undefined), { why: "no service was named" });
  }
  const service = await openService(options, tokens, configuration.settings, io, {
    onRetry: (retry) => tellRetry(retry, console),
  });
  try {
    const asked = await ask(tests, configuration, evaluatorOf(service.writer), options.parallelism ?? PARALLELISM);
    if (mode === "live") return await runLive(tests, asked);
    return await runPlanned(mode, tests, plannedRouting(configuration, asked.live), asked);
  } catch (error) {
    if (mode !== "offline" || !(error instanceof TransportError)) throw error;
    return runPlanned(mode, tests, plannedRouting(configuration, undefined), { why: error.message });
  } finally {
    service.close();
  }
}

/** Whether there is a service to hold our evaluator against; settings and environment count only with a token. */
function namesService(
  { url, emulator }: TestOptions,
  { token }: Tokens,
  { settings }: Configuration,
  { env }: Io,
): boolean {
  if (url !== undefined || emulator !== undefined) return true;
  return token !== undefined && ((env.INCIDENTCTL_URL ?? "") !== "" || settings.baseUrl !== undefined);
}

async function ask(
  tests: readonly RoutingTest[],
  configuration: Configuration,
  evaluator: Asked["evaluator"],
  parallelism: number,
): Promise<Asked> {
  const sources = [...new Set(tests.flatMap(({ source }) => source ?? []))];
  const live = await readRouting(evaluator, configuration, sources, parallelism);
  const findings = new Findings();
  checkLive(tests, configuration, (kind) => (live.state.live(kind) ?? []).map(({ key }) => key), findings);
  const errors = findings.list("error");
  if (errors.length > 0) throw new InvalidConfiguration(errors);
  return { evaluator, live, parallelism };
}

function textsOf(run: TestRun): Texts<TestFormat> {
  return { text: (style) => testRunText(run, style), json: () => testRunJson(run), junit: () => junitReport(run) };
}
