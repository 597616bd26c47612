/** Reads texts as files that live elsewhere. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { ForeignDocument } from "../../../../src/config/catalog/files/document.ts";
import { readForeignFiles } from "../../../../src/config/catalog/files/read-files.ts";
import { DISK } from "../../../../src/config/source/disk.ts";
import { FOREIGN_LIMITS, type Limits } from "../../../../src/config/source/limits.ts";
import type { Node } from "../../../../src/config/source/tree.ts";
import type { Diagnostic } from "../../../../src/core/diagnostic.ts";
import { Findings } from "../../../../src/core/findings.ts";
import type { Json } from "../../../../src/core/json.ts";

/** The documents of the files, and their errors. */
export interface Reading {
  readonly documents: readonly ForeignDocument[];
  readonly errors: readonly Diagnostic[];
}

/** Calls `work` with a new directory that has the files, by their paths. */
export async function withFiles<Result>(
  files: Readonly<Record<string, string | Uint8Array>>,
  work: (root: string) => Result | Promise<Result>,
): Promise<Result> {
  const root = mkdtempSync(join(tmpdir(), "incidentctl-catalog-"));
  try {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    }
    return await work(root);
  } finally {
    rmSync(root, { recursive: true });
  }
}

/** Reads files in a root, which are named relative to it. */
export async function readIn(root: string, paths: readonly string[], limits: Partial<Limits> = {}): Promise<Reading> {
  const findings = new Findings();
  const place = { tree: DISK, root, configuration: join(root, "incidents") };
  const { documents } = await readForeignFiles(
    paths.map((path) => join(root, path)),
    place,
    findings,
    { ...FOREIGN_LIMITS, ...limits },
  );
  return { documents: [...documents.values()].flat(), errors: findings.list("error") };
}

/** Reads one file with this name and content. */
export function readText(name: string, content: string | Uint8Array, limits: Partial<Limits> = {}): Promise<Reading> {
  return withFiles({ [name]: content }, (root) => readIn(root, [name], limits));
}

/** The values of the documents; fails if there are errors. */
export async function valuesOf(name: string, content: string | Uint8Array): Promise<unknown> {
  const { documents, errors } = await readText(name, content);
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
  return JSON.parse(JSON.stringify(documents.map(({ value }) => value)));
}

/** Each error as `line:column code message`. */
export async function errorsOf(
  name: string,
  content: string | Uint8Array,
  limits: Partial<Limits> = {},
): Promise<readonly string[]> {
  const { errors } = await readText(name, content, limits);
  return errors.map(({ at, code, message }) => `${at?.line}:${at?.column} ${code} ${message}`);
}

/** The text of each scalar, by its JSON Pointer. */
export function textsOf(node: Node, pointer = ""): Readonly<Record<string, string>> {
  if (node.type === "scalar") return { [pointer]: node.source?.text.slice(node.start, node.end) ?? "" };
  const children: readonly (readonly [string | number, Node])[] =
    node.type === "list" ? [...node.items.entries()] : [...node.members].map(([name, { value }]) => [name, value]);
  return Object.assign({}, ...children.map(([name, child]) => textsOf(child, `${pointer}/${name}`)));
}

/** The document of a file that has one. */
export async function onlyDocument(name: string, content: string): Promise<ForeignDocument> {
  const { documents, errors } = await readText(name, content);
  const [document] = documents;
  if (document === undefined || documents.length > 1) throw new Error(JSON.stringify(errors));
  return document;
}

/** The part of a document's value at a JSON Pointer. */
export function partAt({ value }: ForeignDocument, pointer: string): Json {
  return pointer
    .split("/")
    .slice(1)
    .reduce<Json>((part, step) => (part as Readonly<Record<string, Json>>)[step] ?? null, value);
}

/** The text of an object or a list in a document, found by its identity. */
export function textOfPart(document: ForeignDocument, pointer: string): string | undefined {
  const node = document.nodeOf(partAt(document, pointer));
  return node?.source?.text.slice(node.start, node.end);
}
