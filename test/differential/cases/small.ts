/** Small workspaces around one relation: what seldom meets in a large workspace meets in most of these. */

import fc from "fast-check";
import type { Dialects } from "../../../src/emulator/dialects.ts";
import type { Deed } from "./bodies.ts";
import type { Edit } from "./edits.ts";
import type { Happening, Trial } from "./trial.ts";

/** The numbers of a deed or an edit where not every number will do. */
type Numbers = Readonly<Partial<Record<"at" | "variant" | "bits", readonly number[]>>>;

/** A relation between resources. */
export interface Relation {
  /** Those that it may differ in. */
  readonly dialects: readonly [Partial<Dialects>, ...Partial<Dialects>[]];
  /** What people do, in this order; now and then something is left out. */
  readonly live: readonly (readonly [does: string, numbers?: Numbers])[];
  /** The kinds that the files may manage. */
  readonly kinds: readonly string[];
  /** What may happen to which list. */
  readonly edits: readonly (readonly [does: Edit["does"], of: string, numbers?: Numbers])[];
  /** Edits that are applied first, each by itself. The apply of the others then goes on behind a request that is refused. */
  readonly applied?: readonly [Relation["edits"], Relation["edits"]];
}

/** Numbers that include every value, all of which meet one condition. */
const ALL_VALUES = [30, 62, 254];

/** The form of a deed is in these bits of `variant`. */
const ON = { declare: 0, update: 16 };

/** Services that do not return which custom field a condition reads; two fields over one catalog type offer the same values. */
const UNTOLD: Relation["dialects"] = [
  { readable: "partial" },
  { condition_values: "id" },
  { readable: "partial", condition_values: "id" },
  { condition_values: "id", delete_guard: "incidents" },
];

const TWO_FIELDS: Relation["live"] = [
  ["create an entry", { at: [0] }],
  ["create an entry", { at: [0] }],
  ["create an entry", { at: [0] }],
  ["create a custom field of entries"],
  ["create a custom field of entries"],
  ["put a field on a form", { at: [0], variant: [ON.declare + 1], bits: [1, 2] }],
  ["put a field on a form", { at: [1], variant: [ON.declare + 1], bits: [1, 2] }],
];

/** The relations, by what they are about. */
export const RELATIONS: Readonly<Record<string, Relation>> = {
  "entries that a condition may hold, whose field the service does not tell": {
    dialects: UNTOLD,
    live: [...TWO_FIELDS, ["change a field of a form", { at: [1, 3], variant: [2, 6], bits: [2, 4, 6] }]],
    kinds: ["catalog_types"],
    edits: [
      ["remove", "entries", { at: [0, 1] }],
      ["remove", "entries", { at: [0, 1] }],
      ["rename", "entries"],
    ],
  },
  "conditions that go, whose field the service does not tell": {
    dialects: UNTOLD,
    live: [...TWO_FIELDS, ["change a field of a form", { at: [0, 1], variant: [18, 22], bits: [2, 4] }]],
    kinds: ["forms"],
    edits: [
      ["remove", "conditions"],
      ["change", "conditions"],
      ["change", "update"],
    ],
  },
  "conditions on fields of a form": {
    dialects: [{}, { readable: "partial" }],
    live: [
      ["create a custom field", { at: [1, 2, 3] }],
      ["create a custom field", { at: [1, 2, 3] }],
      ["put a field on a form", { at: [0], variant: [ON.update + 1], bits: [1, 2] }],
      ["put a field on a form", { at: [1], variant: [ON.declare + 1, ON.update + 1], bits: [1, 2] }],
      ["change a field of a form", { at: [0, 1, 5], variant: [18, 22], bits: ALL_VALUES }],
    ],
    kinds: ["custom_fields", "forms"],
    edits: [
      ["remove", "update", { at: [6, 7] }],
      ["remove", "update", { at: [6, 7] }],
      ["remove", "declare", { at: [5, 6] }],
      ["rename", "options"],
      ["remove", "options"],
    ],
  },
  "runbooks that incidents hold, and what their conditions name": {
    dialects: [{ delete_guard: "incidents" }, {}, { delete_guard: "incidents", readable: "partial" }],
    live: [
      ["create in severities", { bits: [0, 1, 2] }],
      ["create in incident_types", { bits: [0, 1, 2] }],
      ["create a runbook", { variant: [0, 4, 8], bits: ALL_VALUES }],
      ["create a runbook", { variant: [0, 1, 5], bits: ALL_VALUES }],
      ["declare an incident", { at: [0, 1, 2], bits: [0, 3] }],
      ["declare an incident", { at: [0, 1, 2], bits: [1, 3] }],
    ],
    kinds: ["severities", "incident_types", "runbooks"],
    edits: [
      ["empty", "runbooks"],
      ["remove", "runbooks"],
      ["remove", "severities", { at: [0, 1, 2, 3] }],
      ["remove", "incident_types"],
      ["remove", "conditions"],
    ],
  },
  "runbooks that get other conditions, and what they named before, where a request is refused": {
    dialects: [{ delete_guard: "incidents", readable: "partial" }, { delete_guard: "incidents" }, {}],
    live: [
      ["create in severities", { bits: [0, 1, 2] }],
      ["create in incident_types", { bits: [0, 1, 2] }],
      ["create a runbook", { variant: [0, 4, 8], bits: ALL_VALUES }],
      ["create a runbook", { variant: [0, 1, 5], bits: ALL_VALUES }],
    ],
    kinds: ["severities", "incident_types", "runbooks"],
    edits: [
      ["empty", "conditions"],
      ["remove", "severities", { at: [0, 1, 2, 3] }],
      ["remove", "incident_types"],
    ],
    // What is not returned is known once it was sent, and it is sent if it is not what an earlier apply found in the files.
    applied: [[["rename", "runbooks"]], [["change", "conditions"]]],
  },
  "rules of sources, and those of the workspace that apply without": {
    dialects: [{ fallback: "sticky" }, { fallback: "sticky" }, {}],
    live: [
      ["create a source", { variant: [0, 2] }],
      ["create a source", { variant: [1, 3] }],
      ["create a rule", { at: [0], bits: [0, 3, 6, 12] }],
      ["create a rule", { at: [1, 3], bits: [0, 1, 3] }],
    ],
    kinds: ["routing_rules", "alert_sources"],
    edits: [
      ["begin", "sources"],
      ["begin", "sources"],
      ["add", "workspace"],
      ["remove", "workspace"],
      ["rename", "alert_sources"],
    ],
  },
  "sources that have lost their own rules, and go": {
    dialects: [{ fallback: "sticky" }, { fallback: "sticky" }, {}],
    live: [
      ["create a source", { variant: [0, 2] }],
      ["create a source", { variant: [1, 3] }],
      ["create a rule", { at: [0], bits: [0, 3, 6, 12] }],
      ["create a rule", { at: [1, 3], bits: [0, 1, 3] }],
      ["create a rule", { at: [1, 3], bits: [0, 1, 3] }],
      ["delete a rule", { at: [1, 3] }],
    ],
    kinds: ["alert_sources"],
    edits: [
      ["remove", "alert_sources"],
      ["empty", "alert_sources"],
      ["rename", "alert_sources"],
    ],
  },
  "entries that refer to each other and to themselves": {
    dialects: [{}, { delete_guard: "incidents" }],
    live: [
      ["create a catalog type", { variant: [0, 1, 2] }],
      ["change a catalog type", { at: [9, 24, 39], variant: [4, 5, 7], bits: [1, 3] }],
      ["create an entry", { at: [4] }],
      ["create an entry", { at: [4] }],
      ["change an entry", { bits: [255] }],
      ["change an entry", { variant: [4, 8, 16], bits: [255] }],
    ],
    kinds: ["catalog_types"],
    edits: [
      ["remove", "entries"],
      ["empty", "entries"],
      ["remove", "attributes"],
      ["change", "entries"],
    ],
  },
  "machines that are switched off, and change": {
    dialects: [{}],
    live: [
      ["create a webhook", { bits: [1, 3, 7] }],
      ["create a webhook", { bits: [2, 5] }],
      ["create a service key"],
      ["create an agent"],
      ["create an agent"],
      ["grant an ability"],
    ],
    kinds: ["webhooks", "api_keys", "agents"],
    edits: [
      ["rename", "webhooks", { bits: [0, 3, 6, 9] }],
      ["rename", "api_keys", { bits: [0, 3, 6, 9] }],
      ["switch off", "webhooks"],
      ["switch off", "api_keys"],
      ["switch off", "agents"],
      ["add", "grants"],
    ],
  },
};

const number = (given?: readonly number[]) => (given === undefined ? fc.nat(255) : fc.constantFrom(...given));

const numbers = ({ at, variant, bits }: Numbers = {}) => ({
  at: number(at),
  variant: number(variant),
  bits: number(bits),
});

/** Seven of eight times something, else nothing. */
function mostly<Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<readonly Value[]> {
  return fc.oneof({ weight: 7, arbitrary: value.map((one) => [one]) }, { weight: 1, arbitrary: fc.constant([]) });
}

function deedsOf({ live }: Relation): fc.Arbitrary<readonly Deed[]> {
  const parts = live.map(([does, given]) => mostly(fc.record({ does: fc.constant(does), ...numbers(given) })));
  return fc.tuple(...parts).map((deeds) => deeds.flat());
}

function editsOf(edits: Relation["edits"]): fc.Arbitrary<readonly Edit[]> {
  const all = edits.map(([does, of, given]) =>
    fc.record({ does: fc.constant(does), of: fc.constant(of), list: number(), ...numbers(given) }),
  );
  return fc.array(fc.oneof(...all), { minLength: 1, maxLength: 4, size: "max" });
}

/** Random cases of a relation. */
export function casesOf(relation: Relation): fc.Arbitrary<Trial> {
  const { applied } = relation;
  const edits = editsOf(relation.edits);
  const refused: fc.Arbitrary<readonly Happening[]> =
    applied === undefined
      ? fc.constant([])
      : fc.tuple(
          fc.record({ does: fc.constant("apply"), edits: editsOf(applied[1]), isUndone: fc.constant(false) }),
          fc.record({
            does: fc.constant("stop"),
            edits,
            stop: fc.record({ at: fc.nat(2), how: fc.constant("unprocessable") }),
            keepsGoing: fc.constant(true),
            isResumed: fc.boolean(),
          }),
        );
  return fc.record({
    dialects: fc.constantFrom(...relation.dialects),
    live: deedsOf(relation),
    kinds: fc.subarray([...relation.kinds], { minLength: 1 }),
    first: applied === undefined ? edits : editsOf(applied[0]),
    isBuilt: fc.constant(false),
    isApplied: fc.constant(applied !== undefined),
    happenings: refused,
    borrowings: fc.constant([]),
  });
}
