/** Runs and what taking them back asks for, in memory. */

import { declarable } from "../../../src/config/edit/declarable.ts";
import type { Fields } from "../../../src/core/json.ts";
import { kinds } from "../../../src/kinds/index.ts";
import { beforeOf } from "../../../src/run/snapshot-before.ts";
import { type Inverse, inverseOf } from "../../../src/undo/rollback.ts";
import { configured } from "./configuration.ts";
import { planned, type Rows, stateOf } from "./make-plan.ts";

/** What is special about a run. */
export interface Peculiar {
  /** Operations that were not carried out. */
  readonly open?: readonly string[];
  /** What creations were answered with, by address. */
  readonly created?: Rows;
  /** Address of the entry whose `url` is secret. */
  readonly secret?: string;
  /** Address of an entry that was not kept as it was before. */
  readonly forgotten?: string;
  /** What the kinds of its changes are called instead. */
  readonly otherwise?: string;
}

/** A run that was to make `document` of what it found, and left `now`. */
export type Undoing = readonly [document: Fields, before: Rows, now: Rows, more?: Peculiar];

/** The inverse of a run. */
export function inverse(...[document, before, now, more = {}]: Undoing): Inverse {
  const secrets = more.secret === undefined ? {} : { [more.secret]: ["/url"] };
  const made = planned(document, { live: before, secrets });
  const plan = { ...made, changes: made.changes.map((change) => ({ ...change, kind: more.otherwise ?? change.kind })) };
  const configuration = configured(document);
  const declared = configuration.declared.map((entry) => ({ ...entry, secrets: secrets[entry.address] ?? [] }));
  const found = beforeOf(plan, { ...configuration, declared }, stateOf(document, { live: before }));
  const entries = found.entries.filter(({ address }) => address !== more.forgotten);
  const done = new Set(plan.operations.map(({ id }) => id).filter((id) => more.open?.includes(id) !== true));
  const created = new Map(Object.entries(more.created ?? {}).map(([address, [row = {}]]) => [address, row]));
  const undone = { plan, before: { ...found, entries }, done, created };
  return inverseOf(undone, stateOf({}, { live: now }), (entry) => declarable(entry, kinds));
}

/** A line for each list, wish and warning of an inverse. */
function inverseLines(...given: Undoing): readonly string[] {
  const { managed, wishes, warnings } = inverse(...given);
  return [
    ...managed.map(({ kind, scope }) => `list ${kind} ${scope}`.trim()),
    ...wishes.map(
      ({ kind, scope, key, keyField, ...wish }) =>
        `wish ${kind.name} ${scope} ${keyField}=${key} ${JSON.stringify(wish)}`,
    ),
    ...warnings.map(({ code, address, message }) => `${code} ${address}: ${message}`),
  ];
}

/** The cases of a table and what taking each back asks for. */
export function inverseText(cases: readonly (readonly [title: string, ...Undoing])[]): string {
  const text = cases.flatMap(([title, ...given]) => [title, ...inverseLines(...given).map((line) => `  ${line}`)]);
  return `${text.join("\n")}\n`;
}

/** A row with a name like its slug. */
export const named = (slug: string, more: Fields = {}): Fields => ({ slug, name: slug, ...more });
/** A severity as the service tells it. */
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
