#!/usr/bin/env node
/** The program. */

import { runProgram } from "./cli/program.ts";

void runProgram();
