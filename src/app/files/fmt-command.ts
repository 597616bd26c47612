/** `fmt`: formats the files. It needs no network and no token. */

import { realpath, stat } from "node:fs/promises";
import { formatFiles } from "../../config/edit/format-files.ts";
import { EXIT } from "../../core/exit-codes.ts";
import type { Io } from "../../core/io.ts";
import { programLine, sanitised, shellWord } from "../../core/sanitise.ts";
import { counted } from "../../core/value-text.ts";
import { kinds } from "../../kinds/index.ts";
import { fileDiff } from "../../view/workspace/pull.ts";
import type { Console } from "../console/console.ts";
import { saveFile } from "../console/save-file.ts";
import { takeTokens } from "../session/tokens.ts";
import type { FmtOptions } from "./fmt-definition.ts";

/** Formats or checks the files. Nothing is written if one of them is not valid YAML. */
export async function fmt(options: FmtOptions, io: Io, console: Console): Promise<number> {
  takeTokens(io.env);
  const files = await formatFiles(options.paths, io.cwd, kinds);
  for (const { source, text } of files) {
    if (text === undefined)
      console.alert(`${sanitised(source.file)} was not formatted: it uses YAML that fmt does not rewrite`);
  }
  const changed = files.flatMap(({ source, text }) =>
    text === undefined || text === source.text ? [] : [{ source, text }],
  );
  const names = changed.map(({ source }) => sanitised(source.file));
  if (options.check === true) {
    if (names.length > 0) console.print(`${names.join("\n")}\n`);
    for (const { source, text } of changed) {
      const diff = { file: source.file, before: source.text, after: text };
      if (options.verbose === true) console.note(fileDiff(diff, console.noteStyle.paint).trimEnd());
    }
    if (names.length > 0)
      console.note(
        `${names.length} of ${counted(files.length, "file")} to format: ${programLine("fmt", { flags: [], files: options.paths.map(shellWord) })}`,
      );
    return names.length === 0 ? EXIT.success : EXIT.findings;
  }
  for (const { source, text } of changed) {
    const path = await realpath(source.path);
    await saveFile(path, text, io.cwd, (await stat(path)).mode & 0o777);
  }
  if (names.length > 0) console.print(`${names.join("\n")}\n`);
  console.note(names.length === 0 ? "Every file is formatted." : `formatted ${counted(names.length, "file")}`);
  return EXIT.success;
}
