/** Files that were loaded before, so that a second load of the same files, or of most of them, does not parse them again. */

import type { Directive } from "../source/directives.ts";
import type { FileBytes } from "../source/files.ts";
import type { ParsedFile } from "../source/parsed-file.ts";
import type { Source } from "../source/source.ts";
import { utf8 } from "../source/text.ts";
import type { ExtractedResources } from "./extract-resources.ts";

/** The resources and directives of a file. */
export interface ExtractedFile extends ExtractedResources {
  readonly directives: readonly Directive[];
}

interface CachedFile {
  readonly text: string;
  readonly extracted: ExtractedFile;
  /** The lists of the file: how many resources they had before it, and have with it. */
  readonly counts: readonly (readonly [list: string, before: number, after: number])[];
}

/** Text by which a file includes another one, whose content may be another the next time. */
const INCLUDE = "${file:";

/** Parsed and extracted files by name. What was found wrong is not kept, so a file with findings is read again. */
export class ExtractionCache {
  #values: string | undefined;
  readonly #parsed = new Map<string, { readonly file: ParsedFile; readonly hasFindings: boolean }>();
  readonly #files = new Map<string, CachedFile>();

  /** The file of this name, with the last text that could be parsed. */
  file(name: string): ParsedFile | undefined {
    return this.#parsed.get(name)?.file;
  }

  /** The files that could be parsed. */
  get parsedFiles(): readonly ParsedFile[] {
    return [...this.#parsed.values()].map(({ file }) => file);
  }

  /** A file that was parsed with the same text and without findings. */
  parsed({ file: name, bytes }: FileBytes): ParsedFile | undefined {
    const known = this.#parsed.get(name);
    return known?.hasFindings === false && utf8(bytes) === known.file.source.text ? known.file : undefined;
  }

  keepParsed(file: ParsedFile, hasFindings: boolean): void {
    this.#parsed.set(file.source.file, { file, hasFindings });
  }

  /** Forgets the resources of all files if the values of variables are others than before. */
  open(values: unknown): void {
    const text = JSON.stringify(values);
    if (text !== this.#values) this.#files.clear();
    this.#values = text;
  }

  /** The resources of a file with the same content, at the same positions of their lists. Continues the counts of its lists. */
  get({ file, bytes }: FileBytes, counts: Map<string, number>): ExtractedFile | undefined {
    const cached = this.#files.get(file);
    if (cached === undefined || utf8(bytes) !== cached.text) return undefined;
    if (cached.counts.some(([list, before]) => (counts.get(list) ?? 0) !== before)) return undefined;
    for (const [list, , after] of cached.counts) counts.set(list, after);
    return cached.extracted;
  }

  /** Keeps the resources of a file. */
  keep(
    { file, text }: Source,
    extracted: ExtractedFile,
    before: ReadonlyMap<string, number>,
    after: ReadonlyMap<string, number>,
  ): void {
    if (text.includes(INCLUDE)) return;
    const counts = [...after].flatMap(([list, count]) => {
      const earlier = before.get(list) ?? 0;
      return earlier === count ? [] : [[list, earlier, count] as const];
    });
    this.#files.set(file, { text, extracted, counts });
  }
}
