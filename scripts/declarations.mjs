/** Copies to dist/ the declarations that the types of the library are made of, out of those of all modules in build/. */

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";

const build = new URL("../build/", import.meta.url);
const dist = new URL("../dist/", import.meta.url);

const copied = new Set();
copy("index.d.ts");

/** Copies a declaration, and all that it imports. It names other ones by their source. */
function copy(path) {
  if (copied.has(path)) return;
  copied.add(path);
  const text = readFileSync(new URL(path, build), "utf8");
  const target = new URL(path, dist);
  mkdirSync(new URL(".", target), { recursive: true });
  writeFileSync(target, text);
  for (const [, named] of text.matchAll(/\b(?:from |import\()"(\.[^"]+)"/g)) {
    copy(new URL(named.replace(/(?<!\.d)\.ts$/, ".d.ts"), new URL(path, "file:///")).pathname.slice(1));
  }
}
