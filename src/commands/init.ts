/** `init`: the beginning of a repository of configuration. It overwrites nothing, and only with `--pull` it reads the service. */

import { lstatSync, readFileSync, statSync } from "node:fs";
import { chmod, mkdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { trustedOrigin } from "../api/http/credentials.ts";
import { flow } from "../config/edit/yaml-writer.ts";
import { workspaceSchema } from "../config/schema/schema.ts";
import { settingsSchema } from "../config/schema/settings-schema.ts";
import { EXIT } from "../core/exit-codes.ts";
import { misuse } from "../core/flag-values.ts";
import type { Io } from "../core/io.ts";
import { packageFile } from "../core/package-file.ts";
import { sanitised } from "../core/sanitise.ts";
import { kinds } from "../kinds/index.ts";
import { type Console, openConsole } from "../output/console.ts";
import { saveFile } from "../output/save-file.ts";
import { modeline, SCHEMA_FILE } from "../pull/files.ts";
import { prettyJson } from "../report/plan/json.ts";
import { type PullOptions, pull } from "./pull.ts";

/** Whose pipelines to copy. */
export type Forge = "github" | "gitlab" | "none";

/** The flags of `init`. */
export interface InitOptions extends Omit<PullOptions, "paths" | "dryRun" | "format"> {
  /** Where the repository begins; the working directory when left out. */
  readonly directory?: string;
  readonly ci?: Forge;
  /** Fills the files from the workspace instead of with an example. */
  readonly pull?: boolean;
}

/** A file to write, unless there is one. */
interface Draft {
  readonly file: string;
  readonly text: string;
  readonly mode?: number;
}

const PIPELINES: Readonly<Record<Forge, readonly (readonly [from: string, to: string])[]>> = {
  github: [
    ["ci/incidentctl.sh", "ci/incidentctl.sh"],
    ["ci/forge.mjs", "ci/forge.mjs"],
    ...["review", "apply", "drift"].map((job): readonly [string, string] => [
      `github/workflows/incidentctl-${job}.yml`,
      `.github/workflows/incidentctl-${job}.yml`,
    ]),
  ],
  gitlab: [
    ["ci/incidentctl.sh", "ci/incidentctl.sh"],
    ["ci/forge.mjs", "ci/forge.mjs"],
    ["gitlab/gitlab-ci.yml", ".gitlab-ci.yml"],
  ],
  none: [],
};

/** Writes settings, an example or what is live, the schema for editors, and pipelines. */
export async function init(options: InitOptions, io: Io, console: Console = openConsole(io, options)): Promise<number> {
  const home = resolve(io.cwd, options.directory ?? ".");
  const url = await baseUrl(options, io);
  const folder = join(home, "config");
  for (const draft of [...drafts(url, options.ci), ...pipelines(options.ci ?? "none")]) await put(draft, home, console);
  remindOfIgnoring(home, console);
  if (options.pull === true) {
    await mkdir(folder, { recursive: true });
    const { directory: _directory, ci: _ci, pull: _pull, ...rest } = options;
    return pull({ ...rest, paths: [folder] }, io, console);
  }
  if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) {
    await put({ file: "config/severities.yaml", text: modeline(folder, home) + EXAMPLE }, home, console);
  }
  const where = options.directory === undefined ? "" : `cd ${sanitised(options.directory)}, then `;
  console.note(`Next: ${where}incidentctl validate, and incidentctl plan --emulator to see a plan without an account.`);
  console.note("What is live comes into files by: incidentctl pull");
  return EXIT.success;
}

/** The address to write into the settings: the flag's, the environment's, or what somebody answers. */
async function baseUrl({ url, emulator }: InitOptions, io: Io): Promise<string | undefined> {
  const variable = io.env.INCIDENTCTL_URL === "" ? undefined : io.env.INCIDENTCTL_URL;
  const known = url ?? (emulator === undefined ? variable : undefined);
  const asked =
    known === undefined && emulator === undefined ? await io.ask?.("Address of the service (empty: later): ") : known;
  const text = asked?.trim() ?? "";
  if (text === "") return undefined;
  try {
    return trustedOrigin(text);
  } catch (error) {
    throw misuse(error instanceof Error ? error.message : String(error));
  }
}

function drafts(url: string | undefined, ci: Forge = "none"): readonly Draft[] {
  const address =
    url === undefined
      ? "# The only address that the token may be sent to.\n# base_url: https://incidents.example.com\n"
      : `# The only address that the token may be sent to.\nbase_url: ${flow(url)}\n`;
  const text = `# yaml-language-server: $schema=${SETTINGS_SCHEMA}\nversion: 1\n\n${address}\nconfig: [config]\n\n${LIMITS_TEXT}`;
  return [
    { file: "incidentctl.yaml", text },
    { file: SCHEMA_FILE, text: prettyJson(workspaceSchema(kinds)) },
    { file: SETTINGS_SCHEMA, text: prettyJson(settingsSchema(kinds)) },
    { file: IGNORED, text: ci === "none" ? IGNORED_TEXT : `${IGNORED_TEXT}# What pipelines write.\nreports/\n` },
  ];
}

const IGNORED = ".gitignore";
const IGNORED_TEXT = "# Journals and the embedded service's database.\n.incidentctl/\n";

/** Says which line a list of ignored files that somebody else has begun lacks. */
function remindOfIgnoring(home: string, console: Console): void {
  const path = join(home, IGNORED);
  if (!statSync(path).isFile() || /^\/?\.incidentctl\/?\s*$/m.test(readFileSync(path, "utf8"))) return;
  console.note(`add a line to ${IGNORED}: .incidentctl/  (journals and the embedded service's database)`);
}

/** Beside the settings, for editors. */
const SETTINGS_SCHEMA = "settings.schema.json";

const LIMITS_TEXT = `# What happens to a live entry of a managed kind that the files do not list.
removal:
  default: disable_or_delete

limits:
  max_removals: 30%
`;

const EXAMPLE = `# A key that is present owns its kind: this is the whole list, and the order is the order in the service.
# A kind that no file mentions is never touched.
severities:
  - { slug: critical, name: Critical, color: "#DC143C" }
  - { slug: major, name: Major, default: true }
  - { slug: minor, name: Minor }
`;

function pipelines(forge: Forge): readonly Draft[] {
  return PIPELINES[forge].map(([from, to]) => ({
    file: to,
    text: readFileSync(fileURLToPath(packageFile(`templates/${from}`)), "utf8"),
    mode: to.endsWith(".sh") ? 0o755 : 0o644,
  }));
}

/** Writes a file where there is none; what is there stays. */
async function put({ file, text, mode = 0o644 }: Draft, home: string, console: Console): Promise<void> {
  const path = join(home, file);
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) {
    console.note(`${sanitised(file)} is there already, and stays as it is`);
    return;
  }
  await mkdir(dirname(path), { recursive: true });
  await saveFile(path, text, home, mode);
  // What is written begins with the rights that the process leaves to new files.
  if (mode === 0o755) await chmod(path, mode);
  console.answer(`${sanitised(file)}\n`);
}
