/** How V8 compiles the embedded database, which is WebAssembly. */

import { setFlagsFromString } from "node:v8";

/**
 * Compiles WebAssembly once, by the quick compiler, in this process and from now on, and looks at a function only when it is
 * called: a start calls few of them, and what was installed is held to its hash. Optimising the database takes half of
 * the processor time of a plan on the embedded service, and does not pay later: requests are answered no faster, and a
 * large workspace is filled more slowly. For programs only: a library does not decide this for its host. Call it before the first
 * database is opened.
 */
export function compileWebAssemblyOnce(): void {
  setFlagsFromString("--no-wasm-tier-up --no-wasm-dynamic-tiering --wasm-lazy-validation");
}
