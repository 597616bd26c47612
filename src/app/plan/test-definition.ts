/** The definition of `test`. */

import type { CommandDefinition, OptionsFor } from "../command/definition.ts";
import { ONLINE } from "../command/exit-codes.ts";
import { PATHS, type ReportFlags, reportFlags, SESSION_FLAGS } from "../command/shared-flags.ts";
import { TESTS, type TestFormat } from "../console/formats.ts";

const FLAGS = {
  "--live": { help: "evaluate the live rules, by the service" },
  "--offline": {
    help: "evaluate the rules of the configuration here (default); calibrate if a service is named",
  },
  "--compare": { help: "show which samples the rules of the configuration route differently from the live ones" },
} as const;

export const test: CommandDefinition<typeof SESSION_FLAGS & typeof FLAGS & ReportFlags<TestFormat>, typeof PATHS> = {
  name: "test",
  summary: "run routing tests (*.test.yaml); exit 7 if one fails",
  arguments: PATHS,
  flags: { ...SESSION_FLAGS, ...FLAGS, ...reportFlags(TESTS) },
  exitCodes: { ...ONLINE, 7: "a routing test failed" },
  examples: [
    "incidentctl test config/",
    "incidentctl test --live --report junit=routing.xml",
    "incidentctl test --compare --emulator",
  ],
  page: "routing-tests.md",
};

/** The options of `test`. */
export type TestOptions = OptionsFor<typeof test>;
