/** Loads the base of a configuration, and compares the files with it. Loaded only where there may be a base. */

import { join, relative, resolve } from "node:path";
import { type Base, findBase } from "../../config/base/find-base.ts";
import { openGit } from "../../config/base/git.ts";
import { openGitTree } from "../../config/base/git-tree.ts";
import type { ExtractionCache } from "../../config/load/extraction-cache.ts";
import { type LoadContext, load } from "../../config/load/load.ts";
import { type Configuration, emptyConfiguration } from "../../config/resources/configuration.ts";
import { InvalidConfiguration, UNKNOWN_ENVIRONMENT } from "../../core/diagnostic.ts";
import { EXIT, Stop } from "../../core/exit-codes.ts";
import type { Io } from "../../core/io.ts";
import { quoted } from "../../core/sanitise.ts";
import { placeText } from "../../core/value-text.ts";
import { kinds } from "../../kinds/index.ts";
import { declarationChanges } from "../../plan/base/declaration-changes.ts";
import type { PlanBase, Warning } from "../../plan/model/plan.ts";
import { type ComparedBase, W_BASE } from "./explained-plan.ts";

/** The files, and how they were loaded. */
export interface BaseRequest {
  readonly paths: readonly string[];
  /** `--base`. */
  readonly flag: string | undefined;
  readonly configuration: Configuration;
  readonly context: Omit<LoadContext, "cwd" | "tree" | "mayBeEmpty" | "isBase" | "cache">;
  /** The files that the configuration has been loaded from. */
  readonly cache: ExtractionCache;
}

/** The configuration of a base, or the reason why it is not known. */
export type LoadedBase =
  | { readonly base: PlanBase; readonly title: string; readonly configuration: Configuration }
  | { readonly warning: Warning };

/** Compares the files with their base; undefined if there is none. A base of `--base` that does not exist ends the command. */
export async function compareWithBase(request: BaseRequest, io: Io): Promise<ComparedBase | undefined> {
  const loaded = await loadedBase(request, io);
  if (loaded === undefined || "warning" in loaded) return loaded;
  const { base, configuration } = loaded;
  return { base, changes: declarationChanges(configuration, request.configuration, kinds) };
}

/** Loads the base of the files; undefined if there is none. A base of `--base` that does not exist ends the command. */
export async function loadedBase(request: BaseRequest, io: Io): Promise<LoadedBase | undefined> {
  const { flag, configuration } = request;
  const { home, base: setting } = configuration.settings;
  const text = flag ?? setting;
  const chosen = text === undefined ? undefined : { text, cwd: flag === undefined ? home : io.cwd };
  const found = await findBase({ home, chosen }, openGit(io.env));
  if (found.type === "none") return undefined;
  if (found.type === "unknown") {
    if (flag !== undefined) throw new Stop(EXIT.error, `--base ${quoted(flag)}: ${found.problem}. ${found.help}`);
    return warning(`the base is not known: ${found.problem}. ${found.help}`);
  }
  const named = { base: nameOf(found), title: titleOf(found) };
  try {
    return { ...named, configuration: await loadBase(found, request, io.cwd) };
  } catch (error) {
    // An environment that the change begins has nothing before it.
    if (isUnknownEnvironment(error)) return { ...named, configuration: emptyConfiguration(configuration.settings) };
    return warning(`the base ${titleOf(found)} cannot be compared: ${reasonOf(error)}`);
  }
}

function titleOf(base: KnownBase): string {
  return base.type === "commit" ? `${base.name} (${base.commit.id.slice(0, 10)})` : quoted(base.name);
}

function isUnknownEnvironment(error: unknown): boolean {
  return error instanceof InvalidConfiguration && error.diagnostics.some(({ code }) => code === UNKNOWN_ENVIRONMENT);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof InvalidConfiguration)) return error instanceof Error ? error.message : String(error);
  const [first] = error.diagnostics.filter(({ severity }) => severity === "error");
  const at = first?.at === undefined ? "" : `${placeText(first.at)}: `;
  return `its files have errors. The first: ${at}${first?.message ?? ""}`;
}

type KnownBase = Extract<Base, { readonly type: "commit" | "directory" }>;

function nameOf(base: KnownBase): PlanBase {
  return base.type === "commit" ? { revision: base.commit.id, name: base.name } : { revision: base.name };
}

function warning(message: string): { readonly warning: Warning } {
  return { warning: { code: W_BASE, message } };
}

/** Loads the configuration of a base: with its own settings, for the same environment and variables. */
async function loadBase(
  base: KnownBase,
  { paths: typed, configuration, context, cache }: BaseRequest,
  from: string,
): Promise<Configuration> {
  const { settings, part } = configuration;
  const { home } = settings;
  // A part of the files is compared with the whole base.
  const [paths, cwd] = part === undefined ? [typed, from] : [[], home];
  if (base.type === "directory") {
    const given = paths.map((path) => join(base.path, relative(home, resolve(cwd, path))));
    return load(given, { ...context, cwd: base.path, mayBeEmpty: true, isBase: true });
  }
  const tree = await openGitTree(base.commit, home);
  const given = paths.filter((path) => tree.typeOf(resolve(cwd, path)) !== undefined);
  // A configuration that the change begins has nothing before it.
  if (tree.typeOf(home) === undefined || given.length < Math.min(paths.length, 1)) return emptyConfiguration(settings);
  return load(given, { ...context, cwd, tree, mayBeEmpty: true, isBase: true, cache });
}
