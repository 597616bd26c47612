/** The folder that a database is to lie in: it must be there, since a path with a slip in it must not become a new one. */

import { lstatSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { EXIT, Stop } from "../core/exit-codes.ts";
import { quoted } from "../core/sanitise.ts";

/** Ends the command when the folder of the path does not exist; `typed` is the path as a person wrote it. */
export function refuseMissingFolder(path: string, typed: string): void {
  if (statSync(dirname(path), { throwIfNoEntry: false })?.isDirectory() === true) return;
  throw new Stop(EXIT.error, `cannot keep a database in ${quoted(typed)}: there is no folder ${quoted(dirname(path))}`);
}

/** Ends the command when the path, or its folder, is a link: it was not made by this program, and leads who knows where. */
export function refuseLinks(path: string): void {
  for (const each of [dirname(path), path]) {
    if (lstatSync(each, { throwIfNoEntry: false })?.isSymbolicLink() !== true) continue;
    throw new Stop(EXIT.error, `${quoted(each)} is a link, and what this program keeps for itself is none; remove it`);
  }
}
