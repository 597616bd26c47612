/** A document for each kind, with every field and values of which services are known to store other forms. */

import type { Fields } from "../../../src/core/json.ts";

const TEXT = " Look at the <b>declines</b> of R&D,\r\nthen at the Cafe\u0301's.\n";

const STATUSES: readonly Fields[] = [
  { slug: "triaging", name: "Triaging", lifecycle_stage: "triage" },
  { slug: "working", name: "At Work", lifecycle_stage: "active", default: true, description: TEXT, color: "#aabbCC" },
  { slug: "resolved", name: "Resolved", lifecycle_stage: "closed" },
  { slug: "canceled", name: "Canceled", lifecycle_stage: "canceled", description: "" },
];

const ATTRIBUTES: readonly Fields[] = [
  { name: "Notes", attribute_type: "text" },
  { name: "Support tier", attribute_type: "select", options: ["Silver plate", "Gold"] },
  { name: "Regions", attribute_type: "list" },
  { name: "Minutes", attribute_type: "number" },
  { name: "At night", attribute_type: "boolean" },
  { name: "Part of", attribute_type: "reference", reference_type: "vendor" },
  { name: "Channel", attribute_type: "slack_channel", role: "notification_channel" },
];

const ENTRIES: readonly Fields[] = [
  {
    slug: "prairie",
    name: "Prairie & Sons",
    aliases: ["The Prairie", "b", "a"],
    attributes: { notes: TEXT, support_tier: "Gold", regions: ["Europe", "asia"], minutes: 15, at_night: true },
  },
  {
    slug: "nordbank",
    name: "Nordbank",
    attributes: { notes: "", minutes: 0, at_night: false, part_of: "prairie", channel: "C0 Nord" },
  },
];

const ROUTED: readonly Fields[] = [
  {
    conditions: [
      { field: "title", operator: "contains", value: " R&D  Café" },
      { field: "service", operator: "is_one_of", value: ["web", "Billing"] },
    ],
    outcome: { action: "notify_only", notify: { type: "channel", channel_id: "C0 Triage" } },
  },
  {
    enabled: false,
    conditions: [{ field: "team", operator: "is_empty" }],
    outcome: {
      action: "auto_create_incident",
      severity: "major",
      invite: [
        { type: "member", member_id: "U1" },
        { type: "owning_team", of: "service" },
      ],
    },
  },
  { conditions: [], outcome: { action: "drop" } },
];

/** The documents, by what they are about. */
export const DOCUMENTS: Readonly<Record<string, Fields>> = {
  severities: {
    severities: [
      { slug: "critical", name: "Critical <One>", description: TEXT, color: "#AAbbcc" },
      { slug: "major", name: "Major", description: "" },
      { slug: "minor", name: "Minor", default: true },
      { slug: "near_miss", name: "Near Miss", description: "Luck & more", color: "#7A8B99" },
    ],
  },
  statuses: { statuses: STATUSES },
  "incident types and roles": {
    incident_types: [
      { slug: "data_issue", name: "Wrong Money", description: TEXT, color: "#dc143C" },
      { slug: "new_kind", name: "New Kind", enabled: false },
    ],
    incident_roles: [
      { slug: "incident_lead", name: "Commander", description: "Decides." },
      { slug: "scribe", name: "Scribe's Hat", description: TEXT, enabled: false },
    ],
  },
  catalog: {
    catalog_types: [
      {
        slug: "vendor",
        name: "Vendor",
        description: TEXT,
        icon: "building",
        color: "#B8860b",
        attributes: ATTRIBUTES,
        entries: ENTRIES,
      },
    ],
  },
  "custom fields and forms": {
    custom_fields: [
      {
        slug: "region",
        name: "Region",
        description: TEXT,
        field_type: "single_select",
        options: ["R&D", "North America", "eu"],
      },
      { slug: "affected", name: "Affected shops", field_type: "number" },
    ],
    forms: {
      declare: [
        { system_field: "summary", visible: true, required: true },
        {
          custom_field: "region",
          visible: true,
          required: false,
          conditions: [{ condition_field: "severity", operator: "one_of", values: ["major", "critical"] }],
        },
      ],
      resolve: [
        {
          custom_field: "affected",
          visible: true,
          required: false,
          conditions: [
            { condition_field: "custom_field", custom_field: "region", operator: "one_of", values: ["eu", "R&D"] },
          ],
        },
      ],
    },
  },
  runbooks: {
    runbooks: [
      {
        slug: "failover",
        name: "Failover Now",
        summary: TEXT,
        content: "# Title\n\n- a *list*\n\n\n",
        external_url: "https://Handbook.example.com:443/a%20b",
        aliases: ["Checkout down", "12", "b", "a"],
        inputs: [{ key: "service", question: "Which service? ", default: "15" }],
        steps: [
          {
            title: "Look & see",
            instruction: TEXT,
            tool: "deploy",
            arguments: { regions: ["na", "eu"], days: 90, force: true, note: " a  b " },
          },
          { title: "Post" },
        ],
        conditions: [{ condition_field: "severity", operator: "one_of", values: ["major", "critical"] }],
        watch: { steps: [{ capability: "metrics.read", resource: "service: web", expect: "below 2 %" }] },
      },
      { slug: "empty", name: "Empty", aliases: [], steps: [], conditions: [] },
    ],
  },
  routing: {
    alert_sources: [
      { name: "Data Dog", provider: "datadog" },
      { name: "Shop probes", provider: "generic", enabled: false },
    ],
    routing_rules: { workspace: ROUTED.slice(2), sources: { "Data Dog": ROUTED } },
  },
  webhooks: {
    webhooks: [
      {
        name: "Chat & more",
        url: "https://Hooks.example.com:443/a%7Eb",
        subscribed_events: ["incident.resolved", "incident.created"],
      },
      { name: "Off", url: "https://hooks.example.com", subscribed_events: ["lead.assigned"], enabled: false },
    ],
  },
  "API keys": {
    api_keys: [
      { name: "Deploy Bot", permissions: { incidents: ["update", "read"], catalog: ["read"] } },
      { name: "Importer", active: false, permissions: {} },
    ],
  },
  agents: {
    catalog_types: [
      {
        slug: "environment",
        entries: [
          { slug: "production", name: "Production" },
          { slug: "staging", name: "Staging" },
        ],
      },
    ],
    agents: [
      {
        slug: "triage_bot",
        name: "Triage Bot",
        description: TEXT,
        grants: [
          { ability: "incidents.read", environments: ["staging", "production"] },
          { ability: "runbooks.read", expires_at: "2099-01-02T03:04:05Z" },
        ],
      },
      { slug: "idle_bot", name: "Idle Bot", enabled: false, grants: [] },
    ],
  },
};
