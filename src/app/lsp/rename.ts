/** Renames of resources and options: their declarations, every reference in the files, and the former name where the service can keep it. */

import { flowText, textInStyle } from "../../config/edit/yaml-writer.ts";
import { resourceSchema } from "../../config/schema/schema.ts";
import { LIMITS } from "../../config/source/limits.ts";
import { ParsedFile } from "../../config/source/parsed-file.ts";
import { Source } from "../../config/source/source.ts";
import { type MapNode, type Member, memberOf, type Node } from "../../config/source/tree.ts";
import { escapeSubstitutions } from "../../config/values/substitution.ts";
import type { Diagnostic, Location } from "../../core/diagnostic.ts";
import { Findings } from "../../core/findings.ts";
import { fieldsIn } from "../../core/json.ts";
import { kinds } from "../../kinds/index.ts";
import type { Kind } from "../../kinds/model/kind.ts";
import { addressOf } from "../../kinds/model/resource.ts";
import { DEFAULT_WORKSPACE } from "../../workspace/match/observation.ts";
import { resolve } from "../../workspace/match/resolve.ts";
import { allListsOf, type FileWithTree, keyMemberOf } from "./cursor.ts";
import type { EditedProject, ProjectInEnvironment } from "./edited-project.ts";
import { type NamedResource, optionPointer, referencesTo } from "./named-resource.ts";

/** A replacement in a file. */
export interface FileEdit {
  readonly source: Source;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The edits of a rename. */
export interface Rename {
  readonly edits: readonly FileEdit[];
  /** The changes that the plan will make, if the service has no such rename. */
  readonly warning?: string;
}

/** The reason to refuse a rename. */
export class RenameRefused extends Error {}

/** Renames a resource or an option in all files, those of other environments included. Throws {@link RenameRefused}. */
export async function rename(named: NamedResource, to: string, project: EditedProject): Promise<Rename> {
  const { isComplete, workspace, findings } = await project.current();
  if (!isComplete || workspace === undefined) {
    const broken = findings.find(({ severity, at }) => severity === "error" && at !== undefined)?.at?.file;
    throw new RenameRefused(`correct the errors in ${broken ?? "the files"} first: references there would be missed`);
  }
  const declared = workspace.state.configuration.declared.find(({ address }) => address === named.address);
  if (declared === undefined) throw new RenameRefused(`${named.address} is not declared in the files`);
  const { kind, scope, key } = declared;
  const from = named.option ?? key;
  if (to === from) return { edits: [] };
  if (named.option === undefined && kind.lifecycle.builtins?.keys.includes(key) === true) {
    throw new RenameRefused(
      `the ${kind.title} "${key}" is built in, and has this ${kind.identity.keys[0]} in every workspace`,
    );
  }
  if (to.trim() === "") throw new RenameRefused("the new name is empty");
  const target = addressOf(kind, scope, to);
  if (named.option === undefined && workspace.state.declared(kind.name, to, scope) !== undefined) {
    throw new RenameRefused(`there is already a ${kind.title} "${to}"`);
  }
  if (named.option !== undefined && optionPointer(declared, to) !== "") {
    throw new RenameRefused(`${named.address} already has an option "${to}"`);
  }
  const before = await project.inEveryEnvironment();
  const edits = distinct(before.flatMap((one) => editsIn(one, { ...named, kind, scope, key, from, to, project })));
  const contents = new Map([...applied(edits)].map(([path, text]) => [path, new TextEncoder().encode(text)]));
  refuseNewErrors(before, await project.inEveryEnvironment(contents), { from, to });
  const isKept = named.option !== undefined || keepsFormerName(kind);
  return isKept
    ? { edits }
    : {
        edits,
        warning: `The service has no rename of a ${kind.title}. If ${named.address} exists there, the plan creates ${target} and removes ${named.address}.`,
      };
}

/** A rename of a resource or of an option of it. */
interface Renaming extends NamedResource {
  readonly kind: Kind;
  readonly scope: string;
  /** The key of the resource. */
  readonly key: string;
  readonly from: string;
  readonly to: string;
  readonly project: EditedProject;
}

/** Whether the files can say which live resource of the kind is meant after a rename. */
function keepsFormerName(kind: Kind): boolean {
  return Object.hasOwn(fieldsIn(resourceSchema(kind).part.properties), FORMER_NAME);
}

const FORMER_NAME = "renamed_from";

function editsIn({ configuration, files }: ProjectInEnvironment, renaming: Renaming): readonly FileEdit[] {
  if (configuration === undefined) return [];
  const workspace = resolve(configuration, kinds, DEFAULT_WORKSPACE);
  const sources = new Map(files.map(({ source }) => [source.file, source]));
  const references = referencesTo(renaming, workspace, files, renaming.project).flatMap((at) => {
    const source = sources.get(at.file) ?? renaming.project.sourceOf(at.file);
    return source === undefined ? [] : replacementAt(source, at, renaming);
  });
  const overlays = new Set(configuration.overlays?.files);
  return [...references, ...files.flatMap((file) => declarations(file, overlays.has(file.source.file), renaming))];
}

/** The new name in place of the old one; none where the text has another name of the resource. */
function replacementAt(
  source: Source,
  { line, column, length = 0 }: Location,
  { from, to }: Renaming,
): readonly FileEdit[] {
  const start = offsetOf(source, line, column);
  const written = source.text.slice(start, start + length);
  const { node } = ParsedFile.read(new Source("", "", written), LIMITS, new Findings()) ?? {};
  return isName(node, from) ? [{ source, start, end: start + length, text: inStyleOf(written, to) }] : [];
}

/** Whether a value is this name, as files write it. */
function isName(node: Node | undefined, name: string): boolean {
  return node?.type === "scalar" && node.value === escapeSubstitutions(name);
}

/** A name in the quotes of the text that it replaces. */
function inStyleOf(written: string, name: string): string {
  const style = written.startsWith('"') ? "double" : written.startsWith("'") ? "single" : "plain";
  return textInStyle(style, name, { indent: 0, column: 0, eol: "\n", flow: true });
}

/** The edits of the declarations in a file of the configuration, or of what an overlay changes of them. */
function declarations(file: FileWithTree, isOverlay: boolean, renaming: Renaming): readonly FileEdit[] {
  const { kind, scope, key, option, from } = renaming;
  const lists = allListsOf(file, kinds).filter((list) => list.of === kind && list.scope === scope);
  return lists.flatMap(({ items }) =>
    items.flatMap((item) => {
      const member = keyMemberOf(kind, item);
      if (item.type !== "map" || member === undefined || !isName(member.value, key)) return [];
      if (option !== undefined) return optionEdits(file.source, item, renaming);
      const isKept = !isOverlay && keepsFormerName(kind);
      return [
        replaced(file.source, member.value, renaming),
        ...(isKept ? insertedFormerName(file.source, item, member, from) : []),
      ];
    }),
  );
}

function replaced(source: Source, { start, end }: Node, { to }: Renaming): FileEdit {
  return { source, start, end, text: inStyleOf(source.text.slice(start, end), to) };
}

/** The edits of an option's label. A label alone becomes a mapping, which has room for the former name. */
function optionEdits(source: Source, resource: Node, renaming: Renaming): readonly FileEdit[] {
  const { kind, from, to } = renaming;
  return Object.entries(kind.fields ?? {}).flatMap(([name, { optionList }]) => {
    const list = optionList === true ? memberOf(resource, name)?.value : undefined;
    if (list?.type !== "list") return [];
    return list.items.flatMap((item): readonly FileEdit[] => {
      if (isName(item, from)) {
        const text = `{ label: ${flowText(to)}, ${FORMER_NAME}: ${flowText(from)} }`;
        return [{ source, start: item.start, end: item.end, text }];
      }
      const label = memberOf(item, "label");
      if (item.type !== "map" || label === undefined || !isName(label.value, from)) return [];
      return [replaced(source, label.value, renaming), ...insertedFormerName(source, item, label, from)];
    });
  });
}

/** The line with the former name, below the new one. A resource that has one already is still called that in the service. */
function insertedFormerName(
  source: Source,
  { start, members }: MapNode,
  key: Member,
  from: string,
): readonly FileEdit[] {
  if (members.has(FORMER_NAME)) return [];
  const { text } = source;
  const line = `${FORMER_NAME}: ${flowText(from)}`;
  const { end } = key.value;
  if (text[start] === "{") return [{ source, start: end, end, text: `, ${line}` }];
  const lineEnd = text.indexOf("\n", end);
  const at = lineEnd < 0 ? text.length : lineEnd - (text[lineEnd - 1] === "\r" ? 1 : 0);
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const indent = " ".repeat(key.start - (text.lastIndexOf("\n", key.start - 1) + 1));
  return [{ source, start: at, end: at, text: `${eol}${indent}${line}` }];
}

function distinct(edits: readonly FileEdit[]): readonly FileEdit[] {
  return [...new Map(edits.map((edit) => [`${edit.source.path}:${edit.start}:${edit.end}`, edit])).values()];
}

/** The texts of the files after the edits, by path. */
function applied(edits: readonly FileEdit[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const { source, start, end, text } of edits.toSorted((left, right) => right.start - left.start)) {
    const before = texts.get(source.path) ?? source.text;
    texts.set(source.path, before.slice(0, start) + text + before.slice(end));
  }
  return texts;
}

/** Refuses a rename after which the files have errors that they did not have before. */
function refuseNewErrors(
  before: readonly ProjectInEnvironment[],
  after: readonly ProjectInEnvironment[],
  { from, to }: Pick<Renaming, "from" | "to">,
): void {
  const textOf = ({ code, message }: Diagnostic): string => `${code} ${message}`.replaceAll(to, from);
  const known = new Set(before.flatMap(({ errors }) => errors.map(textOf)));
  const added = after.flatMap(({ errors }) => errors.filter((one) => !known.has(textOf(one))));
  const [error] = added.filter(({ severity }) => severity === "error");
  if (error !== undefined) throw new RenameRefused([error.message, error.help ?? []].flat().join(". "));
}

function offsetOf({ text }: Source, line: number, column: number): number {
  let start = 0;
  for (let passed = 1; passed < line; passed += 1) start = text.indexOf("\n", start) + 1;
  return start + column - 1;
}
