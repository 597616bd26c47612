/** A built copy of the source and the quick tests that contains every mutant of Stryker's instrumenter, switched off. */

import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { Instrumenter } from "@stryker-mutator/instrumenter";
import { TESTS } from "./scope.ts";

/** A mutant of the instrumenter: a piece of source and its replacement. */
export interface Planted {
  /** Its switch in the built copy; every build numbers them anew. */
  readonly id: string;
  /** Path below the root of the tree. */
  readonly file: string;
  /** Counted from 1, as editors do. */
  readonly line: number;
  readonly column: number;
  readonly original: string;
  readonly replacement: string;
}

const SOURCES: readonly string[] = ["src", "test"];
/** What the built copy has of the tree: all but what is large and read by no quick test. */
const LEFT_OUT: readonly string[] = [".git", ".stryker", "build", "dist-tools", "node_modules"];

const quiet = {
  isTraceEnabled: () => false,
  isDebugEnabled: () => false,
  isInfoEnabled: () => false,
  isWarnEnabled: () => true,
  isErrorEnabled: () => true,
  isFatalEnabled: () => true,
  trace: () => {},
  debug: () => {},
  info: () => {},
  warn: console.warn,
  error: console.error,
  fatal: console.error,
};

/** Plants the mutants of `files` in a copy below `folder` and compiles it. Throws if the copy does not compile. */
export async function build(root: string, folder: string, files: readonly string[]): Promise<readonly Planted[]> {
  const source = join(folder, "source");
  const built = join(folder, "built");
  for (const path of [source, built]) rmSync(path, { recursive: true, force: true });
  for (const name of SOURCES) cpSync(join(root, name), join(source, name), { recursive: true });
  cpSync(join(root, "package.json"), join(source, "package.json"));
  const sound = files.map((name) => ({ name, mutate: true, content: readFileSync(join(root, name), "utf8") }));
  const { files: switched, mutants } = await new Instrumenter(quiet).instrument(sound, {
    plugins: null,
    excludedMutations: [],
    ignorers: [],
  });
  for (const { name, content } of switched) writeFileSync(join(source, name), content);
  compile(root, source, built);
  for (const name of readdirSync(root).filter((name) => !LEFT_OUT.includes(name))) {
    cpSync(join(root, name), join(built, name), { recursive: true });
  }
  standIn(built, pathToFileURL(join(import.meta.dirname, "tests.js")).href);
  const texts = new Map(sound.map(({ name, content }) => [name, content.split("\n")]));
  return mutants.map(({ id, fileName, location: { start, end }, replacement = "" }) => ({
    id,
    file: fileName,
    line: start.line + 1,
    column: start.column + 1,
    original: piece(texts.get(fileName) ?? [], start, end),
    replacement,
  }));
}

function compile(root: string, source: string, built: string): void {
  const options = {
    extends: relative(source, join(root, "tsconfig.json")),
    compilerOptions: {
      noCheck: true,
      noEmit: false,
      declaration: false,
      isolatedDeclarations: false,
      rootDir: ".",
      outDir: built,
    },
    include: ["src", "test/support", ...TESTS],
  };
  writeFileSync(join(source, "tsconfig.json"), JSON.stringify(options));
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
  const { status, stdout } = spawnSync(process.execPath, [tsc, "-p", source], { encoding: "utf8" });
  if (status !== 0) throw new Error(`the source with its mutants cannot be compiled:\n${stdout}`);
}

/** Makes the tests of the copy import `module` as `vitest`. */
function standIn(built: string, module: string): void {
  const index = join(built, "node_modules", "vitest", "index.js");
  mkdirSync(dirname(index), { recursive: true });
  writeFileSync(join(dirname(index), "package.json"), JSON.stringify({ type: "module", exports: "./index.js" }));
  writeFileSync(index, `export * from ${JSON.stringify(module)};\n`);
}

interface Position {
  readonly line: number;
  readonly column: number;
}

function piece(lines: readonly string[], start: Position, end: Position): string {
  const chosen = lines.slice(start.line, end.line + 1);
  const last = chosen.pop() ?? "";
  const whole = [...chosen, last.slice(0, end.column)].join("\n");
  return whole.slice(start.column);
}
