/** The sources of a configuration. It is loaded only for one that may have some, with the packages that find and read their files. */

import { dirname } from "node:path";
import { Findings } from "../../../core/findings.ts";
import { fieldsIn, isFields, isList, type Json, listIn } from "../../../core/json.ts";
import type { Kind } from "../../../kinds/model/kind.ts";
import { isTop, type OwnedList } from "../../resources/lists.ts";
import type { SourcedList } from "../../resources/sourced-list.ts";
import type { FileBytes } from "../../source/files.ts";
import { LIMITS } from "../../source/limits.ts";
import { Source } from "../../source/source.ts";
import { utf8 } from "../../source/text.ts";
import { readYaml } from "../../source/yaml/read-yaml.ts";
import { substitute, withoutEnvironment } from "../../values/substitution.ts";
import type { SubstitutionResolver } from "../../values/value.ts";
import { EntryFiles, type EntryFilesContext } from "./entry-files.ts";
import { type ExpansionContext, expandEntries, refuseSources } from "./expand.ts";

/** The context of all sources. */
export interface SourcesContext extends EntryFilesContext {
  readonly kinds: readonly Kind[];
}

/** Substitutes nothing: a glob that has a substitution matches no file. */
const NO_SUBSTITUTIONS: SubstitutionResolver = { resolverFor: () => () => ({ value: "" }) };

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

  /**
   * Returns the configuration files among some files: not those that a source of another one reads, and of those that a source's globs
   * match and exclude only the ones with resources. Only the few files that have a source are parsed for it; their errors are reported
   * when they are loaded.
   */
  configurationFiles(
    files: readonly FileBytes[],
    substitutions: SubstitutionResolver = NO_SUBSTITUTIONS,
  ): readonly FileBytes[] {
    const { kinds, findings } = this.#context;
    const keys = new Set(kinds.flatMap(({ parent }) => parent?.from ?? []));
    const withSources = files.filter(({ bytes }) => [...keys].some((key) => bufferOf(bytes).includes(key)));
    const owners = new Set<string>();
    const matched = { read: new Set<string>(), excluded: new Set<string>() };
    const hasResources = resourceTest(kinds);
    // Most files have resources, so that most runs look for excluded files in vain.
    const hasOthers = files.some((file) => !hasResources(file));
    for (const { file, path, bytes } of withSources) {
      const source = new Source(file, path, utf8(bytes) ?? "");
      const folder = dirname(path);
      for (const globs of globsIn(readYaml(source, LIMITS, new Findings())?.value ?? null, keys)) {
        owners.add(path);
        const texts = globs.map((glob) =>
          String(substitute(glob, withoutEnvironment(substitutions.resolverFor(source))).value),
        );
        const found = this.#files.find(texts, folder);
        addAll(matched.read, found);
        const including = texts.filter((glob) => !glob.startsWith("!"));
        // One wrong glob is reported; the files of the others are no configuration for that.
        if (!("files" in found))
          for (const glob of including) addAll(matched.excluded, this.#files.find([glob], folder));
        if (hasOthers && including.length < texts.length) addAll(matched.excluded, this.#files.find(including, folder));
      }
    }
    return files.filter((file) => {
      const { path } = file;
      if (owners.has(path)) return true;
      if (!matched.read.has(path)) return !matched.excluded.has(path) || hasResources(file);
      if (hasResources(file)) {
        const at = { file: file.file, line: 1, column: 1 };
        findings.error("E_ENTRIES_FROM", "a source of entries reads this file, which has resources", at, {
          help: "If it is a configuration file, exclude it from the source with a glob that begins with !; otherwise, move it.",
        });
      }
      return false;
    });
  }

  /** The lists of all files with the entries that its sources make. */
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

function addAll(paths: Set<string>, found: ReturnType<EntryFiles["find"]>): void {
  for (const path of "files" in found ? found.files : []) paths.add(path);
}

/** Tests whether a file has resources: a line of it, which need not be valid YAML, begins with the name of a kind. */
function resourceTest(kinds: readonly Kind[]): (file: FileBytes) => boolean {
  const names = kinds.flatMap((kind) => (isTop(kind) ? [kind.name] : []));
  const key = new RegExp(`^(?:\\{\\s*)?["']?(?:${names.join("|")})["']?\\s*:`, "m");
  return ({ bytes }) => key.test(bufferOf(bytes).toString());
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** The globs of each source of a file: its kinds hold lists of resources. */
function globsIn(file: Json, keys: ReadonlySet<string>): readonly (readonly string[])[] {
  const resources = Object.values(fieldsIn(file)).flatMap(listIn);
  const sources = resources
    .filter(isFields)
    .flatMap((resource) => [...keys].flatMap((key) => oneOrSeveral(resource[key])));
  return sources.filter(isFields).map(({ files }) => oneOrSeveral(files).filter((glob) => typeof glob === "string"));
}

function oneOrSeveral(value: Json = null): readonly Json[] {
  return isList(value) ? value : [value];
}
