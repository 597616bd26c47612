#!/usr/bin/env node
/** The program. */

import { runProgram } from "./cli/command-line.ts";

void runProgram();
