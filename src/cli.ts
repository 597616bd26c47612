#!/usr/bin/env node
/** The program: says where compiled code is kept, and only then loads the rest. */

import { keepCompiled } from "./compile-cache.ts";

keepCompiled();
void import("./program.ts").then(({ runProgram }) => runProgram());
