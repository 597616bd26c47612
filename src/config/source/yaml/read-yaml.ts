/**
 * Reads YAML files: YAML 1.2, core schema. A file of the configuration is one document, and nothing else decides what it means;
 * `config/edit/` changes a file only where its own parser sees the same values. A foreign file may have more: see {@link YamlPolicy}.
 */

import type { Findings } from "../../../core/findings.ts";
import type { Json } from "../../../core/json.ts";
import { type FileError, FileErrors, Refused } from "../file-errors.ts";
import type { Limits } from "../limits.ts";
import type { Source } from "../source.ts";
import type { Node, Span } from "../tree.ts";
import { CheckedTokens } from "./checked-tokens.ts";
import { correctedLine } from "./corrected-line.ts";
import { CODE, Cursor, isBlankOrEnd } from "./cursor.ts";
import { EVENT, InvalidYaml, readEvents } from "./events.ts";
import { NodeReader } from "./node-reader.ts";
import { depthError, misplaced, syntaxError } from "./syntax-error.ts";
import { ParsedTokens } from "./tokens.ts";

/** The content of a YAML file. */
export interface YamlFile {
  readonly node: Node;
  /** The value before substitution. */
  readonly value: Json;
  /** Comments that are directives. */
  readonly comments: readonly Span[];
}

/** Reads the only document of a file of the configuration; undefined if it has errors. */
export function readYaml(source: Source, limits: Limits, findings: Findings): YamlFile | undefined {
  const errors = new FileErrors(source, findings);
  try {
    const file = readDocument(source.text, limits, errors);
    return errors.count === 0 ? file : undefined;
  } catch (error) {
    if (error instanceof InvalidYaml) {
      const found = invalidYaml(error, source.text, limits);
      const correction = error.isTooDeep
        ? undefined
        : correctedLine(source.text, found.start, error.offset, limits.depth);
      errors.add({ ...found, correction });
    } else if (!(error instanceof Refused)) throw error;
    return undefined;
  } finally {
    errors.finish();
  }
}

/** Reads the documents of a foreign file that are not empty; none if it is not YAML. */
export function readForeignYaml(source: Source, limits: Limits, errors: FileErrors): readonly Node[] {
  refuseTokens(source.text, limits, errors);
  try {
    const events = readEvents(source.text, limits.depth);
    const tokens = new ParsedTokens(source.text);
    const nodes = new NodeReader(source.text, events, tokens, { foreign: source, limits }, errors).documents();
    return nodes.filter(({ value }) => value !== null);
  } catch (error) {
    if (!(error instanceof InvalidYaml)) throw error;
    errors.add(invalidYaml(error, source.text, limits));
    return [];
  }
}

function invalidYaml({ isTooDeep, reason, offset }: InvalidYaml, text: string, limits: Limits): FileError {
  return isTooDeep ? depthError(offset, limits) : syntaxError(reason, text, offset);
}

function readDocument(text: string, limits: Limits, errors: FileErrors): YamlFile {
  const cursor = new Cursor(text);
  const isMarked = skipHead(cursor, errors);
  refuseSecondDocument(cursor, errors);
  refuseTokens(text, limits, errors);
  const events = readEvents(text, limits.depth);
  const [document] = events;
  const nothing = text.trim() === "" ? EMPTY : { ...EMPTY, message: "the file declares nothing" };
  if (document === undefined) errors.refuse(nothing);
  if (document.type !== EVENT.DOCUMENT || document.explicitStart !== isMarked) errors.refuse(misplaced(cursor));
  const tokens = new CheckedTokens(cursor, errors);
  const [node] = new NodeReader(text, events, tokens, { foreign: undefined, limits }, errors).documents();
  if (node === undefined || (node.value === null && errors.count === 0)) errors.refuse(nothing);
  return { node, value: node.value ?? null, comments: cursor.comments };
}

const EMPTY = {
  code: "E_EMPTY",
  message: "the file is empty",
  help: "Remove the file, or write an empty list: severities: [].",
  start: 0,
};

/** Moves over the directives and the marker before the document; returns whether there is a marker. */
function skipHead(cursor: Cursor, errors: FileErrors): boolean {
  for (cursor.skip(); cursor.code === CODE.percent && cursor.column === 0; cursor.skip()) {
    const start = cursor.at;
    cursor.skipLine();
    const line = cursor.text.slice(start, cursor.at);
    if (/^%YAML[ \t]+1\.2[ \t\r]*(?:[ \t]#.*)?$/.test(line)) continue;
    const version = /^%YAML[ \t]+([\d.]+)/.exec(line)?.[1];
    const message = version === undefined ? "directives are not supported" : `the file asks for YAML ${version}`;
    const help = "Only YAML 1.2 is read: remove the line that begins with %.";
    errors.refuse({ code: "E_DIRECTIVE", message, help, start, end: cursor.at });
  }
  if (!cursor.isMarker("---")) return false;
  cursor.at += 3;
  return true;
}

/** Refuses a second document. A marker at the beginning of a line ends the document, even within quotes. */
function refuseSecondDocument({ text, at }: Cursor, errors: FileErrors): void {
  const marker = /^(?:---|\.\.\.)(?=\s|$)/gm;
  marker.lastIndex = at;
  const found = marker.exec(text);
  if (found === null) return;
  const end = new Cursor(text, found.index);
  if (found[0] === "...") {
    end.at += 3;
    end.skip();
    if (end.isAtEnd) return;
  }
  const help = "Move it to its own file.";
  errors.refuse({ code: "E_MULTIDOC", message: "a second document begins here", help, start: end.at });
}

/** Refuses a text before its events fill the memory: there are at most two for each of these characters. */
export function refuseTokens(text: string, { tokens }: Pick<Limits, "tokens">, errors: FileErrors): void {
  if (text.length <= tokens) return;
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const isCounted =
      code === CODE.comma ||
      code === CODE.colon ||
      code === CODE.openBracket ||
      code === CODE.openBrace ||
      ((code === CODE.hyphen || code === CODE.question) && isBlankOrEnd(text.charCodeAt(at + 1)));
    if (!isCounted) continue;
    count += 1;
    if (count <= tokens) continue;
    const message = `the file has more than ${tokens} commas, colons, hyphens and brackets`;
    errors.refuse({ code: "E_TOO_LARGE", message, help: "Split it.", start: at });
  }
}
