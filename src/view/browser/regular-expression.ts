/**
 * The search for a regular expression in the page. A page cannot stop a search, so one that could take long is undecided, like an
 * expression that JavaScript cannot express.
 */

import { type SearchResult, translate, Untranslatable } from "../../kinds/routing/ruby-expression.ts";

/** Longest text to search. */
const MAX_TEXT = 300;
/** Most repetitions in an expression: the time grows with this power of the text. */
const MAX_REPETITIONS = 2;

/** Whether the text matches; undefined, with the reason, if the page cannot decide it like the service. */
export function search(expression: string, text: string): SearchResult {
  try {
    const { source, flags } = translate(expression);
    const repetitions = source.match(/[*+]|(?<!\\[pPu])\{/g)?.length ?? 0;
    if (text.length > MAX_TEXT || repetitions > MAX_REPETITIONS || /\)[*+{]/.test(source)) {
      return { isFound: undefined, why: "a page cannot stop a search for this regular expression" };
    }
    return { isFound: new RegExp(source, flags).test(text) };
  } catch (error) {
    if (error instanceof Untranslatable || error instanceof SyntaxError)
      return { isFound: undefined, why: error.message };
    throw error;
  }
}
