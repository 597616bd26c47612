/** GitLab, as forge.mjs needs it. The token is that of a project or a person, since a job token cannot write notes. */

import { mkdirSync, writeFileSync } from "node:fs";
import { connect } from "./requests.mjs";

const LABEL = "incidentctl-drift";
const PLAN = "reviewed/change.plan";

/** Connects with the variables of a job. */
export async function forge(env) {
  const project = `/projects/${env.CI_PROJECT_ID}`;
  const { send, ask, all } = connect(env.CI_API_V4_URL, { "private-token": env.GITLAB_TOKEN });
  const { id: self } = await ask("GET", "/user");
  const own = (items) => items.filter(({ author }) => author?.id === self);
  const change = `${project}/merge_requests/${env.CI_MERGE_REQUEST_IID}`;
  const text = ({ description, ...rest }) => ({ ...rest, body: description });
  return {
    /** The pipeline, as comments name it. */
    run: { id: env.CI_PIPELINE_ID, attempt: "1", page: env.CI_PIPELINE_URL, commit: env.CI_COMMIT_SHA },
    /** Returns a reason not to comment on the change. */
    async change() {
      if (!env.CI_MERGE_REQUEST_IID) return "this pipeline belongs to no merge request";
      const { sha } = await ask("GET", change);
      const own = env.CI_MERGE_REQUEST_SOURCE_BRANCH_SHA || env.CI_COMMIT_SHA;
      return sha === own ? undefined : "the merge request has a newer commit, with a review of its own";
    },
    comments: async () => own(await all(`${change}/notes`)),
    comment: (body) => ask("POST", `${change}/notes`, { body }),
    rewrite: ({ id }, body) => ask("PUT", `${change}/notes/${id}`, { body }),
    issues: async () => own(await all(`${project}/issues?state=opened&labels=${LABEL}`)).map(text),
    open: (title, description) => ask("POST", `${project}/issues`, { title, description, labels: LABEL }),
    update: ({ iid }, description) => ask("PUT", `${project}/issues/${iid}`, { description }),
    say: ({ iid }, body) => ask("POST", `${project}/issues/${iid}/notes`, { body }),
    close: ({ iid }) => ask("PUT", `${project}/issues/${iid}`, { state_event: "close" }),
    /** The plan is an artifact of the review of the merged change. */
    async find() {
      const changes = await all(`${project}/repository/commits/${env.CI_COMMIT_SHA}/merge_requests`);
      const merged = changes.find(({ state }) => state === "merged");
      if (merged === undefined) return "this commit comes from no merge request";
      const ref = encodeURIComponent(`refs/merge-requests/${merged.iid}/head`);
      const job = encodeURIComponent(env.INCIDENTCTL_REVIEW_JOB || "incidentctl review");
      try {
        const response = await send("GET", `${project}/jobs/artifacts/${ref}/raw/reports/change.plan?job=${job}`);
        mkdirSync("reviewed", { recursive: true });
        writeFileSync(PLAN, Buffer.from(await response.arrayBuffer()), { mode: 0o600 });
      } catch (error) {
        if (error.status !== 404) throw error;
        return `the review of !${merged.iid} has left no plan behind`;
      }
      return `the plan of !${merged.iid} is ${PLAN}`;
    },
  };
}
