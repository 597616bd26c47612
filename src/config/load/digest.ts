/** Digests of the files of a configuration: a plan is made from certain files, and names those that changed since. */

import { createHash } from "node:crypto";
import type { SettingsChoice } from "../settings/settings-file.ts";
import type { FileBytes } from "../source/files.ts";
import type { Substitutions } from "../values/substitution-sources.ts";

/**
 * SHA-256 of the paths and bytes of all files, the names of substitutions, and the environment and variables of the command line
 * if there are any.
 */
export function digestOf(
  files: readonly FileBytes[],
  used: readonly Substitutions[],
  { environment, vars = {} }: SettingsChoice,
): string {
  const hash = createHash("sha256");
  const add = (name: string, bytes: Uint8Array): void => {
    hash.update(`${JSON.stringify(name)} ${bytes.length}\n`);
    hash.update(bytes);
  };
  for (const { file, bytes } of files) add(file, bytes);
  for (const { files: inside } of used) {
    for (const [name, bytes] of [...inside].sort(([left], [right]) => (left < right ? -1 : 1))) add(name, bytes);
  }
  const chosen = Object.entries(vars).sort(([left], [right]) => (left < right ? -1 : 1));
  if (environment !== undefined || chosen.length > 0) hash.update(JSON.stringify([environment ?? null, chosen]));
  for (const name of new Set(used.flatMap((each) => each.used))) hash.update(`${JSON.stringify(name)}\n`);
  return hash.digest("hex");
}

/** The digests of single files, to name those that change later. */
export function fileDigests(
  files: readonly FileBytes[],
  used: readonly Substitutions[],
): Readonly<Record<string, string>> {
  const included = used.flatMap(({ files: inside }) => [...inside]);
  const all = [...files.map(({ file, bytes }) => [file, bytes] as const), ...included];
  return Object.fromEntries(
    all.map(([name, bytes]) => [name, createHash("sha256").update(bytes).digest("hex").slice(0, 16)]),
  );
}
