/** Where Node can, code that it has compiled is kept for the next start. */

/**
 * Keeps compiled code in a folder of this user, since what lies there is run. Node says what it does instead with
 * NODE_COMPILE_CACHE and NODE_DISABLE_COMPILE_CACHE. Where nothing can be written, nothing is kept.
 */
export function keepCompiled(): void {
  const { enableCompileCache } = process.getBuiltinModule("node:module") as {
    /** From Node 22.1 on. */
    readonly enableCompileCache?: (folder: string) => unknown;
  };
  const folder = cacheFolder();
  if (enableCompileCache === undefined || folder === undefined || process.env.NODE_COMPILE_CACHE !== undefined) return;
  enableCompileCache(`${folder}/incidentctl`);
}

/** Where programs of this user keep what they can make again; undefined for a user without a home. */
function cacheFolder(): string | undefined {
  const { XDG_CACHE_HOME = "", LOCALAPPDATA = "", HOME = "" } = process.env;
  if (XDG_CACHE_HOME.startsWith("/")) return XDG_CACHE_HOME;
  if (process.platform === "win32") return LOCALAPPDATA === "" ? undefined : LOCALAPPDATA;
  if (!HOME.startsWith("/")) return undefined;
  return `${HOME}/${process.platform === "darwin" ? "Library/Caches" : ".cache"}`;
}
