/** `fmt`: the canonical layout of the files, every word and comment kept. It needs no network and no token. */

import { realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { formatted } from "../config/edit/format.ts";
import { Findings } from "../config/load/findings.ts";
import { locate, type Project } from "../config/settings/project.ts";
import { readFiles, readInside, TEST_FILES, type Wanted } from "../config/source/files.ts";
import { LIMITS } from "../config/source/limits.ts";
import { Source } from "../config/source/source.ts";
import { decode } from "../config/source/text.ts";
import type { Node } from "../config/source/tree.ts";
import { parse } from "../config/source/yaml.ts";
import { InvalidConfiguration } from "../core/diagnostic.ts";
import { EXIT } from "../core/exit-codes.ts";
import type { Io } from "../core/io.ts";
import { sanitised } from "../core/sanitise.ts";
import { type Console, type ConsoleOptions, openConsole } from "../output/console.ts";
import { saveFile } from "../output/save-file.ts";
import { counted } from "../report/format/value.ts";
import { fileDiff } from "../report/pull.ts";
import { takeTokens } from "../session/tokens.ts";

/** The flags of `fmt`. */
export interface FmtOptions extends ConsoleOptions {
  /** Directories and files; the settings say when there are none. */
  readonly paths: readonly string[];
  /** Writes nothing, and ends with exit code 7 when a file has another layout. */
  readonly check?: boolean;
}

/** A file with its tree. */
interface Read {
  readonly source: Source;
  readonly node: Node;
}

/** Formats, or only checks. A file that cannot be read as YAML ends with exit code 1 before anything is written. */
export async function fmt(options: FmtOptions, io: Io, console: Console = openConsole(io, options)): Promise<number> {
  takeTokens(io.env);
  const files = readAll(options.paths, io.cwd);
  const changed: { source: Source; text: string }[] = [];
  for (const { source, node } of files) {
    const text = formatted(source, node, LIMITS);
    if (text === undefined) {
      console.alert(`${sanitised(source.file)} is left as it is: it is written in a way that has no canonical layout`);
    } else if (text !== source.text) changed.push({ source, text });
  }
  const names = changed.map(({ source }) => sanitised(source.file));
  if (options.check === true) {
    if (names.length > 0) console.answer(`${names.join("\n")}\n`);
    for (const { source, text } of changed) {
      const diff = { file: source.file, before: source.text, after: text };
      if (options.verbose === true) console.note(fileDiff(diff, console.noteStyle.paint).trimEnd());
    }
    if (names.length > 0)
      console.note(`${counted(names.length, "file")} of ${files.length} to format: incidentctl fmt`);
    return names.length === 0 ? EXIT.success : EXIT.findings;
  }
  for (const { source, text } of changed) {
    const path = await realpath(source.path);
    await saveFile(path, text, io.cwd, (await stat(path)).mode & 0o777);
  }
  if (names.length > 0) console.answer(`${names.join("\n")}\n`);
  console.note(names.length === 0 ? "Every file has its layout." : `formatted ${counted(names.length, "file")}`);
  return EXIT.success;
}

/** Every file of the configuration, its tests and its settings. */
function readAll(paths: readonly string[], cwd: string): readonly Read[] {
  const findings = new Findings();
  const sources = new Map<string, Source>();
  const project = locate(paths, cwd, findings);
  const files = project === undefined ? [] : filesOf(project, findings);
  const read = files.flatMap(({ file, path, bytes }) => {
    const source = decode(file, path, bytes, findings);
    if (source === undefined) return [];
    sources.set(file, source);
    const node = parse(source, LIMITS, findings);
    return node === undefined ? [] : [{ source, node }];
  });
  const errors = findings.list("error");
  if (errors.length > 0) throw new InvalidConfiguration(errors, (file) => sources.get(file)?.lines());
  return read;
}

function filesOf(project: Project, findings: Findings): ReturnType<typeof readFiles> {
  const settings = settingsOf(project);
  const wanted = wantedOf(project, settings?.node);
  const files = readFiles(wanted, project.root, LIMITS, findings);
  const tests = readFiles(wanted, project.root, LIMITS, new Findings(), TEST_FILES);
  const all = [...(settings === undefined ? [] : [settings.bytes]), ...files, ...tests];
  return all.filter(({ path }, at) => all.findIndex((one) => one.path === path) === at);
}

/** The settings file, where there is one that belongs to what was named. */
function settingsOf({
  settings,
  home,
  given,
}: Project): { readonly bytes: ReturnType<typeof readFiles>[number]; readonly node: Node | undefined } | undefined {
  if (settings === undefined || (given.length > 0 && !given.includes(home))) return undefined;
  const bytes = readInside(settings, home, LIMITS.fileBytes);
  if ("code" in bytes) return undefined;
  const file = settings.slice(home.length + 1);
  const source = new Source(file, settings, new TextDecoder().decode(bytes));
  return { bytes: { file, path: settings, bytes }, node: parse(source, LIMITS, new Findings()) };
}

/** What was named, or else what the settings name: the configuration, and the overlays of environments. */
function wantedOf({ given, home, root }: Project, settings: Node | undefined): readonly Wanted[] {
  if (given.length > 0) return given.map((path) => ({ path }));
  const config = textsIn(settings, "config");
  const environments = member(settings, "environments");
  const overlays =
    environments?.type === "map"
      ? [...environments.members.values()].flatMap(({ value }) => textsIn(value, "overlays"))
      : [];
  return [
    ...(config.length === 0 ? [root] : []),
    ...[...config, ...new Set(overlays)].map((path) => join(home, path)),
  ].map((path) => ({ path }));
}

function member(node: Node | undefined, name: string): Node | undefined {
  return node?.type === "map" ? node.members.get(name)?.value : undefined;
}

function textsIn(node: Node | undefined, name: string): readonly string[] {
  const list = member(node, name);
  if (list?.type !== "list") return [];
  return list.items.flatMap((item) => (item.type === "scalar" && typeof item.value === "string" ? [item.value] : []));
}
