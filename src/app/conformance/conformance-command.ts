/** `conformance`: checks which rules of the interface a service keeps. It declares incidents there and leaves resources behind. */

import { serviceProfileText } from "../../config/settings/service-profile.ts";
import {
  type ConformanceTarget,
  checkService,
  chosenRules,
  firstStatus,
  lackingAbilities,
  type OpenedTarget,
} from "../../conformance/check.ts";
import { pacer } from "../../conformance/client.ts";
import { EXIT, Stop } from "../../core/exit-codes.ts";
import { misuse } from "../../core/flag-values.ts";
import type { Io } from "../../core/io.ts";
import { quoted, sanitised } from "../../core/sanitise.ts";
import { createEmulator, type Emulator, type EmulatorOptions } from "../../emulator/emulator.ts";
import { serve } from "../../emulator/serve.ts";
import { createWebPages } from "../../emulator/web/web-pages.ts";
import { checkedToken, trustedOrigin } from "../../service/http/credentials.ts";
import { refuseUnverified } from "../../service/http/network.ts";
import { forecastLines } from "../../view/conformance/forecast.ts";
import { lackingLines } from "../../view/conformance/leftovers.ts";
import { conformancePage } from "../../view/conformance/page.ts";
import {
  conformanceJson,
  conformanceJunit,
  conformanceText,
  countOutcomes,
  type ServiceReport,
} from "../../view/conformance/text.ts";
import type { Console } from "../console/console.ts";
import type { ConformanceFormat } from "../console/formats.ts";
import { present, type ReportTexts } from "../console/present.ts";
import { saveFile } from "../console/save-file.ts";
import { compileWebAssemblyFast } from "../session/v8-flags.ts";
import type { ConformanceOptions } from "./conformance-definition.ts";
import { forecast } from "./forecast.ts";

const TOKEN = "INCIDENTCTL_CONFORMANCE_TOKEN";
const ADMIN_TOKEN = "INCIDENTCTL_CONFORMANCE_ADMIN_TOKEN";

/** Checks a service. Exits with 7 if it does not keep a rule of the interface. */
export async function conformance(options: ConformanceOptions, io: Io, console: Console): Promise<number> {
  const rules = chosenRules(options).flatMap((file) => file.rules);
  if (rules.length === 0) throw misuse("no rule matches --section and --rule; see conformance --list");
  if (options.list === true) {
    console.print(rules.map(({ id, section, title }) => `${id}\t${section}\t${title}\n`).join(""));
    return EXIT.success;
  }
  if (options.out !== undefined && (options.section ?? options.rule) !== undefined) {
    throw misuse("--out needs all rules; leave out --section and --rule");
  }
  const signal = io.interruption();
  const { service, open } = await openTarget(options, signal, io, console);
  let checked = 0;
  const report = await checkService({
    ...options,
    open,
    signal,
    onResult: () => {
      checked += 1;
      if (checked % 50 === 0) console.note(`checked ${checked} of ${rules.length} rules`);
    },
  });
  const results: ServiceReport = { ...report, service, checkedAt: io.now() };
  await present(textsOf(results), options, io, console);
  if (signal.aborted) {
    console.alert(`interrupted after ${checked} of ${rules.length} rules`);
    return EXIT.interrupted;
  }
  if (options.out !== undefined) await saveFile(options.out, profileOf(results), io.cwd, 0o644);
  return countOutcomes(report.results).failed === 0 ? EXIT.success : EXIT.findings;
}

/** The service to check, and how to open it for a file of rules. */
interface OpenTarget {
  readonly service: string;
  readonly open: () => Promise<OpenedTarget>;
}

async function openTarget(
  options: ConformanceOptions,
  signal: AbortSignal,
  io: Io,
  console: Console,
): Promise<OpenTarget> {
  if (options.emulator === true) {
    if (options.url !== undefined) throw misuse("--url and --emulator exclude each other");
    if (options.rate !== undefined) throw misuse("--rate has no effect with --emulator");
    compileWebAssemblyFast();
    // A new one for each file of rules, so that none uses up the next one's requests of a minute.
    return { service: "the embedded service", open: serveEmulatorTarget };
  }
  const target = remoteTarget(options, io, console);
  await refuseUnusable(target);
  const lacking = await lackingAbilities(target);
  compileWebAssemblyFast();
  const trial = await forecast(options, target, lacking, signal);
  for (const line of [...lackingLines(lacking), ...forecastLines(trial, options.rate)]) console.note(line);
  return { service: target.url, open: async () => ({ target: { ...target, lacking }, close: async () => {} }) };
}

/** An emulator filled with an example workspace, and what a check must know about it. */
export interface EmulatorTarget extends OpenedTarget {
  readonly emulator: Emulator;
}

/** A fresh emulator that listens nowhere yet. Its clock runs with the system's until a rule moves it forward. */
export function emulatorTarget(options: EmulatorOptions = {}): EmulatorTarget {
  let ahead = 0;
  const now = () => new Date(Date.now() + ahead);
  const emulator = createEmulator({ seed: true, control: true, deliverTo: ["loopback"], ...options, now });
  const url = "http://127.0.0.1";
  const target: ConformanceTarget = {
    url,
    token: emulator.serviceToken,
    adminToken: emulator.adminToken,
    person: "ada@example.com",
    chatId: "U0001",
    otherPerson: "grace@example.com",
    rateLimit: true,
    advanceClock: (milliseconds) => {
      ahead += milliseconds;
    },
    async switchTranscripts(on) {
      const headers = { authorization: `Bearer ${emulator.control?.key ?? ""}`, "content-type": "application/json" };
      const body = JSON.stringify({ transcript_access: on });
      const response = await emulator.fetch(
        new Request(`${url}/control/workspace`, { method: "PATCH", headers, body }),
      );
      if (!response.ok) throw new Error(`the emulator's control interface returned ${response.status}`);
    },
    disposable: true,
    reachesLoopback: true,
  };
  return { target, emulator, close: () => emulator.close() };
}

/** A fresh emulator on a free port of 127.0.0.1, with its web pages, as `emulator` serves it. */
export async function serveEmulatorTarget(): Promise<OpenedTarget> {
  const { target, emulator, close } = emulatorTarget();
  const served = await serve(emulator, { pages: createWebPages(emulator).handler });
  return {
    target: { ...target, url: served.url },
    async close() {
      await served.close();
      await close();
    },
  };
}

/** The service of `--url`. Settings and other variables are not read, so that no check reaches a workspace by accident. */
function remoteTarget(options: ConformanceOptions, io: Io, console: Console): ConformanceTarget {
  const { url: given, disposable, person, chatId, otherPerson, incident } = options;
  if (given === undefined) {
    throw misuse("conformance needs --url; it uses neither the settings nor INCIDENTCTL_URL. Or check --emulator");
  }
  const url = trustedOrigin(given);
  const { host } = new URL(url);
  if (disposable !== host) {
    const other = disposable === undefined ? "" : `, not ${quoted(disposable)}`;
    throw new Stop(
      EXIT.refused,
      `the rules declare incidents, which pages people, and leave resources behind. If the workspace of ${host} may be changed for good, add --disposable ${host}${other}`,
    );
  }
  const token = takeToken(TOKEN, io);
  const adminToken = takeToken(ADMIN_TOKEN, io);
  console.conceal([token, adminToken]);
  if (token === undefined && adminToken === undefined) {
    throw new Stop(
      EXIT.cannotSee,
      `there is no token: set ${TOKEN} or ${ADMIN_TOKEN}. INCIDENTCTL_TOKEN is not used, since it may be that of another workspace`,
    );
  }
  refuseUnverified(io.env);
  return {
    ...{ url, token, adminToken, person, chatId, otherPerson, incident },
    rateLimit: options.rateLimit ?? false,
    reachesLoopback: options.reachesLoopback ?? false,
    pace: options.rate === undefined ? undefined : pacer(options.rate),
  };
}

/** Removes the variable from the environment, so that no child process inherits it, and returns its token. */
function takeToken(name: string, { env }: Io): string | undefined {
  const token = env[name];
  delete env[name];
  return token === undefined || token === "" ? undefined : checkedToken(token, name);
}

/** Ends the command if the service cannot be reached or does not accept the token: every rule would fail. */
async function refuseUnusable(target: ConformanceTarget): Promise<void> {
  const status = await firstStatus(target).catch((error: unknown) => {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Stop(EXIT.error, `cannot reach ${target.url}: ${sanitised(reason)}`);
  });
  if (status === 401) throw new Stop(EXIT.cannotSee, `${target.url} does not accept the token (401)`);
}

function profileOf({ service, checkedAt, dialects, results }: ServiceReport): string {
  return serviceProfileText({
    service,
    checkedAt: checkedAt.toISOString(),
    dialects: Object.fromEntries(dialects.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]]))),
    broken: results.flatMap(({ rule, outcome }) => (outcome.kind === "failed" ? [rule.id] : [])),
  });
}

function textsOf(report: ServiceReport): ReportTexts<ConformanceFormat> {
  return {
    text: (style) => conformanceText(report, style),
    json: () => conformanceJson(report),
    junit: () => conformanceJunit(report),
    html: () => conformancePage(report),
  };
}
