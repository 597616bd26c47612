/** Mutants of environments: what an overlay reaches, and what knows of the environment. */

import type { Mutant } from "../mutant.ts";

/** Mutants of overlays, and of what must not be taken over from one environment to another. */
export const environmentMutants: readonly Mutant[] = [
  {
    id: "overlay-is-configuration",
    rule: "environment.apart",
    does: "reads the overlays of other environments as a part of the configuration",
    file: "src/config/load/load.ts",
    edits: [{ find: "!apart.has(realPath(path))", replace: "apart.size >= 0" }],
    redBy: ["test/config/resolve/overlay.test.ts"],
  },
  {
    id: "seal-of-any-environment",
    rule: "environment.seal",
    does: "gives the configuration of every environment one digest",
    file: "src/config/load/load.ts",
    edits: [{ find: "JSON.stringify([environment ?? null, chosen])", replace: '""' }],
    redBy: ["test/config/resolve/overlay.test.ts"],
  },
  {
    id: "one-memory-for-all",
    rule: "environment.lock",
    does: "remembers of one environment what was applied to another",
    file: "src/session/session.ts",
    edits: [
      {
        find: "readLock(configuration.settings.home, configuration.settings.environment)",
        replace: "readLock(configuration.settings.home, undefined)",
      },
    ],
    redBy: ["test/commands/environments.test.ts"],
  },
  {
    id: "overlay-says-where-it-was",
    rule: "environment.origin",
    does: "tells the place of a value of an overlay in the file under it",
    file: "src/config/source/tree.ts",
    edits: [{ find: "return (source ?? file).location(start, end);", replace: "return file.location(start, end);" }],
    redBy: ["test/config/resolve/overlay.test.ts"],
  },
];
