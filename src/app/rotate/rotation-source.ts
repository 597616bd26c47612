/** Plans rotations against the live tokens, the rest of an interrupted one too. */

import { declarableFields } from "../../config/edit/declarable.ts";
import { type Configuration, emptyConfiguration } from "../../config/resources/configuration.ts";
import { PARALLELISM } from "../../config/settings/request-defaults.ts";
import { version } from "../../core/package.ts";
import { kinds } from "../../kinds/index.ts";
import type { Plan } from "../../plan/model/plan.ts";
import { planRotation, type RotatedResource } from "../../plan/rotate/rotation.ts";
import { resolve } from "../../workspace/match/resolve.ts";
import type { ResolvedState } from "../../workspace/match/resolved-state.ts";
import { observe } from "../../workspace/read/observe.ts";
import type { ContinuationSource, PlannedRest } from "../run/continue-run.ts";
import type { WriteRun } from "../run/write-run.ts";
import { planSourceOf } from "../undo/desired-state.ts";
import { kindNamesOf, remainingResources } from "./rotated-resources.ts";

/** The configuration of a rotation: it declares nothing. */
export function rotationConfiguration({ session }: Pick<WriteRun, "session">): Configuration {
  return emptyConfiguration(session.configuration.settings);
}

/** Reads the resources of these addresses and plans the rotation of those that `choose` returns. Sends GET only. */
export async function makeRotation(
  addresses: readonly string[],
  choose: (state: ResolvedState) => readonly RotatedResource[],
  { session, sink, allowDelete, io }: WriteRun,
): Promise<PlannedRest> {
  const configuration = rotationConfiguration({ session });
  const lists = kindNamesOf(addresses).map((kind) => ({ kind, scope: "" }));
  const observation = await observe(session.reader, kinds, lists, { parallelism: PARALLELISM });
  const { state } = resolve(configuration, kinds, observation);
  const plan = planRotation({
    state,
    resources: choose(state),
    declarable: (resource) => declarableFields(resource, kinds),
    approvals: { allowDelete, acceptRoutingWindow: false, tokenSink: sink !== undefined },
    host: session.reader.host,
    version,
    now: io.now(),
    ownPrefixes: session.ownPrefixes,
  });
  return { plan, state };
}

/** The source that a run is continued from: that of its plan, or for a rotation the live tokens. */
export async function continuationSource(plan: Plan, run: WriteRun): Promise<ContinuationSource> {
  const { rotates } = plan;
  if (rotates === undefined) return planSourceOf(plan, run.runs, run.session);
  return {
    configuration: rotationConfiguration(run),
    prepare: ({ interrupted = [] }) =>
      makeRotation(rotates, (state) => remainingResources(rotates, interrupted, state), run),
  };
}
