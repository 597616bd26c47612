/** `lsp`: serves editors over standard input and output. It needs no network and no token. */

import { loadWithErrors } from "../../config/load/load.ts";
import { DISK } from "../../config/source/disk.ts";
import { findSettings } from "../../config/source/files.ts";
import { EXIT } from "../../core/exit-codes.ts";
import { misuse } from "../../core/flag-values.ts";
import type { Io } from "../../core/io.ts";
import { defined } from "../../core/json.ts";
import type { Console } from "../console/console.ts";
import { loadContextOf } from "../session/load-configuration.ts";
import { takeTokens } from "../session/tokens.ts";
import { serveEditor } from "./connection.ts";
import type { Choice } from "./edited-project.ts";
import { EditedProjects } from "./edited-projects.ts";
import type { LspOptions } from "./lsp-definition.ts";

/** Serves until the editor ends the connection, which ends the process. */
export async function lsp(options: LspOptions, io: Io, console: Console): Promise<number> {
  const { stdio = true, env, var: variables } = options;
  if (!stdio) throw misuse("lsp talks over standard input and output alone");
  takeTokens(io.env);
  const choice = defined({ env, var: variables });
  await refuseUnknownEnvironment(choice, io);
  return serveEditor(new EditedProjects(choice, io, console), { input: process.stdin, output: process.stdout });
}

/** Throws if the settings of the working folder lack the chosen environment. Without settings there, those of the documents decide. */
async function refuseUnknownEnvironment(choice: Choice, io: Io): Promise<void> {
  const context = { ...loadContextOf({ ...choice, paths: [] }, io), cwd: io.cwd, mayBeEmpty: true };
  if (context.environment === undefined || findSettings(io.cwd, DISK) === undefined) return;
  const { error } = await loadWithErrors([], context);
  if (error?.exitCode === EXIT.usage) throw error;
}
