/** Finds out which forge a job runs on, by its variables. */

import type { Io } from "../../../core/io.ts";
import type { Console } from "../../console/console.ts";
import type { Forge } from "./forge.ts";
import { genericForge } from "./generic.ts";
import { githubForge } from "./github.ts";
import { gitlabForge } from "./gitlab.ts";

/** The forge of this job. */
export function connectForge(io: Io, console: Console): Forge {
  if (io.env.GITHUB_ACTIONS) return githubForge(io, console);
  return io.env.GITLAB_CI ? gitlabForge(io, console) : genericForge(io, console);
}
