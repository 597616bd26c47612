/** What the environment holds that must never be shown, whichever command runs. */

import type { Io } from "../core/io.ts";

const PROXIES: readonly string[] = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"];

/** Our tokens, and the passwords of proxies, as they stand in the environment now. */
export function ambientSecrets(env: Io["env"]): readonly string[] {
  const { INCIDENTCTL_TOKEN: token, INCIDENTCTL_ADMIN_TOKEN: adminToken } = env;
  const passwords = PROXIES.flatMap((name) => passwordIn(env[name] ?? ""));
  return [token, adminToken, ...passwords].filter((value) => value !== undefined);
}

/** As written, and as meant where it is percent-encoded. */
function passwordIn(proxy: string): readonly string[] {
  const [, written] = /^[a-z]+:\/\/[^/:@]*:([^/@]*)@/i.exec(proxy) ?? [];
  return written === undefined ? [] : [written, decoded(written)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
