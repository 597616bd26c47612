#!/usr/bin/env node
/** The program: says where compiled code is kept and when it is optimised, and only then loads the rest. */

import { keepCompiled } from "./compile-cache.ts";
import { collectSooner, optimiseLater } from "./optimisation.ts";

/** What only tells of itself is over before it would pay to ask V8 for anything. */
const TELLING: readonly string[] = ["--version", "-V", "--help", "-h", "help"];

keepCompiled();
if (!process.argv.some((argument) => TELLING.includes(argument))) {
  optimiseLater();
  collectSooner();
}
void import("./program.ts").then(({ runProgram }) => runProgram());
