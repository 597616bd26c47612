/** Refuses resources that are both declared and ignored. */

import type { Location } from "../../core/diagnostic.ts";
import type { Findings } from "../../core/findings.ts";
import type { Kind } from "../../kinds/model/kind.ts";
import { addressPrefix } from "../../kinds/model/resource.ts";
import type { DeclaredResource } from "../resources/declared-resource.ts";
import { expressionOf, startOf } from "../resources/origins.ts";
import type { LocatedPattern } from "../settings/check-ignore.ts";
import { exemptionsOf, isIgnored } from "../settings/exemptions.ts";

/** A managed list of a kind, and the place of its key. */
interface DeclaredList {
  readonly of: Kind;
  readonly scope: string;
  readonly at: Location;
}

const REMOVE = "Remove it from the files, or its pattern from ignore in incidentctl.yaml.";
const EXCLUDE =
  "Exclude its document with when of entries_from, or remove its pattern from ignore in incidentctl.yaml.";

/** Records every declared resource, and every declared list of rules, that is ignored as a whole: one of the two is a mistake. */
export function refuseIgnored(
  patterns: readonly LocatedPattern[],
  resources: readonly DeclaredResource[],
  lists: readonly DeclaredList[],
  findings: Findings,
): void {
  const single = patterns.map((pattern) => ({ pattern, exemptions: exemptionsOf([pattern.text]) }));
  const refuse = (address: string, name: string, at: Location, remedy = REMOVE): void => {
    const pattern = single.find(({ exemptions }) => isIgnored(exemptions, address))?.pattern;
    if (pattern === undefined) return;
    const related = pattern.at === undefined ? [] : [{ message: `${pattern.text} is ignored here`, at: pattern.at }];
    findings.error("E_IGNORE", `${name} is declared, but the settings ignore it`, at, {
      related,
      help: remedy,
    });
  };
  if (patterns.length === 0) return;
  for (const resource of resources) {
    const { kind, address, keyField, origins } = resource;
    const isMade = expressionOf(origins, `/${keyField}`) !== undefined;
    const remedy = isMade ? EXCLUDE : REMOVE;
    if (kind.lifecycle.order !== "rank") refuse(address, address, startOf(resource), remedy);
  }
  for (const { of, scope, at } of lists) {
    const prefix = addressPrefix(of, scope);
    if (of.lifecycle.order === "rank") refuse(`${prefix}1`, prefix.slice(0, -1), at);
  }
}
