/** The tokens with which a command talks to the service, and where they come from. */

import type { Io } from "../core/io.ts";

/** The tokens that the environment holds. */
export interface Tokens {
  readonly token?: string;
  readonly adminToken?: string;
}

/** Takes the tokens out of the environment: from here on no child process inherits them. */
export function takeTokens(env: Io["env"]): Tokens {
  const { INCIDENTCTL_TOKEN: token, INCIDENTCTL_ADMIN_TOKEN: adminToken } = env;
  delete env.INCIDENTCTL_TOKEN;
  delete env.INCIDENTCTL_ADMIN_TOKEN;
  return {
    ...(token === undefined || token === "" ? {} : { token }),
    ...(adminToken === undefined || adminToken === "" ? {} : { adminToken }),
  };
}
