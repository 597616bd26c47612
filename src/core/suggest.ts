/** Words in messages: suggestions for misspelt ones, and lists of words. */

/** Returns the candidate nearest to the word, or the only one that the word is a part of; undefined if there is none. */
export function suggest(word: string, candidates: Iterable<string>): string | undefined {
  const lower = word.toLowerCase();
  const all = [...candidates];
  const plural = all.find((candidate) => isPlural(candidate, lower));
  // A third of the letters may be wrong; in a word of one or two letters, only the case.
  const near = plural ?? nearest(word, all, Math.min(4, Math.floor(Math.max(lower.length, 1) / 3)));
  if (near !== undefined) return near;
  const longer = all.filter((candidate) => isPart(lower, candidate));
  return longer.length === 1 ? longer[0] : undefined;
}

/** The candidate nearest to the word, whatever the case, of those with at most so many mistakes; undefined if there is none. */
function nearest(word: string, candidates: Iterable<string>, mostMistakes: number): string | undefined {
  const lower = word.toLowerCase();
  let best: string | undefined;
  let limit = mostMistakes;
  for (const candidate of candidates) {
    const distance = editDistance(lower, candidate.toLowerCase(), limit);
    if (distance > limit) continue;
    best = candidate;
    limit = distance - 1;
  }
  return best;
}

/** The candidate that is misspelt for certain: a quarter of the letters may be wrong, so that "device" is not "service". */
export function misspelt(word: string, candidates: Iterable<string>): string | undefined {
  return nearest(word, candidates, Math.floor(word.length / 4));
}

/** Whether the candidate begins with the word, or the word is one of those that underscores separate in it. */
function isPart(word: string, candidate: string): boolean {
  return word.length > 1 && (candidate.startsWith(word) || candidate.split("_").includes(word));
}

/** Whether the candidate is the plural of the word. */
function isPlural(candidate: string, word: string): boolean {
  return candidate === `${word}s` || candidate === `${word}es` || candidate === word.replace(/y$/, "ies");
}

/** Returns the suggestion as a sentence of help. */
export function didYouMean(word: string, candidates: Iterable<string>): string | undefined {
  const meant = suggest(word, candidates);
  return meant === undefined ? undefined : `Did you mean "${meant}"?`;
}

/** The suggestion that a help begins with; empty if it begins with none. */
export function guessIn(help: string): string {
  return /^Did you mean ".*?"\?(?= |$)/s.exec(help)?.[0] ?? "";
}

/** Guesses take time, and nobody reads more than this many. */
const GUESSES = 100;

/** Suggestions for many misspelt words, of which only the first get one. */
export class Guesses {
  #left = GUESSES;

  /** The suggestion for a word as a sentence of help; undefined if no candidate is near, or after many guesses. */
  guess(word: string, candidates: () => Iterable<string>): string | undefined {
    if (this.#left === 0) return undefined;
    this.#left -= 1;
    return didYouMean(word, candidates());
  }
}

/** Returns the allowed values as help for a wrong one: a guess at the intended value first. */
export function allowed(word: string, values: readonly string[]): string {
  return [didYouMean(word, values) ?? [], allowedSentence(values)].flat().join(" ");
}

/** Returns the allowed values as a sentence. */
export function allowedSentence(values: readonly string[]): string {
  return values.length === 0 ? "None is allowed." : `Allowed: ${joinWords(values)}.`;
}

/** Words as people list them: "a", "a and b", "a, b and c". */
export function joinWords(words: readonly string[], conjunction: "and" | "or" = "and"): string {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(", ")} ${conjunction} ${words.at(-1)}`;
}

/** Number of insertions, removals, replacements and swaps of neighbours between two words; `Infinity` above the limit. */
function editDistance(left: string, right: string, limit: number): number {
  if (Math.abs(left.length - right.length) > limit) return Number.POSITIVE_INFINITY;
  let before: number[] = [];
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const same = left[i - 1] === right[j - 1];
      let cost = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1]) {
        cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      }
      next.push(cost);
    }
    if (Math.min(...next) > limit) return Number.POSITIVE_INFINITY;
    before = row;
    row = next;
  }
  const distance = row[right.length] ?? 0;
  return distance > limit ? Number.POSITIVE_INFINITY : distance;
}
