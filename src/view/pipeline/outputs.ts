/** The outputs of a plan or a drift check for later steps of a pipeline, and the reports that GitLab shows beside a merge request. */

import { createHash } from "node:crypto";
import { posix } from "node:path";
import { type Fields, fieldsIn, type Json, listIn, objectsIn, textIn } from "../../core/json.ts";
import { prettyJson } from "../format/json.ts";

/** Outputs by name. */
export type Outputs = Readonly<Record<string, string>>;

/** The outputs of a plan, from its JSON. */
export function planOutputs(plan: Fields): Outputs {
  return {
    changes: String(listIn(plan.changes).length > 0),
    blocked: String(listIn(plan.blocked).length > 0),
    totals: JSON.stringify(plan.summary),
    fingerprint: textIn(fieldsIn(plan.seal).fingerprint) ?? "",
  };
}

/** The outputs of a drift check, from its JSON. */
export function driftOutputs({ changes, drift }: Fields): Outputs {
  return { drifted: String(listIn(changes).length > 0), fingerprint: textIn(fieldsIn(drift).fingerprint) ?? "" };
}

/** The numbers of a plan in GitLab's widget, which has three. Moves, and resources that are enabled or disabled, are updates. */
export function terraformReport({ summary }: Fields): string {
  const count = (name: string) => Number(fieldsIn(summary)[name] ?? 0);
  const updates = ["update", "move", "enable", "disable"].reduce((sum, name) => sum + count(name), 0);
  return prettyJson({ create: count("create"), update: updates, delete: count("delete") });
}

const SEVERITIES: Readonly<Record<string, string>> = { error: "critical", warning: "minor", note: "info" };

/** The findings of a SARIF report for GitLab. `home` is the directory of the configuration below the repository's root. */
export function qualityReport(sarif: Fields, home: string): string {
  const seen = new Map<string, number>();
  const [run] = objectsIn(sarif.runs);
  const results = objectsIn(run?.results).filter(({ suppressions }) => listIn(suppressions).length === 0);
  return prettyJson(
    results.map(({ ruleId = "", level, message, locations }) => {
      const text = fieldsIn(message).text ?? "";
      const [location] = objectsIn(locations);
      const { artifactLocation, region } = fieldsIn(location?.physicalLocation);
      const uri = textIn(fieldsIn(artifactLocation).uri) ?? "incidentctl.yaml";
      const path = posix.join(home.replaceAll("\\", "/"), decodeURI(uri).replaceAll("\\", "/"));
      // A finding keeps its fingerprint when its line moves. Equal ones are numbered.
      const identity = JSON.stringify([ruleId, path, text]);
      const count = (seen.get(identity) ?? 0) + 1;
      seen.set(identity, count);
      const begin: Json = fieldsIn(region).startLine ?? 1;
      return {
        description: text,
        check_name: ruleId,
        fingerprint: createHash("sha256").update(`${identity}${count}`).digest("hex"),
        severity: SEVERITIES[String(level)] ?? "info",
        location: { path, lines: { begin } },
      };
    }),
  );
}
