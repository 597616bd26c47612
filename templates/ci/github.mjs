/** GitHub, as forge.mjs needs it. The account of a workflow is a bot, and its token cannot read its own name. */

import { execFileSync } from "node:child_process";
import { appendFileSync, readFileSync } from "node:fs";
import { connect } from "./requests.mjs";

const LABEL = "incidentctl-drift";

/** Connects with the variables of a job. */
export function forge(env) {
  const event = JSON.parse(readFileSync(env.GITHUB_EVENT_PATH, "utf8"));
  const number = event.pull_request?.number;
  const repository = `/repos/${env.GITHUB_REPOSITORY}`;
  const bot = env.INCIDENTCTL_BOT || "github-actions[bot]";
  const { ask, all } = connect(env.GITHUB_API_URL, {
    authorization: `Bearer ${env.GITHUB_TOKEN}`,
    "x-github-api-version": "2022-11-28",
  });
  const own = (items) => items.filter(({ user, pull_request: change }) => user?.login === bot && change === undefined);
  return {
    comments: async () => own(await all(`${repository}/issues/${change()}/comments`)),
    comment: (body) => ask("POST", `${repository}/issues/${change()}/comments`, { body }),
    rewrite: ({ id }, body) => ask("PATCH", `${repository}/issues/comments/${id}`, { body }),
    issues: async () => own(await all(`${repository}/issues?state=open&labels=${LABEL}`)),
    open: (title, body) => ask("POST", `${repository}/issues`, { title, body, labels: [LABEL] }),
    update: ({ number: issue }, body) => ask("PATCH", `${repository}/issues/${issue}`, { body }),
    say: ({ number: issue }, body) => ask("POST", `${repository}/issues/${issue}/comments`, { body }),
    close: ({ number: issue }) => ask("PATCH", `${repository}/issues/${issue}`, { state: "closed" }),
    /** The artifact with the plan has the name of the tree that the plan was made from. */
    async find() {
      const asked = env.INCIDENTCTL_RUN ?? "";
      if (!/^\d*$/.test(asked)) throw new Error("INCIDENTCTL_RUN is the number of a run");
      const tree = execFileSync("git", ["rev-parse", "HEAD^{tree}"], { encoding: "utf8" }).trim();
      const name = `incidentctl-plan-${tree}`;
      const { artifacts } = await ask("GET", `${repository}/actions/artifacts?name=${name}&per_page=100`);
      const there = artifacts.filter(({ expired }) => !expired).sort((left, right) => right.id - left.id);
      const run = asked || there[0]?.workflow_run?.id;
      appendFileSync(env.GITHUB_OUTPUT, `name=${name}\nrun=${run ?? ""}\n`);
      return run === undefined ? "no plan was made of this tree" : `${name} of run ${run}`;
    },
  };

  function change() {
    if (!Number.isSafeInteger(number)) throw new Error("this run belongs to no pull request");
    return number;
  }
}
