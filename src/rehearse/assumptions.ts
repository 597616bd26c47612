/** What a rehearsal takes for granted, so that nobody takes it for a guarantee. */

import type { Dialects } from "../emulator/dialects.ts";
import type { Replica } from "../emulator/replica/replica.ts";
import type { Plan } from "../plan/plan.ts";
import type { ChosenDialect } from "./dialects.ts";
import { unlike } from "./differences.ts";
import type { Assumption } from "./rehearsal.ts";
import type { Snapshot } from "./snapshot.ts";

/** What assumptions are drawn from. */
export interface Grounds {
  readonly plan: Plan;
  readonly snapshot: Snapshot;
  /** The replica, read as the live service was. */
  readonly copy: Snapshot;
  readonly dialects: readonly ChosenDialect[];
  readonly replica: Replica;
  /** Rules for which no sample alert was found. */
  readonly without: number;
}

const MEANINGS: { readonly [Name in keyof Dialects]: { readonly [Value in Dialects[Name]]: string } } = {
  options: { rename: "an unmatched label renames an option", replace: "an unmatched label replaces an option" },
  locked_fields: { refuse: "locked form fields refuse a change", ignore: "locked form fields ignore a change" },
  slug: { derive: "slugs are made from names", accept: "a slug that is sent is used" },
  envelope: { bare: "members are answered bare", wrapped: "members are answered in a wrapper" },
  condition_values: { slug: "conditions are answered with slugs", id: "conditions are answered with ids" },
  fallback: {
    restore: "a source without rules falls back to the workspace's",
    sticky: "a source whose last rule is deleted keeps its empty list",
  },
  delete_guard: { any: "any reference refuses a deletion", incidents: "only some references refuse a deletion" },
  readable: { full: "every field is answered", partial: "some fields are never answered" },
};

const REASONS: Readonly<Record<ChosenDialect["because"], string>> = {
  answers: "seen in the answers",
  flag: "as --dialect says",
  default: "not to be seen by reading; the interface's word",
};

/** Everything that was assumed, in the order in which it matters to a reader. */
export function assumptionsOf(grounds: Grounds): readonly Assumption[] {
  const { plan, snapshot, copy, dialects, replica, without } = grounds;
  const about =
    (subject: Assumption["about"]) =>
    (message: string): Assumption => ({ about: subject, message });
  return [
    ...dialects.map(dialectAssumption),
    ...snapshot.refused.map(({ kind, status, message }) =>
      about("unread")(
        `${kind.name} cannot be read with this token (${status} ${message}); the replica does not show them either`,
      ),
    ),
    ...plan.unreadable.map(({ address, path, reason }) => about("unreadable")(`${address} ${path}: ${reason}`)),
    ...unlike(snapshot.collections, copy.collections).map(about("differs")),
    ...replica.notes.map(about("differs")),
    about("incidents")(incidentsIn(snapshot, replica)),
    about("permissions")(
      "the replica lets the plan do everything: whether the token may write is not rehearsed, nor are rate limits and approvals",
    ),
    ...(plan.operations.some(({ reveals }) => reveals !== undefined)
      ? [about("tokens")("tokens that the replica issues are thrown away; the place for the real ones is not tried")]
      : []),
    ...(without > 0 ? [about("routing")(`for ${without} rules no sample alert was found`)] : []),
    about("routing")("nobody else writes meanwhile, and alerts are the samples listed here"),
  ];
}

function dialectAssumption({ name, value, because }: ChosenDialect): Assumption {
  const meanings: Readonly<Record<string, string>> = MEANINGS[name];
  return { about: "dialect", message: `${name}=${value}: ${meanings[value] ?? value} (${REASONS[because]})` };
}

function incidentsIn({ held, chosen }: Snapshot, { incidents }: Replica): string {
  if (held === undefined) return "incidents may not be counted with this token; the replica has none";
  const choices = chosen === undefined ? "" : ", and the choices of custom fields";
  return `${incidents} incidents are made up so that the counts by severity and by status${choices} hold; nothing else of incidents is copied`;
}
