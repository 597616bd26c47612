/** Finds out what other systems can no longer call once a resource is removed: an endpoint, a webhook's address, tokens with their last use. */

import { parseUrl } from "../../core/url.ts";
import { MASK } from "../../core/value-text.ts";
import { isDisabled, type LiveResource } from "../../kinds/model/resource.ts";
import { cameFromEnvironment, type LastAppliedHashes } from "../../workspace/match/last-applied.ts";
import type { Draft } from "../diff/step.ts";
import type { Change, CutOff } from "../model/plan.ts";
import { tokensOf } from "../model/token-paths.ts";

/** The cut-offs of a change; none if it removes nothing that other systems call. */
export function cutOffBy({ change, live }: Draft, hashes: LastAppliedHashes): Pick<Change, "cuts_off"> {
  const isRemoval = change.action === "delete" || change.action === "disable";
  const fields = live?.kind.lifecycle.calledByOthers;
  if (!isRemoval || live === undefined || fields === undefined || isDisabled(live)) return {};
  const [what = ""] = fields;
  const value = fields.map((name) => live.row[name]).find((one) => typeof one === "string");
  const told = typeof value === "string" ? [{ what, value: shownValue(live, what, value, hashes) }] : [];
  const tokens = tokensOf(live).map(
    ({ prefix, lastUsed }): CutOff => ({
      what: "token",
      value: prefix,
      ...(lastUsed === undefined ? {} : { last_used_at: lastUsed }),
    }),
  );
  const all = [...told, ...tokens];
  return all.length === 0 ? {} : { cuts_off: all };
}

/** Of an address that may hold a password, only the host is shown. */
function shownValue({ kind, address }: LiveResource, name: string, value: string, hashes: LastAppliedHashes): string {
  if (cameFromEnvironment(hashes, address, name)) return MASK;
  if (kind.fields?.[name]?.mayBeSecret !== true) return value;
  const { origin } = parseUrl(value) ?? {};
  return origin === undefined || origin === "null" ? MASK : `${origin}/…`;
}
