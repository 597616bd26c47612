/** Tells configuration files from the files of sources: where both are in one directory, the latter are no configuration. */

import { dirname } from "node:path";
import { Findings } from "../../core/findings.ts";
import { isFields, isList, type Json } from "../../core/json.ts";
import type { Kind } from "../../kinds/kind.ts";
import { substitute } from "../resolve/substitution.ts";
import type { SubstitutionResolver } from "../resolve/value.ts";
import type { FileBytes } from "../source/files.ts";
import { LIMITS } from "../source/limits.ts";
import { Source } from "../source/source.ts";
import { utf8 } from "../source/text.ts";
import { readYaml } from "../source/yaml/read-yaml.ts";
import type { EntryFiles } from "./entry-files.ts";

/** Substitutes nothing: a glob that has a substitution matches no file. */
const NO_SUBSTITUTIONS: SubstitutionResolver = { resolverFor: () => () => ({ value: "" }) };

/**
 * Returns the files that are not read by a source of one of the others. Only the few files that have a source are parsed for it;
 * their errors are reported when they are loaded.
 */
export function withoutSourceFiles(
  files: readonly FileBytes[],
  entryFiles: EntryFiles,
  kinds: readonly Kind[],
  substitutions: SubstitutionResolver = NO_SUBSTITUTIONS,
): readonly FileBytes[] {
  const keys = new Set(kinds.flatMap(({ parent }) => parent?.from ?? []));
  const withSources = files.filter(({ bytes }) =>
    [...keys].some((key) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(key)),
  );
  const claimed = new Set<string>();
  const owners = new Set<string>();
  for (const { file, path, bytes } of withSources) {
    const source = new Source(file, path, utf8(bytes) ?? "");
    for (const globs of globsIn(readYaml(source, LIMITS, new Findings())?.value ?? null, keys)) {
      owners.add(path);
      const texts = globs.map((glob) => String(substitute(glob, substitutions.resolverFor(source)).value));
      const found = entryFiles.find(texts, dirname(path));
      for (const one of "files" in found ? found.files : []) claimed.add(one);
    }
  }
  return claimed.size === 0 ? files : files.filter(({ path }) => owners.has(path) || !claimed.has(path));
}

/** The globs of each source of a file: its kinds hold lists of resources. */
function globsIn(file: Json, keys: ReadonlySet<string>): readonly (readonly string[])[] {
  const resources = isFields(file) ? Object.values(file).flatMap((list) => (isList(list) ? list : [])) : [];
  const sources = resources
    .filter(isFields)
    .flatMap((resource) => [...keys].flatMap((key) => oneOrSeveral(resource[key])));
  return sources.filter(isFields).map(({ files }) => oneOrSeveral(files).filter((glob) => typeof glob === "string"));
}

function oneOrSeveral(value: Json = null): readonly Json[] {
  return isList(value) ? value : [value];
}
