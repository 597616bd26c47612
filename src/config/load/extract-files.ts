/** The resources of the files of a configuration: file by file, or of all files at once where one changes what others have. */

import type { Sources } from "../catalog/entries/sources.ts";
import type { OverlayRemoval } from "../resources/configuration.ts";
import { listsOf, type OwnedList } from "../resources/lists.ts";
import type { Directive } from "../source/directives.ts";
import type { FileBytes } from "../source/files.ts";
import type { ParsedFile } from "../source/parsed-file.ts";
import { type ExtractedResources, type ExtractionContext, extractResources } from "./extract-resources.ts";
import type { ExtractedFile, ExtractionCache } from "./extraction-cache.ts";
import { applyOverlays } from "./overlay.ts";

/** The files of a configuration, and their parser. */
interface ParsableFiles {
  readonly files: readonly FileBytes[];
  readonly overlays: readonly FileBytes[];
  parse(file: FileBytes): ParsedFile | undefined;
  /** Makes entries out of other files; undefined if no file asks for that. */
  readonly sources: Sources | undefined;
  readonly cache: ExtractionCache | undefined;
}

/** The resources, lists and directives of the files. */
interface LoadedResources extends ExtractedResources {
  readonly removals: readonly OverlayRemoval[];
  readonly directives: readonly Directive[];
  /** Whether every file could be parsed. */
  readonly isComplete: boolean;
}

/** Extracts file by file, so that only one tree is in memory, unless the cache keeps them. */
export function extractByFile({ files, parse, cache }: ParsableFiles, context: ExtractionContext): LoadedResources {
  const counts = new Map<string, number>();
  const gathered: ExtractedFile[] = [];
  let isComplete = true;
  for (const bytes of files) {
    const known = cache?.get(bytes, counts);
    if (known !== undefined) {
      gathered.push(known);
      continue;
    }
    const before = new Map(counts);
    const foundBefore = context.findings.count;
    const file = parse(bytes);
    if (file === undefined) isComplete = false;
    else {
      const lists = listsOf(file, context.kinds, context.findings);
      const extracted = { ...extractResources(lists, { ...context, file }, counts), directives: file.directives };
      gathered.push(extracted);
      if (context.findings.count === foundBefore) cache?.keep(file, extracted, before, counts);
      if (cache?.keepsTrees !== true) file.release();
    }
  }
  return {
    lists: gathered.flatMap(({ lists }) => lists),
    resources: gathered.flatMap(({ resources }) => resources),
    invalid: new Set(gathered.flatMap(({ invalid }) => [...invalid])),
    directives: gathered.flatMap(({ directives }) => directives),
    removals: [],
    isComplete,
  };
}

/** Extracts from all trees at once: sources make entries that several files may change, and overlays are merged. */
export async function extractFromAll(
  { files, overlays, parse, sources }: ParsableFiles,
  context: ExtractionContext,
): Promise<LoadedResources> {
  const parsed = files.map(parse);
  const over = overlays.map(parse);
  const listsIn = (file: ParsedFile | undefined): readonly OwnedList[] =>
    file === undefined ? [] : listsOf(file, context.kinds, context.findings);
  const overlaid = over.map(listsIn);
  sources?.refuseIn(overlaid.flat());
  const own = parsed.flatMap(listsIn);
  const merged = applyOverlays(sources === undefined ? own : await sources.expand(own, context), overlaid, context);
  const all = [...parsed, ...over];
  const extracted = extractResources(merged.lists, context);
  return {
    ...extracted,
    removals: merged.removals,
    directives: all.flatMap((file) => file?.directives ?? []),
    isComplete: !all.includes(undefined),
  };
}
