/** Proposals for the place where somebody types: keys, values of the schema, and names of resources and options. */

import { flowText, keyText } from "../../config/edit/yaml-writer.ts";
import { isTop } from "../../config/resources/lists.ts";
import { explain, fieldsBelow } from "../../config/resources/schema-docs.ts";
import { LIMITS } from "../../config/source/limits.ts";
import { ParsedFile } from "../../config/source/parsed-file.ts";
import { Source } from "../../config/source/source.ts";
import { Findings } from "../../core/findings.ts";
import { listIn, stepsOf, withValueAt } from "../../core/json.ts";
import { kinds } from "../../kinds/index.ts";
import type { Kind } from "../../kinds/model/kind.ts";
import { addressPrefix } from "../../kinds/model/resource.ts";
import { optionLabel } from "../../kinds/values/option-source.ts";
import type { ResolvedWorkspace } from "../../workspace/match/resolve.ts";
import {
  cursorAt,
  type FileWithTree,
  type ResourceAround,
  resourceAround,
  type TreePlace,
  writtenFields,
} from "./cursor.ts";
import { titleOf } from "./named-resource.ts";

/** A proposal. */
export interface Proposal {
  readonly label: string;
  readonly type: "kind" | "field" | "value" | "resource" | "option";
  /** A few words beside the label. */
  readonly detail?: string;
  readonly description?: string;
  /** The text to write. */
  readonly text: string;
}

/** Proposals, and the part of the text that they replace. */
export interface Proposals {
  readonly start: number;
  readonly end: number;
  readonly items: readonly Proposal[];
}

/** A letter that stands for what is not typed yet, so that the text can be parsed. */
const PLACEHOLDER = "x";

/** The proposals for an offset of a text. */
export function proposalsAt(
  name: string,
  text: string,
  offset: number,
  workspace: ResolvedWorkspace | undefined,
): Proposals | undefined {
  const [before, after] = [text.slice(0, offset), text.slice(offset)];
  // The place of a comment or of a substitution has no names.
  const line = before.slice(before.lastIndexOf("\n") + 1);
  if (/(?:^|\s)#/.test(line) || line.lastIndexOf("${") > line.lastIndexOf("}")) return undefined;
  const lineEnd = after.search(/\r?\n|$/);
  const [rest, below] = [after.slice(0, lineEnd), after.slice(lineEnd)];
  const closing = openBrackets(line + rest);
  for (const end of new Set([closing, ""])) {
    for (const inserted of [PLACEHOLDER, `${PLACEHOLDER}:`]) {
      const source = new Source(name, name, before + inserted + rest + end + below);
      const file = ParsedFile.read(source, LIMITS, new Findings());
      const isOwnColon = inserted.endsWith(":");
      const proposals = file === undefined ? undefined : proposalsIn(file, offset, isOwnColon, workspace);
      if (proposals !== undefined) return proposals;
    }
  }
  return undefined;
}

/** The brackets and the quote that close those that a line leaves open, as in one that is being typed. */
function openBrackets(line: string): string {
  const open: string[] = [];
  for (const [token] of line.matchAll(/"(?:[^"\\]|\\.)*"|(?<=[\s,:[{])'[^']*'|[[{}\]]|"/g)) {
    const closer = CLOSERS[token];
    if (closer !== undefined) open.push(closer);
    else if (token === open.at(-1)) open.pop();
  }
  return open.reverse().join("");
}

const CLOSERS: Readonly<Record<string, string>> = { "{": " }", "[": " ]", '"': '"' };

function proposalsIn(
  file: FileWithTree,
  offset: number,
  isOwnColon: boolean,
  workspace: ResolvedWorkspace | undefined,
): Proposals | undefined {
  const around = resourceAround(file, offset, kinds);
  const cursor = cursorAt(file.node, offset);
  const { node, member, isKey } = cursor;
  const { text } = file.source;
  if (isKey && member !== undefined) {
    const isNew = member.value.type === "scalar" && member.value.value === null;
    const items = keysAt(around, cursor, workspace, isNew && (isOwnColon || text[member.end] !== ":"));
    return { start: member.start, end: member.end - 1, items: items.filter(({ label }) => !isPresent(label, cursor)) };
  }
  if (node.type !== "scalar") return undefined;
  const items = [...valuesAt(around, cursor, workspace), ...keysAt(around, cursor, workspace, true)];
  const isQuoted = /^["']/.test(text.slice(node.start, node.start + 1));
  const [start, end] = isQuoted ? [node.start + 1, node.end - 1] : [node.start, node.end];
  if (items.length === 0) return undefined;
  return { start, end: end - 1, items: isQuoted ? items.map((item) => ({ ...item, text: item.label })) : items };
}

function isPresent(label: string, { mapping, member }: TreePlace): boolean {
  const present = mapping?.members.get(label);
  return present !== undefined && present !== member;
}

/** The keys that a mapping may have. */
function keysAt(
  around: ResourceAround | undefined,
  cursor: TreePlace,
  workspace: ResolvedWorkspace | undefined,
  isNew: boolean,
): readonly Proposal[] {
  const ending = isNew ? ": " : "";
  if (around === undefined) return topKeys(cursor, workspace, isNew ? ":" : "");
  const names = cursor.isKey ? around.cursor.names.slice(0, -1) : around.cursor.names;
  return fieldsBelow(around.kind, names).map(({ name, type, description }) => ({
    ...{ label: name, type: "field", detail: type, description },
    text: `${keyText(name)}${ending}`,
  }));
}

/** The kinds at the top of a file, and the scopes below them. */
function topKeys(
  { steps, isKey, node }: TreePlace,
  workspace: ResolvedWorkspace | undefined,
  ending: string,
): readonly Proposal[] {
  const above = isKey ? steps.slice(0, -1) : steps;
  if (!isKey && node.type !== "scalar") return [];
  const [name, ...below] = above;
  if (name === undefined) {
    return kinds.filter(isTop).map((kind) => ({
      label: kind.name,
      type: "kind",
      detail: `list of ${kind.title}`,
      text: `${kind.name}${ending}`,
    }));
  }
  const kind = kinds.find((one) => one.name === name);
  if (kind === undefined) return [];
  const patterns =
    kind.parent?.apart === true ? [["*"]] : (kind.scopes?.patterns ?? []).map((pattern) => pattern.slice(1).split("/"));
  const next = patterns.flatMap((pattern) =>
    below.every((step, at) => pattern[at] === step) ? (pattern[below.length] ?? []) : [],
  );
  const fixed = next.filter((step) => step !== "*");
  const scopes = next.includes("*")
    ? (kind.scopes?.names ?? declaredKeys(kind.scopes?.kind ?? kind.parent?.kind, "", workspace))
    : [];
  return [...fixed, ...scopes].map((label) => ({ label, type: "resource", text: `${keyText(label)}${ending}` }));
}

/** The values that a place may have: of its schema, and names of what it may reference. */
function valuesAt(
  around: ResourceAround | undefined,
  { isKey }: TreePlace,
  workspace: ResolvedWorkspace | undefined,
): readonly Proposal[] {
  if (around === undefined || isKey) return [];
  const explanation = explain(kinds, [around.kind.name, ...around.cursor.names]);
  const { type = "", values = [] } = "unknown" in explanation ? {} : explanation;
  const booleans = type.includes("true or false") ? [true, false] : [];
  const own = [...booleans, ...values].map(
    (value): Proposal => ({ label: String(value), type: "value", text: flowText(value) }),
  );
  return [...(workspace === undefined ? [] : namesFor(around, workspace)), ...own];
}

/** The names of the resources and options that a value may reference: the graph says what the value would be a reference to. */
function namesFor({ kind, scope, node, pointer }: ResourceAround, workspace: ResolvedWorkspace): readonly Proposal[] {
  const fields = withValueAt(writtenFields(node), stepsOf(pointer), PROBE);
  const references = workspace.graph.referencesOf({ kind, scope, fields: fields as ReturnType<typeof writtenFields> });
  return references.flatMap(({ reference }) => {
    if (reference.at !== pointer) return [];
    if (reference.option === PROBE) return optionsOf(reference.kind, reference.key, workspace);
    if (reference.option !== undefined || reference.key !== PROBE) return [];
    return declaredKeys(reference.kind, reference.scope, workspace).map(
      (label): Proposal => ({
        label,
        type: "resource",
        ...detailOf(reference.kind, reference.scope, label, workspace),
        text: flowText(label),
      }),
    );
  });
}

/** A name that no resource has. */
const PROBE = "\u0000";

function detailOf(
  kind: string,
  scope: string,
  key: string,
  { state }: ResolvedWorkspace,
): { readonly detail?: string } {
  const declared = state.declared(kind, key, scope);
  const detail = declared && titleOf(declared);
  return detail === undefined ? {} : { detail };
}

/** The keys of the declared resources of a list, and of the built-in ones. */
function declaredKeys(
  name: string | undefined,
  scope: string,
  workspace: ResolvedWorkspace | undefined,
): readonly string[] {
  const kind = kinds.find((one) => one.name === name);
  if (kind === undefined) return [];
  const declared = workspace?.state.declaredIn(kind.name, scope).map(({ key }) => key) ?? [];
  return [...new Set([...declared, ...(kind.lifecycle.builtins?.keys ?? [])])];
}

function optionsOf(kind: string, key: string, { state }: ResolvedWorkspace): readonly Proposal[] {
  const declared = state.declared(kind, key);
  if (declared === undefined) return [];
  return optionFields(declared.kind).flatMap((field) =>
    listIn(declared.fields[field]).map((option): Proposal => {
      const label = optionLabel(option);
      return { label, type: "option", detail: addressPrefix(declared.kind, "") + key, text: flowText(label) };
    }),
  );
}

function optionFields(kind: Kind): readonly string[] {
  return Object.entries(kind.fields ?? {}).flatMap(([name, { optionList }]) => (optionList === true ? [name] : []));
}
