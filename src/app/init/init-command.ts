/** `init`: starts a repository of configuration. It changes no file that exists; only `--pull` reads the service. */

import { lstatSync, readFileSync, statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { DISK } from "../../config/source/disk.ts";
import { isRepository, repositoryRoot } from "../../config/source/repository.ts";
import { EXIT } from "../../core/exit-codes.ts";
import { misuse } from "../../core/flag-values.ts";
import type { Io } from "../../core/io.ts";
import { packageFile } from "../../core/package.ts";
import { NO_WORDS, programLine, sanitised, shellWord } from "../../core/sanitise.ts";
import { trustedOrigin } from "../../service/http/credentials.ts";
import type { Console } from "../console/console.ts";
import { saveFile } from "../console/save-file.ts";
import { modeline } from "../pull/files.ts";
import { pull } from "../pull/pull-command.ts";
import type { InitOptions } from "./init-definition.ts";
import { catalogText, EXAMPLE, IGNORE_FILE, type StarterFile, starterFiles } from "./starter-files.ts";

/** The packed program in the repository of the configuration. */
const PROGRAM_FILE = "ci/incidentctl.tgz";

/** Writes the files, and an example or the live configuration. */
export async function init(options: InitOptions, io: Io, console: Console): Promise<number> {
  const home = resolve(io.cwd, options.directory ?? ".");
  const url = await baseUrl(options, io);
  const folder = join(home, "config");
  const repository = repositoryRoot(home, DISK);
  const branch = options.ci === "github" ? defaultBranch(repository) : undefined;
  if (options.uses !== undefined && options.ci !== "github") throw misuse("--uses needs --ci github");
  const pipelines = { forge: options.ci, branch, uses: options.uses };
  const starters = starterFiles(url, pipelines);
  if (options.catalog !== undefined) {
    starters.push({ file: "config/catalog.yaml", text: modeline(folder, home) + catalogText(options.catalog) });
  }
  const isNew = lstatSync(folder, { throwIfNoEntry: false }) === undefined;
  let written = 0;
  for (const file of starters) written += (await writeNew(file, home, console)) ? 1 : 0;
  if (options.ci === "github" || options.ci === "gitlab") sayWhereItRuns(options.ci, home, repository, console);
  if (options.ci === "generic") {
    console.note(
      "Run incidentctl ci review before a change is merged, and incidentctl ci apply after it (docs/pipelines.md).",
    );
  }
  suggestIgnoring(home, console);
  const isPacked = options.ci !== undefined && options.ci !== "none" && options.uses === undefined;
  if (isPacked) explainInstallation(options.directory ?? "", io, console);
  if (options.pull === true) {
    await mkdir(folder, { recursive: true });
    const { directory: _directory, ci: _ci, uses: _uses, catalog: _catalog, pull: _pull, ...rest } = options;
    return pull({ ...rest, paths: [folder] }, io, console, written);
  }
  if (isNew) {
    await writeNew({ file: "config/severities.yaml", text: modeline(folder, home) + EXAMPLE }, home, console);
  }
  const where = home === resolve(io.cwd) ? "" : `cd ${sanitised(options.directory ?? "")}, then `;
  console.note(
    `Next: ${where}${programLine("validate", NO_WORDS)}, and ${programLine("plan --emulator", NO_WORDS)} for a plan without an account.`,
  );
  console.note(`To write the live configuration to files: ${programLine("pull", NO_WORDS)}`);
  return EXIT.success;
}

/** The branch that the remote calls its default one; undefined if the clone does not say. */
function defaultBranch(repository: string): string | undefined {
  const path = join(repository, ".git", "refs", "remotes", "origin", "HEAD");
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
  return /^ref: refs\/remotes\/origin\/([\w./-]+)\s*$/.exec(readFileSync(path, "utf8"))?.[1];
}

/** Warns of pipelines below the root of a repository: forges read them only there. */
function sayWhereItRuns(forge: "github" | "gitlab", home: string, repository: string, console: Console): void {
  if (home === repository || !isRepository(repository, DISK)) return;
  const [name, files] = forge === "github" ? ["GitHub", ".github/workflows"] : ["GitLab", ".gitlab-ci.yml"];
  const directory = sanitised(relative(repository, home));
  console.alert(
    `${name} reads ${files} only at the root of the repository. Move it there with ci/incidentctl.tgz, and name the directory ${directory} in INCIDENTCTL_UNITS (docs/pipelines.md)`,
  );
}

/** The address for the settings: from the flag, the environment, or the prompt. */
async function baseUrl({ url, emulator }: InitOptions, io: Io): Promise<string | undefined> {
  const variable = io.env.INCIDENTCTL_URL === "" ? undefined : io.env.INCIDENTCTL_URL;
  const known = url ?? (emulator === undefined ? variable : undefined);
  const typed =
    known === undefined && emulator === undefined ? await io.ask?.("Address of the service (empty: later): ") : known;
  const text = typed?.trim() ?? "";
  if (text === "") return undefined;
  try {
    return trustedOrigin(text);
  } catch (error) {
    throw misuse(error instanceof Error ? error.message : String(error));
  }
}

/** Names the line that an earlier list of ignored files lacks. */
function suggestIgnoring(home: string, console: Console): void {
  const path = join(home, IGNORE_FILE);
  if (!statSync(path).isFile() || /^\/?\.incidentctl\/?\s*$/m.test(readFileSync(path, "utf8"))) return;
  console.note(`add a line to ${IGNORE_FILE}: .incidentctl/  (journals and the embedded service's database)`);
}

/** Says how to provide the program that the pipelines install. It is not on npm, where anybody could register its name. */
function explainInstallation(directory: string, io: Io, console: Console): void {
  const file = join(directory, PROGRAM_FILE);
  if (lstatSync(resolve(io.cwd, file), { throwIfNoEntry: false }) !== undefined) return;
  const source = shellWord(fileURLToPath(packageFile(".")));
  const folder = shellWord(sanitised(dirname(file)));
  console.note(`This version is not published, so the pipelines install ${PROGRAM_FILE}. Create and commit this file:`);
  console.note(`  mkdir -p ${folder} && mv "$(npm pack --ignore-scripts ${source})" ${shellWord(sanitised(file))}`);
}

/** Writes the file, unless it exists: then it is false. */
async function writeNew({ file, text }: StarterFile, home: string, console: Console): Promise<boolean> {
  const path = join(home, file);
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) {
    console.note(`${sanitised(file)} exists already and was not changed`);
    return false;
  }
  await mkdir(dirname(path), { recursive: true });
  await saveFile(path, text, home, 0o644);
  console.print(`${sanitised(file)}\n`);
  return true;
}
