/** `test`: runs routing tests. It sends GET requests and the dry run of the service; it cannot write. */

import { ExtractionCache } from "../../config/load/extraction-cache.ts";
import type { Configuration } from "../../config/resources/configuration.ts";
import { isTestFile, loadRoutingTests, type RoutingTest } from "../../config/resources/routing-tests.ts";
import { checkDeclaredReferences } from "../../config/rules/routing-tests.ts";
import { PARALLELISM } from "../../config/settings/request-defaults.ts";
import { EXIT } from "../../core/exit-codes.ts";
import { misuse } from "../../core/flag-values.ts";
import type { Io } from "../../core/io.ts";
import { sanitised } from "../../core/sanitise.ts";
import type { Replay } from "../../preview/recorded-alerts/replay.ts";
import { splitPaths } from "../../preview/routing-tests/paths.ts";
import { countResults, type TestMode, type TestRun } from "../../preview/routing-tests/result.ts";
import { plannedRouting } from "../../preview/routing-tests/rule-lists.ts";
import { readLiveRouting, runLive, runPlanned } from "../../preview/routing-tests/run.ts";
import { evaluator as evaluatorOf } from "../../service/http/client.ts";
import { TransportError } from "../../service/http/transport-error.ts";
import { replayJson, replayText } from "../../view/tests/recorded-alerts.ts";
import { junitReport, testRunJson, testRunText } from "../../view/tests/text.ts";
import type { Console } from "../console/console.ts";
import type { TestFormat } from "../console/formats.ts";
import { present, type ReportTexts } from "../console/present.ts";
import { loadedBase } from "../session/compare-base.ts";
import { openService } from "../session/connect.ts";
import { loadConfiguration, loadContextOf } from "../session/load-configuration.ts";
import { noteRetry, openReading } from "../session/session.ts";
import { type Tokens, takeTokens } from "../session/tokens.ts";
import { replayThroughFiles, replayThroughPlan } from "./recorded-alerts.ts";
import type { TestOptions } from "./test-definition.ts";

/** Runs the tests. Exits with 7 if one did not pass. */
export async function test(options: TestOptions, io: Io, console: Console): Promise<number> {
  const mode = modeOf(options);
  if (options.alerts !== undefined) return testAlerts(options.alerts, options, io, console);
  if (options.base !== undefined) throw misuse("--base needs --alerts: only recorded alerts are compared with a base");
  const tokens = takeTokens(io.env);
  console.conceal([tokens.token, tokens.adminToken]);
  const places = splitPaths(options.paths, io.cwd, isTestFile);
  const configuration = await loadConfiguration(
    { ...options, paths: places.configuration },
    { ...io, cwd: places.cwd },
    console,
  );
  const tests = loadRoutingTests(places.tests, configuration, {
    cwd: places.cwd,
    check: (all, findings) => checkDeclaredReferences(all, configuration, findings),
    // A configuration need not have tests; a named path is expected to.
    mayBeEmpty: places.tests.length === 0,
  });
  if (tests.length === 0) {
    console.note(
      `there is no routing test (*.test.yaml). A file such as routing.test.yaml with a first one:\n  ${FIRST_TEST}`,
    );
  }
  const run = await runTests(mode, tests, configuration, tokens, options, io, console);
  await present(textsOf(run), options, io, console);
  const { failed, untrusted } = countResults(run);
  // A comparison shows what changes, so only a failed test is an error, and untrusted ones are marked.
  return failed > 0 || (untrusted > 0 && mode !== "compare") ? EXIT.findings : EXIT.success;
}

/** A file of routing tests that every workspace can have. */
const FIRST_TEST =
  "routing_tests: [{ name: checkout, fields: { title: checkout is down }, expect: { action: notify_only } }]";

function modeOf({ live, offline, compare }: TestOptions): TestMode {
  const chosen = Object.entries({ live, offline, compare }).flatMap(([mode, isChosen]) =>
    isChosen === true ? [mode] : [],
  );
  const [mode = "offline", other] = chosen;
  if (other !== undefined) throw misuse(`--${mode} and --${other} exclude each other`);
  return mode as TestMode;
}

/** Replays recorded alerts: through the live rules and the planned ones or, without a service, through those of the base and the files. */
async function testAlerts(file: string, options: TestOptions, io: Io, console: Console): Promise<number> {
  const { live, compare, format, report = [] } = options;
  if (live === true) throw misuse("--alerts and --live exclude each other: recorded alerts are evaluated offline");
  if (compare === true && options.base !== undefined) throw misuse("--compare and --base exclude each other");
  if (format === "junit" || report.some((target) => target.format === "junit")) {
    throw misuse("recorded alerts have no junit report; use text or json");
  }
  const replay = await replayed(file, options, io, console);
  const texts: ReportTexts<TestFormat> = {
    text: (style) => replayText(replay, style),
    json: () => replayJson(replay),
    junit: () => "",
  };
  await present(texts, options, io, console);
  return EXIT.success;
}

async function replayed(file: string, options: TestOptions, io: Io, console: Console): Promise<Replay> {
  const { paths, alerts: _alerts, base: flag, ...others } = options;
  const places = splitPaths(paths, io.cwd, isTestFile);
  const here = { ...io, cwd: places.cwd };
  const cache = new ExtractionCache();
  const configuration = await loadConfiguration({ ...options, paths: places.configuration }, here, console, { cache });
  // A session takes the tokens for itself; nothing else inherits them.
  const env = { ...io.env };
  const tokens = takeTokens(io.env);
  const hasService = options.compare === true || namesService(options, tokens, configuration, io);
  if (hasService && options.offline !== true && flag === undefined) {
    const session = await openReading({ ...others, paths: places.configuration }, { ...here, env }, console);
    try {
      const filter = { kinds: ROUTING_KINDS, targets: [], excludes: [], paths: [] };
      const made = await session.prepare({ identify: false, singleReading: true, filter });
      return await replayThroughPlan(file, made, session, io.cwd);
    } catch (error) {
      if (options.compare === true || !(error instanceof TransportError)) throw error;
      console.note(`the service cannot be reached: ${sanitised(error.message)}`);
    } finally {
      session.close();
    }
  }
  const context = loadContextOf(options, io);
  const request = { paths: places.configuration, flag, configuration, context, cache };
  const loaded = await loadedBase(request, { ...here, cwd: flag === undefined ? here.cwd : io.cwd });
  if (loaded !== undefined && "warning" in loaded) console.note(sanitised(loaded.warning.message));
  if (loaded === undefined || "warning" in loaded) {
    return replayThroughFiles(file, configuration, undefined, io.cwd);
  }
  console.conceal(loaded.configuration.secrets, "files");
  return replayThroughFiles(file, configuration, { name: loaded.title, ...loaded }, io.cwd);
}

/** The kinds that decide where alerts go. */
const ROUTING_KINDS: readonly string[] = ["alert_sources", "routing_rules", "catalog_types"];

async function runTests(
  mode: TestMode,
  tests: readonly RoutingTest[],
  configuration: Configuration,
  tokens: Tokens,
  options: TestOptions,
  io: Io,
  console: Console,
): Promise<TestRun> {
  if (mode === "offline" && !namesService(options, tokens, configuration, io)) {
    return runPlanned(mode, tests, plannedRouting(configuration, undefined), { why: "no service is given" });
  }
  const service = await openService(options, tokens, configuration.settings, io, {
    warn: (line) => console.note(line),
    onRetry: (retry) => noteRetry(retry, console),
  });
  try {
    const { parallelism = PARALLELISM } = options;
    const live = await readLiveRouting(tests, configuration, evaluatorOf(service.writer), parallelism);
    if (mode === "live") return await runLive(tests, live);
    return await runPlanned(mode, tests, plannedRouting(configuration, live.live), live);
  } catch (error) {
    if (mode !== "offline" || !(error instanceof TransportError)) throw error;
    return runPlanned(mode, tests, plannedRouting(configuration, undefined), { why: error.message });
  } finally {
    service.close();
  }
}

/** Whether there is a service to calibrate the evaluation with. An address in the settings or the environment counts only with a token. */
function namesService(
  { url, emulator }: TestOptions,
  { token }: Tokens,
  { settings }: Configuration,
  { env }: Io,
): boolean {
  if (url !== undefined || emulator !== undefined) return true;
  return token !== undefined && ((env.INCIDENTCTL_URL ?? "") !== "" || settings.baseUrl !== undefined);
}

function textsOf(run: TestRun): ReportTexts<TestFormat> {
  return { text: (style) => testRunText(run, style), json: () => testRunJson(run), junit: () => junitReport(run) };
}
