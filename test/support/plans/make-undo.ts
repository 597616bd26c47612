/** Runs and the configurations that undo them, in memory. */

import { snapshotBefore } from "../../../src/app/run/snapshot-before.ts";
import { declarableFields } from "../../../src/config/edit/declarable.ts";
import type { Fields } from "../../../src/core/json.ts";
import { kinds } from "../../../src/kinds/index.ts";
import type { RankedListSnapshot } from "../../../src/plan/model/snapshot.ts";
import { invertRun, type RolledBackRun } from "../../../src/plan/undo/rollback.ts";
import { configured } from "./configuration.ts";
import { planned, type Rows, stateOf } from "./make-plan.ts";

export interface RunDetails {
  /** Ids of operations that were not executed. */
  readonly open?: readonly string[];
  /** Responses to creations, by address. */
  readonly created?: Rows;
  /** Address of the resource whose `url` is secret. */
  readonly secret?: string;
  /** Address of a resource that is missing in the snapshot. */
  readonly forgotten?: string;
  /** Name that replaces the kind of every change. */
  readonly otherwise?: string;
  /** Address of a resource that stays as it is → the reason. */
  readonly kept?: Readonly<Record<string, string>>;
  /** The rules of the snapshot, as they were recorded. */
  readonly recorded?: (list: RankedListSnapshot) => RankedListSnapshot;
}

/** A run that applied `document` to the rows `before`; `now` are the rows after it. */
export type UndoCase = readonly [document: Fields, before: Rows, now: Rows, more?: RunDetails];

export function inverse(...[document, before, now, more = {}]: UndoCase): RolledBackRun {
  const secrets = more.secret === undefined ? {} : { [more.secret]: ["/url"] };
  const made = planned(document, { live: before, secrets });
  const plan = { ...made, changes: made.changes.map((change) => ({ ...change, kind: more.otherwise ?? change.kind })) };
  const configuration = configured(document);
  const declared = configuration.declared.map((entry) => ({ ...entry, secrets: secrets[entry.address] ?? [] }));
  const snapshot = snapshotBefore(plan, { ...configuration, declared }, stateOf(document, { live: before }));
  const entries = snapshot.entries.filter(({ address }) => address !== more.forgotten);
  const done = new Set(plan.operations.map(({ id }) => id).filter((id) => more.open?.includes(id) !== true));
  const creations = plan.operations.filter(({ method }) => method === "POST");
  const created = new Map(
    creations.flatMap(({ id, address }) => (more.created?.[address] ?? []).map((row) => [id, row])),
  );
  const ranks = snapshot.ranks.map(more.recorded ?? ((list) => list));
  const kept = new Map(Object.entries(more.kept ?? {}));
  const undone = { plan, before: { ...snapshot, entries, ranks }, done, created, kept };
  return invertRun(undone, stateOf({}, { live: now }), (entry) => declarableFields(entry, kinds));
}

/** A line for each list, desired resource and warning of an inverse. */
function inverseLines(...one: UndoCase): readonly string[] {
  const { managed, desired: wishes, warnings } = inverse(...one);
  return [
    ...managed.map(({ kind, scope }) => `list ${kind} ${scope}`.trim()),
    ...wishes.map(
      ({ kind, scope, key, keyField, ...wish }) =>
        `wish ${kind.name} ${scope} ${keyField}=${key} ${JSON.stringify(wish)}`,
    ),
    ...warnings.map(({ code, address, message }) => `${code} ${address}: ${message}`),
  ];
}

/** The cases of a table, each with the lines of its inverse. */
export function inverseText(cases: readonly (readonly [title: string, ...UndoCase])[]): string {
  const text = cases.flatMap(([title, ...one]) => [title, ...inverseLines(...one).map((line) => `  ${line}`)]);
  return `${text.join("\n")}\n`;
}

/** A row whose name is its slug. */
export const named = (slug: string, more: Fields = {}): Fields => ({ slug, name: slug, ...more });
/** A severity as the service returns it. */
export const level = (slug: string, more: Fields = {}): Fields =>
  named(slug, { is_default: false, color: "#000", description: null, ...more });
/** A rule for every alert. */
export const rule = (channel_id: string): Fields => ({
  conditions: [],
  outcome: { action: "notify_only", notify: { type: "channel", channel_id } },
  enabled: true,
});
/** A custom field with options. */
export const field = (...labels: readonly string[]): Fields =>
  named("region", {
    field_type: "single_select",
    option_source: "fixed",
    options: labels.map((label, at) => ({ id: `o${at}`, label })),
  });
