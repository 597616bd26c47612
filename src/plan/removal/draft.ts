/** Drafting the removal of what the files do not list. */

import type { RemovalPolicy } from "../../config/settings/settings.ts";
import type { Fields } from "../../core/json.ts";
import type { Kind } from "../../kinds/kind.ts";
import type { Live } from "../../kinds/resource.ts";
import type { State } from "../../match/resolved-state.ts";
import { type Draft, memberTarget, type Step } from "../diff/step.ts";
import type { Change, Warning } from "../plan.ts";
import type { Removal } from "./decide.ts";
import type { Release } from "./deletion-cycles.ts";

/** The drafts of a removal; none, with a warning, when the entry has to stay. */
export function draftRemoval(
  state: State,
  removal: Removal,
  policy: RemovalPolicy,
): { readonly drafts: readonly Draft[]; readonly warning?: Warning } {
  const { live, way } = removal;
  const kind = live.kind;
  const holding = holdingText(removal);
  const because = holding === "" ? "" : `; ${holding}`;
  if (way === "keep") {
    const message = `${live.address} is not in the files but stays: ${holding === "" ? "" : `${holding}, and `}a ${kind.title} cannot be disabled`;
    return { drafts: [], warning: { code: "W_RETAINED", address: live.address, message } };
  }
  const disabling = kind.lifecycle.disable === undefined ? undefined : { [kind.lifecycle.disable]: false };
  const base = {
    kind,
    address: live.address,
    late: true,
    needs: [],
    ...memberTarget(kind, live.scope, live, undefined),
  };
  const step: Step =
    way === "disable"
      ? { ...base, method: "PATCH", body: disabling ?? null, why: `retire the ${kind.title}${because}` }
      : {
          ...base,
          method: "DELETE",
          body: null,
          why: `remove the ${kind.title}`,
          ...(policy === "disable_or_delete" ? refusedInstead(kind, disabling) : {}),
        };
  const release = removal.release === undefined ? [] : [letting(state, removal.release)];
  const change: Omit<Change, "operations"> = {
    address: live.address,
    kind: kind.name,
    action: way,
    fields: way === "disable" ? [{ path: `/${kind.lifecycle.disable}`, before: true, after: false }] : gone(live),
    reason: `not in the files${because}`,
    risk: way === "delete" ? "destructive" : "attention",
    ...(removal.cascades.length > 0 ? { cascades: removal.cascades } : {}),
  };
  const draft = { change, kind, scope: live.scope, live, steps: [...release, { ...step, needs: [...release] }] };
  return { drafts: [...removal.along.map((one) => lettingGo(state, one)), draft] };
}

/** The draft of an entry that goes along with another, and has to let go of others before. */
function lettingGo(state: State, release: Release): Draft {
  const { kind, scope, address, fields } = release.live;
  const change: Draft["change"] = {
    address,
    kind: kind.name,
    action: "update",
    fields: Object.entries(release.fields).map(([name, after]) => ({
      path: `/${name}`,
      before: fields[name] ?? null,
      after,
    })),
    reason: `lets go of ${release.mentions.join(" and ")} before it goes along`,
    risk: "attention",
  };
  return { change, kind, scope, live: release.live, steps: [letting(state, release)] };
}

/** The request by which an entry lets go of others that go as well: it comes before any of them goes. */
function letting(state: State, { live, fields, mentions }: Release): Step {
  const { kind, scope, address } = live;
  return {
    kind,
    address,
    method: "PATCH",
    ...memberTarget(kind, scope, live, undefined),
    body: kind.codec?.encode?.(fields, state, scope) ?? fields,
    sets: fields,
    why: `let go of ${mentions.join(" and ")}, which ${mentions.length === 1 ? "goes" : "go"} as well`,
    late: false,
    needs: [],
  };
}

/**
 * What becomes of a deletion that the service refuses: the entry is disabled or, where it cannot be, stays as it is. A part
 * of another entry, such as a grant, is in nobody's use: there a refusal is a failure.
 */
function refusedInstead(kind: Kind, disabling: Fields | undefined): Pick<Step, "fallback" | "retains"> {
  if (disabling !== undefined) return { fallback: { method: "PATCH", body: disabling } };
  return kind.lifecycle.ownedByParent === true ? {} : { retains: `the ${kind.title}` };
}

function gone(live: Live): Change["fields"] {
  return live.keyField !== "name" && typeof live.fields.name === "string"
    ? [{ path: "/name", before: live.fields.name, after: null }]
    : [];
}

/** Why an entry is not deleted, in words; empty when nothing holds it. */
function holdingText({ held, unread, refused }: Removal): string {
  const last = refused ? ["the service refused to delete it at the last apply (--resend-unreadable tries again)"] : [];
  const known =
    held.length === 0
      ? []
      : [`${shortened(held)} ${held.length === 1 && !/^\d+ incidents/.test(held[0] ?? "") ? "points" : "point"} at it`];
  const open = unread.length === 0 ? [] : [`${shortened(unread)} could not be read and may point at it`];
  return [...known, ...open, ...last].join("; ");
}

function shortened(held: readonly string[]): string {
  return held.length <= 3 ? held.join(", ") : `${held.slice(0, 2).join(", ")} and ${held.length - 2} more`;
}
