/** The sources of catalog types, for `validate --verbose`. */

import type { SourcedList } from "../../config/resources/sourced-list.ts";
import { sanitised } from "../../core/sanitise.ts";
import { counted } from "../../core/value-text.ts";

/** A line for each source: its place, its files, how many entries it made, and how many of these have no value for an attribute. */
export function sourceLines(sourced: readonly SourcedList[]): readonly string[] {
  return sourced.flatMap(({ scope, sources }) =>
    sources.map(({ at, files, filesRead, documents, entries, overridden, missing }) => {
      const made = `${counted(entries, "entry", "entries")} of ${scope}`;
      const read = `${counted(documents, "document")} in ${counted(filesRead, "file")} (${files.join(", ")})`;
      const changed = overridden === 0 ? "" : `; the configuration changes ${overridden} of them`;
      const without =
        missing.size === 0 ? "" : `; without a value: ${[...missing].map((each) => each.join(" ")).join(", ")}`;
      return sanitised(`${at.file}:${at.line}: ${made} from ${read}${changed}${without}`);
    }),
  );
}
