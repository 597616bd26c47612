/** Files of a pull: opens them for editing, names new ones, and writes each one atomically. */

import { lstatSync } from "node:fs";
import { mkdir, readFile, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { type SyntaxNode, valueBelow } from "../../config/edit/cst.ts";
import { type EditableDocument, editableDocument, NotEditable } from "../../config/edit/editable-document.ts";
import { type Configuration, isSourced, listAt } from "../../config/resources/configuration.ts";
import { listPath } from "../../config/resources/lists.ts";
import { fileOf } from "../../config/resources/origins.ts";
import { moduleSchema } from "../../config/schema/schema.ts";
import type { Project } from "../../config/settings/project.ts";
import { fileName } from "../../config/source/files.ts";
import { LIMITS } from "../../config/source/limits.ts";
import { Source } from "../../config/source/source.ts";
import { utf8 } from "../../config/source/text.ts";
import type { InvalidConfiguration, Location } from "../../core/diagnostic.ts";
import { EXIT, Stop } from "../../core/exit-codes.ts";
import { misuse } from "../../core/flag-values.ts";
import { escapedStep, stepsOf } from "../../core/json.ts";
import { programLine, quoted, type RunWords } from "../../core/sanitise.ts";
import { kinds } from "../../kinds/index.ts";
import { kindCalled } from "../../kinds/model/kind.ts";
import type { LiveResource } from "../../kinds/model/resource.ts";
import { paragraph } from "../../view/format/wrap.ts";
import type { PulledText } from "../../view/workspace/pull.ts";
import { reasonOf, saveFile } from "../console/save-file.ts";
import type { GoneFields, RefusedPart } from "./gone-references.ts";
import type { OpenFile } from "./list-editor.ts";
import type { NewFile, NewList } from "./live-document.ts";

/** A new file with the lists in it. */
export interface NamedFile extends PulledText {
  readonly lists: readonly NewList[];
}

/** Creates the last folder of each missing path, so that a pull into it starts empty. The name of a kind is refused: the kind is meant. */
export async function makeFolders(paths: readonly string[], cwd: string, words: RunWords): Promise<void> {
  const isThere = (one: string): boolean => lstatSync(one, { throwIfNoEntry: false }) !== undefined;
  const meant = paths.filter((one) => !isThere(resolve(cwd, one))).flatMap((one) => kindCalled(kinds, one) ?? []);
  if (meant.length > 0) {
    const names = meant.map(({ name }) => name).join(",");
    throw misuse(
      `pull takes directories and files; to pull only what is named: ${programLine(`pull --kinds ${names}`, words)}; to pull into a directory of such a name, create it first`,
    );
  }
  for (const path of paths.map((one) => resolve(cwd, one))) {
    if (!/\.ya?ml$/.test(path) && !isThere(path) && isThere(dirname(path))) await makeFolder(path);
  }
}

/** Opens every file that declares resources for editing, some with other texts than on the disk. */
export async function openFiles(
  configuration: Configuration,
  project: Project,
  texts: ReadonlyMap<string, string> = new Map(),
): Promise<ReadonlyMap<string, OpenFile>> {
  const owners = configuration.managed.flatMap(({ kind, scope }) => listAt(configuration, kind, scope)?.file ?? []);
  const laid = configuration.overlays?.files ?? [];
  const own = configuration.declared.filter(
    (resource) => !isSourced(configuration, resource.kind.name, resource.scope),
  );
  const files = new Set([...owners, ...own.map(fileOf)]);
  for (const file of laid) files.delete(file);
  const opened = new Map<string, OpenFile>();
  for (const file of files) {
    const path = join(project.root, file);
    const bytes = await readFile(path);
    const before = utf8(bytes) ?? "";
    const source = new Source(file, path, texts.get(file) ?? before);
    const document = openDocument(source);
    const marked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
    opened.set(file, { file, document, before, marked, place: (offset) => source.location(offset) });
  }
  return opened;
}

/** Reads a file for editing. Ends the command if it cannot be edited in place. */
export function openDocument(source: Source): EditableDocument {
  try {
    const document = editableDocument(source, LIMITS);
    if (document !== undefined) return document;
    throw new Stop(EXIT.error, `${quoted(source.file)} has changed while it was read; pull again`);
  } catch (error) {
    if (!(error instanceof NotEditable)) throw error;
    const message = `${quoted(source.file)} is written in a way that cannot be changed in place`;
    throw new Stop(
      EXIT.error,
      `${message}: not every parser of YAML reads it alike. Write it in a plainer way, then pull again`,
    );
  }
}

/** Returns the bytes of a file's text. */
export function bytesOf(text: string, marked = false): Uint8Array {
  return new TextEncoder().encode(marked ? `\ufeff${text}` : text);
}

/** Gives new files free names in the first directory of the configuration. */
export function nameNewFiles(
  fresh: readonly NewFile[],
  configuration: Configuration,
  project: Project,
): readonly NamedFile[] {
  const { part = [], settings } = configuration;
  const [first = project.root] = [...part.map((path) => join(project.root, path)), ...settings.config];
  const folder = /\.ya?ml$/.test(basename(first)) ? dirname(first) : first;
  return fresh.map(({ module, text, lists }) => {
    const names = [`${module}.yaml`, ...Array.from({ length: 99 }, (_, at) => `${module}-${at + 2}.yaml`)];
    const name = names.find((one) => lstatSync(join(folder, one), { throwIfNoEntry: false }) === undefined);
    if (name === undefined) throw new Stop(EXIT.error, `there is no free name for ${module}.yaml in ${quoted(folder)}`);
    const entries = lists.flatMap(({ addresses, inside }) =>
      [...addresses, ...inside].map((address) => ({ address, action: "add" })),
    );
    const file = fileName(project.root, join(folder, name));
    return { file, after: modeline(folder, configuration.settings.home) + aboutModule(module) + text, entries, lists };
  });
}

/** The comment at the head of a new file: what its resources are. */
function aboutModule(module: string): string {
  return `${paragraph(String(moduleSchema(module).description), "# ").join("\n")}\n`;
}

/** Name of the schema that `init` writes beside the settings. */
export const SCHEMA_FILE = "workspace.schema.json";

/** The comment that tells an editor where the schema is; empty without one. */
export function modeline(folder: string, home: string): string {
  const schema = join(home, SCHEMA_FILE);
  if (lstatSync(schema, { throwIfNoEntry: false }) === undefined) return "";
  const path = fileName(folder, schema);
  return `# yaml-language-server: $schema=${path.startsWith(".") ? path : `./${path}`}\n`;
}

/** Returns the parts of new files that the loader refuses. A missing reference to what is live is one to what is left out. */
export function refusedParts(
  { diagnostics }: InvalidConfiguration,
  fresh: readonly NamedFile[],
  gone: GoneFields,
): readonly RefusedPart[] {
  const placeIn = placesIn();
  return diagnostics.flatMap(({ severity, at, code, message, address = "" }) => {
    const newFile = severity === "error" ? fresh.find(({ file }) => file === at?.file) : undefined;
    if (newFile === undefined || at === undefined) return [];
    const { document, offset } = placeIn(newFile, at);
    const [lost = "it references a resource that no file can hold"] = gone.get(address)?.values() ?? [];
    const reason = code === "E_REF" ? lost : message;
    return newFile.lists.flatMap(({ path, addresses }) => {
      const list = valueBelow(document.root, path);
      const place = list?.items.findIndex((item) => item.start <= offset && offset <= item.end) ?? -1;
      const item = list?.items[place]?.value;
      return item === undefined ? [] : [[`${addresses[place]}#${pointerAt(item, offset)}`, reason] as const];
    });
  });
}

/**
 * Returns the live values that the loader refuses in files that were edited. A finding about another place as well may be the fault of what is not
 * pulled, and so may a missing reference, except where `reasonAt` knows why no file can have the live value of the field.
 */
export function refusedEdits(
  { diagnostics }: InvalidConfiguration,
  edited: readonly PulledText[],
  live: (address: string) => LiveResource | undefined,
  reasonAt: (resource: LiveResource, field: string) => string | undefined,
): readonly RefusedPart[] {
  const placeIn = placesIn();
  return diagnostics.flatMap(({ severity, at, code, message, address = "", related }): readonly RefusedPart[] => {
    const isReference = code === "E_REF";
    const mayBeOfValue = severity === "error" && (isReference || related === undefined);
    const file = mayBeOfValue ? edited.find((one) => one.file === at?.file) : undefined;
    const resource = live(address);
    if (file === undefined || at === undefined || resource === undefined) return [];
    const { document, offset } = placeIn(file, at);
    const steps = stepsOf(pointerAt(document.root, offset));
    const depth = depthOf(resource, steps);
    const field = steps[depth];
    const reason = isReference && field !== undefined ? reasonAt(resource, field) : message;
    if (field === undefined || reason === undefined) return [];
    const own: RefusedPart = [`${address}#/${escapedStep(field)}`, reason];
    const { kind, scope } = resource;
    if (kind.parent === undefined || depth !== NESTED_DEPTH) return [own];
    // A new resource takes those within it along.
    const pointer = steps.slice(2, depth + 1).map((step) => `/${escapedStep(step)}`);
    return [own, [`${kind.parent.kind}/${scope}#${pointer.join("")}`, reason]];
  });
}

/** How many steps lead to a resource in its file: to its list, or through the resource that it is nested in. */
function depthOf({ kind, scope }: LiveResource, steps: readonly string[]): number {
  const path = listPath(kind, scope);
  const isApart = path.every((step, at) => steps[at] === step);
  return isApart || kind.parent === undefined ? path.length + 1 : NESTED_DEPTH;
}

/** The list of the outer resources, one of them, the nested list, and one of it. */
const NESTED_DEPTH = 4;

/** Returns the function that finds places in files as they are to be written. */
function placesIn(): (file: PulledText, at: Location) => Place {
  const documents = new Map<PulledText, EditableDocument>();
  return (file, at) => {
    const document = documents.get(file) ?? openDocument(new Source(file.file, file.file, file.after));
    documents.set(file, document);
    return { document, offset: offsetOf(file, at) };
  };
}

function offsetOf({ after }: PulledText, { line, column }: Location): number {
  const starts = after.split("\n").slice(0, line - 1);
  return starts.reduce((sum, one) => sum + one.length + 1, 0) + column - 1;
}

interface Place {
  readonly document: EditableDocument;
  readonly offset: number;
}

/** Returns the JSON Pointer to the value at an offset. */
function pointerAt(value: SyntaxNode, offset: number): string {
  const pair = value.pairs.find(({ start, end }) => start <= offset && offset <= end);
  if (pair !== undefined) {
    return `/${escapedStep(pair.key)}${pair.value === undefined ? "" : pointerAt(pair.value, offset)}`;
  }
  const at = value.items.findIndex(({ start, end }) => start <= offset && offset <= end);
  const item = value.items[at]?.value;
  return at < 0 ? "" : `/${at}${item === undefined ? "" : pointerAt(item, offset)}`;
}

/** Writes the files, each atomically. Stops if somebody has changed one since it was read. */
export async function writeFiles(
  files: readonly PulledText[],
  contents: ReadonlyMap<string, Uint8Array>,
  open: ReadonlyMap<string, OpenFile>,
  project: Project,
): Promise<void> {
  for (const { file, before } of files) {
    const path = join(project.root, file);
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(contents.get(file));
    if (before === undefined) {
      await makeFolder(dirname(path));
      await saveFile(path, text, project.root, 0o644);
      continue;
    }
    // Links and permissions of the file stay unchanged.
    const real = await realpath(path);
    if (!Buffer.from(bytesOf(before, open.get(file)?.marked)).equals(await readFile(real))) {
      throw new Stop(EXIT.error, `${quoted(file)} has changed since it was read, and was not overwritten; pull again`);
    }
    await saveFile(real, text, project.root, (await stat(real)).mode & 0o777);
  }
}

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true });
  } catch (error) {
    throw new Stop(EXIT.error, `cannot create the folder ${quoted(path)}: ${reasonOf(error)}`);
  }
}
