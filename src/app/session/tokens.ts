/** Tokens of a command, from the environment. */

import { type Io, isTokenVariable } from "../../core/io.ts";

/** Tokens in the environment. */
export interface Tokens {
  readonly token?: string;
  readonly adminToken?: string;
}

/** The names of the variables with the tokens of an environment. */
export interface TokenVariables {
  readonly token: string;
  readonly adminToken: string;
}

/** Removes the tokens from the environment, so that no child process inherits them, and returns those for a single service. */
export function takeTokens(env: Io["env"]): Tokens {
  const all = takeAllTokens(env);
  const [token, adminToken] = [all.get("INCIDENTCTL_TOKEN"), all.get("INCIDENTCTL_ADMIN_TOKEN")];
  return {
    ...(token === undefined ? {} : { token }),
    ...(adminToken === undefined ? {} : { adminToken }),
  };
}

/** The same with the tokens of all environments, by variable. An empty variable has no token. */
export function takeAllTokens(env: Io["env"]): ReadonlyMap<string, string> {
  const tokens = new Map<string, string>();
  for (const [name, value = ""] of Object.entries(env).filter(([each]) => isTokenVariable(each))) {
    delete env[name];
    if (value !== "") tokens.set(name, value);
  }
  return tokens;
}

/**
 * The variables of an environment: `INCIDENTCTL_TOKEN_EU_WEST` for `eu-west`. A name is written in upper case, and each character but
 * letters and digits as an underscore. Null is no environment.
 */
export function tokenVariables(environment: string | null): TokenVariables {
  const ending = environment === null ? "" : `_${environment.toUpperCase().replace(/[^A-Z0-9]/gu, "_")}`;
  return { token: `INCIDENTCTL_TOKEN${ending}`, adminToken: `INCIDENTCTL_ADMIN_TOKEN${ending}` };
}
