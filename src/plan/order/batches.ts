/**
 * Batches: consecutive requests that may run in parallel. They are for independent resources of one kind: the kind has no order, no
 * exclusive field and no group in which one resource must remain; each resource has its own row and name; none references another. So
 * each precondition holds in whatever order the requests arrive, and every state in between is one that the plan could pass through.
 */

import type { Kind } from "../../kinds/model/kind.ts";
import type { ReferenceGraph } from "../../workspace/match/reference-graph.ts";
import type { Draft, Step } from "../diff/step.ts";

/** Requests that follow one another. */
interface Batch {
  readonly kind: Kind;
  readonly steps: Step[];
  readonly addresses: Set<string>;
  readonly referenced: Set<string>;
}

/** The number of each request's batch; a request alone has none. `steps` in the order in which they run. */
export function assignBatches(
  graph: ReferenceGraph,
  steps: readonly Step[],
  drafts: readonly Draft[],
): ReadonlyMap<Step, number> {
  const draftOf = new Map(drafts.flatMap((draft) => draft.steps.map((step) => [step, draft] as const)));
  const batches: Batch[] = [];
  let batch: Batch | undefined;
  for (const step of steps) {
    const draft = draftOf.get(step);
    if (draft === undefined || !isIndependent(step)) {
      batch = undefined;
      continue;
    }
    const referenced = referencedBy(graph, draft);
    const addresses = [...new Set([step.address, draft.change.address, draft.live?.address ?? step.address])];
    if (batch === undefined || dependsOnBatch(batch, step, addresses, referenced)) {
      batch = { kind: step.kind, steps: [], addresses: new Set(), referenced: new Set() };
      batches.push(batch);
    }
    batch.steps.push(step);
    for (const address of addresses) batch.addresses.add(address);
    for (const address of referenced) batch.referenced.add(address);
  }
  return new Map(
    batches
      .filter(({ steps: members }) => members.length > 1)
      .flatMap(({ steps: members }, index) => members.map((step): [Step, number] => [step, index + 1])),
  );
}

/** Whether resources of the kind do not affect each other, and the request affects its resource alone. */
function isIndependent({ kind, positioned, reveals, custody, fallback }: Step): boolean {
  const { endpoint, lifecycle, references } = kind;
  const dependencies = [
    lifecycle.order,
    lifecycle.allowsDuplicates,
    lifecycle.atLeastOnePer,
    lifecycle.exclusive,
    lifecycle.disable,
    lifecycle.permanent,
    lifecycle.ownedByParent,
    endpoint.keyInBody,
    endpoint.admin,
    references?.cascades,
    positioned,
    reveals,
    custody,
    fallback,
  ];
  return dependencies.every((dependency) => dependency === undefined);
}

function dependsOnBatch(
  batch: Batch,
  step: Step,
  addresses: readonly string[],
  referenced: ReadonlySet<string>,
): boolean {
  return (
    batch.kind !== step.kind ||
    addresses.some((address) => batch.addresses.has(address) || batch.referenced.has(address)) ||
    [...referenced].some((address) => batch.addresses.has(address)) ||
    step.needs.some((need) => batch.steps.includes(need))
  );
}

/** Addresses that a resource references, as it is and as it is declared. */
function referencedBy(graph: ReferenceGraph, { kind, scope, live, declared }: Draft): ReadonlySet<string> {
  const versions = [live, declared].flatMap((version) => (version === undefined ? [] : [version.fields]));
  return new Set(
    versions.flatMap((fields) => graph.referencesOf({ kind, scope, fields }).map(({ address }) => address)),
  );
}
