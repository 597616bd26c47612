/** Collects errors and warnings, so that all errors of a configuration are reported together. */

import type { Diagnostic, Location } from "./diagnostic.ts";
import { groupBy } from "./lists.ts";
import { allowedSentence, Guesses, guessIn } from "./suggest.ts";

/** Optional parts of a finding. */
export interface FindingDetails {
  readonly related?: Diagnostic["related"];
  readonly repeats?: Diagnostic["related"];
  readonly help?: string | undefined;
  readonly correction?: string | undefined;
  readonly madeAt?: Location | undefined;
}

/** So many findings of one place are shown one by one. */
const SINGLE = 3;

/** Places that a group names if all its findings say the same. */
const EXAMPLES = 3;

/** Stages of a load in their order: findings of one stage can cause those of the next. */
const STAGES = ["files", "values", "references"] as const;

type Stage = (typeof STAGES)[number];

/** A finding with its stage. */
interface StagedFinding {
  readonly stage: Stage;
  readonly finding: Diagnostic;
}

/** Errors and warnings without duplicates. {@link list} returns them by stage, file, line and column: causes come first. */
export class Findings {
  readonly #findings: Map<string, StagedFinding>;
  readonly #address: string | undefined;
  readonly #stage: Stage;
  readonly #guesses: Guesses;

  constructor(
    address?: string,
    stage: Stage = "values",
    findings: Map<string, StagedFinding> = new Map(),
    guesses: Guesses = new Guesses(),
  ) {
    this.#address = address;
    this.#stage = stage;
    this.#findings = findings;
    this.#guesses = guesses;
  }

  /** The same collection, for findings about a resource. */
  about(address: string | undefined): Findings {
    return new Findings(address, this.#stage, this.#findings, this.#guesses);
  }

  /** The same collection, for findings of a stage. */
  during(stage: Stage): Findings {
    return new Findings(this.#address, stage, this.#findings, this.#guesses);
  }

  /** The number of different findings so far. */
  get count(): number {
    return this.#findings.size;
  }

  /** The number of different errors so far. */
  get errorCount(): number {
    let count = 0;
    for (const { finding } of this.#findings.values()) if (finding.severity === "error") count += 1;
    return count;
  }

  /** A guess at the intended word, as a sentence; undefined if none is near, or after many guesses. */
  guess(word: string, candidates: Iterable<string>): string | undefined {
    return this.#guesses.guess(word, () => candidates);
  }

  /** The values that are allowed, as a sentence, and before it a guess at the intended one. */
  allowed(word: string, values: readonly string[]): string {
    const guess = this.guess(word, values);
    return guess === undefined ? allowedSentence(values) : `${guess} ${allowedSentence(values)}`;
  }

  error(code: string, message: string, at: Location | undefined, details: FindingDetails = {}): void {
    this.#add("error", code, message, at, details);
  }

  warning(code: string, message: string, at: Location | undefined, details: FindingDetails = {}): void {
    this.#add("warning", code, message, at, details);
  }

  list(severity: Diagnostic["severity"]): readonly Diagnostic[] {
    return STAGES.flatMap((stage) => {
      const staged = [...this.#findings.values()].filter((one) => one.stage === stage);
      const findings = staged.flatMap(({ finding }) => (finding.severity === severity ? [finding] : []));
      return groupFindings(findings.sort(byPlace)).toSorted(byPlace);
    });
  }

  #add(
    severity: Diagnostic["severity"],
    code: string,
    message: string,
    at: Location | undefined,
    details: FindingDetails,
  ): void {
    const name = `${code} ${at?.file}:${at?.line}:${at?.column} ${message}`;
    if (this.#findings.has(name)) return;
    const finding: Diagnostic = {
      severity,
      code,
      message,
      ...(at === undefined ? {} : { at }),
      ...(this.#address === undefined ? {} : { address: this.#address }),
      ...(details.related === undefined ? {} : { related: details.related }),
      ...(details.repeats === undefined ? {} : { repeats: details.repeats }),
      ...(details.help === undefined ? {} : { help: details.help }),
      ...(details.correction === undefined ? {} : { correction: details.correction }),
      ...(details.madeAt === undefined ? {} : { madeAt: details.madeAt }),
    };
    this.#findings.set(name, { stage: this.#stage, finding });
  }
}

/** Compares findings by file, line and column; those without a place come first. */
export function byPlace(left: Diagnostic, right: Diagnostic): number {
  if (left.at === undefined || right.at === undefined)
    return Number(left.at !== undefined) - Number(right.at !== undefined);
  if (left.at.file !== right.at.file) return left.at.file < right.at.file ? -1 : 1;
  return left.at.line - right.at.line || left.at.column - right.at.column;
}

/**
 * The findings, with one in place of all those of a code that the same template of a source has made. Its place is the template, and its
 * related places are examples in the foreign files; the others are its repeats.
 */
export function groupFindings<Finding extends Diagnostic>(findings: readonly Finding[]): readonly Finding[] {
  const made = findings.filter(({ madeAt }) => madeAt !== undefined);
  const groups = groupBy(made, ({ severity, code, madeAt }) => JSON.stringify([severity, code, madeAt]));
  const replaced = new Map<Finding, readonly Finding[]>();
  for (const group of groups.values()) {
    if (group.length <= SINGLE) continue;
    for (const [index, finding] of group.entries()) replaced.set(finding, index === 0 ? [combined(group)] : []);
  }
  return replaced.size === 0 ? findings : findings.flatMap((finding) => replaced.get(finding) ?? [finding]);
}

function combined<Finding extends Diagnostic>(group: readonly Finding[]): Finding {
  const variants = variantsOf(group);
  const [first] = variants[0] ?? group;
  if (first === undefined) throw new Error("a group has no finding");
  const isSame = variants.length === 1;
  const { madeAt, at: _at, address: _address, help: _help, correction: _correction, ...shared } = first;
  const help = sharedBy(group, (one) => one.help) ?? adviceOf(variants);
  const relatedOf = (one: Finding): Related => (one.related ?? []).filter(({ at }) => !isEqual(at, madeAt));
  const related = sharedBy(group, relatedOf);
  const examples = isSame
    ? group.slice(0, EXAMPLES).map((one) => ({ one, text: "for example" }))
    : variants.flatMap(([one, ...rest]) => {
        if (one === undefined) return [];
        const times = rest.length === 0 ? "" : ` (${rest.length + 1} times)`;
        const own =
          help !== undefined && one.help?.endsWith(help) ? one.help.slice(0, -help.length).trimEnd() : one.help;
        return [{ one, text: `${messageOf(one)}${times}${own === undefined || own === "" ? "" : `. ${own}`}` }];
      });
  const placesOf = (one: Finding, text: string): Related => [
    ...(one.at === undefined ? [] : [{ message: text, at: one.at }]),
    ...(related === undefined ? relatedOf(one) : []),
  ];
  const places = examples.flatMap(({ one, text }) => placesOf(one, text));
  const named = new Set(examples.map(({ one }) => one));
  const others = variants.flatMap((variant) => variant.filter((one) => !named.has(one)));
  return {
    ...(shared as Finding),
    message: `${messageOf(first)} ${isSame ? `(${group.length} times)` : `(and ${group.length - 1} similar ones)`}`,
    ...(madeAt === undefined ? {} : { at: madeAt }),
    related: [...places, ...(related ?? [])],
    ...(others.length === 0 ? {} : { repeats: others.flatMap((one) => placesOf(one, messageOf(one))) }),
    ...(help === undefined ? {} : { help }),
  };
}

/** The help that most variants have, without guesses, which are about one of them; undefined if none has any. */
function adviceOf(variants: readonly (readonly Diagnostic[])[]): string | undefined {
  const helps = variants.flatMap(([one]) => one?.help?.slice(guessIn(one.help).length).trimStart() || []);
  const [most] = [...groupBy(helps, (help) => help).values()].sort((left, right) => right.length - left.length);
  return most?.[0];
}

type Related = NonNullable<Diagnostic["related"]>;

/** A part that all findings have; undefined if they differ in it. */
function sharedBy<Finding, Part>(group: readonly Finding[], partOf: (finding: Finding) => Part): Part | undefined {
  const [first, ...others] = group.map(partOf);
  return others.every((other) => isEqual(other, first)) ? first : undefined;
}

function isEqual(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

/** The findings by what they say, the most frequent first. What they say of is no difference, unless it is the only one. */
function variantsOf<Finding extends Diagnostic>(group: readonly Finding[]): readonly (readonly Finding[])[] {
  const bySubject = groupBy(group, messageOf);
  const byStatement = groupBy(group, ({ message, address }) => statementOf(message, address));
  const variants = byStatement.size === 1 ? bySubject : byStatement;
  return [...variants.values()].sort((left, right) => right.length - left.length);
}

/** The message without the address at its beginning. */
function messageOf({ message, address }: Diagnostic): string {
  return address !== undefined && message.startsWith(`${address}: `) ? message.slice(address.length + 2) : message;
}

/** An item, and the other ones that say the same, with their names. */
export interface Repeated<Item> {
  readonly first: Item;
  readonly others: readonly Item[];
  readonly names: readonly string[];
}

/** The items by what they say, in the order of the first of each. */
export function mergeRepeats<Item>(
  items: readonly Item[],
  saysOf: (item: Item) => unknown,
  nameOf: (item: Item, first: Item) => string,
): readonly Repeated<Item>[] {
  const groups = groupBy(items, (item) => JSON.stringify(saysOf(item)));
  return [...groups.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [{ first, others, names: others.map((other) => nameOf(other, first)) }],
  );
}

/** The message without its subject, an address or a name: messages of several subjects are then the same if they begin with it or do not name it. */
export function statementOf(message: string, subject = ""): string {
  return message.startsWith(subject) ? message.slice(subject.length) : `: ${message}`;
}
