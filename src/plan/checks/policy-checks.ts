/** Why `apply` must refuse a plan, or wants to be told first: consents, ceilings, and what a workspace cannot do without. */

import type { Settings } from "../../config/settings/settings.ts";
import type { RemovalLimit } from "../../core/flag-values.ts";
import type { Kind } from "../../kinds/kind.ts";
import type { Live } from "../../kinds/resource.ts";
import type { State } from "../../match/resolved-state.ts";
import type { Draft } from "../diff/step.ts";
import type { Blocked } from "../plan.ts";
import { allowed, matches } from "../removal/removal-policy.ts";

/** What the caller has agreed to. */
export interface Consent {
  readonly allowDelete: boolean;
  readonly maxRemovals?: RemovalLimit;
  readonly acceptRoutingWindow: boolean;
}

/** What the guards look at. */
export interface Guarded {
  readonly settings: Settings;
  readonly consent: Consent;
  readonly state: State;
  readonly drafts: readonly Draft[];
  /** Requests of routing changes during which an alert may get a third answer. */
  readonly window: number;
  /** First twelve characters of the tokens in use. */
  readonly ownPrefixes: readonly string[];
}

/** Every refusal, in the order in which a person would want to deal with them. */
export function guards(input: Guarded): readonly Blocked[] {
  return [
    ...protectedOnes(input),
    ...ownKeys(input),
    ...defaults(input),
    ...lastOnes(input),
    ...deletes(input),
    ...ceilings(input),
    ...windows(input),
  ];
}

function protectedOnes({ settings, drafts }: Guarded): readonly Blocked[] {
  const hit = drafts.filter(
    ({ change, declared }) =>
      takesAway(change.action) &&
      (declared?.protected === true || settings.protected.some((pattern) => matches(pattern, change.address))),
  );
  return addresses(hit).map((address) => ({
    code: "PROTECTED",
    message: `${address} is protected: it is never removed, disabled or replaced`,
    addresses: [address],
  }));
}

function ownKeys({ drafts, ownPrefixes }: Guarded): readonly Blocked[] {
  const hit = drafts.filter(
    ({ change, kind, live }) =>
      takesAway(change.action) &&
      kind.lifecycle.secret?.field !== undefined &&
      live !== undefined &&
      ownPrefixes.includes(live.id),
  );
  return addresses(hit).map((address) => ({
    code: "OWN_KEY",
    message: `${address} is the key that this run uses; removing or disabling it would lock it out`,
    addresses: [address],
  }));
}

function defaults({ drafts }: Guarded): readonly Blocked[] {
  const hit = drafts.filter(({ change, kind, live }) => {
    if (!takesAway(change.action) || live?.fields.default !== true) return false;
    return !drafts.some(
      (other) =>
        other.kind === kind && other.change.fields.some(({ path, after }) => path === "/default" && after === true),
    );
  });
  return addresses(hit).map((address) => ({
    code: "DEFAULT",
    message: `${address} is the default; declare another entry with default: true first`,
    addresses: [address],
  }));
}

function lastOnes({ drafts, state }: Guarded): readonly Blocked[] {
  return kindsOf(drafts).flatMap((kind) => {
    const field = kind.lifecycle.atLeastOnePer;
    if (field === undefined) return [];
    const mine = drafts.filter((draft) => draft.kind === kind);
    const gone = new Set(mine.filter(({ change }) => takesAway(change.action)).map(({ live }) => live));
    const groups = new Map<string, Live[]>();
    for (const live of state.all(kind.name)) {
      if (kind.lifecycle.disable !== undefined && live.fields[kind.lifecycle.disable] === false) continue;
      const value = String(live.fields[field]);
      groups.set(value, [...(groups.get(value) ?? []), live]);
    }
    return [...groups].flatMap(([value, members]) => {
      const joins = mine.some(
        ({ declared }) => declared?.fields[field] === value && declared.fields[kind.lifecycle.disable ?? ""] !== false,
      );
      if (joins || members.some((member) => !gone.has(member))) return [];
      return [
        {
          code: "LAST_ONE",
          message: `${members.map(({ address }) => address).join(", ")}: the last enabled ${kind.title} of ${field} ${value} must stay`,
          addresses: members.map(({ address }) => address),
        },
      ];
    });
  });
}

function deletes({ drafts, consent, state }: Guarded): readonly Blocked[] {
  if (consent.allowDelete) return [];
  const hit = addresses(drafts.filter((draft) => counted(draft, state) && draft.change.action === "delete"));
  if (hit.length === 0) return [];
  const what = hit.length === 1 ? "1 entry would be deleted" : `${hit.length} entries would be deleted`;
  return [
    { code: "DELETE", message: `${what}, and --allow-delete was not given`, addresses: hit, flag: "--allow-delete" },
  ];
}

function ceilings({ drafts, consent, settings, state }: Guarded): readonly Blocked[] {
  const ceiling = consent.maxRemovals ?? settings.maxRemovals;
  // Also kinds of which nothing is drafted: their entries may go along with others.
  return [...state.kinds.values()].flatMap((kind) => {
    if (kind.lifecycle.ownedByParent === true || kind.lifecycle.order === "rank") return [];
    const hit = drafts.filter((draft) => draft.kind === kind && takesAway(draft.change.action));
    const cascades = drafts.flatMap(({ change, kind: other }) =>
      other.references?.cascades?.includes(kind.name) === true ? (change.cascades ?? []) : [],
    );
    const total = new Set([...addresses(hit), ...cascades]);
    const enabled = state
      .all(kind.name)
      .filter(({ fields }) => kind.lifecycle.disable === undefined || fields[kind.lifecycle.disable] !== false).length;
    const limit = allowed(ceiling, enabled);
    if (total.size <= limit) return [];
    return [
      {
        code: "MAX_REMOVALS",
        message: `${total.size} of ${enabled} ${kind.name} would be removed or disabled; the ceiling is ${limit}`,
        addresses: [...total],
        flag: `--max-removals ${total.size}`,
      },
    ];
  });
}

function windows({ window, consent }: Guarded): readonly Blocked[] {
  if (window === 0 || consent.acceptRoutingWindow) return [];
  return [
    {
      code: "ROUTING_WINDOW",
      message: `for ${window === 1 ? "1 request" : `${window} requests`} some alerts would be routed neither as before nor as declared`,
      addresses: [],
      flag: "--accept-routing-window",
    },
  ];
}

/** Whether consent to delete is wanted: not for parts of a kept entry, nor for rules of a list that stays. */
function counted({ kind, scope }: Draft, state: State): boolean {
  if (kind.lifecycle.ownedByParent === true) return false;
  if (kind.lifecycle.order !== "rank") return true;
  return !state.stays(kind, scope);
}

function takesAway(action: string): boolean {
  return action === "delete" || action === "disable";
}

function addresses(drafts: readonly Draft[]): readonly string[] {
  return drafts.map(({ change }) => change.address);
}

function kindsOf(drafts: readonly Draft[]): readonly Kind[] {
  return [...new Set(drafts.map(({ kind }) => kind))];
}
