/** The CI system that the program runs in, as far as its environment tells. */

import type { Io } from "./io.ts";

/** The page of this run, where its logs and files are; empty where none is known. */
export function runPage(env: Io["env"]): { readonly run?: string } {
  const {
    GITHUB_SERVER_URL: server,
    GITHUB_REPOSITORY: repository,
    GITHUB_RUN_ID: id,
    CI_PIPELINE_URL: pipeline,
  } = env;
  if (server !== undefined && repository !== undefined && id !== undefined) {
    return { run: `${server}/${repository}/actions/runs/${id}` };
  }
  return pipeline === undefined || !/^https?:/.test(pipeline) ? {} : { run: pipeline };
}
