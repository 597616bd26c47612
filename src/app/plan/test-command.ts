/** `test`: runs routing tests. It sends GET requests and the dry run of the service; it cannot write. */

import type { Configuration } from "../../config/resources/configuration.ts";
import { isTestFile, loadRoutingTests, type RoutingTest } from "../../config/resources/routing-tests.ts";
import { checkDeclaredReferences } from "../../config/rules/routing-tests.ts";
import { PARALLELISM } from "../../config/settings/request-defaults.ts";
import { EXIT } from "../../core/exit-codes.ts";
import { misuse } from "../../core/flag-values.ts";
import type { Io } from "../../core/io.ts";
import { splitPaths } from "../../preview/routing-tests/paths.ts";
import { countResults, type TestMode, type TestRun } from "../../preview/routing-tests/result.ts";
import { plannedRouting } from "../../preview/routing-tests/rule-lists.ts";
import { readLiveRouting, runLive, runPlanned } from "../../preview/routing-tests/run.ts";
import { evaluator as evaluatorOf } from "../../service/http/client.ts";
import { TransportError } from "../../service/http/transport-error.ts";
import { junitReport, testRunJson, testRunText } from "../../view/tests/text.ts";
import type { Console } from "../console/console.ts";
import type { TestFormat } from "../console/formats.ts";
import { present, type ReportTexts } from "../console/present.ts";
import { openService } from "../session/connect.ts";
import { loadConfiguration } from "../session/load-configuration.ts";
import { noteRetry } from "../session/session.ts";
import { type Tokens, takeTokens } from "../session/tokens.ts";
import type { TestOptions } from "./test-definition.ts";

/** Runs the tests. Exits with 7 if one did not pass. */
export async function test(options: TestOptions, io: Io, console: Console): Promise<number> {
  const mode = modeOf(options);
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
  });
  const run = await runTests(mode, tests, configuration, tokens, options, io, console);
  await present(textsOf(run), options, io, console);
  const { failed, untrusted } = countResults(run);
  // A comparison shows what changes, so only a failed test is an error, and untrusted ones are marked.
  return failed > 0 || (untrusted > 0 && mode !== "compare") ? EXIT.findings : EXIT.success;
}

function modeOf({ live, offline, compare }: TestOptions): TestMode {
  const chosen = Object.entries({ live, offline, compare }).flatMap(([mode, isChosen]) =>
    isChosen === true ? [mode] : [],
  );
  const [mode = "offline", other] = chosen;
  if (other !== undefined) throw misuse(`--${mode} and --${other} exclude each other`);
  return mode as TestMode;
}

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
