/**
 * Fills a cache folder with compiled code that the program's earlier versions would have run in place of their own files: of
 * Node's compile cache where Node has one, else of the cache that the program kept itself. V8 takes compiled code for the text of any
 * script of the same length; the checksums around it are those of the true text.
 *
 *     node poison.cjs CACHE FILE…
 */

const { createHash } = require("node:crypto");
const { mkdirSync, readdirSync, readFileSync, writeFileSync } = require("node:fs");
const Module = require("node:module");
const { basename, join } = require("node:path");
const { cachedDataVersionTag, setFlagsFromString } = require("node:v8");
const { Script } = require("node:vm");
const { crc32 } = require("node:zlib");

/** Proves that it was run, where the program is given a file for that. Short files have no room for it. */
const FOREIGN =
  'const { PROOF } = process.env; if (PROOF) { process.getBuiltinModule("node:fs").writeFileSync(PROOF, ""); process.exit(9); }';

const [cache, ...files] = process.argv.slice(2);
const texts = files
  .map((file) => [file, readFileSync(file, "utf8")])
  .filter(([, text]) => text.length > FOREIGN.length);

// Flags are a part of what V8 compares.
if (process.versions.v8.startsWith("11.")) setFlagsFromString("--interrupt-budget=1000000 --heap-growing-percent=60");
setFlagsFromString("--no-wasm-tier-up --no-wasm-dynamic-tiering --wasm-lazy-validation");
const folder = join(cache, "incidentctl");
if (Module.enableCompileCache === undefined) poisonOwnCache(join(folder, "validate", String(cachedDataVersionTag())));
else poisonNodeCache();

function poisonOwnCache(folder) {
  mkdirSync(folder, { recursive: true });
  for (const [file, text] of texts) {
    const script = new Script(Module.wrap(FOREIGN.padEnd(text.length)), { filename: file });
    // Only a function that has run is part of the compiled code.
    script.runInThisContext()();
    const data = script.createCachedData();
    const digest = createHash("sha256").update(text).update(data).digest();
    writeFileSync(join(folder, basename(file)), Buffer.concat([digest, data]));
  }
}

function poisonNodeCache() {
  Module.enableCompileCache(folder);
  /** Checksums of the true texts by those of the foreign ones. */
  const checksums = new Map();
  for (const [file, text] of texts) {
    const code = FOREIGN.padEnd(text.length);
    new Module(file)._compile(code, file);
    checksums.set(crc32(code), crc32(text));
  }
  Module.flushCompileCache();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile())) {
    const path = join(entry.parentPath, entry.name);
    const bytes = readFileSync(path);
    // The checksum is one of the numbers that the file begins with.
    for (let at = 0; at < 32; at += 4) {
      const checksum = checksums.get(bytes.readUInt32LE(at));
      if (checksum !== undefined) bytes.writeUInt32LE(checksum, at);
    }
    writeFileSync(path, bytes);
  }
}
