/** Keeps what V8 has compiled of the program, as Node does by itself from 22.1 on. */

import type { Script } from "node:vm";

/** The bytes of a digest, which is what a kept file begins with. */
const DIGEST = 32;
/** Of a mode: group and all others may write. */
const WRITTEN_BY_OTHERS = 0o022;

/** How runs end that have done what they were asked for: with nothing to say, with changes, with findings. What others compile is a part. */
const WHOLE: readonly number[] = [0, 2, 7];

/**
 * Compiles the files of the program that are loaded from now on out of what an earlier run has kept in `folder`. A run that loads
 * one of which nothing is kept has gone further than those before, and all that it has compiled is kept when it ends. What is
 * kept is used for the very text that it was made of, by the V8 and with the flags that made it, and only where the folder is this
 * user's. Where nothing can be written, nothing is kept.
 */
export function keepCode(folder: string): void {
  const { createRequire, wrap } = process.getBuiltinModule("node:module");
  const { existsSync, readFileSync } = process.getBuiltinModule("node:fs");
  const { basename, dirname, join, sep } = process.getBuiltinModule("node:path");
  const { cachedDataVersionTag } = process.getBuiltinModule("node:v8");
  const { Script } = process.getBuiltinModule("node:vm");
  const { extensions, main } = createRequire(process.execPath);
  const usual = extensions[".js"];
  if (usual === undefined || main === undefined) return;
  const own = `${dirname(main.filename)}${sep}`;
  const version = cachedDataVersionTag();
  const kept = join(folder, String(version));
  const exists = existsSync(kept);
  if (exists && !isOwn(kept)) return;
  let anew = false;
  const loaded = new Map<string, { readonly text: string; readonly script: Script }>();
  extensions[".cjs"] = (module, path) => {
    if (!path.startsWith(own)) return usual(module, path);
    const text = readFileSync(path, "utf8");
    const place = join(kept, basename(path));
    const cachedData = exists ? read(place, text) : undefined;
    const script = new Script(wrap(text), { filename: path, cachedData });
    anew ||= script.cachedDataRejected !== false;
    loaded.set(place, { text, script });
    const run = script.runInThisContext();
    const load = (name: string) => module.require(name);
    run.call(module.exports, module.exports, load, module, path, dirname(path));
  };
  process.once("exit", (code) => {
    // Flags that were set meanwhile would be asked for by what is kept.
    if (!anew || !WHOLE.includes(code) || cachedDataVersionTag() !== version) return;
    for (const [place, { text, script }] of loaded) write(place, text, script.createCachedData());
  });
}

/** Whether nobody else can have written there; a system that tells no owners keeps each user's folders apart. */
function isOwn(folder: string): boolean {
  const { statSync } = process.getBuiltinModule("node:fs");
  if (process.getuid === undefined) return true;
  const { uid, mode } = statSync(folder);
  return uid === process.getuid() && (mode & WRITTEN_BY_OTHERS) === 0;
}

/** What was kept for this text; undefined when there is nothing that can be read, or it is not as it was written. */
function read(place: string, text: string): Buffer | undefined {
  const { readFileSync } = process.getBuiltinModule("node:fs");
  try {
    const bytes = readFileSync(place);
    const data = bytes.subarray(DIGEST);
    return bytes.subarray(0, DIGEST).equals(digestOf(text, data)) ? data : undefined;
  } catch {
    // Another run may be about to replace it; this one compiles by itself.
    return undefined;
  }
}

/** Nobody ever reads half of it. */
function write(place: string, text: string, data: Buffer): void {
  const { mkdirSync, renameSync, rmSync, writeFileSync } = process.getBuiltinModule("node:fs");
  const { dirname } = process.getBuiltinModule("node:path");
  const whole = `${place}.${process.pid}`;
  try {
    mkdirSync(dirname(place), { recursive: true, mode: 0o700 });
    try {
      writeFileSync(whole, Buffer.concat([digestOf(text, data), data]));
      renameSync(whole, place);
    } finally {
      rmSync(whole, { force: true });
    }
  } catch {
    // The next run compiles by itself as well.
  }
}

function digestOf(text: string, data: Buffer): Buffer {
  const { createHash } = process.getBuiltinModule("node:crypto");
  return createHash("sha256").update(text).update(data).digest();
}
