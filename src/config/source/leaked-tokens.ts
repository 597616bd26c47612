/** Finds tokens in files and on the command line. */

import type { Findings } from "../../core/findings.ts";
import type { Source } from "./source.ts";

/** Patterns of tokens, with what may not follow them. A text that only looks random may be an id. */
const SHAPES: readonly (readonly [what: string, shape: string, end?: string])[] = [
  // A service key, an agent token or a personal token: `ff_` and 36 base58 characters.
  ["a token of the service", "ff_[1-9A-HJ-NP-Za-km-z]{36}", "(?![0-9A-Za-z])"],
  ["a token of GitHub", "(?:gh[oprsu]_[0-9A-Za-z]{36}|github_pat_[0-9A-Za-z_]{80})"],
  ["a token of GitLab", "glpat-[0-9A-Za-z_-]{20}"],
  ["a token of Slack", "xox[abeoprs]-[0-9A-Za-z-]{20}"],
  ["an access key of AWS", "(?:AKIA|ASIA)[0-9A-Z]{16}", "(?![0-9A-Za-z])"],
  ["a private key", "-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----"],
];

const TOKEN = new RegExp(`(?<![0-9A-Za-z_])(?:${SHAPES.map(([, shape, end = ""]) => `(${shape}${end})`).join("|")})`);

const ALL_TOKENS = new RegExp(TOKEN, "g");

/** Describes the first token in a text, like "a token of the service". */
export function describeToken(text: string): string | undefined {
  const found = TOKEN.exec(text);
  return found === null ? undefined : describeMatch(found);
}

/** Whole tokens, also within other text, and whole private keys. */
const WHOLE_TOKEN = new RegExp(
  `-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----[\\s\\S]*?(?:-----END (?:[A-Z]+ )*PRIVATE KEY-----|$)|(?:${SHAPES.map(([, shape]) => shape).join("|")})[\\w-]*`,
  "g",
);

/** The text with an asterisk for each character of a token, in the same lines. */
export function withoutTokens(text: string): string {
  return text.replaceAll(WHOLE_TOKEN, (token) => token.replaceAll(/[^\r\n]/g, "*"));
}

/** Records every token in the text and its comments. The finding does not contain the token. */
export function refuseTokens(source: Source, findings: Findings): void {
  for (const found of source.text.matchAll(ALL_TOKENS)) {
    findings.error("E_SECRET_IN_CONFIG", `this looks like ${describeMatch(found)}`, source.location(found.index), {
      help: "Revoke the token, and set the new one in the environment.",
    });
  }
}

function describeMatch(found: RegExpExecArray): string {
  const [what = ""] = SHAPES[found.slice(1).findIndex((group) => group !== undefined)] ?? [];
  return what;
}
