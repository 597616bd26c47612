/** A small configuration in several files, for the tests of the language server. */

export const CONFIGURATION = {
  "incidentctl.yaml": "version: 1\nconfig: [config]\n",
  "config/severities.yaml": `severities:
  - { slug: critical, name: Outage }
  - { slug: major, name: Major, default: true }
`,
  "config/sources.yaml": `alert_sources:
  - { name: Datadog, provider: datadog }
  - name: Shop probes # of the shops
    provider: generic
`,
  "config/rules.yaml": `routing_rules:
  workspace:
    - name: everything else
      outcome: { action: auto_create_incident, severity: major, invite: [{ type: team, team: payments }] }
  sources:
    Datadog:
      - name: errors
        conditions: [{ field: severity_raw, operator: is_one_of, value: [error] }]
        outcome: { action: auto_create_incident, severity: critical }
      - { name: rest, outcome: { action: drop } }
`,
  "config/catalog.yaml": `catalog_types:
  - slug: team
    entries:
      - { slug: payments, name: Payments }
      - { slug: ledger, name: Ledger }
`,
  "config/fields.yaml": `custom_fields:
  - slug: region
    name: Region
    field_type: single_select
    options: [Europe, North America]
  - slug: shops
    name: Shops
    field_type: number
forms:
  resolve:
    - custom_field: region
      visible: true
    - custom_field: shops
      visible: true
      conditions:
        - { condition_field: custom_field, custom_field: region, operator: one_of, values: [Europe] }
`,
} as const;
