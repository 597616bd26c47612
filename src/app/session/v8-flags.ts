/**
 * Flags of V8 that save time that a person notices. A flag holds for the whole process from when it is set, so commands set them and
 * the library does not. Each costs a few milliseconds, since Node's own compiled code is only valid for the flags that it was made with;
 * that is why none is set at the start.
 */

/** Bytes of configuration from which the flag saves more than it costs: about fifty resources. */
const LARGE = 20_000;

/**
 * Has V8 11, which is that of Node 20, run a function fifteen times as long before it optimises it. To be called with the size of the
 * configuration before it is parsed. `plan` of 10,000 resources on the embedded service takes 1.73 s of processor time with it and 2.47 s
 * without (means of seven alternating pairs, Node 20.20). Later versions have a fast compiler in between and need no flag.
 */
export function optimiseLater(bytes: number): void {
  if (bytes >= LARGE && process.versions.v8.startsWith("11.")) set("--interrupt-budget=1000000");
}

/**
 * Has V8 compile WebAssembly, which is the embedded database, with its fast compiler alone. To be called before a database is opened.
 * The same plan takes 1.73 s of processor time with it and 2.26 s without, and optimising does not pay later: the service answers no faster.
 */
export function compileWebAssemblyFast(): void {
  set("--no-wasm-tier-up --no-wasm-dynamic-tiering");
}

/** `node:v8` takes 2 ms to load, so it is loaded when a flag is set. */
function set(flags: string): void {
  process.getBuiltinModule("node:v8").setFlagsFromString(flags);
}
