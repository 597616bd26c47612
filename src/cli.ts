#!/usr/bin/env node
/** The program: sets V8's flags, and only then loads the rest. */

import { collectSooner, compileWebAssemblyOnce, optimiseLater } from "./cli/v8-flags.ts";

/** What only tells of itself is over before it would pay to ask V8 for anything. */
const TELLING: readonly string[] = ["--version", "-V", "--help", "-h", "help"];

if (!process.argv.some((argument) => TELLING.includes(argument))) {
  optimiseLater();
  collectSooner();
  compileWebAssemblyOnce();
}
void import("./cli/program.ts").then(({ runProgram }) => runProgram());
