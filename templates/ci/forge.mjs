/**
 * Keeps one comment on a change and one issue about drift up to date, through the APIs of GitHub and GitLab. It needs only Node.
 *
 *   node forge.mjs comment FILE   writes or updates the comment of this change
 *   node forge.mjs issue FILE     opens the issue, or updates it if its fingerprint has changed
 *   node forge.mjs close FILE     closes the issue, if there is one
 *   node forge.mjs find           finds the reviewed plan: on GitHub its run, on GitLab the file itself
 *
 * The comment and the issue are found by their hidden first line, and only if the pipeline's own account has written them.
 */

import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";

const LABEL = "incidentctl-drift";
const PAGE = 100;
const MOST_PAGES = 50;
const PLAN = "reviewed/change.plan";

/** Sends a request. A request that only reads or sets is retried if the forge fails; one that creates is not. */
async function send(forge, method, path, body) {
  const url = new URL(`${forge.api}${path}`);
  if (url.protocol !== "https:" && !["localhost", "127.0.0.1", "[::1]"].includes(url.hostname)) {
    throw new Error(`${url.origin}: the token is sent by https alone`);
  }
  const headers = { accept: "application/json", "user-agent": "incidentctl", ...forge.headers };
  const text = body === undefined ? {} : { body: JSON.stringify(body) };
  if (body !== undefined) headers["content-type"] = "application/json";
  for (let attempt = 1; ; attempt += 1) {
    const again = method !== "POST" && attempt < 4;
    try {
      const signal = AbortSignal.timeout(30_000);
      const answer = await fetch(url, { method, headers, ...text, redirect: "error", signal });
      if (answer.ok) return answer;
      const why = `${method} ${url.pathname}: ${answer.status} ${(await answer.text()).slice(0, 300)}`;
      if (!again || answer.status < 500) throw Object.assign(new Error(why), { final: true, status: answer.status });
    } catch (error) {
      if (error.final === true || !again) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 250 * 2 ** attempt));
  }
}

async function ask(forge, method, path, body) {
  return (await send(forge, method, path, body)).json();
}

/** All items of a list, page by page. */
async function all(forge, path) {
  const items = [];
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const some = await ask(forge, "GET", `${path}${path.includes("?") ? "&" : "?"}per_page=${PAGE}&page=${page}`);
    items.push(...some);
    if (some.length < PAGE) return items;
  }
  throw new Error(`${path}: more than ${MOST_PAGES * PAGE} entries`);
}

/** GitHub: the account of a workflow is a bot, and its token cannot read its own name. */
function github(env) {
  const event = JSON.parse(readFileSync(env.GITHUB_EVENT_PATH, "utf8"));
  const number = event.pull_request?.number;
  const repository = `/repos/${env.GITHUB_REPOSITORY}`;
  const bot = env.INCIDENTCTL_BOT || "github-actions[bot]";
  const forge = {
    api: env.GITHUB_API_URL,
    headers: { authorization: `Bearer ${env.GITHUB_TOKEN}`, "x-github-api-version": "2022-11-28" },
  };
  const own = (items) => items.filter(({ user, pull_request: change }) => user?.login === bot && change === undefined);
  return {
    comments: async () => own(await all(forge, `${repository}/issues/${change()}/comments`)),
    comment: (body) => ask(forge, "POST", `${repository}/issues/${change()}/comments`, { body }),
    rewrite: ({ id }, body) => ask(forge, "PATCH", `${repository}/issues/comments/${id}`, { body }),
    issues: async () => own(await all(forge, `${repository}/issues?state=open&labels=${LABEL}`)),
    open: (title, body) => ask(forge, "POST", `${repository}/issues`, { title, body, labels: [LABEL] }),
    update: ({ number: issue }, body) => ask(forge, "PATCH", `${repository}/issues/${issue}`, { body }),
    say: ({ number: issue }, body) => ask(forge, "POST", `${repository}/issues/${issue}/comments`, { body }),
    close: ({ number: issue }) => ask(forge, "PATCH", `${repository}/issues/${issue}`, { state: "closed" }),
    /** The artifact with the plan has the name of the tree that the plan was made from. */
    async find() {
      const asked = env.INCIDENTCTL_RUN ?? "";
      if (!/^\d*$/.test(asked)) throw new Error("INCIDENTCTL_RUN is the number of a run");
      const tree = execFileSync("git", ["rev-parse", "HEAD^{tree}"], { encoding: "utf8" }).trim();
      const name = `incidentctl-plan-${tree}`;
      const { artifacts } = await ask(forge, "GET", `${repository}/actions/artifacts?name=${name}&per_page=${PAGE}`);
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

/** GitLab: the token of a project or a person, since a job token cannot write notes. */
async function gitlab(env) {
  const project = `/projects/${env.CI_PROJECT_ID}`;
  const forge = { api: env.CI_API_V4_URL, headers: { "private-token": env.GITLAB_TOKEN } };
  const { id: self } = await ask(forge, "GET", "/user");
  const own = (items) => items.filter(({ author }) => author?.id === self);
  const change = `${project}/merge_requests/${env.CI_MERGE_REQUEST_IID}`;
  const text = ({ description, ...rest }) => ({ ...rest, body: description });
  return {
    comments: async () => own(await all(forge, `${change}/notes`)),
    comment: (body) => ask(forge, "POST", `${change}/notes`, { body }),
    rewrite: ({ id }, body) => ask(forge, "PUT", `${change}/notes/${id}`, { body }),
    issues: async () => own(await all(forge, `${project}/issues?state=opened&labels=${LABEL}`)).map(text),
    open: (title, description) => ask(forge, "POST", `${project}/issues`, { title, description, labels: LABEL }),
    update: ({ iid }, description) => ask(forge, "PUT", `${project}/issues/${iid}`, { description }),
    say: ({ iid }, body) => ask(forge, "POST", `${project}/issues/${iid}/notes`, { body }),
    close: ({ iid }) => ask(forge, "PUT", `${project}/issues/${iid}`, { state_event: "close" }),
    /** The plan is an artifact of the review of the merged change. */
    async find() {
      const changes = await all(forge, `${project}/repository/commits/${env.CI_COMMIT_SHA}/merge_requests`);
      const merged = changes.find(({ state }) => state === "merged");
      if (merged === undefined) return "this commit comes from no merge request";
      const ref = encodeURIComponent(`refs/merge-requests/${merged.iid}/head`);
      const job = encodeURIComponent(env.INCIDENTCTL_REVIEW_JOB || "incidentctl review");
      try {
        const answer = await send(forge, "GET", `${project}/jobs/artifacts/${ref}/raw/reports/change.plan?job=${job}`);
        mkdirSync("reviewed", { recursive: true });
        writeFileSync(PLAN, Buffer.from(await answer.arrayBuffer()), { mode: 0o600 });
      } catch (error) {
        if (error.status !== 404) throw error;
        return `the review of !${merged.iid} has left no plan behind`;
      }
      return `the plan of !${merged.iid} is ${PLAN}`;
    },
  };
}

/** A report, the line that identifies it, and its title. */
function report(file) {
  const body = readFileSync(file, "utf8");
  const [mark = ""] = body.split("\n", 1);
  if (!/^<!-- incidentctl .+ -->$/.test(mark)) throw new Error(`${file} is not a Markdown report of incidentctl`);
  return { body, mark, title: (/^## (.+)$/m.exec(body)?.[1] ?? "incidentctl").replaceAll("`", "") };
}

function fingerprint(body) {
  return /<!-- incidentctl:fingerprint (\w+) -->/.exec(body)?.[1];
}

function marked(items, mark) {
  return items.find(
    ({ body }) =>
      typeof body === "string" && (body === mark || body.startsWith(`${mark}\n`) || body.startsWith(`${mark}\r\n`)),
  );
}

async function main([command, file = ""]) {
  const forge = process.env.GITLAB_CI ? await gitlab(process.env) : github(process.env);
  if (command === "find") return forge.find();
  const { body, mark, title } = report(file);
  if (command === "comment") {
    const there = marked(await forge.comments(), mark);
    await (there === undefined ? forge.comment(body) : forge.rewrite(there, body));
    return there === undefined ? "commented" : "comment updated";
  }
  const there = marked(await forge.issues(), mark);
  if (command === "issue") {
    if (there === undefined) {
      await forge.open(title, body);
      return "issue opened";
    }
    if (fingerprint(there.body) === fingerprint(body)) return "the issue is up to date";
    await forge.update(there, body);
    await forge.say(there, "The drift has changed. The description above is up to date.");
    return "issue updated";
  }
  if (command === "close") {
    if (there === undefined) return "there is no issue to close";
    await forge.say(there, "There is no more drift, except accepted drift.");
    await forge.close(there);
    return "issue closed";
  }
  throw new Error(`there is no command ${command}`);
}

try {
  process.stderr.write(`forge: ${await main(process.argv.slice(2))}\n`);
} catch (error) {
  process.stderr.write(`forge: ${String(error.message).replaceAll(/[\p{Cc}\p{Cf}]+/gu, " ")}\n`);
  process.exitCode = 1;
}
