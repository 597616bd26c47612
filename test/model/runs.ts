/** Random runs of the model: where each begins, what happens in it, and under which dialects. */

import fc from "fast-check";
import { type Dialects, dialectChoices } from "../../src/emulator/dialects.ts";
import {
  Apply,
  ApplyDisturbed,
  ApplySaved,
  EditByHand,
  EditFiles,
  LookForDrift,
  type Model,
  type Real,
  type Theme,
} from "./commands.ts";
import { LISTS, oneOf, type Picked } from "./declarations.ts";
import { DEED_NAMES } from "./hands.ts";
import { DISTURBANCES } from "./service.ts";

type Command = fc.AsyncCommand<Model, Real>;

const theme = (lists: RegExp, deeds: RegExp): Theme => {
  const made = {
    lists: LISTS.filter(({ at }) => lists.test(at)),
    deeds: DEED_NAMES.filter((name) => deeds.test(name)),
  };
  // How a failing run prints it.
  return Object.assign(made, { [fc.toStringMethod]: () => String(lists) });
};

/** Everything, and what is about answers, places, mentions, the catalog, routing and access. */
const THEMES: readonly Theme[] = [
  theme(/./, /./),
  theme(/^(custom_fields|forms|runbooks)/, /custom field|options|form|runbook|incident$/),
  theme(/^(severities|statuses|incident_)/, / in |incident$/),
  theme(
    /^(severities|incident_types|forms|runbooks|routing_rules.workspace)/,
    /severities|types|form|runbook|rule|incident$/,
  ),
  theme(/^(catalog_types|custom_fields)/, /catalog|custom field/),
  theme(/^(alert_sources|routing_rules|catalog_types$|catalog_types.team)/, /source|rule/),
  theme(/^(webhooks|api_keys|agents)/, /webhook|key|agent|grant/),
];

const variant = fc.nat(127);
const place = fc.nat(7);
const any = fc.nat(999);

const hand = fc.record({ deed: any, at: place, variant });

const edit = fc.record({
  list: any,
  does: fc.constantFrom("add", "add", "change", "change", "remove", "move", "rename", "manage", "release"),
  at: place,
  variant,
});

const edits = edit.map((one) => new EditFiles(one));
const hands = hand.map((one) => new EditByHand(one));
const disturbed = fc
  .tuple(edit, place, fc.constantFrom(...DISTURBANCES))
  .map(([one, at, how]) => new ApplyDisturbed(one, at, how));
const looks = fc.constantFrom(new LookForDrift(), new Apply());
const saved = hand.map((one) => new ApplySaved(one));

const STEPS: fc.Arbitrary<Command>[] = [edits, edits, hands, hands, hands, disturbed, looks, saved];

/**
 * What happens in a run; most of it is edits, since what follows an edit is where mistakes are. `replayPath` is what the
 * failure of a run printed.
 */
export function happenings(replayPath?: string): fc.Arbitrary<Iterable<Command>> {
  return fc.commands(STEPS, { maxCommands: 7, size: "max", ...(replayPath === undefined ? {} : { replayPath }) });
}

/** Some lists with some entries; what is in a list that is not managed is there when it becomes managed. */
export const beginning: fc.Arbitrary<Model> = fc
  .record({
    theme: fc.constantFrom(...THEMES.keys()),
    managed: fc.nat(2 ** LISTS.length - 1),
    picks: fc.array(fc.record({ list: any, key: place, variant }), { maxLength: 24, size: "max" }),
  })
  .map(({ theme: index, managed: bits, picks }): Model => {
    const chosen = oneOf(THEMES, index);
    const managed = chosen.lists.filter((_list, at) => Math.floor(bits / 2 ** at) % 2 === 1).map(({ at }) => at);
    const picked = new Map<string, readonly Picked[]>();
    for (const { list: at, key: place, variant } of picks) {
      const list = oneOf(chosen.lists, at);
      const before = picked.get(list.at) ?? [];
      const key = oneOf(list.keys, place);
      if (!before.some((one) => one.key === key)) picked.set(list.at, [...before, { key, variant }]);
    }
    return { theme: chosen, declared: { managed: new Set(managed), picked } };
  });

const CHOICES = dialectChoices();

/** Every row of the dialect table as the interface has it, or the other way. */
export const dialectRows: fc.Arbitrary<Partial<Dialects>> = fc
  .subarray(CHOICES.map(([name]) => name))
  .map((names) =>
    Object.fromEntries(CHOICES.flatMap(([name, [, other]]) => (names.includes(name) ? [[name, other ?? ""]] : []))),
  );
