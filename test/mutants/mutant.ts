/** A planted mutant: one mistake in the source of the program, as data, and the tests that must fail because of it. */

/** A piece of source and its replacement. */
export interface Edit {
  /** Occurs exactly once in the file, else the list is out of date. */
  readonly find: string;
  readonly replace: string;
}

/** The program with one mistake in it. */
export interface Mutant {
  readonly id: string;
  /** The rule that it breaks, by its id in `rules.ts`. */
  readonly rule: string;
  /** The behaviour of the broken program, as a sentence without its subject. */
  readonly does: string;
  readonly file: string;
  /** Several if another check would hide the mistake. */
  readonly edits: readonly Edit[];
  /** Test files, the quickest first; at least one must fail. */
  readonly redBy: readonly string[];
}

/** The source with the mistake in it. Throws if a piece does not occur exactly once or would not change. */
export function mutated(source: string, { id, file, edits }: Mutant): string {
  return edits.reduce((text, { find, replace }) => {
    const pieces = text.split(find);
    if (pieces.length !== 2) throw new Error(`${id}: its text occurs ${pieces.length - 1} times in ${file}: ${find}`);
    if (find === replace) throw new Error(`${id} changes nothing in ${file}`);
    return pieces.join(replace);
  }, source);
}
