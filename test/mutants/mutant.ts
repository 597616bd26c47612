/** A planted mutant: one mistake in the program's own source, as data, and the tests that must notice it. */

/** A piece of source and what stands there instead. */
export interface Edit {
  /** Found exactly once in the file, or the list is out of date. */
  readonly find: string;
  readonly replace: string;
}

/** The program with one mistake in it. */
export interface Mutant {
  readonly id: string;
  /** The rule that it breaks: an id of the rules of `rules.ts`. */
  readonly rule: string;
  /** What the broken program does, in one sentence without a subject. */
  readonly does: string;
  readonly file: string;
  /** Several where one check would hide that another is gone. */
  readonly edits: readonly Edit[];
  /** Test files of which at least one must turn red; the quickest first. */
  readonly redBy: readonly string[];
}

/** The source with the mistake in it. Throws when a piece is not found exactly once, or would not be changed. */
export function mutated(source: string, { id, file, edits }: Mutant): string {
  return edits.reduce((text, { find, replace }) => {
    const pieces = text.split(find);
    if (pieces.length !== 2) throw new Error(`${id}: its text is found ${pieces.length - 1} times in ${file}: ${find}`);
    if (find === replace) throw new Error(`${id}: nothing is changed in ${file}`);
    return pieces.join(replace);
  }, source);
}
