/** Files that were loaded before, so that a second load of the same files, or of most of them, does not parse them again. */

import type { Directive } from "../source/directives.ts";
import type { FileBytes } from "../source/files.ts";
import type { ParsedFile } from "../source/parsed-file.ts";
import type { ExtractedResources } from "./extract-resources.ts";

/** The resources and directives of a file. */
export interface ExtractedFile extends ExtractedResources {
  readonly directives: readonly Directive[];
}

interface CachedFile {
  readonly parsed: ParsedFile;
  readonly extracted: ExtractedFile;
  /** The lists of the file: how many resources they had before it, and have with it. */
  readonly counts: readonly (readonly [list: string, before: number, after: number])[];
}

interface ParsedText {
  readonly file: ParsedFile;
  readonly hasFindings: boolean;
}

/** Text by which a file includes another one, whose content may be another the next time. */
const INCLUDE = "${file:";

/** Parsed and extracted files by name. What was found wrong is not kept, so a file with findings is read again. */
export class ExtractionCache {
  /** Whether places in the files will be asked for, so that their trees stay in memory. */
  readonly keepsTrees: boolean;
  #values: string | undefined;
  readonly #parsed = new Map<string, ParsedText>();
  readonly #files = new Map<string, CachedFile>();

  constructor({ keepsTrees = false }: { readonly keepsTrees?: boolean } = {}) {
    this.keepsTrees = keepsTrees;
  }

  /** The file of this name, with the last text that could be parsed. */
  file(name: string): ParsedFile | undefined {
    return this.#parsed.get(name)?.file;
  }

  /** The files that could be parsed. */
  get parsedFiles(): readonly ParsedFile[] {
    return [...this.#parsed.values()].map(({ file }) => file);
  }

  /** A file that was parsed with the same bytes and without findings. */
  parsed({ file: name, bytes }: FileBytes): ParsedFile | undefined {
    const known = this.#parsed.get(name);
    return known?.hasFindings === false && isText(known.file, bytes) ? known.file : undefined;
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
  get(read: FileBytes, counts: Map<string, number>): ExtractedFile | undefined {
    const cached = this.#files.get(read.file);
    if (cached === undefined || !isText(cached.parsed, read.bytes)) return undefined;
    if (cached.counts.some(([list, before]) => (counts.get(list) ?? 0) !== before)) return undefined;
    for (const [list, , after] of cached.counts) counts.set(list, after);
    // Another text may have been parsed in the meantime, and had mistakes.
    this.keepParsed(cached.parsed, false);
    return cached.extracted;
  }

  /** Keeps the resources of a file. */
  keep(
    parsed: ParsedFile,
    extracted: ExtractedFile,
    before: ReadonlyMap<string, number>,
    after: ReadonlyMap<string, number>,
  ): void {
    if (parsed.source.text.includes(INCLUDE)) return;
    const counts = [...after].flatMap(([list, count]) => {
      const earlier = before.get(list) ?? 0;
      return earlier === count ? [] : [[list, earlier, count] as const];
    });
    this.#files.set(parsed.source.file, { parsed, extracted, counts });
  }
}

/** Whether the bytes are those of the file. Its text is kept anyway, its bytes are not: with both, a large configuration would be in memory twice. */
function isText({ source: { text } }: ParsedFile, bytes: Uint8Array): boolean {
  return bytes.length === Buffer.byteLength(text) && Buffer.compare(bytes, Buffer.from(text)) === 0;
}
