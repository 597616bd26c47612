/**
 * Which requests may be under way at the same time. The order of a plan is kept but for batches of requests that follow one another
 * and concern entries that nothing ties together: of one kind that knows no order, no place, no default and no last one of a
 * group, each with a row and a name of its own, and none mentioning another. Whatever order such requests arrive in, each finds
 * what its check relies on, and whoever looks in between sees a state that the plan could have passed through.
 */

import type { Kind } from "../../kinds/kind.ts";
import { mentions } from "../../match/references.ts";
import type { State } from "../../match/resolved-state.ts";
import type { Draft, Step } from "../diff/step.ts";

/** Requests that follow one another. */
interface Batch {
  readonly kind: Kind;
  readonly steps: Step[];
  readonly addresses: Set<string>;
  readonly mentioned: Set<string>;
}

/** The number of the batch that a request belongs to; alone it has none. `steps` in the order in which they run. */
export function batchesOf(state: State, steps: readonly Step[], drafts: readonly Draft[]): ReadonlyMap<Step, number> {
  const owner = new Map(drafts.flatMap((draft) => draft.steps.map((step) => [step, draft] as const)));
  const batches: Batch[] = [];
  let batch: Batch | undefined;
  for (const step of steps) {
    const draft = owner.get(step);
    if (draft === undefined || !isFree(step)) {
      batch = undefined;
      continue;
    }
    const mentioned = mentionedIn(state, draft);
    const own = [...new Set([step.address, draft.change.address, draft.live?.address ?? step.address])];
    if (batch === undefined || isTied(batch, step, own, mentioned)) {
      batch = { kind: step.kind, steps: [], addresses: new Set(), mentioned: new Set() };
      batches.push(batch);
    }
    batch.steps.push(step);
    for (const address of own) batch.addresses.add(address);
    for (const address of mentioned) batch.mentioned.add(address);
  }
  return new Map(
    batches
      .filter((one) => one.steps.length > 1)
      .flatMap((one, at) => one.steps.map((step): [Step, number] => [step, at + 1])),
  );
}

/** Whether an entry of the kind has nothing to do with the others of it, and the request with nothing but its entry. */
function isFree({ kind, placed, reveals, custody, fallback }: Step): boolean {
  const {
    endpoint: { admin, keyInBody: naming },
    lifecycle: {
      order,
      disable,
      ownedByParent: part,
      permanent,
      atLeastOnePer: keepsOnePer,
      allowsDuplicates: repeatable,
    },
    references: { cascades } = {},
  } = kind;
  const tied = [order, naming, repeatable, keepsOnePer, disable, cascades, admin, permanent, part];
  return [...tied, placed, reveals, custody, fallback].every((fact) => fact === undefined);
}

function isTied(batch: Batch, step: Step, own: readonly string[], mentioned: ReadonlySet<string>): boolean {
  return (
    batch.kind !== step.kind ||
    own.some((address) => batch.addresses.has(address) || batch.mentioned.has(address)) ||
    [...mentioned].some((address) => batch.addresses.has(address)) ||
    step.needs.some((need) => batch.steps.includes(need))
  );
}

/** Addresses that an entry mentions, as it is and as it is declared. */
function mentionedIn(state: State, { kind, scope, live, declared }: Draft): ReadonlySet<string> {
  const forms = [live, declared].flatMap((form) => (form === undefined ? [] : [{ kind, scope, fields: form.fields }]));
  return new Set(forms.flatMap((form) => mentions(state, form).map(({ address }) => address)));
}
