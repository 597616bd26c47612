#!/usr/bin/env node
/** The program. */

import { runProgram } from "./app/cli/command-line.ts";

void runProgram();
