/** Checks the files that other commands read: routing tests, those of environments that are not chosen, and those of this program. */

import type { ExtractionCache } from "../../config/load/extraction-cache.ts";
import { load } from "../../config/load/load.ts";
import type { Configuration } from "../../config/resources/configuration.ts";
import { loadRoutingTests } from "../../config/resources/routing-tests.ts";
import { checkDeclaredReferences } from "../../config/rules/routing-tests.ts";
import type { FileTree } from "../../config/source/file-tree.ts";
import { NOT_SET } from "../../config/values/substitution-sources.ts";
import { type Diagnostic, InvalidConfiguration } from "../../core/diagnostic.ts";
import { byPlace } from "../../core/findings.ts";
import type { Io } from "../../core/io.ts";
import { splitPaths } from "../../preview/routing-tests/paths.ts";
import type { ConfigurationOptions } from "../command/shared-flags.ts";
import { readAccepted } from "../session/accepted-file.ts";
import { loadContextOf } from "../session/load-configuration.ts";
import { readLock } from "../session/lock-file.ts";

/** The errors of some files. */
type Problem = Pick<InvalidConfiguration, "diagnostics" | "lines">;

/** Files other than those on the disk, and what is known of them from an earlier load of an environment. */
interface EditedFiles {
  readonly tree: FileTree;
  cacheOf(environment: string): ExtractionCache;
}

/** Throws `InvalidConfiguration` with the errors of all these files, each once, and the errors of the lock and the accepted differences. */
export async function checkOtherFiles(
  configuration: Configuration,
  options: ConfigurationOptions,
  io: Io,
): Promise<void> {
  const [problem] = await otherProblems(configuration, options, io);
  if (problem !== undefined) throw problem;
}

/** The errors of all these files, each once; none, or one problem with all of them. Throws the first error of the lock and the accepted differences. */
export async function otherProblems(
  configuration: Configuration,
  options: ConfigurationOptions,
  io: Io,
  files?: EditedFiles,
): Promise<readonly InvalidConfiguration[]> {
  const { environment, environments } = configuration.settings;
  const problems = [...(await testProblems(configuration, options, io, files))];
  // With a chosen environment, the others are not meant.
  for (const name of environment === undefined ? environments : []) {
    problems.push(...(await environmentProblems(name, options, io, files)));
  }
  const errors = distinct(problems.flatMap(({ diagnostics }) => diagnostics));
  if (errors.length > 0) {
    const linesOf: Problem["lines"] = (file) =>
      problems.map(({ lines }) => lines(file)).find((lines) => lines !== undefined);
    return [new InvalidConfiguration(errors.toSorted(byPlace), linesOf)];
  }
  readAccepted(configuration.settings.home);
  readLock(configuration.settings);
  return [];
}

/** The errors of the routing tests that `test` finds in the same paths. */
function testProblems(
  configuration: Configuration,
  { paths }: ConfigurationOptions,
  { cwd }: Io,
  files?: EditedFiles,
): Promise<readonly Problem[]> {
  return problemsOf(() => {
    const { tests } = splitPaths(paths, cwd, () => false);
    const check: Parameters<typeof loadRoutingTests>[2]["check"] = (all, findings) =>
      checkDeclaredReferences(all, configuration, findings);
    return loadRoutingTests(tests, configuration, { cwd, check, mayBeEmpty: true, ...treeOf(files) });
  });
}

/** The errors that a command has with `-e NAME`. Its values in the environment are not missed: they need not be set here. */
async function environmentProblems(
  environment: string,
  options: ConfigurationOptions,
  io: Io,
  files?: EditedFiles,
): Promise<readonly Problem[]> {
  const known = files === undefined ? {} : { ...treeOf(files), cache: files.cacheOf(environment) };
  const context = { ...loadContextOf(options, io), cwd: io.cwd, environment, ...known };
  const problems = await problemsOf(() => load(options.paths, context));
  return problems.map(({ diagnostics, lines }) => ({
    diagnostics: diagnostics.filter(({ severity, message }) => severity === "error" && !message.endsWith(NOT_SET)),
    lines,
  }));
}

function treeOf(files: EditedFiles | undefined): { readonly tree?: FileTree } {
  return files === undefined ? {} : { tree: files.tree };
}

async function problemsOf(run: () => unknown): Promise<readonly Problem[]> {
  try {
    await run();
    return [];
  } catch (error) {
    if (error instanceof InvalidConfiguration) return [error];
    throw error;
  }
}

/** The findings without those that several environments have. */
function distinct(findings: readonly Diagnostic[]): readonly Diagnostic[] {
  return [...new Map(findings.map((finding) => [JSON.stringify(finding), finding])).values()];
}
