/** Mutants of environments: what an overlay reaches, and what is kept apart. */

import type { Mutant } from "../mutant.ts";

/** Mutants of overlays, and of state that belongs to one environment. */
export const environmentMutants: readonly Mutant[] = [
  {
    id: "overlay-is-configuration",
    rule: "environment.apart",
    does: "reads the overlays of other environments as part of the configuration",
    file: "src/config/load/load.ts",
    edits: [{ find: "!overlayFiles.has(realPath(path))", replace: "overlayFiles.size >= 0" }],
    redBy: ["test/config/load/overlay.test.ts"],
  },
  {
    id: "seal-of-any-environment",
    rule: "environment.seal",
    does: "gives the configuration of every environment the same digest",
    file: "src/config/load/digest.ts",
    edits: [{ find: "JSON.stringify([environment ?? null, chosen])", replace: '""' }],
    redBy: ["test/config/load/overlay.test.ts"],
  },
  {
    id: "one-lock-for-all",
    rule: "environment.lock",
    does: "uses the lock file entries of another environment",
    file: "src/app/session/session.ts",
    edits: [
      {
        find: "const lock = readLock(configuration.settings)",
        replace: "const lock = readLock({ home: configuration.settings.home })",
      },
    ],
    redBy: ["test/commands/environments.test.ts"],
  },
  {
    id: "wrong-overlay-origin",
    rule: "environment.origin",
    does: "reports a value of an overlay at its place in the file below",
    file: "src/config/source/tree.ts",
    edits: [{ find: "return (source ?? file).location(start, end);", replace: "return file.location(start, end);" }],
    redBy: ["test/config/load/overlay.test.ts"],
  },
];
