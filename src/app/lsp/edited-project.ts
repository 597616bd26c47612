/** A configuration while it is edited: loaded with the texts of open documents. Files that did not change are not parsed again. */

import { join } from "node:path";
import { ExtractionCache } from "../../config/load/extraction-cache.ts";
import { type LoadContext, loadWithErrors } from "../../config/load/load.ts";
import type { Configuration } from "../../config/resources/configuration.ts";
import { type FileTree, withContents } from "../../config/source/file-tree.ts";
import { LIMITS } from "../../config/source/limits.ts";
import type { ParsedFile } from "../../config/source/parsed-file.ts";
import { Source } from "../../config/source/source.ts";
import { utf8 } from "../../config/source/text.ts";
import { NOT_SET } from "../../config/values/substitution-sources.ts";
import type { Diagnostic } from "../../core/diagnostic.ts";
import { Stop } from "../../core/exit-codes.ts";
import type { Io } from "../../core/io.ts";
import { kinds } from "../../kinds/index.ts";
import { analyze } from "../../plan/analyze/analyze.ts";
import { analyzers } from "../../plan/analyze/index.ts";
import { DEFAULT_WORKSPACE, NOTHING_READ } from "../../workspace/match/observation.ts";
import { type ResolvedWorkspace, resolve } from "../../workspace/match/resolve.ts";
import type { ConfigurationOptions } from "../command/shared-flags.ts";
import { otherProblems } from "../files/other-files.ts";
import { validTests } from "../session/analysis.ts";
import { loadContextOf } from "../session/load-configuration.ts";

/** The flags of the command that choose the configuration. */
export type Choice = Pick<ConfigurationOptions, "env" | "var">;

/** A configuration with the texts of open documents. */
export interface LoadedProject {
  /** The findings of `validate`, without those in files that only other commands read. */
  readonly findings: readonly Diagnostic[];
  /** The configuration, if it can be loaded; with errors what is known in spite of them. */
  readonly configuration: Configuration | undefined;
  /** The declared resources with their references: as of the last load in which every file could be parsed. */
  readonly workspace: ResolvedWorkspace | undefined;
  /** Whether every file could be parsed. */
  readonly isComplete: boolean;
}

/** A configuration while it is edited. */
export class EditedProject {
  /** The folder of the settings, or of the files if there are none. Paths of files are relative to it. */
  readonly home: string;
  readonly tree: FileTree;
  /** Counts changes, so that a slow check knows whether it is still wanted. */
  turn = 0;
  readonly #options: ConfigurationOptions;
  readonly #io: Io;
  readonly #cache = new ExtractionCache({ keepsTrees: true });
  readonly #cacheByEnvironment = new Map<string, ExtractionCache>();
  #workspace: ResolvedWorkspace | undefined;
  #loaded: Promise<LoadedProject> | undefined;

  constructor(home: string, tree: FileTree, choice: Choice, io: Io) {
    this.home = home;
    this.tree = tree;
    this.#options = { ...choice, paths: [] };
    this.#io = { ...io, cwd: home };
  }

  /** The configuration with the texts as they are now. */
  current(): Promise<LoadedProject> {
    this.#loaded ??= this.#load();
    return this.#loaded;
  }

  /** Has the next question load again. */
  changed(): void {
    this.turn += 1;
    this.#loaded = undefined;
  }

  /** A file as it was when it could be parsed last; undefined for a file that is not of the configuration. */
  file(name: string): ParsedFile | undefined {
    return this.#cache.file(name);
  }

  /** The files of the configuration that could be parsed. */
  get files(): readonly ParsedFile[] {
    return this.#cache.parsedFiles;
  }

  /** The text of a file below the folder; undefined if it cannot be read. */
  sourceOf(name: string): Source | undefined {
    const path = join(this.home, name);
    const bytes = this.tree.read(path, { root: this.home, maximum: LIMITS.fileBytes, mayBeHidden: true });
    const text = "code" in bytes ? undefined : utf8(bytes);
    return text === undefined ? undefined : new Source(name, path, text);
  }

  /** The findings in routing tests, in other environments, in the lock and in accepted differences. */
  async otherFindings(configuration: Configuration): Promise<readonly Diagnostic[]> {
    const files = { tree: this.tree, cacheOf: (environment: string) => this.#cacheOf(environment) };
    try {
      const problems = await otherProblems(configuration, this.#options, this.#io, files);
      return problems.flatMap(({ diagnostics }) => diagnostics);
    } catch (error) {
      if (!(error instanceof Stop)) throw error;
      return [{ severity: "error", code: "E_FILE", message: error.message }];
    }
  }

  /** The configuration in the chosen environment and in every other one, with other contents of some files by path. */
  async inEveryEnvironment(
    contents: ReadonlyMap<string, Uint8Array> = new Map(),
  ): Promise<readonly ProjectInEnvironment[]> {
    const tree = withContents(this.tree, contents);
    const { configuration } = await this.current();
    const { environment, environments = [] } = configuration?.settings ?? {};
    const all: ProjectInEnvironment[] = [];
    for (const name of [undefined, ...(environment === undefined ? environments : [])]) {
      const cache = new ExtractionCache({ keepsTrees: true });
      const context = { ...this.#context(tree, cache), ...(name === undefined ? {} : { environment: name }) };
      const { configuration: loaded, error } = await loadWithErrors([], context);
      all.push({ configuration: loaded, files: cache.parsedFiles, errors: error?.diagnostics ?? [] });
    }
    return all;
  }

  async #load(): Promise<LoadedProject> {
    const { configuration, isComplete, error } = await loadWithErrors([], this.#context(this.tree, this.#cache));
    const resolved = configuration && resolve(configuration, kinds, NOTHING_READ);
    const named = configuration && resolve(configuration, kinds, DEFAULT_WORKSPACE);
    if (isComplete && named !== undefined) this.#workspace = named;
    const found =
      error !== undefined || resolved === undefined
        ? (error?.diagnostics ?? [])
        : [
            ...configuration.warnings,
            ...analyze(analyzers, resolved, this.#io.now(), () => validTests(configuration, this.tree)),
          ].filter((finding) => !("waived" in finding));
    return {
      findings: found.map(withoutMissingValues),
      configuration,
      workspace: this.#workspace ?? named,
      isComplete,
    };
  }

  #context(tree: FileTree, cache: ExtractionCache): LoadContext {
    return { ...loadContextOf(this.#options, this.#io), cwd: this.home, tree, cache };
  }

  #cacheOf(environment: string): ExtractionCache {
    const cache = this.#cacheByEnvironment.get(environment) ?? new ExtractionCache();
    this.#cacheByEnvironment.set(environment, cache);
    return cache;
  }
}

/** A finding, as a note if a variable of the environment has no value: an editor need not have those of a pipeline. */
function withoutMissingValues(finding: Diagnostic): Diagnostic {
  return finding.message.endsWith(NOT_SET) ? { ...finding, severity: "note" } : finding;
}

/** A configuration in one environment, or in none. */
export interface ProjectInEnvironment {
  readonly configuration: Configuration | undefined;
  readonly files: readonly ParsedFile[];
  readonly errors: readonly Diagnostic[];
}
