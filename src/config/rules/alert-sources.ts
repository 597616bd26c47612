/** Rules of alert sources: a provider that is known. */

import type { ResourceRule } from "./rule.ts";

/** Providers that some service is known to accept. */
const PROVIDERS: readonly string[] = ["generic", "alertmanager", "datadog", "grafana", "northflank"];

/** Warns of a provider that no service is known to accept. */
export const checkAlertSource: ResourceRule = ({ fields, place }, { findings }) => {
  const { provider } = fields;
  if (typeof provider !== "string" || PROVIDERS.includes(provider)) return;
  findings.warning(
    "W_PROVIDER",
    `"${provider}" is not a known provider, so the service may refuse it`,
    place("/provider"),
    {
      help: findings.guess(provider, PROVIDERS) ?? `Known providers: ${PROVIDERS.join(", ")}.`,
    },
  );
};
