/** Hand-made plans for the tests of the reports. */

import type { Change, Operation, SealedPlan, Summary } from "../../src/plan/model/plan.ts";

/** A plan of these changes, with one request for each and the summary that follows from them. */
export function planOf(changes: readonly Change[], rest: Partial<SealedPlan> = {}): SealedPlan {
  const operations = changes.map(operationOf);
  const count = (action: Change["action"]): number => changes.filter((change) => change.action === action).length;
  const summary: Summary = {
    create: count("create"),
    update: count("update"),
    move: count("move"),
    enable: count("enable"),
    disable: count("disable"),
    delete: count("delete"),
    unchanged: 0,
    operations: operations.length,
    requests: operations.length,
  };
  return {
    format_version: 1,
    tool: { name: "incidentctl", version: "0.1.0" },
    target: { host: "https://incidents.example.com", workspace: "3f2a" },
    summary,
    changes: changes.map((change, at) => ({ ...change, operations: [`op-${at + 1}`] })),
    operations,
    derived: [],
    warnings: [],
    unreadable: [],
    blocked: [],
    seal: { created_at: "2026-11-21T08:00:00.000Z", configuration: "c0", live: "11", fingerprint: "f1", hash: "5e" },
    ...rest,
  };
}

/** A change of an entry; what is not given is plain and safe. */
export function changeOf(address: string, action: Change["action"], rest: Partial<Change> = {}): Change {
  return {
    address,
    kind: address.split("/")[0] ?? "",
    action,
    fields: [],
    reason: "",
    risk: "safe",
    operations: [],
    ...(rest.risk === "attention" ? { attention: rest.reason ?? "" } : {}),
    ...rest,
  };
}

function operationOf(change: Change, at: number): Operation {
  const base = { id: `op-${at + 1}`, query: {}, address: change.address, depends_on: [], item: "entry" };
  const collection = `/api/v1/${change.kind}`;
  const why = `${change.action} it`;
  if (change.action === "create") return { ...base, method: "POST", path: collection, body: {}, why };
  const path = `/api/v1/${change.address}`;
  if (change.action === "delete") return { ...base, method: "DELETE", path, body: null, why };
  return { ...base, method: "PATCH", path, body: {}, why };
}

const runbook = [
  "# When the database is down",
  "",
  "1. Look at the dashboard.",
  "2. Page the database team.",
  "3. Write to the status page.",
  "4. Wait.",
  "",
  "Ask in #databases if in doubt.",
].join("\n");

/** Every action once, with every shape that a field can take. */
export const everything: SealedPlan = planOf(
  [
    changeOf("severities/blocker", "create", {
      fields: [
        { path: "/name", before: null, after: "Blocker" },
        { path: "/color", before: null, after: "#DC143C" },
        { path: "/default", before: null, after: true },
      ],
      neighbours: { after: "severities/critical" },
      source: { file: "severities.yaml", line: 2, column: 5 },
    }),
    changeOf("severities/critical", "update", {
      fields: [
        { path: "/name", before: "Sev 1", after: "Critical" },
        { path: "/description", before: null, after: "Customers cannot work." },
        { path: "/default", before: true, after: false },
      ],
      source: { file: "severities.yaml", line: 3, column: 5 },
    }),
    changeOf("severities/minor", "move", {
      neighbours: { before: "severities/major", after: "severities/trivial" },
    }),
    changeOf("severities/trivial", "enable", {
      fields: [{ path: "/enabled", before: false, after: true }],
      reason: "declared, and disabled in the workspace",
    }),
    changeOf("severities/parked", "disable", {
      fields: [{ path: "/enabled", before: true, after: false }],
      reason: "not in the configuration; used by 12 incidents",
      risk: "attention",
    }),
    changeOf("custom_fields/region", "update", {
      fields: [
        {
          path: "/options",
          before: ["EU", "US", "APAC", "LATAM"],
          after: ["EU", "North America", "APAC", "LATAM"],
          renamed: [{ from: "US", to: "North America" }],
        },
      ],
    }),
    changeOf("custom_fields/team", "create", {
      fields: [
        { path: "/name", before: null, after: "Team" },
        { path: "/options", before: null, after: ["Payments", "Search"] },
      ],
    }),
    changeOf("runbooks/database_down", "update", {
      fields: [
        {
          path: "/content",
          before: runbook,
          after: runbook.replace("4. Wait.", "4. Wait ten minutes.\n5. Fail over."),
        },
        {
          path: "/steps",
          before: [{ title: "Look" }, { title: "Page", instruction: "the team" }],
          after: [{ title: "Look" }, { title: "Page", instruction: "the database team" }, { title: "Write" }],
        },
      ],
    }),
    changeOf("alert_sources/Datadog", "delete", {
      reason: "not in the configuration",
      risk: "destructive",
      cascades: ["routing_rules/Datadog/1", "routing_rules/Datadog/2"],
    }),
    changeOf("routing_rules/workspace/2", "move", {
      label: "pages at night",
      neighbours: { before: "drills", after: "everything else" },
      reason: "it is rule 3 and is to be rule 2",
      risk: "attention",
    }),
    changeOf("webhooks/pager", "update", {
      fields: [
        { path: "/url", before: "(secret)", after: "(secret)", secret: true },
        {
          path: "/subscribed_events",
          before: ["incident.declared"],
          after: ["incident.declared", "incident.resolved"],
        },
      ],
    }),
    changeOf("api_keys/deploy bot", "update", {
      fields: [
        {
          path: "/permissions",
          before: { incidents: ["read"] },
          after: { incidents: ["read", "create"], catalog: ["read"] },
        },
      ],
      risk: "attention",
      reason: "gains abilities",
    }),
  ],
  {
    derived: [
      { address: "severities/critical", path: "/rank", before: 4, after: 3, reason: "an entry is placed above it" },
    ],
    warnings: [
      {
        code: "W_LEFTOVER_RENAME",
        message: 'renamed_from "Pager" matches nothing any more; it can go',
        address: "webhooks/pager",
        source: { file: "webhooks.yaml", line: 4, column: 19 },
      },
    ],
    unreadable: [{ address: "runbooks/database_down", path: "/watch", reason: "the service does not return it" }],
    blocked: [
      {
        code: "delete",
        message: "the plan deletes 1 resource",
        addresses: ["alert_sources/Datadog"],
        flag: "--allow-delete",
      },
    ],
  },
);
