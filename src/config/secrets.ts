/** Finds tokens of the service that were written into a file. */

import type { Findings } from "./findings.ts";
import type { Source } from "./source.ts";

/** `ff_` and 36 base58 characters: a service key, an agent token or a personal token. */
const TOKEN = /(?<![0-9A-Za-z_])ff_[1-9A-HJ-NP-Za-km-z]{36}(?![0-9A-Za-z])/g;

/** Records every token in the text, comments included, without telling it. */
export function refuseTokens(source: Source, findings: Findings): void {
  for (const found of source.text.matchAll(TOKEN)) {
    findings.error("E_SECRET_IN_CONFIG", "this looks like a token of the service", source.location(found.index), {
      help: "Revoke it, since files are copied; give tokens in the environment only.",
    });
  }
}
