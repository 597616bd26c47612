/** Rehearsals in tests: the live service is an emulator, its requests counted; the applier may be wrapped to misbehave. */

import { type RehearsalInput, rehearse } from "../../../src/app/rehearse/rehearse.ts";
import type { ApplyPlan } from "../../../src/app/rehearse/run.ts";
import type { MakePlanOptions } from "../../../src/app/session/make-plan.ts";
import type { Configuration } from "../../../src/config/resources/configuration.ts";
import type { Fields } from "../../../src/core/json.ts";
import { kinds } from "../../../src/kinds/index.ts";
import type { Plan } from "../../../src/plan/model/plan.ts";
import { secretParts } from "../../../src/preview/routing-tests/secret-parts.ts";
import { apply } from "../../../src/run/apply/apply.ts";
import { reader as asReader } from "../../../src/service/http/client.ts";
import type { Rehearsal } from "../../../src/view/rehearsal/rehearsal.ts";
import type { LastAppliedHashes } from "../../../src/workspace/match/last-applied.ts";
import { resolve } from "../../../src/workspace/match/resolve.ts";
import { needsDetail, optionCounts } from "../../../src/workspace/read/what-to-read.ts";
import { configured } from "../../support/plans/configuration.ts";
import { planOf, type TestService } from "../../support/service/test-service.ts";

const consent = { allowDelete: true, maxRemovals: { entries: 1000 }, acceptRoutingWindow: true };

/** The applier as the command uses it. */
export const carryOut: ApplyPlan = (plan, writer, props) => apply(plan, writer, { ...props, keepGoing: false });

interface Rehearsed {
  readonly plan: Plan;
  readonly rehearsal: Rehearsal;
}

/** Plans the document against the service and rehearses the plan. */
export function rehearsed(
  service: TestService,
  document: Fields,
  wishes: Partial<RehearsalInput> = {},
): Promise<Rehearsed> {
  return rehearsedFor(service, configured(document), wishes);
}

/** The same for a configuration that was loaded from files. */
export async function rehearsedFor(
  service: TestService,
  configuration: Configuration,
  wishes: Partial<RehearsalInput> = {},
): Promise<Rehearsed> {
  const plan = await service.planFor(configuration);
  const rehearsal = await rehearse({
    plan,
    kinds,
    reader: asReader(service.writer),
    reading: {
      parallelism: 4,
      detail: needsDetail(configuration),
      choices: (read) => {
        const fields = optionCounts(resolve(configuration, kinds, read));
        const [first] = fields;
        return first && { answers: first.answeredIn, fields: fields.map(({ key }) => key) };
      },
    },
    dialects: service.emulator.dialects,
    profile: {},
    samples: [],
    secrets: secretParts(configuration),
    withFaults: false,
    windowsAccepted: true,
    carryOut,
    replan: (reader, { verifying }) => planOf(configuration, reader, preparing(verifying ? {} : service.lock)),
    explain: (error) => (error instanceof Error ? error.message : String(error)),
    progress: () => {},
    ...wishes,
  });
  return { plan, rehearsal };
}

function preparing(lock: LastAppliedHashes): MakePlanOptions {
  return {
    version: "0.0.0",
    filter: { kinds: [], targets: [], excludes: [] },
    approvals: consent,
    parallelism: 4,
    now: () => new Date(0),
    ownPrefixes: [],
    lastApplied: { hashes: lock, resend: false },
    identify: false,
  };
}
