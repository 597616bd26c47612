#!/usr/bin/env node
/** The program: says where compiled code is kept and when it is optimised, and only then loads the rest. */

import { keepCompiled } from "./compile-cache.ts";
import { optimiseLater } from "./optimisation.ts";

keepCompiled();
optimiseLater();
void import("./program.ts").then(({ runProgram }) => runProgram());
