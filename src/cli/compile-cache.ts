/** Code that was compiled is kept for the next start: by Node where it can, by ourselves where not. */

import { keepCode } from "./kept-code.ts";

/** What runs so often that it pays to keep what it has compiled, one by one: each needs other parts of the same files. */
const OFTEN: readonly string[] = ["validate", "plan", "apply", "drift", "test", "emulator"];

/**
 * Keeps compiled code in a folder of this user, since what lies there is run. Node says what it does instead with
 * NODE_COMPILE_CACHE and NODE_DISABLE_COMPILE_CACHE. Where nothing can be written, nothing is kept. What only tells of itself is
 * over before it pays to do this ourselves. Call it when V8 has got its flags: they are part of what it compiles.
 */
export function keepCompiled(telling: boolean): void {
  const { enableCompileCache } = process.getBuiltinModule("node:module") as {
    /** From Node 22.1 on. */
    readonly enableCompileCache?: (folder: string) => unknown;
  };
  const folder = cacheFolder();
  const { NODE_COMPILE_CACHE, NODE_DISABLE_COMPILE_CACHE = "" } = process.env;
  if (folder === undefined || NODE_COMPILE_CACHE !== undefined) return;
  if (enableCompileCache !== undefined) {
    enableCompileCache(`${folder}/incidentctl`);
    return;
  }
  const command = process.argv.slice(2).find((argument) => OFTEN.includes(argument));
  if (telling || command === undefined || NODE_DISABLE_COMPILE_CACHE !== "") return;
  keepCode(`${folder}/incidentctl/${command}`);
}

/** Where programs of this user keep what they can make again; undefined for a user without a home. */
function cacheFolder(): string | undefined {
  const { XDG_CACHE_HOME = "", LOCALAPPDATA = "", HOME = "" } = process.env;
  if (XDG_CACHE_HOME.startsWith("/")) return XDG_CACHE_HOME;
  if (process.platform === "win32") return LOCALAPPDATA === "" ? undefined : LOCALAPPDATA;
  if (!HOME.startsWith("/")) return undefined;
  return `${HOME}/${process.platform === "darwin" ? "Library/Caches" : ".cache"}`;
}
