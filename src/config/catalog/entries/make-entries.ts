/** Makes the entries of a source out of the documents of its files. */

import { setImmediate } from "node:timers/promises";
import type { Location } from "../../../core/diagnostic.ts";
import type { Findings } from "../../../core/findings.ts";
import { isFields, isList, type Json, stepsOf } from "../../../core/json.ts";
import { optionSlug } from "../../../kinds/values/slug.ts";
import { SOURCE_WARNING } from "../../resources/sourced-list.ts";
import { describeToken } from "../../source/leaked-tokens.ts";
import type { Source } from "../../source/source.ts";
import { textFlaw } from "../../source/text.ts";
import { placeOf, type Span } from "../../source/tree.ts";
import type { ForeignDocument } from "../files/document.ts";
import { type AttributeTypes, toAttributeType } from "./attribute-types.ts";
import { InvalidExpression } from "./bounds.ts";
import type { EntrySource, TemplateName, ValueTemplate } from "./entry-source.ts";
import { helpWithNames } from "./expression.ts";
import { type Item, MadeEntry, partOf, placeOfTemplate, wholeDocument } from "./made-nodes.ts";
import { describe, isTextOrNull, textOf, textsWithin, trimmed } from "./made-values.ts";

/** An entry of a source. */
export interface SourceEntry {
  readonly slug: string;
  readonly node: MadeEntry;
  /** Attributes of the source that the document has no value for. */
  readonly withoutValue: readonly string[];
}

/** The results of templates for a document. */
type Results = ReadonlyMap<ValueTemplate, Json | undefined>;

type ExpressionTemplate = Extract<ValueTemplate, { readonly expression: unknown }>;

/** The spellings of slugs in the documents of all sources of a type, so that entries of nothing but a slug are made once. */
export interface Spellings {
  /** Slug → the text that it was first made of. */
  readonly first: Map<string, { readonly text: string; readonly at: () => Location }>;
  /** Slugs whose spellings nobody needs to know of (any more). */
  readonly told: Set<string | undefined>;
}

/** Failures of an expression after which it is not tried again: each may take its full time. */
const TRIES = 5;

/** The longest time without a turn of the event loop, in which a signal can end the program. */
const TURN_MILLISECONDS = 100;

const WHOLE_LIST = 'The document is a list. To make an entry of each of its items, write documents: "".';

/** A place of a template: of Jinja, Nunjucks, Handlebars or Cookiecutter. */
const PLACEHOLDER = /\{\{|\{%/;

const COMPARE = "Compare the expression with one of the files.";

const WITHOUT_ID = "Without it the slug is the id, so that a document with a new slug makes a new entry.";

const EXCLUDE = "Exclude such documents with when, or the file with a glob that begins with !.";

const HIDDEN_CHARACTER = "Remove the character in the file, or with $replace in the expression.";

/** Makes entries of one source. Problems of documents are recorded at their place in the foreign file. */
export class EntryMaker {
  readonly #source: EntrySource;
  /** The file that has the source. */
  readonly #file: Source;
  readonly #types: AttributeTypes;
  readonly #findings: Findings;
  readonly #spellings: Spellings;
  /** By key; those of attributes by `attributes/NAME`. */
  readonly #templates: ReadonlyMap<string, ValueTemplate>;
  /** The templates of the values of an entry, each once. */
  readonly #values: ReadonlySet<ValueTemplate>;
  /** The documents that made an entry. */
  readonly #made: Item[] = [];
  /** Keys of templates that gave a value. */
  readonly #useful = new Set<string>();
  /** The number of documents that each template has failed for. */
  readonly #failures = new Map<ValueTemplate, number>();
  /** The number of errors so far. */
  #problems = 0;
  #lastTurn = performance.now();

  constructor(source: EntrySource, file: Source, types: AttributeTypes, findings: Findings, spellings: Spellings) {
    this.#source = source;
    this.#file = file;
    this.#types = types;
    this.#findings = findings;
    this.#spellings = spellings;
    const attributes = [...source.attributes].map(([name, template]) => [`attributes/${name}`, template] as const);
    // Without one, the slug and the name are made from each other.
    const { name, slug = name, external_id = slug } = source.templates;
    const templates = { ...source.templates, name: name ?? slug, slug, external_id };
    const named = Object.entries(templates).flatMap(([key, one]) => (one === undefined ? [] : [[key, one] as const]));
    this.#templates = new Map([...named, ...attributes]);
    this.#values = new Set(this.#templates.values());
  }

  /** The entries of a document. */
  async entriesOf(document: ForeignDocument): Promise<readonly SourceEntry[]> {
    const entries: SourceEntry[] = [];
    for (const item of await this.#itemsOf(document)) {
      if (performance.now() - this.#lastTurn > TURN_MILLISECONDS) {
        await setImmediate();
        this.#lastTurn = performance.now();
      }
      if (!(await this.#isWanted(item))) continue;
      const entry = await this.#entryOf(item);
      if (entry !== undefined) entries.push(entry);
    }
    return entries;
  }

  /** Warns of values that no entry has: a column or a label may have another name. */
  warnOfMissing(): void {
    // An error may be the reason why there is none.
    if (this.#problems > 0) return;
    const { templates, attributes } = this.#source;
    const named = [...attributes].map(([name, template]) => [`attributes.${name}`, template] as const);
    const { name, external_id } = templates;
    for (const [key, template] of [...Object.entries({ name, external_id }), ...named]) {
      if (template === undefined || "literal" in template || this.#useful.has(key) || this.#made.length === 0) continue;
      const { text } = template.expression;
      const documents =
        this.#made.length === 1
          ? "the document that makes an entry"
          : `any of the ${this.#made.length} documents that make entries`;
      const message = `${key} has no value: "${text}" gives nothing for ${documents}`;
      const names = helpWithNames(this.#made, template.expression, this.#findings) ?? COMPARE;
      const help = key === "external_id" ? `${WITHOUT_ID} ${names}` : names;
      this.#findings.warning(SOURCE_WARNING, message, placeOf(template.at, this.#file), { help });
    }
  }

  async #itemsOf(document: ForeignDocument): Promise<readonly Item[]> {
    const whole = wholeDocument(document);
    const { documents } = this.#source.templates;
    if (documents === undefined) return [whole];
    const list =
      "literal" in documents
        ? valueAtPath(document.value, documents.literal)
        : (await this.#evaluate(whole, [documents])).get(documents);
    const items = isList(list) ? list : list === undefined || list === null ? [] : [list];
    return items.map((item) => partOf(document, item));
  }

  async #isWanted(item: Item): Promise<boolean> {
    const { when } = this.#source.templates;
    if (when === undefined) return true;
    const result = (await this.#evaluate(item, [when])).get(when);
    if (result === true) return true;
    if (isList(item.value) && this.#source.templates.documents === undefined) this.#warnOfList(item);
    if (result === undefined || result === false) return false;
    this.#refuse(item, "when", `${describe(result)}, not true or false`);
    return false;
  }

  /** Warns of a document whose items are meant: of the list itself, an expression such as `kind = 'Group'` is never true. */
  #warnOfList(item: Item): void {
    const madeAt = placeOf(this.#source.templates.when?.at ?? this.#source.at, this.#file);
    const message = "when is not true for this document, which is a list, so it makes no entry";
    this.#findings.warning(SOURCE_WARNING, message, placeOf(item.at, this.#file), { madeAt, help: WHOLE_LIST });
  }

  async #entryOf(item: Item): Promise<SourceEntry | undefined> {
    const { source, templates, attributes } = this.#source;
    const problems = this.#problems;
    const results = await this.#evaluate(item, this.#values);
    if (this.#isTemplate(item, results)) return undefined;
    const name = this.#text(item, "name", results);
    const ownSlug = this.#text(item, "slug", results);
    const externalId = this.#text(item, "external_id", results);
    const aliases = this.#aliases(item, results);
    const slugText = ownSlug ?? name;
    if (slugText === undefined && this.#problems === problems) {
      const field = templates.slug === undefined ? "name" : "slug";
      const template = templates[field];
      const names =
        template === undefined || "literal" in template
          ? undefined
          : helpWithNames([item], template.expression, this.#findings);
      this.#refuse(item, field, "nothing", isList(item.value) ? WHOLE_LIST : [names ?? [], EXCLUDE].flat().join(" "));
    }
    if (slugText === undefined || this.#problems > problems) return undefined;
    const slug = optionSlug(slugText);
    if (slug === "") {
      const help = "Make the slug of another value, such as an id, or exclude the document with when.";
      this.#refuse(item, "slug", `"${slugText}", which has no letter from a to z and no digit`, help);
      return undefined;
    }
    const spelling = this.#isBare ? this.#firstSpelling(item, slug, slugText) : undefined;
    const values: Record<string, Json> = {};
    const withoutValue: string[] = [];
    for (const [attribute, template] of attributes) {
      const value = this.#value(item, `attributes.${attribute}`, template, results);
      if (value === undefined) withoutValue.push(attribute);
      else {
        const type = this.#types.get(attribute);
        values[attribute] = toAttributeType(type?.name === "text" ? written(value, item, template) : value, type);
      }
    }
    const fields = {
      slug,
      name: spelling ?? name ?? slugText,
      ...(Object.keys(values).length === 0 ? {} : { attributes: values }),
      ...(aliases === undefined ? {} : { aliases }),
      source,
      external_id: externalId ?? spelling ?? slugText,
    };
    this.#made.push(item);
    return { slug, node: new MadeEntry(item, fields, this.#templates, this.#source.filesAt), withoutValue };
  }

  /** Whether a slug, name, id or reference has a place to fill in, as files have that others are made from. Told with a warning. */
  #isTemplate(item: Item, results: Results): boolean {
    const references = [...this.#source.attributes].filter(([name]) => this.#types.get(name)?.target !== undefined);
    const { name, slug, external_id } = this.#source.templates;
    for (const template of [slug, name, external_id, ...references.map(([, one]) => one)]) {
      const made = template === undefined ? null : (results.get(template) ?? null);
      const text = textsWithin(made).find((one) => PLACEHOLDER.test(one));
      if (template === undefined || text === undefined) continue;
      const at = placeOf(placeOfTemplate(item, template, made), this.#file);
      this.#findings.warning(
        SOURCE_WARNING,
        `"${text}" is to be filled in, so the document is a template and makes no entry`,
        at,
        {
          madeAt: placeOf(template.at, this.#file),
          help: "Exclude templates with a glob that begins with !, such as !**/skeleton/**.",
        },
      );
      return true;
    }
    return false;
  }

  /** Whether the source gives nothing but slugs: then two spellings of one are one entry, and otherwise they may be two things. */
  get #isBare(): boolean {
    const { slug, name, aliases, external_id } = this.#source.templates;
    const others = [slug === undefined ? undefined : name, aliases, external_id, ...this.#source.attributes.values()];
    return others.every((template) => template === undefined);
  }

  /** The text that a slug was first made of. That there is another one is told once. */
  #firstSpelling(item: Item, slug: string, text: string): string {
    const template = this.#templates.get("slug");
    const at = () => placeOf(template === undefined ? item.at : placeOfTemplate(item, template, text), this.#file);
    const first = this.#spellings.first.get(slug) ?? { text, at };
    this.#spellings.first.set(slug, first);
    if (first.text === text || this.#spellings.told.has(slug)) return first.text;
    this.#spellings.told.add(slug);
    const message = `"${text}" and "${first.text}" are one entry, with the name "${first.text}"`;
    this.#findings.warning(SOURCE_WARNING, message, at(), {
      madeAt: template === undefined ? undefined : placeOf(template.at, this.#file),
      related: [{ message: "first here", at: first.at() }],
      help: "Spell them alike, or declare the entry and its name under entries.",
    });
    return first.text;
  }

  #aliases(item: Item, results: Results): readonly string[] | undefined {
    const template = this.#source.templates.aliases;
    const made = template === undefined ? undefined : this.#value(item, "aliases", template, results);
    if (made === undefined) return undefined;
    const list = (isList(made) ? made : [made]).map(textOf);
    if (list.every((alias) => alias !== undefined)) return [...new Set(list)];
    this.#refuse(item, "aliases", `${describe(made)}, not a list of texts`);
    return undefined;
  }

  /** A text, or a number or boolean as a text. */
  #text(item: Item, field: "name" | "slug" | "external_id", results: Results): string | undefined {
    const template = this.#source.templates[field];
    if (isList(item.value) && template !== undefined && "expression" in template && template.expression.path) {
      // A list of one item would give a text, until it has another item.
      this.#refuse(item, field, `"${template.expression.text}" of a list, not of a mapping`, WHOLE_LIST);
      return undefined;
    }
    const made = template === undefined ? undefined : this.#value(item, field, template, results);
    if (made === undefined) return undefined;
    const text = textOf(written(made, item, template));
    const help = isList(item.value) ? WHOLE_LIST : undefined;
    if (text === undefined) this.#refuse(item, field, `${describe(made)}, not a text`, help);
    return text;
  }

  /** A value without blanks around it; undefined if there is none. */
  #value(item: Item, field: string, template: ValueTemplate, results: Results): Json | undefined {
    const made = results.get(template);
    if (made !== undefined && !(isList(made) ? made.every(isTextOrNull) : isTextOrNull(made))) {
      this.#refuseResult(item, field, describe(made), template.at, "Name a value in it, as in metadata.links.url.");
      return undefined;
    }
    const json = made === undefined ? undefined : trimmed(made);
    for (const text of json === undefined ? [] : textsWithin(json)) {
      const token = describeToken(text);
      const [code, message] =
        token === undefined
          ? (textFlaw(text, field.slice(field.lastIndexOf(".") + 1)) ?? [])
          : ["E_SECRET_IN_CONFIG", `${field} would hold text that looks like ${token}`];
      if (code === undefined || message === undefined) continue;
      const help = code === "E_SECRET_IN_CONFIG" ? undefined : HIDDEN_CHARACTER;
      const madeAt = placeOf(template.at, this.#file);
      this.#record(code, message, placeOf(placeOfTemplate(item, template, made), this.#file), { help, madeAt });
      return undefined;
    }
    if (json !== undefined) this.#useful.add(field);
    return json;
  }

  /** Evaluates templates. Only those that need it wait: promises for each value of 10,000 documents add up. */
  async #evaluate(item: Item, templates: Iterable<ValueTemplate>): Promise<Results> {
    const results = new Map<ValueTemplate, Json | undefined>();
    for (const template of templates) {
      if ("literal" in template) results.set(template, template.literal);
      else {
        const direct = template.expression.evaluateDirectly(item.value);
        results.set(template, direct === undefined ? await this.#evaluateInSteps(template, item) : direct.value);
      }
    }
    return results;
  }

  async #evaluateInSteps(template: ExpressionTemplate, item: Item): Promise<Json | undefined> {
    const { expression } = template;
    const failures = this.#failures.get(template) ?? 0;
    if (failures >= TRIES) {
      this.#problems += 1;
      return undefined;
    }
    try {
      return await expression.evaluate(item.value, item.document.path);
    } catch (error) {
      if (!(error instanceof InvalidExpression)) throw error;
      this.#failures.set(template, failures + 1);
      const rest = failures + 1 < TRIES ? "" : "; it is not tried for the other documents";
      const message = `"${expression.text}" fails for this document: ${error.message}${rest}`;
      this.#record("E_EXPRESSION", message, placeOf(item.at, this.#file), {
        related: [{ message: "the expression", at: placeOf(template.at, this.#file) }],
      });
      return undefined;
    }
  }

  #record(...error: Parameters<Findings["error"]>): void {
    this.#problems += 1;
    this.#findings.error(...error);
  }

  /** Records what a template gives for a document, though an entry needs something else. */
  #refuse(item: Item, field: TemplateName, result: string, help?: string): void {
    this.#refuseResult(item, field, result, this.#source.templates[field]?.at ?? this.#source.at, help);
  }

  #refuseResult(item: Item, field: string, result: string, at: Span, help?: string): void {
    const madeAt = placeOf(at, this.#file);
    const related = [{ message: "it is made here", at: madeAt }];
    this.#record("E_ENTRIES_FROM", `${field} is ${result}`, placeOf(item.at, this.#file), { related, help, madeAt });
  }
}

/** The value at a plain path: a JSON Pointer, or names with dots between them. */
function valueAtPath(value: Json, path: Json): Json | undefined {
  if (typeof path !== "string") return undefined;
  if (path === "") return value;
  const names = path.startsWith("/") ? stepsOf(path) : path.split(".");
  return names.reduce<Json | undefined>(
    (part, name) => (isFields(part) && Object.hasOwn(part, name) ? part[name] : undefined),
    value,
  );
}

/** The value, but a number that its expression only names as the file writes it: the code 007 and the version 1.10 are texts. */
function written(value: Json, item: Item, template: ValueTemplate | undefined): Json {
  const isNamed = template !== undefined && "expression" in template && template.expression.path !== undefined;
  if (typeof value !== "number" || !isNamed) return value;
  const { source, start, end } = placeOfTemplate(item, template);
  const text = source.text.slice(start, end);
  return /^[-+\d.e]+$/i.test(text) && Number(text) === value ? text : value;
}
