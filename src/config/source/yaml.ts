/** YAML text to a tree with places: the only file that reads YAML, and where every construct we do not allow is refused. */

import {
  Composer,
  type CST,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  type ParsedNode,
  Parser,
  type Scalar,
  type YAMLError,
  type YAMLMap,
} from "yaml";
import type { Concrete, ConcreteItem, Mark } from "../edit/cst.ts";
import type { Findings } from "../load/findings.ts";
import type { Limits } from "./limits.ts";
import type { Source } from "./source.ts";
import { isBareSubstitution, isUnfounded, syntaxError } from "./syntax-error.ts";
import { cutOut, keyFlaw, NOT_TEXT, textFlaw } from "./text.ts";
import type { Member, Node } from "./tree.ts";

/** YAML 1.2 core and nothing else; duplicate keys are found here, since the parser's own search is quadratic. */
const OPTIONS = {
  version: "1.2",
  schema: "core",
  merge: false,
  resolveKnownTags: false,
  stringKeys: true,
  uniqueKeys: false,
  prettyErrors: false,
  logLevel: "silent",
} as const;

/** The only document of the file; undefined when it holds none or anything in it was refused. */
export function parse(source: Source, limits: Limits, findings: Findings): Node | undefined {
  const before = findings.errorCount;
  try {
    const document = compose(source, limits, findings);
    if (document?.contents == null || findings.errorCount > before) return undefined;
    const node = new Conversion(source, limits, findings).node(document.contents, "");
    return findings.errorCount > before ? undefined : node;
  } catch (error) {
    if (error instanceof Refused) return undefined;
    // The parser is not ours: whatever it throws is about this file and must name it.
    const message = error instanceof Error ? error.message : String(error);
    findings.error("E_SYNTAX", `the file cannot be read as YAML: ${message}`, source.location(0));
    return undefined;
  }
}

/** Ends the reading of a file after its finding was recorded. */
class Refused extends Error {}

function compose(source: Source, limits: Limits, findings: Findings): Document.Parsed | undefined {
  const composer = new Composer(OPTIONS);
  const documents = [...composer.compose(tokens(source, limits, findings))] as Document.Parsed[];
  const [document, second] = documents;
  const problems = document === undefined ? [composer.streamInfo()] : documents;
  const told = problems.flatMap(({ errors, warnings }): YAMLError[] => [...errors, ...warnings]);
  const syntax = told.filter(({ message, pos }) => !isUnfounded(message, source.text, pos[0]));
  const lineOf = ({ pos }: YAMLError): number => source.location(pos[0]).line;
  const isCause = ({ code, pos }: YAMLError): boolean =>
    code === "TAB_AS_INDENT" || isBareSubstitution(source.text, pos[0]);
  const explained = new Set(syntax.filter(isCause).map(lineOf));
  for (const problem of syntax) {
    // What else is said of a line that a tab indents, or in which something lacks its quotes, follows from that.
    if (explained.has(lineOf(problem)) && !isCause(problem)) continue;
    const { code, message, help } = syntaxError(problem.code, problem.message, source.text, problem.pos[0]);
    findings.error(code, message, source.location(problem.pos[0], problem.pos[1]), { help });
  }
  const version = document?.directives?.yaml;
  if (version?.explicit === true && version.version !== "1.2") {
    findings.error("E_DIRECTIVE", `the file asks for YAML ${version.version}`, source.location(0), {
      help: "Only YAML 1.2 is read: remove the %YAML line.",
    });
  }
  if (second !== undefined) {
    findings.error("E_MULTIDOC", "a second document begins here", source.location(documentStart(second)), {
      help: "Put it in a file of its own.",
    });
  }
  if (syntax.length === 0 && blank(document)) {
    findings.error("E_EMPTY", "the file declares nothing", source.location(0), {
      help: "Remove the file, or write an empty list where none are wanted: severities: [].",
    });
  }
  return document;
}

function blank(document: Document.Parsed | undefined): boolean {
  if (document === undefined) return true;
  const { contents } = document;
  return contents === null || (isScalar(contents) && contents.value === null);
}

function documentStart(document: Document.Parsed): number {
  return document.contents?.range[0] ?? document.range[0];
}

/** The concrete syntax, read lexeme by lexeme so that what is too deep or too much is refused before it is built. */
function* tokens(source: Source, limits: Limits, findings: Findings): ReturnType<Parser["parse"]> {
  const parser = new Parser();
  let values = 0;
  for (const lexeme of new Lexer().lex(source.text)) {
    for (const token of parser.next(lexeme)) {
      // It would give tags another meaning, and the composer takes it without a word.
      if (token.type === "directive" && /^%TAG\b/.test(token.source)) {
        const at = source.location(token.offset, token.offset + token.source.length);
        const { code, message, help } = syntaxError("BAD_DIRECTIVE", "", source.text, token.offset);
        findings.error(code, message, at, { help });
      }
      yield token;
    }
    values += counted(lexeme);
    if (values > limits.values) {
      const at = source.location(parser.offset);
      findings.error("E_TOO_LARGE", `the file holds more than ${limits.values} values`, at, { help: "Split it." });
      throw new Refused();
    }
    if (parser.stack.length > limits.depth && collections(parser) > limits.depth) {
      const at = source.location(Math.max(0, parser.offset - lexeme.length));
      findings.error("E_DEPTH", `more than ${limits.depth} lists and mappings lie within each other`, at);
      throw new Refused();
    }
  }
  yield* parser.end();
}

/** The only document of a text that {@link parse} takes, with every character of it: what stands around its value is told as well. */
export function concrete(text: string): Concrete | undefined {
  const tokens = [...new Parser().parse(text)];
  const document = tokens.find((token) => token.type === "document");
  if (document?.type !== "document" || document.value === undefined) return undefined;
  const at = tokens.indexOf(document);
  const marks = (some: readonly CST.Token[]): readonly Mark[] => some.flatMap(mark);
  return {
    type: "document",
    items: [
      {
        start: [...marks(tokens.slice(0, at)), ...document.start.flatMap(mark)],
        sep: [],
        value: concreteOf(document.value),
      },
    ],
    offset: document.offset,
    source: "",
    before: [],
    after: [...(document.end ?? []).flatMap(mark), ...marks(tokens.slice(at + 1))],
  };
}

function concreteOf(token: CST.Token): Concrete {
  const { type, offset } = token;
  const items: readonly LooseItem[] = "items" in token ? token.items : [];
  const start = type === "flow-collection" ? token.start.source : "";
  return {
    type: type === "flow-collection" ? (start === "{" ? "flow-map" : "flow-seq") : type,
    offset,
    items: items.map(itemOf),
    source: "source" in token && typeof token.source === "string" ? token.source : start,
    before: type === "block-scalar" ? token.props.flatMap(mark) : [],
    after: "end" in token ? (token.end ?? []).flatMap(mark) : [],
  };
}

/** An item of any of the parser's collections. */
interface LooseItem {
  readonly start: readonly CST.SourceToken[];
  readonly key?: CST.Token | null | undefined;
  readonly sep?: readonly CST.SourceToken[] | undefined;
  readonly value?: CST.Token | undefined;
}

function itemOf({ start, key, sep = [], value }: LooseItem): ConcreteItem {
  return {
    start: start.flatMap(mark),
    ...(key == null ? {} : { key: concreteOf(key) }),
    sep: sep.flatMap(mark),
    ...(value === undefined ? {} : { value: concreteOf(value) }),
  };
}

function mark(token: CST.Token): readonly Mark[] {
  return "source" in token ? [{ type: token.type, offset: token.offset, source: token.source }] : [];
}

/** Where the comments of a text begin and end, in its order; a `#` within a value is none. */
export function comments(text: string): readonly { readonly start: number; readonly end: number }[] {
  const found: { start: number; end: number }[] = [];
  let offset = 0;
  let scalar = false;
  for (const lexeme of new Lexer().lex(text)) {
    // The lexer puts marks between the pieces of the text: the start of a document, and that a plain scalar follows.
    if (lexeme === DOCUMENT_MARK || lexeme === FLOW_ERROR_MARK || (lexeme === SCALAR_MARK && !scalar)) {
      scalar = lexeme === SCALAR_MARK;
      continue;
    }
    if (!scalar && lexeme.startsWith("#")) found.push({ start: offset, end: offset + lexeme.length });
    scalar = false;
    offset += lexeme.length;
  }
  return found;
}

const DOCUMENT_MARK = "\u0002";
const FLOW_ERROR_MARK = "\u0018";
const SCALAR_MARK = "\u001f";

/** How a lexeme changes the number of values: scalars add one, a colon says that the scalar before it was a key. */
function counted(lexeme: string): number {
  if (lexeme === SCALAR_MARK || lexeme.startsWith('"') || lexeme.startsWith("'")) return 1;
  return lexeme === ":" ? -1 : 0;
}

function collections(parser: Parser): number {
  return parser.stack.filter(({ type }) => type === "block-map" || type === "block-seq" || type === "flow-collection")
    .length;
}

/** What the parser allows of a key that is followed by its colon, for keys that are written in another way too. */
const LONGEST_KEY = 1024;

/** What a key without a colon holds. */
function nothing(at: number): Node {
  return { type: "scalar", value: null, start: at, end: at };
}

const CORE_TAGS = /^(?:!|tag:yaml\.org,2002:(?:str|int|float|bool|null|map|seq))$/;

interface Anchor {
  readonly node: Node | undefined;
  /** Values in it, counted with its aliases written out. */
  readonly size: number;
}

/** Turns the parser's nodes into ours; aliases become the value they stand for. */
class Conversion {
  readonly #source: Source;
  readonly #limits: Limits;
  readonly #findings: Findings;
  readonly #anchors = new Map<string, Anchor>();
  #written = 0;
  #expanded = 0;
  #aliases = 0;

  constructor(source: Source, limits: Limits, findings: Findings) {
    this.#source = source;
    this.#limits = limits;
    this.#findings = findings;
  }

  /** `name` is the key that holds the value, or the list that it is in. */
  node(parsed: ParsedNode, name: string): Node {
    if (isAlias(parsed)) return this.#alias(parsed.source, parsed.range);
    const anchor = parsed.anchor;
    const before = this.#expanded;
    this.#written += 1;
    this.#expanded += 1;
    if (anchor !== undefined) this.#anchors.set(anchor, { node: undefined, size: 0 });
    this.#tag(parsed);
    const [start, end] = parsed.range;
    const node: Node = isMap(parsed)
      ? { type: "map", members: this.#members(parsed as YAMLMap.Parsed), start, end }
      : isSeq(parsed)
        ? { type: "list", items: parsed.items.map((item) => this.node(item as ParsedNode, name)), start, end }
        : { type: "scalar", value: this.#scalar(parsed as Scalar.Parsed, name), start, end };
    if (anchor !== undefined) this.#anchors.set(anchor, { node, size: this.#expanded - before });
    return node;
  }

  #alias(name: string, [start, end]: readonly [number, number, number]): Node {
    const at = this.#source.location(start, end);
    const anchor = this.#anchors.get(name);
    if (anchor === undefined) {
      this.#findings.error("E_ALIAS", `no anchor "&${name}" stands before this alias`, at, {
        help: "An alias reaches only anchors of its own file, above it. A text that begins with * needs quotes.",
      });
    } else if (anchor.node === undefined) {
      this.#findings.error("E_CYCLE", `the alias "*${name}" stands inside the value that it stands for`, at);
    } else {
      this.#aliases += 1;
      this.#expanded += anchor.size;
      if (this.#aliases > this.#limits.aliases || this.#expanded > this.#room()) {
        this.#findings.error("E_ALIAS_LIMIT", "the aliases make the file too large", at, {
          help: `At most ${this.#limits.aliases} aliases, and ${this.#limits.expansion} times the values written out.`,
        });
        throw new Refused();
      }
      return anchor.node;
    }
    return nothing(start);
  }

  /** How many values the aliases may make of those read so far; a small file always has some room. */
  #room(): number {
    return Math.max(this.#written, 100) * this.#limits.expansion;
  }

  #tag(parsed: ParsedNode): void {
    if (parsed.tag === undefined || CORE_TAGS.test(parsed.tag)) return;
    this.#findings.error("E_TAG", `the tag "${parsed.tag}" is not supported`, this.#at(parsed));
  }

  #members(map: YAMLMap.Parsed): ReadonlyMap<string, Member> {
    const members = new Map<string, Member>();
    const normal = new Map<string, Member>();
    for (const [index, pair] of map.items.entries()) {
      const key = pair.key as ParsedNode;
      if (index === this.#limits.keys) {
        const message = `a mapping has more than ${this.#limits.keys} keys`;
        this.#findings.error("E_TOO_MANY_KEYS", message, this.#at(key));
        throw new Refused();
      }
      const text = this.#key(key);
      if (text === undefined) continue;
      const [start, end] = key.range;
      const value = pair.value as ParsedNode | null;
      const member = { start, end, value: value === null ? nothing(end) : this.node(value, text) };
      const name = text.normalize("NFC");
      const first = normal.get(name);
      if (first === undefined) {
        normal.set(name, member);
        members.set(text, member);
        continue;
      }
      this.#findings.error("E_DUP_KEY", `the key "${text}" stands twice in one mapping`, this.#at(key), {
        related: [{ message: "first here", at: this.#source.location(first.start, first.end) }],
      });
    }
    return members;
  }

  /** The text of a key, undefined when it has none. */
  #key(key: ParsedNode): string | undefined {
    if (!isScalar(key) || typeof key.value !== "string" || key.anchor !== undefined) {
      this.#findings.error("E_KEY_TYPE", "a key must be a plain text, without anchor or alias", this.#at(key));
      return undefined;
    }
    const text = key.value;
    const quoted = key.type === "QUOTE_DOUBLE" || key.type === "QUOTE_SINGLE";
    if (text.length > LONGEST_KEY) {
      const { code, message } = syntaxError("KEY_OVER_1024_CHARS", "", text, 0);
      this.#findings.error(code, message, this.#at(key));
      throw new Refused();
    }
    if (text === "") {
      this.#findings.error("E_KEY_EMPTY", "a key is empty", this.#at(key));
    } else if (text === "<<") {
      this.#findings.error("E_MERGE_KEY", "merge keys are not supported", this.#at(key), {
        help: "Write the keys out.",
      });
    } else if (!quoted && NOT_TEXT.test(text)) {
      const help = `Quote it: "${text}".`;
      this.#findings.error("E_KEY_TYPE", `the key ${text} is not a text`, this.#at(key), { help });
    } else {
      const flaw = keyFlaw(text);
      if (flaw !== undefined) this.#findings.error(flaw[0], flaw[1], this.#at(key));
    }
    return text;
  }

  #scalar(scalar: Scalar.Parsed, name: string): null | boolean | number | string {
    const value: unknown = scalar.value;
    if (typeof value === "string") {
      const flaw = textFlaw(value, name);
      if (flaw !== undefined) this.#findings.error(flaw[0], flaw[1], this.#at(scalar));
      return cutOut(value);
    }
    if (typeof value === "number") return this.#number(value, scalar);
    return typeof value === "boolean" ? value : null;
  }

  #number(value: number, scalar: Scalar.Parsed): number {
    if (!Number.isFinite(value)) {
      this.#findings.error("E_NUMBER", `${scalar.source} is not a number that JSON can hold`, this.#at(scalar), {
        help: "Quote it if it is meant as a text.",
      });
      return 0;
    }
    if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
      this.#findings.error("E_NUMBER_PRECISION", `${scalar.source} is too large to be kept exactly`, this.#at(scalar), {
        help: "Quote it if it is meant as a text.",
      });
    }
    return value;
  }

  #at(parsed: ParsedNode): ReturnType<Source["location"]> {
    return this.#source.location(parsed.range[0], parsed.range[1]);
  }
}
