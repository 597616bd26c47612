/** `emulator export`: the workspace of a stopped or a running emulator, written as a seed file. */

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { documentText } from "../../config/edit/yaml-writer.ts";
import { emptyConfiguration } from "../../config/resources/configuration.ts";
import { REQUESTS_PER_MINUTE, TIMEOUT_SECONDS } from "../../config/settings/request-defaults.ts";
import { defaultSettings } from "../../config/settings/settings-file.ts";
import { EXIT, Stop } from "../../core/exit-codes.ts";
import type { Io } from "../../core/io.ts";
import { type Fields, isFields } from "../../core/json.ts";
import { quoted } from "../../core/sanitise.ts";
import { createEmulator } from "../../emulator/emulator.ts";
import { connect } from "../../service/http/client.ts";
import { plainHttpWarning, trustedOrigin } from "../../service/http/credentials.ts";
import { openNetwork } from "../../service/http/network.ts";
import type { Reader } from "../../service/requests/connection.ts";
import { ServiceError } from "../../service/requests/service-error.ts";
import type { Console } from "../console/console.ts";
import { saveFile } from "../console/save-file.ts";
import { liveDocument, type OmittedValue } from "../pull/live-document.ts";
import { takeTokens } from "../session/tokens.ts";
import type { ExportFlags } from "./emulator-definition.ts";
import { connectTo } from "./seeded-content.ts";

interface Workspace {
  readonly reader: Reader;
  /** The people and incidents. */
  readonly data: Fields;
  close(): Promise<void>;
}

/** Exports, and returns the exit code. Values that no file can hold are named on stderr. */
export async function exportWorkspace(options: ExportFlags, io: Io, console: Console): Promise<number> {
  const workspace =
    options.database === undefined ? await running(io, console) : openDatabase(options.database, io.cwd);
  try {
    const { text: seed, omitted } = await exportedSeed(workspace.reader, workspace.data);
    for (const { address, path, reason } of omitted) console.note(`not exported: ${address}${path}: ${reason}`);
    if (options.out === undefined) console.print(seed);
    else await saveFile(options.out, console.safe(seed), io.cwd);
  } finally {
    await workspace.close();
  }
  return EXIT.success;
}

/** The seed of a workspace, with its configuration as `pull` would write it, and the values that no file can hold. */
export async function exportedSeed(
  reader: Reader,
  data: Fields,
): Promise<{ readonly text: string; readonly omitted: readonly OmittedValue[] }> {
  const { files, omitted } = await liveDocument(reader, emptyConfiguration(defaultSettings(".")));
  const configuration = files.map(({ text }) => text.replace(/^(?=.)/gm, "  ")).join("\n");
  return { text: `version: 1\nbase: bare\n\nconfiguration:\n${configuration}\n${documentText(data)}`, omitted };
}

function openDatabase(typed: string, cwd: string): Workspace {
  const file = resolve(cwd, typed);
  if (!existsSync(file)) throw new Stop(EXIT.error, `there is no database ${quoted(typed)}`);
  const emulator = createEmulator({ file, requestsPerMinute: Number.MAX_SAFE_INTEGER });
  return {
    reader: connectTo(emulator),
    data: { ...(emulator.seeds.export() as Fields) },
    close: () => emulator.close(),
  };
}

/** The running emulator that the variables name, as it prints them. */
async function running(io: Io, console: Console): Promise<Workspace> {
  const { token, adminToken } = takeTokens(io.env);
  const { INCIDENTCTL_URL: url = "", INCIDENTCTL_CONTROL_KEY: key = "" } = io.env;
  console.conceal([token, adminToken, key === "" ? undefined : key]);
  if (url === "") throw new Stop(EXIT.error, "name a database, or set INCIDENTCTL_URL to a running emulator");
  if (token === undefined || key === "") {
    const variable = token === undefined ? "INCIDENTCTL_TOKEN" : "INCIDENTCTL_CONTROL_KEY";
    throw new Stop(EXIT.cannotSee, `set ${variable} as the emulator prints it; it needs --control`);
  }
  const plainHttpHost = io.env.INCIDENTCTL_PLAIN_HTTP_HOST ?? "";
  const origin = trustedOrigin(url, plainHttpHost);
  const warning = plainHttpWarning(origin);
  if (warning !== undefined) console.note(warning);
  const fetch = io.fetch ?? (await openNetwork(io.env, TIMEOUT_SECONDS, origin));
  const address = { baseUrl: origin, plainHttpHost, fetch, timeoutSeconds: TIMEOUT_SECONDS };
  const limited = { ...address, requestsPerMinute: REQUESTS_PER_MINUTE };
  const control = connect({ ...limited, root: "/control/", token: key });
  const reader = connect({ ...limited, token, ...(adminToken === undefined ? {} : { adminToken }) });
  return { reader, data: await readSeed(control), close: () => Promise.resolve() };
}

/** The people and incidents, as the control surface exports them. */
async function readSeed(control: Reader): Promise<Fields> {
  try {
    const { body } = await control.get({ path: "/control/seed" });
    if (isFields(body)) return body;
    throw new Stop(EXIT.error, "the emulator's export is not an object");
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.status === 404)
      throw new Stop(EXIT.error, "the emulator has no control surface: start it with --control");
    if (error.status !== 401) throw error;
    throw new Stop(EXIT.cannotSee, "the emulator does not accept INCIDENTCTL_CONTROL_KEY");
  }
}
