/** How soon V8 optimises what runs, how far it lets memory grow, and how it compiles the embedded database, which is WebAssembly. */

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

/** By how much the memory in use may grow before V8 collects what is not needed any more, in percent; V8 itself may let it triple. */
const GROWTH = 60;

/**
 * Has V8 collect garbage before the memory in use has grown by much, in this process and from now on: what a large workspace is
 * read from is of no use once it is planned. For programs only, as above; of versions other than that of Node 20 it was not measured.
 */
export function collectSooner(): void {
  if (!process.versions.v8.startsWith("11.")) return;
  const { setFlagsFromString } = process.getBuiltinModule("node:v8");
  setFlagsFromString(`--heap-growing-percent=${GROWTH}`);
}

/**
 * Compiles WebAssembly once, by the quick compiler, in this process and from now on, and looks at a function only when it is
 * called: a start calls few of them, and what was installed is held to its hash. Optimising the database takes half of
 * the processor time of a plan on the embedded service, and does not pay later: requests are answered no faster, and a
 * large workspace is filled more slowly. For programs only: a library does not decide this for its host. Call it before the first
 * database is opened.
 */
export function compileWebAssemblyOnce(): void {
  const { setFlagsFromString } = process.getBuiltinModule("node:v8");
  setFlagsFromString("--no-wasm-tier-up --no-wasm-dynamic-tiering --wasm-lazy-validation");
}
