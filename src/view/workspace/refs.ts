/** The referrers of a resource as text and JSON. */

import { sanitised } from "../../core/sanitise.ts";
import { counted, placeText, thousands } from "../../core/value-text.ts";
import type { Referrer } from "../../workspace/match/reference-graph.ts";
import type { ReferrersOfResource } from "../../workspace/read/find-referrers.ts";
import { prettyJson } from "../format/json.ts";

/** The referrers in the configuration, those in the workspace, and the number of incidents. */
export function refsText(refs: ReferrersOfResource): string {
  const { address, incidents, incidentsRead, referrers, unread } = refs;
  const lines = [`${address} (${whereabouts(refs)})`];
  for (const side of ["files", "workspace"] as const) {
    const own = referrers.filter((referrer) => referrer.in === side);
    if (own.length === 0) continue;
    lines.push("", `Referenced in the ${side === "files" ? "configuration" : side}:`, ...own.map(line));
  }
  const isKnown = unread.length === 0 && incidentsRead === undefined;
  if (incidents !== null) lines.push("", incidentsLine(incidents, incidentsRead));
  if (referrers.length === 0 && (incidents ?? 0) === 0 && isKnown) lines.push("", "Nothing references it.");
  if (unread.length > 0) lines.push("", `Unknown, because they could not be read: ${unread.join(", ")}.`);
  return `${lines.map(sanitised).join("\n")}\n`;
}

export function refsJson(refs: ReferrersOfResource): string {
  const { address, isDeclared, isLive, referrers, incidents, incidentsRead, unread } = refs;
  return prettyJson({
    address,
    declared: isDeclared,
    live: isLive,
    incidents,
    incidents_read: incidentsRead,
    pointers: referrers.map(({ address, path, option, ...rest }) => ({ address, path, choice: option, ...rest })),
    unread,
  });
}

/** The number of incidents; `read` is how many were read, if there are more. */
function incidentsLine(incidents: number, read: number | undefined): string {
  if (read === undefined) return `Used by ${counted(incidents, "incident")}.`;
  if (incidents > 0) return `Used by ${thousands(incidents)} or more incidents.`;
  return `Not used by the ${thousands(read)} incidents that were read, of more (limits.max_incidents_read).`;
}

function whereabouts({ isDeclared, isLive }: ReferrersOfResource): string {
  if (!isDeclared) return "live, not in the configuration";
  return isLive ? "declared and live" : "declared, not in the workspace yet";
}

function line({ address, path, option, possible, source }: Referrer): string {
  const at = source === undefined ? "" : `  (${placeText(source)})`;
  const doubt = possible === true ? "  possibly: the service does not return all of it" : "";
  return `  ${address}${path}${option === undefined ? "" : `  option ${JSON.stringify(option)}`}${doubt}${at}`;
}
