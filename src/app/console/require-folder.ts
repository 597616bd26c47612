/** Checks of the path of a file that a command creates. Folders are not created, so that a typing error in a path is reported. */

import { lstatSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { EXIT, Stop } from "../../core/exit-codes.ts";
import { quoted } from "../../core/sanitise.ts";

/** Ends the command if the folder of the path does not exist; `typed` is the path as the user wrote it, `what` names the file. */
export function refuseMissingFolder(path: string, typed: string, what = "the database"): void {
  if (statSync(dirname(path), { throwIfNoEntry: false })?.isDirectory() === true) return;
  throw new Stop(
    EXIT.error,
    `cannot create ${what} ${quoted(typed)}: the folder ${quoted(dirname(path))} does not exist`,
  );
}

/** Ends the command if the path or its folder is a symbolic link, which this program never creates. */
export function refuseLinks(path: string): void {
  for (const each of [dirname(path), path]) {
    if (lstatSync(each, { throwIfNoEntry: false })?.isSymbolicLink() !== true) continue;
    throw new Stop(
      EXIT.error,
      `${quoted(each)} is a symbolic link, which this program does not follow here; remove it`,
    );
  }
}
