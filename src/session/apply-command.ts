/** The command line that applies a saved plan. */

import { quoted } from "../core/sanitise.ts";
import type { SessionOptions } from "./session.ts";

/** `incidentctl apply --plan FILE` for the same service, files, environment and variables. */
export function applyCommand({ paths, env, var: variables = {}, url, emulator }: SessionOptions, out: string): string {
  const service =
    emulator === undefined
      ? url === undefined
        ? []
        : ["--url", url]
      : [emulator === "" ? "--emulator" : `--emulator=${emulator}`];
  const named = Object.entries(variables).flatMap(([name, value]) => ["--var", `${name}=${value}`]);
  const words = ["--plan", out, ...service, ...(env === undefined ? [] : ["--env", env]), ...named, ...paths];
  return `incidentctl apply ${words.map((word) => (/^[\w./:=@%+-]+$/.test(word) ? word : quoted(word))).join(" ")}`;
}
