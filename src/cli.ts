#!/usr/bin/env node
/** The program: says where compiled code is kept, and only then loads the rest. */

import { keepCompiled } from "./compile-cache.ts";

keepCompiled();
const { runProgram } = await import("./program.ts");
await runProgram();
