/** No forge that the program knows: reports in a folder and exit codes, and nothing else. */

import type { Io } from "../../../core/io.ts";
import { runPage } from "../../console/ci.ts";
import type { Console } from "../../console/console.ts";
import type { Forge } from "./forge.ts";

/** The forge of a pipeline that is neither on GitHub nor on GitLab, or that has no token for them. */
export function genericForge(io: Io, console: Console): Forge {
  return {
    run: { id: "", attempt: "1", page: runPage(io.env).run ?? "", commit: "" },
    ...(io.env.INCIDENTCTL_BASE ? { base: io.env.INCIDENTCTL_BASE } : {}),
    comments: async () => "there is no forge that the program knows, or no token for it",
    output: () => {},
    annotate: (level, text) => console.alert(`${level}: ${text}`),
  };
}
