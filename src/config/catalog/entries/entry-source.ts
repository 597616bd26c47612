/** The sources of a catalog type's entries: the value of `entries_from`, with its expressions compiled. */

import type { Findings } from "../../../core/findings.ts";
import { type Fields, isFields, isList, type Json } from "../../../core/json.ts";
import type { Source } from "../../source/source.ts";
import { type MapNode, memberOf, type Node, placeOf, type Span } from "../../source/tree.ts";
import type { FileSpan } from "../files/document.ts";
import { InvalidExpression } from "./bounds.ts";
import { Expression, needsBackticks } from "./expression.ts";

/** The key of an expression: plain values are literals. */
const EXPRESSION = "jsonata";

/** A value that each entry gets: the same for all, or the result of an expression. */
export type ValueTemplate = {
  /** In the file that has the source. */
  readonly at: FileSpan;
} & ({ readonly literal: Json } | { readonly expression: Expression });

/** The file that has sources, and what their values become. */
export interface SourceContext {
  readonly file: Source;
  readonly findings: Findings;
}

/**
 * The values of a source besides attributes. `documents`: the list of documents in a file; default: the file is one document.
 * `when`: documents for which it is not true make no entry.
 */
const TEMPLATES = ["documents", "when", "slug", "name", "aliases", "external_id"] as const;

export type TemplateName = (typeof TEMPLATES)[number];

/** Files, and how their documents become entries. */
export interface EntrySource {
  /** The mapping in the configuration. */
  readonly at: FileSpan;
  /** Globs; those that begin with `!` exclude. */
  readonly files: readonly string[];
  /** The place of the globs. */
  readonly filesAt: FileSpan;
  readonly templates: Readonly<Partial<Record<TemplateName, ValueTemplate>>>;
  /** By slug of the attribute. */
  readonly attributes: ReadonlyMap<string, ValueTemplate>;
  /** The system that entries are recorded as coming from. */
  readonly source: string;
  /** Systems whose entries are its own now. */
  readonly takesOver: readonly string[];
  /** Whether entries that other people or systems made are removed as well. */
  readonly ownsAll: boolean;
  /** Whether its documents add values to entries that earlier documents make. */
  readonly merges: boolean;
  /** The one of two documents of an entry that counts, or an error. */
  readonly onDuplicate: "error" | "first" | "last";
}

/** The system that entries come from, if the configuration does not name one. */
export const DEFAULT_SOURCE = "incidentctl";

/**
 * Reads `entries_from`: one mapping, or a list of several. Parts with the wrong shape, and sources that lack a part, are left out, since
 * the schema reports them; expressions that cannot be read, and texts where one is meant, are recorded here. `json` is the value after substitution.
 */
export async function readEntrySources(
  node: Node,
  json: Json,
  context: SourceContext,
): Promise<readonly EntrySource[]> {
  const { findings } = context;
  if (node.type === "list" && isList(json)) {
    const sources = await Promise.all(
      node.items.map((item, index) => readEntrySources(item, json[index] ?? null, context)),
    );
    return sources.flat();
  }
  if (node.type !== "map" || !isFields(json)) return [];
  const errors = findings.errorCount;
  const source = await readEntrySource(node, json, context);
  const { slug, name } = source.templates;
  // It would make no entries, or one error for each document.
  return findings.errorCount > errors || source.files.length === 0 || (slug ?? name) === undefined ? [] : [source];
}

async function readEntrySource(node: MapNode, json: Fields, context: SourceContext): Promise<EntrySource> {
  const { file, findings } = context;
  const templateOf = async (value: Json | undefined, at: Node | undefined): Promise<ValueTemplate | undefined> => {
    if (value === undefined || at === undefined) return undefined;
    if (!isFields(value)) return { at: spanIn(file, at), literal: value };
    const text = value[EXPRESSION];
    if (typeof text !== "string") return undefined;
    const place = memberOf(at, EXPRESSION)?.value ?? at;
    try {
      return { at: spanIn(file, place), expression: await Expression.compile(text) };
    } catch (error) {
      if (!(error instanceof InvalidExpression)) throw error;
      const help = needsBackticks(text)
        ? `A name with other characters than letters and digits stands in backticks: "\`${text}\`".`
        : "Expressions are written in JSONata: https://docs.jsonata.org.";
      findings.error("E_EXPRESSION", `"${text}" is not an expression: ${error.message}`, placeOf(place, file), {
        help,
      });
      return undefined;
    }
  };
  const templatesOf = async (names: readonly string[], values: Json | undefined, at: Node | undefined) => {
    const templates: (readonly [string, ValueTemplate])[] = [];
    for (const name of names) {
      const value = isFields(values) ? values[name] : undefined;
      const template = await templateOf(value, memberOf(at, name)?.value);
      if (template !== undefined) templates.push([name, template]);
    }
    return templates;
  };
  const names = isFields(json.attributes) ? Object.keys(json.attributes) : [];
  const templates: EntrySource["templates"] = Object.fromEntries(await templatesOf(TEMPLATES, json, node));
  refuseLiterals(templates, file, findings);
  return {
    at: spanIn(file, node),
    files: (isList(json.files) ? json.files : [json.files]).filter((glob) => typeof glob === "string"),
    filesAt: spanIn(file, memberOf(node, "files")?.value ?? node),
    templates,
    attributes: new Map(await templatesOf(names, json.attributes, memberOf(node, "attributes")?.value)),
    source: typeof json.source === "string" ? json.source : DEFAULT_SOURCE,
    takesOver: isList(json.take_over) ? json.take_over.filter((one) => typeof one === "string") : [],
    ownsAll: json.manage === "all",
    merges: json.merge === true,
    onDuplicate: json.on_duplicate === "first" || json.on_duplicate === "last" ? json.on_duplicate : "error",
  };
}

/** Records plain values of keys that tell documents apart: an expression is meant. */
function refuseLiterals(templates: EntrySource["templates"], file: Source, findings: Findings): void {
  const { slug, name, external_id, when } = templates;
  for (const [key, template] of Object.entries({ slug: slug ?? name, external_id, when })) {
    if (template === undefined || !("literal" in template) || typeof template.literal === "boolean") continue;
    const text = String(template.literal);
    const message = `${key === "slug" && slug === undefined ? "name" : key} is "${text}" for each document`;
    findings.error("E_ENTRIES_FROM", message, placeOf(template.at, file), {
      help: `To read it as an expression, write { ${EXPRESSION}: ${JSON.stringify(needsBackticks(text) ? `\`${text}\`` : text)} }.`,
    });
  }
}

function spanIn(file: Source, { start, end, source = file }: Span): FileSpan {
  return { start, end, source };
}
