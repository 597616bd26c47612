/** The same months as in `months.long.test.ts`, with the program in this process, so that there can be many. */

import { test, vi } from "vitest";
import { type ProgramPlace, variablesFor } from "../../../src/app/ci/program.ts";
import type { Console } from "../../../src/app/console/console.ts";
import type { Io } from "../../../src/core/io.ts";
import { FIXED_SEED, sampleSize } from "../../support/samples/sample-size.ts";
import { runHere, scriptHere } from "../simulator/in-process.ts";
import { liveMonths } from "./live.ts";

vi.mock("../../../src/app/ci/program.ts", async (original) => ({
  ...(await original<object>()),
  runProgram: async (args: readonly string[], place: ProgramPlace, { env }: Io, console: Console) => {
    const { exit, stdout, stderr } = await runHere(args, place.directory, variablesFor(place, env));
    console.print(stdout);
    console.progress(stderr);
    return { code: exit, log: `${stdout}${stderr}` };
  },
}));

test(
  "more months change a workspace only by a plan that was reviewed, or by a proposal that somebody named",
  () => liveMonths(sampleSize(49, process.env.CAMPAIGN_MONTHS), scriptHere, FIXED_SEED),
  3_600_000,
);
