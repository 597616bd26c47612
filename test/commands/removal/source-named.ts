/** Files of a source of alerts with rules, under a name that tests change. */

const RULE = "outcome: { action: notify_only, notify: { type: channel, channel_id: C0123456789 } }";

/** Two sources, of which the one with this name has a rule. */
export const sourceNamed = (name: string): string => `alert_sources:
  - { name: ${name}, provider: datadog }
  - { name: Grafana, provider: grafana }
routing_rules:
  sources:
    ${name}: [{ name: all, ${RULE} }]
`;
