/** The sources of a configuration. It is loaded only for one that may have some, with the packages that find and read their files. */

import type { Kind } from "../../../kinds/model/kind.ts";
import type { OwnedList } from "../../resources/lists.ts";
import type { SourcedList } from "../../resources/sourced-list.ts";
import type { FileBytes } from "../../source/files.ts";
import type { SubstitutionResolver } from "../../values/value.ts";
import { EntryFiles, type EntryFilesContext } from "./entry-files.ts";
import { type ExpansionContext, expandEntries, refuseSources } from "./expand.ts";
import { withoutSourceFiles } from "./source-files.ts";

/** The context of all sources. */
export interface SourcesContext extends EntryFilesContext {
  readonly kinds: readonly Kind[];
}

/** Makes entries file by file of the configuration. */
export class Sources {
  readonly #context: SourcesContext;
  readonly #files: EntryFiles;
  readonly #sourced: SourcedList[] = [];

  constructor(context: SourcesContext) {
    this.#context = context;
    this.#files = new EntryFiles(context);
  }

  /** The lists that have sources, of all files so far. */
  get sourced(): readonly SourcedList[] {
    return this.#sourced;
  }

  /** The files without those of sources. */
  configurationFiles(files: readonly FileBytes[], substitutions?: SubstitutionResolver): readonly FileBytes[] {
    return withoutSourceFiles(files, { ...this.#context, entryFiles: this.#files, substitutions });
  }

  /** The lists of a file with the entries that its sources make. */
  async expand(
    lists: readonly OwnedList[],
    context: Omit<ExpansionContext, "entryFiles">,
  ): Promise<readonly OwnedList[]> {
    const expanded = await expandEntries(lists, { ...context, entryFiles: this.#files });
    this.#sourced.push(...expanded.sourced);
    return expanded.lists;
  }

  /** Records sources in the lists of overlays. */
  refuseIn(overlays: readonly OwnedList[]): void {
    for (const list of overlays) refuseSources(list, this.#context.kinds, this.#context.findings);
  }
}
