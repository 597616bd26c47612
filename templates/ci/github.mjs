/** GitHub, as forge.mjs needs it. The account of a workflow is a bot, and its token cannot read its own name. */

import { appendFileSync, readFileSync } from "node:fs";
import { connect } from "./requests.mjs";

const LABEL = "incidentctl-drift";
const REVIEW = "incidentctl-review.yml";
const APPLY = "incidentctl-apply.yml";
/** Runs to search for a journal. */
const RECENT_RUNS = 20;

/** Connects with the variables of a job. */
export function forge(env) {
  const event = JSON.parse(readFileSync(env.GITHUB_EVENT_PATH, "utf8"));
  const repository = `/repos/${env.GITHUB_REPOSITORY}`;
  const branch = event.repository?.default_branch;
  const bot = env.INCIDENTCTL_BOT || "github-actions[bot]";
  const { ask, all } = connect(env.GITHUB_API_URL, {
    authorization: `Bearer ${env.GITHUB_TOKEN}`,
    "x-github-api-version": "2022-11-28",
  });
  const own = (items) => items.filter(({ user, pull_request: change }) => user?.login === bot && change === undefined);
  const withPage = (issue) => ({ ...issue, page: issue.html_url });
  const [owner] = env.GITHUB_REPOSITORY.split("/");
  const isOwn = (fork) => fork?.id === event.repository.id;
  const runsPage = `${env.GITHUB_SERVER_URL}/${env.GITHUB_REPOSITORY}/actions/runs`;
  let number;

  return {
    /** The run, as comments name it. */
    run: {
      id: env.GITHUB_RUN_ID,
      attempt: env.GITHUB_RUN_ATTEMPT,
      page: `${runsPage}/${env.GITHUB_RUN_ID}`,
      commit: event.pull_request?.head.sha ?? env.GITHUB_SHA,
    },
    /** Finds the change, and returns a reason not to comment on it. */
    async change() {
      const pull = event.pull_request ?? (await mergedPull());
      number = pull?.number;
      if (number === undefined) return "this commit is not the merge of a pull request";
      if (event.pull_request === undefined) return undefined;
      const { head } = await ask("GET", `${repository}/pulls/${number}`);
      return head.sha === pull.head.sha ? undefined : "the pull request has a newer commit, with a review of its own";
    },
    comments: async () => own(await all(`${repository}/issues/${number}/comments`)),
    comment: (body) => ask("POST", `${repository}/issues/${number}/comments`, { body }),
    rewrite: ({ id }, body) => ask("PATCH", `${repository}/issues/comments/${id}`, { body }),
    issues: async () => own(await all(`${repository}/issues?state=open&labels=${LABEL}`)).map(withPage),
    open: async (title, body) => withPage(await ask("POST", `${repository}/issues`, { title, body, labels: [LABEL] })),
    update: ({ number: issue }, body) => ask("PATCH", `${repository}/issues/${issue}`, { body }),
    say: ({ number: issue }, body) => ask("POST", `${repository}/issues/${issue}/comments`, { body }),
    close: ({ number: issue }) => ask("PATCH", `${repository}/issues/${issue}`, { state: "closed" }),
    output,
    /** The repository for git, its login, and what to say in a request that starts no review. */
    remote: `${env.GITHUB_SERVER_URL}/${env.GITHUB_REPOSITORY}.git`,
    login: `x-access-token:${env.GITHUB_TOKEN}`,
    note: env.INCIDENTCTL_APP
      ? ""
      : "GitHub starts no review of a request that was opened with a job's own token. To start one, close this request and reopen it.",
    request: async (head) => {
      const query = `state=open&base=${encodeURIComponent(branch)}&head=${encodeURIComponent(`${owner}:${head}`)}`;
      return (await all(`${repository}/pulls?${query}`))[0];
    },
    openRequest: (head, title, body) => ask("POST", `${repository}/pulls`, { title, body, head, base: branch }),
    updateRequest: ({ number: pull }, body) => ask("PATCH", `${repository}/pulls/${pull}`, { body }),
    closeRequest: ({ number: pull }) => ask("PATCH", `${repository}/pulls/${pull}`, { state: "closed" }),
    /** Finds the plan to apply, and the journal of the last run. Their artifacts are outputs of the step. */
    async find() {
      await requireTip();
      await requireProtection();
      const plan = env.INCIDENTCTL_RUN ? await proposedPlan(env.INCIDENTCTL_RUN) : await reviewedPlan();
      const journal = await lastJournal();
      output({ plan: plan?.id, plan_run: plan?.run, journal: journal?.id, journal_run: journal?.run });
      return plan === undefined
        ? "there is no reviewed plan of this commit"
        : `${plan.name} of ${runsPage}/${plan.run}`;
    },
  };

  /** Only the newest commit of the branch is applied: a run of an older one would roll the workspace back. */
  async function requireTip() {
    if (env.GITHUB_REF !== `refs/heads/${branch}`) throw refusal(`only the branch ${branch} is applied`);
    const { object } = await ask("GET", `${repository}/git/ref/heads/${branch}`);
    if (object.sha === env.GITHUB_SHA) return;
    throw refusal(`${branch} is at ${object.sha}, which has a run of its own. Nothing of ${env.GITHUB_SHA} is applied`);
  }

  /** A plan that no pull request has shown is applied only where GitHub asks a person first. */
  async function requireProtection() {
    const name = env.INCIDENTCTL_PROTECTION;
    const { protection_rules: rules = [] } = await ask("GET", `${repository}/environments/${encodeURIComponent(name)}`);
    const has = (wanted) => rules.some(({ type }) => type === wanted);
    if (!has("branch_policy")) {
      process.stderr.write(
        `::warning::Any branch gets the tokens of the environment ${name}: restrict its branches.\n`,
      );
    }
    if (env.INCIDENTCTL_RUN && !has("required_reviewers")) {
      throw refusal(`the environment ${name} has no required reviewers, so no proposal is applied there`);
    }
  }

  /** The newest plan of the review of the pull request that was merged with this commit. */
  async function reviewedPlan() {
    const pull = await mergedPull();
    if (pull === undefined) return undefined;
    const applied = await newest(
      await runsOf(APPLY, `head_sha=${env.GITHUB_SHA}`),
      `incidentctl-applied-${env.INCIDENTCTL_UNIT}`,
    );
    if (applied !== undefined) return undefined;
    const { sha, ref } = pull.head;
    const runs = await runsOf(REVIEW, `event=pull_request&head_sha=${sha}`);
    const ofHead = runs.filter(
      (run) =>
        run.event === "pull_request" && run.head_sha === sha && run.head_branch === ref && run.conclusion === "success",
    );
    // After the merge nobody reviews: a review that is started again then makes a plan that nobody has read.
    return newest(ofHead, `incidentctl-plan-${pull.number}-${env.INCIDENTCTL_UNIT}`, pull.merged_at);
  }

  /** The plan that an earlier run of this workflow proposed for this commit. */
  async function proposedPlan(id) {
    if (!/^\d+$/.test(id)) throw refusal("the run is the number at the end of the address of its page");
    const run = await ask("GET", `${repository}/actions/runs/${id}`);
    if (!isApply(run) || run.path.split("@")[0] !== `.github/workflows/${APPLY}` || run.head_sha !== env.GITHUB_SHA) {
      throw refusal(`run ${id} proposed nothing for the newest commit of ${branch}`);
    }
    const plan = await newest([run], `incidentctl-apply-${env.INCIDENTCTL_UNIT}`);
    if (plan === undefined) throw refusal(`run ${id} proposed nothing for ${env.INCIDENTCTL_UNIT}`);
    return plan;
  }

  /** The journal that the last run on this branch left behind, whichever of its attempts. */
  async function lastJournal() {
    const runs = (await runsOf(APPLY, `branch=${encodeURIComponent(branch)}`)).filter(isApply).slice(0, RECENT_RUNS);
    runs.sort((left, right) => Date.parse(right.run_started_at) - Date.parse(left.run_started_at));
    for (const run of runs) {
      const journal = await newest([run], new RegExp(`^incidentctl-journal-${env.INCIDENTCTL_UNIT}-\\d+$`));
      if (journal !== undefined && (await isInBranch(run.head_sha))) return journal;
    }
    return undefined;
  }

  /** A run for the branch, unless a tag or a branch of a fork has its name. */
  function isApply({ event: trigger, head_branch: name, head_repository: fork }) {
    return ["push", "workflow_dispatch"].includes(trigger) && name === branch && isOwn(fork);
  }

  async function isInBranch(sha) {
    const { status } = await ask("GET", `${repository}/compare/${sha}...${env.GITHUB_SHA}`);
    return status === "ahead" || status === "identical";
  }

  async function mergedPull() {
    const pulls = await all(`${repository}/commits/${env.GITHUB_SHA}/pulls`);
    return pulls.find(
      ({ merged_at: merged, merge_commit_sha: commit, base, head }) =>
        merged !== null && commit === env.GITHUB_SHA && base.ref === branch && isOwn(head.repo),
    );
  }

  /** Runs of a workflow of this repository, not of a fork. */
  async function runsOf(workflow, query) {
    const runs = await all(`${repository}/actions/workflows/${workflow}/runs?${query}`, (page) => page.workflow_runs);
    return runs.filter(({ head_repository: fork }) => isOwn(fork));
  }

  /** The newest artifact of these runs that still exists, has this name, and was made before this time. */
  async function newest(runs, name, before) {
    const found = [];
    for (const { id: run } of runs) {
      const artifacts = await all(`${repository}/actions/runs/${run}/artifacts`, (page) => page.artifacts);
      found.push(...artifacts.map((artifact) => ({ ...artifact, run })));
    }
    const isNamed = (text) => (typeof name === "string" ? text === name : name.test(text));
    const isEarly = (time) => before === undefined || Date.parse(time) <= Date.parse(before);
    return found
      .filter((one) => !one.expired && isNamed(one.name) && isEarly(one.created_at))
      .sort((left, right) => right.id - left.id)[0];
  }

  function output(values) {
    const lines = Object.entries(values).map(([name, value]) => `${name}=${value ?? ""}\n`);
    appendFileSync(env.GITHUB_OUTPUT, lines.join(""));
  }
}

/** An error that means: nothing was applied, and nothing will be. */
function refusal(message) {
  return Object.assign(new Error(message), { exit: 5 });
}
