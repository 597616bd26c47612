/** Plans with many changes. */

import type { Change, Plan } from "../../src/plan/model/plan.ts";
import { changeOf, planOf } from "./plans.ts";

/** A pull request of a team that brings its workspace into files: 300 changes of nine sorts, some of them risky. */
export function pullRequest(): Plan {
  const times = (count: number, make: (at: number) => Change): readonly Change[] =>
    Array.from({ length: count }, (_, at) => make(at));
  const teams = ["Payments", "Search", "Mobile", "Data", "Platform", "Growth"];
  const teamOf = (at: number): string => teams[at % teams.length] ?? "";
  const steps = (extra: readonly string[]): string =>
    ["# When it is down", "", "1. Look at the dashboard.", ...extra, "2. Page the team.", "3. Say so."].join("\n");
  return planOf(
    [
      ...times(4, (at) =>
        changeOf(`severities/sev${at}`, at === 3 ? "disable" : "update", {
          fields:
            at === 3
              ? [{ path: "/enabled", before: true, after: false }]
              : [{ path: "/description", before: null, after: `What a SEV${at} is, in a sentence that fits.` }],
          ...(at === 3 ? { reason: "not in the configuration; used by 12 incidents", risk: "attention" as const } : {}),
        }),
      ),
      ...times(3, (at) =>
        changeOf(`statuses/stage_${at}`, "move", {
          neighbours: { before: `statuses/stage_${at + 4}`, after: `statuses/stage_${at + 5}` },
        }),
      ),
      ...times(190, (at) =>
        changeOf(`catalog_types/service/entries/${teamOf(at).toLowerCase()}_${at}`, "create", {
          kind: "catalog_entries",
          fields: [
            { path: "/name", before: null, after: `${teamOf(at)} ${at}` },
            { path: "/values/owner", before: null, after: teamOf(at) },
          ],
        }),
      ),
      ...times(30, (at) =>
        changeOf(`runbooks/service_${at}`, "update", {
          fields: [{ path: "/content", before: steps([]), after: steps(["   Then at the logs."]) }],
        }),
      ),
      ...times(60, (at) =>
        changeOf(`routing_rules/${teamOf(at)}/${at + 1}`, at % 9 === 0 ? "move" : at % 5 === 0 ? "create" : "update", {
          kind: "routing_rules",
          reason: at % 9 === 0 ? `it is rule ${at + 2} and is to be rule ${at + 1}` : "the rule differs",
          risk: "attention",
          fields:
            at % 9 === 0
              ? []
              : [
                  {
                    path: "/outcome",
                    before: at % 5 === 0 ? null : { severity: "major" },
                    after: { severity: "critical" },
                  },
                ],
        }),
      ),
      ...times(2, (at) =>
        changeOf(`alert_sources/Old ${at}`, "delete", {
          reason: "not in the configuration",
          risk: "destructive",
          cascades: [`routing_rules/Old ${at}/1`, `routing_rules/Old ${at}/2`],
        }),
      ),
      ...times(11, (at) =>
        changeOf(`webhooks/Bridge ${at}`, "update", {
          fields: [
            {
              path: "/subscribed_events",
              before: ["incident.declared"],
              after: ["incident.declared", "incident.resolved"],
            },
            { path: "/url", before: "(secret)", after: "(secret)", secret: true },
          ],
        }),
      ),
    ],
    {
      transitions: teams.map((team, at) => ({
        ...{ address: `routing_rules/${team}`, kind: "routing_rules", added: 2, edited: 6, moved: at, removed: 0 },
        ...{ writes: 8 + at, window: at === 5 ? 2 : 0, exposed: at === 5 ? [`routing_rules/${team}/6`] : [] },
      })),
      warnings: [
        { code: "A003", message: "no rule catches what the others leave", address: "alert_sources/Growth" },
        {
          ...{ code: "W_LEFTOVER_RENAME", message: 'renamed_from "Pager" matches nothing any more; it can go' },
          ...{ address: "webhooks/Bridge 1", source: { file: "webhooks.yaml", line: 4, column: 19 } },
        },
      ],
      blocked: [
        {
          code: "delete",
          message: "the plan deletes 2 resources",
          addresses: ["alert_sources/Old 0", "alert_sources/Old 1"],
          flag: "--allow-delete",
        },
      ],
      derived: [
        { address: "severities/sev0", path: "/rank", before: 4, after: 3, reason: "an entry is placed above it" },
      ],
    },
  );
}

/** Services that come, and every fiftieth severity that goes. */
export function thousands(count: number): Plan {
  return planOf(
    Array.from({ length: count }, (_, at) =>
      at % 50 === 0
        ? changeOf(`severities/s${at}`, "delete", { reason: "not in the configuration", risk: "destructive" })
        : changeOf(`catalog_types/service/entries/${at}`, "create", {
            kind: "catalog_entries",
            fields: [{ path: "/name", before: null, after: `Service ${at}` }],
          }),
    ),
  );
}
