/** Rules of alert sources: a provider that is known. */

import { PROVIDERS } from "../../kinds/rows/alert-sources.ts";
import { locationOf } from "../resources/origins.ts";
import type { ResourceRule } from "./rule.ts";

/** Warns of a provider that no service is known to accept. */
export const checkAlertSource: ResourceRule = ({ fields, origins }, { findings }) => {
  const { provider } = fields;
  if (typeof provider !== "string" || PROVIDERS.includes(provider)) return;
  findings.warning(
    "W_PROVIDER",
    `"${provider}" is not a known provider, so the service may refuse it`,
    locationOf(origins, "/provider"),
    {
      help: findings.allowed(provider, PROVIDERS),
    },
  );
};
