/** Words of command lines that messages print. */

import { sanitised } from "./sanitise.ts";

/** A word of a command line, quoted if it has to be. */
export function shellWord(word: string): string {
  return /^[\w./:=@%+-]+$/.test(word) ? word : `'${sanitised(word).replaceAll("'", "'\\''")}'`;
}
