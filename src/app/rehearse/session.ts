/** Rehearses the plan of a session, for `rehearse` and `apply --rehearse`. */

import type { Configuration } from "../../config/resources/configuration.ts";
import { loadRoutingTests } from "../../config/resources/routing-tests.ts";
import { EXIT, Stop } from "../../core/exit-codes.ts";
import type { Io } from "../../core/io.ts";
import { type Dialects, parseDialects } from "../../emulator/dialects.ts";
import { kinds } from "../../kinds/index.ts";
import type { Plan } from "../../plan/model/plan.ts";
import { splitPaths } from "../../preview/routing-tests/paths.ts";
import { secretParts } from "../../preview/routing-tests/secret-parts.ts";
import { apply } from "../../run/apply/apply.ts";
import type { Rehearsal } from "../../view/rehearsal/rehearsal.ts";
import { resolve } from "../../workspace/match/resolve.ts";
import { answeredFields, needsDetail } from "../../workspace/read/what-to-read.ts";
import type { Console } from "../console/console.ts";
import { explainError } from "../console/error-report.ts";
import { filterOf } from "../saved-plan/saved-plan.ts";
import { declaredValues } from "../saved-plan/secret-values.ts";
import type { ReadingSession } from "../session/session.ts";
import { type InspectReplica, rehearse } from "./rehearse.ts";
import type { RehearseOptions } from "./rehearse-definition.ts";
import type { NamedSample } from "./samples.ts";

/** A rehearsal of a plan that was made of a configuration. */
export interface SessionRehearsal {
  readonly plan: Plan;
  readonly session: Pick<ReadingSession, "configuration" | "reader" | "parallelism" | "plan">;
  readonly options: Pick<RehearseOptions, "faults" | "dialect" | "acceptRoutingWindow" | "paths">;
  readonly dialects: Partial<Dialects>;
  readonly inspect?: InspectReplica;
}

/** Rehearses the plan of a session. Sends only GET to the live service. */
export async function rehearsePlan(input: SessionRehearsal, io: Io, console: Console): Promise<Rehearsal> {
  const { plan, session, options, dialects, inspect } = input;
  const { configuration, reader } = session;
  const filter = filterOf(plan);
  return rehearse({
    plan,
    kinds,
    reader,
    reading: {
      parallelism: session.parallelism,
      detail: needsDetail(configuration),
      choices: (read) => {
        const fields = answeredFields(resolve(configuration, kinds, read));
        const [first] = fields;
        return first && { answers: first.answeredIn, fields: fields.map(({ key }) => key) };
      },
    },
    dialects,
    profile: profileDialects(configuration),
    secrets: secretParts(configuration),
    samples: testSamples(options.paths, configuration, io),
    withFaults: options.faults === true,
    windowsAccepted: options.acceptRoutingWindow === true,
    inspect,
    carryOut: (rehearsedPlan, writer, props) =>
      apply(rehearsedPlan, writer, { ...props, keepGoing: false, secret: declaredValues(configuration) }),
    replan: (against, options) => session.plan({ reader: against, filter, identify: false, ...options }),
    explain: (error) => explainError(error).join(" "),
    progress: (run, runs) => {
      if (run === runs || run % 25 === 0) console.note(`rehearsed ${run} of ${runs} runs with a fault`);
    },
  });
}

/** The dialects of the profile that the settings name. */
function profileDialects({ settings }: Configuration): Partial<Dialects> {
  const { dialects = {}, service = "" } = settings.serviceProfile ?? {};
  try {
    return parseDialects(Object.entries(dialects).map(([name, value]) => `${name}=${value}`));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Stop(EXIT.error, `the profile of ${service} in the settings is not valid: ${reason}`);
  }
}

/** Returns the alerts of the configuration's routing tests. */
function testSamples(paths: readonly string[], configuration: Configuration, { cwd }: Io): readonly NamedSample[] {
  const { tests: testPaths } = splitPaths(paths, cwd, () => false);
  const tests = loadRoutingTests(testPaths, configuration, { cwd, check: () => {}, mayBeEmpty: true });
  return tests.map(({ name, source, fields }) => ({ name, fields, ...(source === undefined ? {} : { source }) }));
}
