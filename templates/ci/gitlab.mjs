/** GitLab, as forge.mjs needs it. The token is that of a project or a person, since a job token cannot write notes. */

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { connect } from "./requests.mjs";

const LABEL = "incidentctl-drift";
const REVIEW = "incidentctl review";

/** Connects with the variables of a job. */
export async function forge(env) {
  const project = `/projects/${env.CI_PROJECT_ID}`;
  const { send, ask, all } = connect(env.CI_API_V4_URL, { "private-token": env.GITLAB_TOKEN });
  const { id: self } = await ask("GET", "/user");
  const own = (items) => items.filter(({ author }) => author?.id === self);
  const withPage = ({ description, ...issue }) => ({ ...issue, body: description, page: issue.web_url });
  const branch = env.CI_DEFAULT_BRANCH;
  const requests = `${project}/merge_requests`;
  let notes;

  return {
    /** The pipeline, as comments name it. */
    run: {
      id: env.CI_PIPELINE_ID,
      attempt: "1",
      page: env.CI_PIPELINE_URL,
      commit: headOfChange() ?? env.CI_COMMIT_SHA,
    },
    /** Finds the change, and returns a reason not to comment on it. */
    async change() {
      const request = env.CI_MERGE_REQUEST_IID
        ? await ask("GET", `${requests}/${env.CI_MERGE_REQUEST_IID}`)
        : await mergedRequest();
      if (request === undefined) return "this commit is not the merge of a merge request";
      notes = `${requests}/${request.iid}/notes`;
      if (!env.CI_MERGE_REQUEST_IID || request.sha === headOfChange()) return undefined;
      return "the merge request has a newer commit, with a review of its own";
    },
    comments: async () => own(await all(notes)),
    comment: (body) => ask("POST", notes, { body }),
    rewrite: ({ id }, body) => ask("PUT", `${notes}/${id}`, { body }),
    issues: async () => own(await all(`${project}/issues?state=opened&labels=${LABEL}`)).map(withPage),
    open: async (title, description) =>
      withPage(await ask("POST", `${project}/issues`, { title, description, labels: LABEL })),
    update: ({ iid }, description) => ask("PUT", `${project}/issues/${iid}`, { description }),
    say: ({ iid }, body) => ask("POST", `${project}/issues/${iid}/notes`, { body }),
    close: ({ iid }) => ask("PUT", `${project}/issues/${iid}`, { state_event: "close" }),
    /** The repository for git, and its login. */
    remote: `${env.CI_SERVER_URL}/${env.CI_PROJECT_PATH}.git`,
    login: `oauth2:${env.GITLAB_TOKEN}`,
    request: async (source) => {
      const query = new URLSearchParams({ state: "opened", source_branch: source, target_branch: branch });
      return (await all(`${requests}?${query}`))[0];
    },
    openRequest: (source_branch, title, description) =>
      ask("POST", requests, { source_branch, target_branch: branch, title, description, remove_source_branch: true }),
    updateRequest: ({ iid }, description) => ask("PUT", `${requests}/${iid}`, { description }),
    closeRequest: ({ iid }) => ask("PUT", `${requests}/${iid}`, { state_event: "close" }),
    /** Downloads the plan of the last review before the merge to `INCIDENTCTL_PLAN`. */
    async find() {
      await requireTip();
      if (env.INCIDENTCTL_PROPOSAL) return "the proposal of this pipeline";
      const request = await mergedRequest();
      if (request === undefined) return "this commit is not the merge of a merge request";
      const job = await reviewJob(request);
      if (job === undefined) return `!${request.iid} has no plan of ${env.INCIDENTCTL_UNIT} from before the merge`;
      const file = `reports/${env.INCIDENTCTL_UNIT}/change.plan`;
      const response = await send("GET", `${project}/jobs/${job.id}/artifacts/${file}`).catch(unlessMissing);
      if (response === undefined) return `${job.web_url} has no plan`;
      mkdirSync(dirname(env.INCIDENTCTL_PLAN), { recursive: true });
      writeFileSync(env.INCIDENTCTL_PLAN, Buffer.from(await response.arrayBuffer()), { mode: 0o600 });
      return `the plan of ${job.web_url}`;
    },
  };

  /** The newest commit of the merge request. A pipeline of merged results runs on another commit, which GitLab makes. */
  function headOfChange() {
    if (!env.CI_MERGE_REQUEST_IID) return undefined;
    return env.CI_MERGE_REQUEST_SOURCE_BRANCH_SHA || env.CI_COMMIT_SHA;
  }

  /** Only the newest commit of the branch is applied: a pipeline of an older one would roll the workspace back. */
  async function requireTip() {
    const { commit } = await ask("GET", `${project}/repository/branches/${encodeURIComponent(branch)}`);
    if (env.CI_COMMIT_BRANCH === branch && commit.id === env.CI_COMMIT_SHA) return;
    const error = new Error(`${branch} is at ${commit.id}. Nothing of ${env.CI_COMMIT_SHA} is applied`);
    throw Object.assign(error, { exit: 5 });
  }

  /** The merge request of this project that was merged with this commit. */
  async function mergedRequest() {
    const found = await all(`${project}/repository/commits/${env.CI_COMMIT_SHA}/merge_requests`);
    return found.find(
      ({ state, target_branch, source_project_id, target_project_id, merge_commit_sha, squash_commit_sha, sha }) =>
        state === "merged" &&
        target_branch === branch &&
        source_project_id === target_project_id &&
        [merge_commit_sha, squash_commit_sha, sha].includes(env.CI_COMMIT_SHA),
    );
  }

  /** The newest job that planned the unit for the last commit of a merge request, and ended before the merge. */
  async function reviewJob({ iid, sha, merged_at }) {
    const pipelines = await all(`${requests}/${iid}/pipelines`);
    for (const { id, ...pipeline } of pipelines.sort((left, right) => right.id - left.id)) {
      if (!(await isOfCommit(pipeline, iid, sha))) continue;
      const jobs = await all(`${project}/pipelines/${id}/jobs`);
      const reviews = jobs.filter(({ name }) => isReview(name)).sort((left, right) => right.id - left.id);
      const job = reviews.find(({ finished_at }) => Date.parse(finished_at) <= Date.parse(merged_at));
      if (job?.artifacts_file !== undefined) return job;
    }
    return undefined;
  }

  /** True for a pipeline of this commit of a merge request, or of the result of merging it. */
  async function isOfCommit({ source, project_id, ref, sha }, iid, head) {
    if (source !== "merge_request_event" || String(project_id) !== env.CI_PROJECT_ID) return false;
    if (ref === `refs/merge-requests/${iid}/head`) return sha === head;
    if (![`refs/merge-requests/${iid}/merge`, `refs/merge-requests/${iid}/train`].includes(ref)) return false;
    const { parent_ids } = await ask("GET", `${project}/repository/commits/${sha}`);
    return parent_ids.includes(head);
  }

  /** Jobs of a matrix are called `NAME: [VALUE, VALUE]`. The unit is the first value. */
  function isReview(name) {
    const start = `${REVIEW}: [${env.INCIDENTCTL_UNIT}`;
    return name === `${start}]` || name.startsWith(`${start},`);
  }
}

/** Undefined for a response with status 404, an error for any other. */
function unlessMissing(error) {
  if (error.status !== 404) throw error;
}
