/** How soon V8 optimises what runs. */

/** How much of a function has to run before V8 optimises it, as bytes of its code; V8 itself takes 67,584. */
const BUDGET = 1_000_000;

/**
 * Lets V8 wait longer before it optimises a function, in this process and from now on. By itself it begins within milliseconds, and
 * that took a third of the processor time of reading or planning ten thousand entries, more than it saved. V8 11, of Node 20, has the
 * flag; later ones have a quick compiler in between and need none. For programs only: a library does not decide this for its host.
 */
export function optimiseLater(): void {
  if (!process.versions.v8.startsWith("11.")) return;
  const { setFlagsFromString } = process.getBuiltinModule("node:v8");
  setFlagsFromString(`--interrupt-budget=${BUDGET}`);
}
