/** Reads files that live elsewhere, such as catalogs of other programs, as plain values with their places. Nothing in them is run or substituted. */

import { extname } from "node:path";
import type { Findings } from "../../../core/findings.ts";
import { FileErrors, Refused } from "../../source/file-errors.ts";
import type { FileTree } from "../../source/file-tree.ts";
import { fileName } from "../../source/files.ts";
import { FOREIGN_LIMITS, type Limits } from "../../source/limits.ts";
import type { Source } from "../../source/source.ts";
import { decodeForeign } from "../../source/text.ts";
import type { Node } from "../../source/tree.ts";
import { readForeignYaml } from "../../source/yaml/read-yaml.ts";
import { ForeignDocument, type ReadFormat } from "./document.ts";
import { readCsv, readTsv } from "./formats/csv.ts";
import { readJsonDocument, readJsonLines } from "./formats/json.ts";

/** The documents of some files. Errors are in the findings. */
export interface ForeignFiles {
  /** The documents of each file that was read, by its absolute path; none of a file with errors. */
  readonly documents: ReadonlyMap<string, readonly ForeignDocument[]>;
  /** The texts of all files, for code frames; those of files with errors too. */
  readonly sources: readonly Source[];
}

/** The directories that paths are relative to; absolute. */
export interface ForeignPlace {
  readonly tree: FileTree;
  /** The root of the repository: only files whose real path is inside it are read. */
  readonly root: string;
  /** The root of the configuration, to which file names in messages are relative. */
  readonly configuration: string;
}

/** The readers by extension. That of TOML is loaded when the first such file is read. */
const FORMATS = new Map<string, () => ReadFormat | Promise<ReadFormat>>([
  [".yaml", () => readForeignYaml],
  [".yml", () => readForeignYaml],
  [".json", () => readJsonDocument],
  [".jsonl", () => readJsonLines],
  [".ndjson", () => readJsonLines],
  [".csv", () => readCsv],
  [".tsv", () => readTsv],
  [".toml", async () => (await import("./formats/toml.ts")).readToml],
]);

/** Broken files that are reported one by one; with more, the globs are wrong and not the files. */
const REPORTED_FILES = 50;

/** Reads files in their order; their formats follow from their extensions. */
export async function readForeignFiles(
  paths: readonly string[],
  place: ForeignPlace,
  findings: Findings,
  limits: Limits = FOREIGN_LIMITS,
): Promise<ForeignFiles> {
  const documents = new Map<string, readonly ForeignDocument[]>();
  const sources: Source[] = [];
  let total = 0;
  for (const [index, path] of paths.entries()) {
    const broken = index - documents.size;
    const file = fileName(place.configuration, path);
    const at = { file, line: 1, column: 1 };
    const exclude = () => `Exclude it with a glob: "!${fileName(place.root, path)}".`;
    if (broken === REPORTED_FILES) {
      const help = "Correct the files above first, or exclude them with globs that begin with !.";
      findings.error("E_MORE_ERRORS", `${broken} files cannot be read; those from this one on were not tried`, at, {
        help,
      });
      break;
    }
    const format = FORMATS.get(extname(path).toLowerCase());
    if (format === undefined) {
      findings.error("E_FILE", `the format of "${fileName(place.root, path)}" is not known`, at, {
        help: `Known are ${[...FORMATS.keys()].join(", ")}. ${exclude()}`,
      });
      continue;
    }
    const bytes = place.tree.read(path, { root: place.root, maximum: limits.fileBytes, mayBeHidden: false });
    if ("code" in bytes) {
      const isOutside = bytes.code === "E_INCLUDE_ROOT";
      const message = isOutside ? "the file is hidden, or outside the repository" : bytes.message;
      findings.error(bytes.code, message, at, { help: exclude() });
      continue;
    }
    total += bytes.length;
    if (total > limits.totalBytes) {
      const message = `the files have more than ${limits.totalBytes} bytes together`;
      findings.error("E_TOO_LARGE", message, at, { help: "Exclude files with globs that begin with !." });
      break;
    }
    const source = decodeForeign(file, path, bytes, findings);
    if (source === undefined) continue;
    sources.push(source);
    const read = readSource(source, fileName(place.root, path), await format(), limits, findings);
    if (read !== undefined) documents.set(path, read);
  }
  return { documents, sources };
}

/** The documents of a text; undefined if it has errors. */
function readSource(
  source: Source,
  path: string,
  format: ReadFormat,
  limits: Limits,
  findings: Findings,
): readonly ForeignDocument[] | undefined {
  const errors = new FileErrors(source, findings, templateHelp(source.text, path));
  try {
    if (/\r/.test(source.text) && !source.text.includes("\n")) {
      const message = "the lines end with a carriage return alone";
      errors.refuse({ code: "E_EOL", message, help: "End lines with LF or CRLF.", start: source.text.indexOf("\r") });
    }
    const documents = format(source, limits, errors);
    if (errors.count > 0) return undefined;
    let again: readonly Node[] | undefined;
    return documents.map((document, at) => {
      const read = () => {
        again ??= format(source, limits, errors);
        const node = again[at];
        if (node === undefined) throw new Error(`${source.file} cannot be read a second time`);
        return node;
      };
      return new ForeignDocument(source, path, document, read);
    });
  } catch (error) {
    if (error instanceof Refused) return undefined;
    throw error;
  } finally {
    errors.finish();
  }
}

/** The help for every error of a file that is a template of other files; undefined if it seems to be none. */
function templateHelp(text: string, path: string): string | undefined {
  if (!/\{\{|\{%/.test(text)) return undefined;
  const folder = /(?:^|\/)(skeletons?|templates?)\//.exec(path)?.[1];
  const glob = folder === undefined ? `!${path}` : `!**/${folder}/**`;
  return `If the file is a template, exclude it with a glob: "${glob}".`;
}
