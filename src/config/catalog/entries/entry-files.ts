/** The files of all sources of a configuration. Each is read once, however many sources name it. */

import { dirname } from "node:path";
import type { Findings } from "../../../core/findings.ts";
import { SOURCE_WARNING } from "../../resources/sourced-list.ts";
import type { FileTree } from "../../source/file-tree.ts";
import { FOREIGN_LIMITS } from "../../source/limits.ts";
import { isRepository, repositoryRoot } from "../../source/repository.ts";
import type { Source } from "../../source/source.ts";
import { placeOf } from "../../source/tree.ts";
import type { ForeignDocument } from "../files/document.ts";
import { findFiles } from "../files/find-files.ts";
import { readForeignFiles } from "../files/read-files.ts";
import type { EntrySource } from "./entry-source.ts";

/** The context of the files. */
export interface EntryFilesContext {
  readonly tree: FileTree;
  /** The root of paths in messages. */
  readonly configurationRoot: string;
  /** The directory of the settings, inside the repository. */
  readonly home: string;
  readonly findings: Findings;
  /** Keeps a file for the lines in messages. */
  keep(source: Source): void;
}

/** Globs that begin at the file that has them. */
const DOTTED = /^!?\.\.?\//;

/** Finds and reads the files of sources. */
export class EntryFiles {
  readonly #context: EntryFilesContext;
  readonly #root: string;
  readonly #found = new Map<string, ReturnType<typeof findFiles>>();
  /** The documents of each path so far; undefined for a file with errors. */
  readonly #documents = new Map<string, readonly ForeignDocument[] | undefined>();

  constructor(context: EntryFilesContext) {
    this.#context = context;
    this.#root = repositoryRoot(context.home, context.tree);
  }

  /** The files of globs in a file of this folder, or the errors of the globs. The same globs are looked for once. */
  find(globs: readonly string[], folder: string): ReturnType<typeof findFiles> {
    const key = JSON.stringify([globs, globs.some((glob) => DOTTED.test(glob)) ? folder : ""]);
    const place = { tree: this.#context.tree, root: this.#root, folder };
    const found = this.#found.get(key) ?? findFiles(globs, place, FOREIGN_LIMITS);
    this.#found.set(key, found);
    return found;
  }

  /**
   * The documents of a source's files, by file; undefined for a file with errors. Records globs that match nothing, and files that cannot
   * be read.
   */
  async documentsOf(source: EntrySource, file: Source): Promise<readonly (readonly ForeignDocument[] | undefined)[]> {
    const { findings } = this.#context;
    const found = this.find(source.files, dirname(file.path));
    const at = placeOf(source.filesAt, file);
    if (!("files" in found)) {
      for (const { code, message, help } of found) findings.error(code, message, at, { help });
      return [];
    }
    for (const glob of found.unmatched) {
      findings.warning(SOURCE_WARNING, `the glob "${glob}" matches no file`, at, { help: this.#helpWith(glob) });
    }
    const [link, ...rest] = found.links;
    if (link !== undefined) {
      const more = rest.length === 0 ? "" : ` and ${rest.length} more`;
      const message = `the globs match a symbolic link, which is not read: ${link}${more}`;
      const glob = `!${link}${link.endsWith("/") ? "**" : ""}`;
      findings.warning(SOURCE_WARNING, message, at, {
        repeats: rest.map((other) => ({ message: "not read either", at: { file: other, line: 1, column: 1 } })),
        help: `Name what it leads to, or exclude the link with a glob: "${glob}".`,
      });
    }
    await this.#read(found.files.filter((path) => !this.#documents.has(path)));
    return found.files.map((path) => this.#documents.get(path));
  }

  async #read(paths: readonly string[]): Promise<void> {
    const { tree, configurationRoot, findings, keep } = this.#context;
    const place = { tree, root: this.#root, configuration: configurationRoot };
    const { documents, sources } = await readForeignFiles(paths, place, findings);
    for (const source of sources) keep(source);
    for (const path of paths) this.#documents.set(path, documents.get(path));
  }

  #helpWith(glob: string): string {
    if (DOTTED.test(glob)) return "A glob that begins with a dot begins at this file.";
    const start = isRepository(this.#root, this.#context.tree)
      ? "the root of the repository"
      : "the directory of incidentctl.yaml, since no git repository (.git) is around it";
    return `It begins at ${start}. To begin at this file, write ./ before it.`;
  }
}
