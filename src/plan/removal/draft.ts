/**
 * Drafts the removal of live resources that the configuration does not list. The service has the last word: a deletion that it may refuse
 * carries the request that disables the resource instead, so that the plan shows both.
 */

import { removalReason } from "../../config/resources/configuration.ts";
import type { RemovalPolicy } from "../../config/settings/settings.ts";
import type { Fields } from "../../core/json.ts";
import { counted, thousands } from "../../core/value-text.ts";
import type { Kind } from "../../kinds/model/kind.ts";
import { isDisabled, type LiveResource } from "../../kinds/model/resource.ts";
import type { ResolvedState } from "../../workspace/match/resolved-state.ts";
import { type Draft, memberTarget, type Step } from "../diff/step.ts";
import type { Change, Warning } from "../model/plan.ts";
import type { Removal } from "./decide.ts";
import type { Detach } from "./deletion-cycles.ts";

/** The drafts of a removal; none, with a warning, if the resource has to stay. */
export function draftRemoval(
  state: ResolvedState,
  removal: Removal,
  policy: RemovalPolicy,
): { readonly drafts: readonly Draft[]; readonly warning?: Warning } {
  const { live, action } = removal;
  const { kind } = live;
  const { disable } = kind.lifecycle;
  const uses = usesText(removal, policy);
  const why = removalReason(state.configuration);
  if (action === "preserve" || (action === "disable" && isDisabled(live))) {
    const reason =
      action === "disable"
        ? uses || "its kind is disabled, not deleted"
        : `${uses === "" ? "" : `${uses}, and `}a ${kind.title} cannot be disabled`;
    const verb = state.configuration.undoes === undefined ? "is" : "was";
    const message = `${live.address} ${verb} ${why} but stays${action === "disable" ? " disabled" : ""}: ${reason}`;
    return { drafts: [], warning: { code: "W_RETAINED", address: live.address, message } };
  }
  const disabledField = disable === undefined ? undefined : { [disable]: false };
  const base = {
    kind,
    address: live.address,
    phase: "removal" as const,
    ...memberTarget(kind, live.scope, live, undefined),
  };
  const detach = removal.detach === undefined ? [] : [detachStep(state, removal.detach)];
  const step: Step =
    action === "disable"
      ? {
          ...base,
          method: "PATCH",
          body: disabledField ?? null,
          why: `disable ${kind.title}${uses === "" ? "" : ` (${uses})`}`,
          needs: [...detach],
        }
      : {
          ...base,
          method: "DELETE",
          body: null,
          why: `delete ${kind.title}`,
          needs: [...detach],
          ...(policy === "disable_or_delete" ? ifRefused(kind, disabledField) : {}),
        };
  const change: Omit<Change, "operations"> = {
    address: live.address,
    kind: kind.name,
    action,
    fields: action === "disable" ? [{ path: `/${disable}`, before: true, after: false }] : deletedFields(live),
    reason: `${why}${sourcesText(state, live)}${uses === "" ? "" : `; ${uses}`}`,
    risk: action === "delete" ? "destructive" : "attention",
    ...(removal.cascades.length > 0 ? { cascades: removal.cascades } : {}),
  };
  const draft = { change, kind, scope: live.scope, live, steps: [...detach, step] };
  return { drafts: [...removal.detachCascaded.map((detach) => detachDraft(state, detach)), draft] };
}

/** The draft of a resource that is deleted with another one, and has to be detached before. */
function detachDraft(state: ResolvedState, detach: Detach): Draft {
  const { kind, scope, address, fields } = detach.live;
  const change: Draft["change"] = {
    address,
    kind: kind.name,
    action: "update",
    fields: Object.entries(detach.fields).map(([name, after]) => ({
      path: `/${name}`,
      before: fields[name] ?? null,
      after,
    })),
    reason: `drops its references to ${detach.from.join(" and ")} before it is deleted`,
    risk: "attention",
  };
  return { change, kind, scope, live: detach.live, steps: [detachStep(state, detach)] };
}

/** The request by which a resource drops its references to others that are deleted: it comes before all of their deletions. */
function detachStep(state: ResolvedState, { live, fields, from }: Detach): Step {
  const { kind, scope, address } = live;
  return {
    kind,
    address,
    method: "PATCH",
    ...memberTarget(kind, scope, live, undefined),
    body: state.listOf(live).encode(fields),
    sets: fields,
    why: `drop references to ${from.map((other) => (other === address ? "itself" : other)).join(" and ")} (deleted as well)`,
    phase: "change",
    needs: [],
  };
}

/**
 * The fallback for a refused deletion: the resource is disabled or, if it cannot be, preserved. A part of another resource, such as a
 * grant, is not referenced by anything, so its refusal is a failure.
 */
function ifRefused({ title, lifecycle }: Kind, disabledField: Fields | undefined): Pick<Step, "fallback" | "retains"> {
  if (disabledField !== undefined) return { fallback: { method: "PATCH", body: disabledField } };
  return lifecycle.ownedByParent === true ? {} : { retains: `the ${title}` };
}

function deletedFields({ kind, fields }: LiveResource): Change["fields"] {
  const { displayName } = kind.identity;
  const name = displayName === undefined ? undefined : fields[displayName];
  return typeof name === "string" ? [{ path: `/${displayName}`, before: name, after: null }] : [];
}

/** The sources that no longer make a resource, with their places; empty if its list has none. */
function sourcesText({ configuration }: ResolvedState, { kind, scope }: LiveResource): string {
  const list = configuration.sourced?.find((one) => one.kind === kind.name && one.scope === scope);
  const names = list?.sources.map(({ files, at }) => `${files.join(", ")} (${at.file}:${at.line})`) ?? [];
  return names.length === 0 ? "" : `: no document of ${names.join(" or ")} makes it`;
}

/** The uses of a resource, as far as they are known, in words; empty if none is known and none is possible. */
function usesText(
  { action, usedBy, maybeUsedBy, incidents, unread, wasRefused }: Removal,
  policy: RemovalPolicy,
): string {
  const users = [...usedBy, ...countText(incidents)];
  const hidden = [...unread, ...(incidents === "unread" ? ["incidents"] : [])];
  const unknown = [
    ...(maybeUsedBy.length === 0
      ? []
      : [`may be used by ${shortened(maybeUsedBy)}, whose references the service does not return in full`]),
    ...(hidden.length === 0 ? [] : [`may be used by ${shortened(hidden)}, which could not be read`]),
    ...(wasRefused ? [] : unusedText(incidents, action)),
  ];
  return [
    ...(users.length > 0 ? [`used by ${shortened(users)}`] : policy === "disable" ? [] : unknown),
    ...(wasRefused ? ["the service refused to delete it at the last apply (retry with --resend-unreadable)"] : []),
  ].join("; ");
}

/** The number of incidents that use a resource; empty if none is known. */
function countText(incidents: Removal["incidents"]): readonly string[] {
  if (typeof incidents === "string" || incidents.count === 0) return [];
  const { count, among } = incidents;
  if (among !== undefined) return [`${thousands(count)} or more incidents`];
  return [counted(count, "incident")];
}

/** A phrase about a resource that no incident is known to use: it says what was read. Empty if that is obvious. */
function unusedText(incidents: Removal["incidents"], action: Removal["action"]): readonly string[] {
  if (incidents === "unseen") {
    return [`unknown which incidents use it${action === "delete" ? "; it stays if any does" : ""}`];
  }
  if (typeof incidents === "string") return [];
  if (incidents.among === undefined) return incidents.byReading && action === "delete" ? ["not used by incidents"] : [];
  return [
    `not used by the ${thousands(incidents.among)} incidents that were read, of more (limits.max_incidents_read)`,
  ];
}

/** The names in a sentence, the first two if there are many. */
export function shortened(names: readonly string[]): string {
  return names.length <= 3 ? names.join(", ") : `${names.slice(0, 2).join(", ")} and ${names.length - 2} more`;
}
