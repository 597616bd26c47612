/** One random case: a workspace, and what happens to it and to the files that manage a part of it. */

import fc from "fast-check";
import { type Dialects, dialectChoices } from "../../../src/emulator/dialects.ts";
import { kinds } from "../../../src/kinds/index.ts";
import { STOPS, type Stop } from "../program.ts";
import type { Deed } from "./bodies.ts";
import { DEED_NAMES } from "./deeds.ts";
import { EDITS, type Edit } from "./edits.ts";
import type { Borrowing } from "./files.ts";

/** What happens. */
export type Happening =
  | { readonly does: "edit"; readonly edits: readonly Edit[]; readonly kinds: readonly string[] }
  | { readonly does: "hands"; readonly hands: readonly Deed[] }
  | { readonly does: "drift" }
  | { readonly does: "apply"; readonly edits: readonly Edit[]; readonly isUndone: boolean }
  | {
      readonly does: "save";
      readonly edits: readonly Edit[];
      readonly hands: readonly Deed[];
      readonly isUndone: boolean;
    }
  | {
      readonly does: "stop";
      readonly edits: readonly Edit[];
      readonly stop: Stop;
      /** What does not depend on the stopped write goes on. */
      readonly keepsGoing: boolean;
      readonly isResumed: boolean;
    };

/** A case, as plain numbers and names, which are interpreted on the way. */
export interface Trial {
  /** The built program is started; otherwise the commands run in this process. */
  readonly isBuilt: boolean;
  readonly dialects: Partial<Dialects>;
  readonly live: readonly Deed[];
  /** The kinds that the first files manage. */
  readonly kinds: readonly string[];
  readonly first: readonly Edit[];
  readonly isApplied: boolean;
  readonly happenings: readonly Happening[];
  readonly borrowings: readonly Borrowing[];
}

/** The keys of the files: those of every kind that has one of its own. */
const KEYS: readonly string[] = kinds.filter(({ parent }) => parent === undefined).map(({ name }) => name);

/** What a case is about: what belongs together meets more often than by chance. */
const THEMES: readonly (readonly [kinds: RegExp, deeds: RegExp])[] = [
  [/./, /./],
  [/./, /./],
  [/^(custom_fields|forms|runbooks)/, /custom field|form|runbook|incident$/],
  [/^(severities|statuses|incident_)/, / in |incident$/],
  [/^(severities|incident_types|forms|runbooks|routing_rules)/, /severities|types|form|runbook|rule|incident$/],
  [/^(catalog_types|custom_fields)/, /catalog|entry|custom field/],
  [/^(alert_sources|routing_rules|catalog_types)/, /source|rule|entry/],
  [/^(webhooks|api_keys|agents)/, /webhook|key|agent|grant/],
  [/^(custom_fields|forms|catalog_types)/, /field of entries|form|catalog type|entry/],
  [/^(severities|incident_types|runbooks)/, /severities|types|runbook|incident$/],
  [/^(alert_sources|routing_rules)/, /source|rule/],
];

const number = fc.nat(255);
/** One case in so many starts the built program. */
const BUILT = 25;

function deeds(pattern: RegExp, maxLength: number, weight: (name: string) => number = () => 1) {
  const names = DEED_NAMES.filter((name) => pattern.test(name)).flatMap((name) =>
    Array.from({ length: weight(name) }, () => name),
  );
  const deed = fc.record({ does: fc.constantFrom(...names), at: number, variant: number, bits: number });
  return fc.array(deed, { maxLength, size: "max" });
}

const isMaking = (name: string) => /^(create|put|declare|grant)/.test(name);
const isReferring = (name: string) => /entry|rule|runbook|field|grant|incident$/.test(name);
/** Of the first deeds most make something, and much of that refers to something. */
const making = (name: string) => (/^(delete|take)/.test(name) ? 0 : isMaking(name) ? (isReferring(name) ? 6 : 3) : 1);

const edits = (maxLength: number) =>
  fc.array(fc.record({ does: fc.constantFrom(...EDITS), list: number, at: number, variant: number, bits: number }), {
    maxLength,
    size: "max",
  });

const CHOICES = dialectChoices();

/** Every row of the dialect table as the interface has it, or the other way. */
const dialectRows: fc.Arbitrary<Partial<Dialects>> = fc
  .subarray(CHOICES.map(([name]) => name))
  .map((names) =>
    Object.fromEntries(CHOICES.flatMap(([name, [, other]]) => (names.includes(name) ? [[name, other ?? ""]] : []))),
  );

/** Random cases. */
export const trials: fc.Arbitrary<Trial> = fc.constantFrom(...THEMES.keys()).chain((theme) => {
  const [kindPattern, deedPattern] = THEMES[theme] ?? [/./, /./];
  const keys = KEYS.filter((key) => kindPattern.test(key));
  const more = fc.subarray(keys, { maxLength: 2 });
  const hands = (maxLength: number) => deeds(deedPattern, maxLength, (name) => (name.startsWith("change") ? 3 : 1));
  const is = <Name extends string>(does: Name) => fc.constant(does);
  const isUndone = fc.constantFrom(true, true, true, false);
  const stop = fc.record({ at: fc.nat(7), how: fc.constantFrom(...STOPS) });
  const happening: fc.Arbitrary<Happening> = fc.oneof(
    fc.record({ does: is("edit"), edits: edits(6), kinds: more }),
    { weight: 3, arbitrary: fc.record({ does: is("hands"), hands: hands(3) }) },
    fc.record({ does: is("drift") }),
    { weight: 3, arbitrary: fc.record({ does: is("apply"), edits: edits(8), isUndone }) },
    { weight: 2, arbitrary: fc.record({ does: is("save"), edits: edits(8), hands: hands(2), isUndone }) },
    {
      weight: 3,
      arbitrary: fc.record({
        does: is("stop"),
        edits: edits(8),
        stop,
        keepsGoing: fc.boolean(),
        isResumed: fc.boolean(),
      }),
    },
  );
  return fc.record({
    isBuilt: fc.nat(BUILT - 1).map((one) => one === BUILT - 1),
    dialects: dialectRows,
    live: deeds(deedPattern, 40, making),
    kinds: fc.subarray([...keys]),
    first: edits(12),
    isApplied: fc.boolean(),
    happenings: fc.array(happening, { maxLength: 6, size: "max" }),
    borrowings: fc.array(fc.record({ at: number, how: number }), { maxLength: 3 }),
  });
});
