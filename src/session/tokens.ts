/** Tokens of a command, from the environment. */

import type { Io } from "../core/io.ts";

/** Tokens in the environment. */
export interface Tokens {
  readonly token?: string;
  readonly adminToken?: string;
}

/** Removes the tokens from the environment, so that no child process inherits them, and returns them. */
export function takeTokens(env: Io["env"]): Tokens {
  const { INCIDENTCTL_TOKEN: token, INCIDENTCTL_ADMIN_TOKEN: adminToken } = env;
  delete env.INCIDENTCTL_TOKEN;
  delete env.INCIDENTCTL_ADMIN_TOKEN;
  return {
    ...(token === undefined || token === "" ? {} : { token }),
    ...(adminToken === undefined || adminToken === "" ? {} : { adminToken }),
  };
}
