#!/usr/bin/env node
/** The program: says when compiled code is optimised and where it is kept, and only then loads the rest. */

import { keepCompiled } from "./cli/compile-cache.ts";
import { collectSooner, compileWebAssemblyOnce, optimiseLater } from "./cli/v8-flags.ts";

/** What only tells of itself is over before it would pay to ask V8 for anything. */
const TELLING: readonly string[] = ["--version", "-V", "--help", "-h", "help"];

const telling = process.argv.some((argument) => TELLING.includes(argument));
if (!telling) {
  optimiseLater();
  collectSooner();
  compileWebAssemblyOnce();
}
keepCompiled(telling);
void import("./cli/program.ts").then(({ runProgram }) => runProgram());
