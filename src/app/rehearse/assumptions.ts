/** Assumptions of a rehearsal, reported so that nobody takes its result for a guarantee. */

import { counted } from "../../core/value-text.ts";
import type { Dialects } from "../../emulator/dialects.ts";
import type { Replica } from "../../emulator/replica/replica.ts";
import type { Plan } from "../../plan/model/plan.ts";
import type { Assumption } from "../../view/rehearsal/rehearsal.ts";
import type { ChosenDialect } from "./dialects.ts";
import { replicaDifferences } from "./differences.ts";
import type { WorkspaceSnapshot } from "./snapshot.ts";

/** Everything that the assumptions are derived from. */
export interface AssumptionInput {
  readonly plan: Plan;
  readonly snapshot: WorkspaceSnapshot;
  /** Snapshot of the replica, read like the live service. */
  readonly copy: WorkspaceSnapshot;
  readonly dialects: readonly ChosenDialect[];
  readonly replica: Replica;
  /** Number of rules without a sample alert. */
  readonly without: number;
  /** Number of routing tests that are no sample alerts. */
  readonly leftOut: number;
}

const MEANINGS: { readonly [Name in keyof Dialects]: { readonly [Value in Dialects[Name]]: string } } = {
  options: { rename: "an unmatched label renames an option", replace: "an unmatched label replaces an option" },
  locked_fields: { refuse: "locked form fields refuse a change", ignore: "locked form fields ignore a change" },
  slug: { derive: "slugs are made from names", accept: "a slug that is sent is used" },
  envelope: { bare: "members are returned bare", wrapped: "members are returned in a wrapper" },
  condition_values: { slug: "conditions are returned with slugs", id: "conditions are returned with ids" },
  fallback: {
    restore: "a source without rules falls back to the workspace's",
    sticky: "a source whose last rule is deleted keeps its empty list",
  },
  delete_guard: { any: "any reference refuses a deletion", incidents: "only some references refuse a deletion" },
  readable: { full: "every field is returned", partial: "some fields are never returned" },
  disabled: {
    option_lists: "lists return disabled agents, webhooks and sources",
    all: "lists omit disabled agents, webhooks and sources unless asked",
  },
};

const REASONS: Readonly<Record<ChosenDialect["because"], string>> = {
  answers: "seen in responses",
  flag: "set by --dialect",
  profile: "from the profile of the service",
  default: "responses do not show it; the interface's default",
};

/** Returns all assumptions, the most important first. */
export function assumptionsOf(grounds: AssumptionInput): readonly Assumption[] {
  const { plan, snapshot, copy, dialects, replica, without, leftOut } = grounds;
  const about =
    (subject: Assumption["about"]) =>
    (message: string): Assumption => ({ about: subject, message });
  return [
    ...dialects.map(dialectAssumption),
    ...snapshot.refused.map(({ kind, status, message }) =>
      about("unread")(`${kind.name} cannot be read with this token (${status} ${message}); the replica hides them too`),
    ),
    ...plan.unreadable.map(({ address, path, reason }) => about("unreadable")(`${address} ${path}: ${reason}`)),
    ...replicaDifferences(snapshot.collections, copy.collections).map(about("differs")),
    ...replica.notes.map(about("differs")),
    about("incidents")(incidentsIn(snapshot, replica)),
    about("permissions")(
      "the replica allows every operation: permissions of the token, rate limits and approvals are not rehearsed",
    ),
    ...(plan.operations.some(({ reveals }) => reveals !== undefined)
      ? [about("tokens")("tokens of the replica are discarded; the storage for the real ones is not tested")]
      : []),
    ...(without > 0 ? [about("routing")(`${counted(without, "rule has", "rules have")} no sample alert`)] : []),
    ...(leftOut > 0
      ? [
          about("routing")(
            `${counted(leftOut, "routing test is", "routing tests are")} not sent: a value from the environment could decide about ${leftOut === 1 ? "it" : "them"}`,
          ),
        ]
      : []),
    about("routing")("nobody else writes during the apply, and alerts are the samples listed here"),
  ];
}

function dialectAssumption({ name, value, because }: ChosenDialect): Assumption {
  const meanings: Readonly<Record<string, string>> = MEANINGS[name];
  return { about: "dialect", message: `${name}=${value}: ${meanings[value] ?? value} (${REASONS[because]})` };
}

function incidentsIn({ held, chosen }: WorkspaceSnapshot, { incidents }: Replica): string {
  if (held === undefined) return "this token may not count incidents; the replica has none";
  const options = chosen === undefined ? "" : " and by option of custom fields";
  return `${counted(incidents, "incident is", "incidents are")} invented to match the counts by severity and by status${options}; nothing else of incidents is copied`;
}
