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
  "--alerts <file>": {
    help: "instead of tests, replay recorded alerts (a JSON object of fields a line) before and after the plan; without a service, before and after the change of the files",
  },
  "--base <rev>": {
    help: "with --alerts and no service: a git revision, a directory, or none to compare with (default: as for plan)",
  },
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
    "incidentctl test --alerts alerts.jsonl",
  ],
  page: "routing-tests.md",
};

export type TestOptions = OptionsFor<typeof test>;
