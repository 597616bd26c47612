/** The parser's complaints in our words: what is wrong in one sentence, and what most often helps. */

/** A syntax error, said for people. */
export interface SyntaxError {
  readonly code: string;
  readonly message: string;
  readonly help?: string;
}

/** The sentence for a code of the parser; `said` is the parser's own, used where it says more. */
export function syntaxError(parserCode: string, said: string, text: string, offset: number): SyntaxError {
  if (isBareSubstitution(text, offset)) return BARE;
  const known = KNOWN[parserCode];
  if (known !== undefined) return known;
  switch (parserCode) {
    case "MISSING_CHAR":
      return said.includes("quote")
        ? { code: "E_SYNTAX", message: "a quoted text is not closed", help: "Close it with the quote that opened it." }
        : { code: "E_SYNTAX", message: `something is missing here: ${lower(said)}` };
    case "BAD_SCALAR_START":
      return {
        code: "E_SYNTAX",
        message: `a text cannot begin with ${text[offset] ?? "this character"} unless it is quoted`,
        help: "Quote it.",
      };
    case "BAD_INDENT":
      return { code: "E_SYNTAX", message: `the indentation is wrong: ${lower(said)}` };
    default:
      return { code: "E_SYNTAX", message: `this is not YAML: ${lower(said)}` };
  }
}

/** Whether a complaint asks for a blank before a comment that begins its line: in braces the parser does, and YAML does not. */
export function isUnfounded(said: string, text: string, offset: number): boolean {
  return said.startsWith("Comments must be separated") && text[offset - 1] === "\n";
}

/** Whether a complaint is about the brace of a substitution that lacks its quotes: within brackets a brace begins a mapping. */
export function isBareSubstitution(text: string, offset: number): boolean {
  return text.startsWith("${", offset - 1);
}

const BARE: SyntaxError = {
  code: "E_SYNTAX",
  message: "within brackets a value that something is put into has to be quoted",
  help: "Put the whole value in double quotes.",
};

const KNOWN: Readonly<Record<string, SyntaxError>> = {
  BAD_ALIAS: {
    code: "E_ALIAS",
    message: "an anchor or alias has no usable name",
    help: "Quote a text that begins with * or &.",
  },
  ALIAS_PROPS: { code: "E_ALIAS", message: "an alias can have neither an anchor nor a tag" },
  BAD_DIRECTIVE: {
    code: "E_DIRECTIVE",
    message: "directives are not supported",
    help: "Remove the line that begins with %.",
  },
  BLOCK_AS_IMPLICIT_KEY: {
    code: "E_SYNTAX",
    message: "a mapping cannot begin in the middle of a line",
    help: "Quote the value if it holds a colon.",
  },
  MULTILINE_IMPLICIT_KEY: {
    code: "E_SYNTAX",
    message: "a key must be on one line, followed by a colon",
  },
  KEY_OVER_1024_CHARS: { code: "E_KEY_TOO_LONG", message: "a key has more than 1024 characters" },
  NON_STRING_KEY: { code: "E_KEY_TYPE", message: "a key must be a plain text", help: "Quote it." },
  RESOURCE_EXHAUSTION: { code: "E_DEPTH", message: "too many lists and mappings lie within each other" },
  TAB_AS_INDENT: { code: "E_SYNTAX", message: "a tab is used to indent", help: "Use spaces." },
  TAG_RESOLVE_FAILED: {
    code: "E_TAG",
    message: "tags are not supported",
    help: "Remove the word that begins with !, or quote the text.",
  },
  BAD_COLLECTION_TYPE: {
    code: "E_TAG",
    message: "tags are not supported",
    help: "Remove the word that begins with !.",
  },
  BAD_DQ_ESCAPE: {
    code: "E_SYNTAX",
    message: "a backslash in double quotes begins no known escape",
    help: "Write \\\\ for a backslash, or use single quotes.",
  },
};

/** The parser's sentence as the rest of one of ours. */
function lower(said: string): string {
  return `${said.charAt(0).toLowerCase()}${said.slice(1)}`.replace(/[.:]$/, "");
}
