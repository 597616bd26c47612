/** A change request with what people changed by hand: a branch of the unit, its only commit, and one request. */

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const AUTHOR = { name: "incidentctl", email: "incidentctl@localhost" };
const MOST_LOG = 30_000;

/** Commits the pulled files of the working directory to a branch, and opens or updates its request. */
export async function proposeFiles(forge, folder, unit) {
  const branch = `incidentctl/pull-${unit}`;
  const request = await forge.request(branch);
  git("add", "--all", "--", ".");
  if (git("diff", "--cached", "--name-only") === "") {
    if (request === undefined) return "the files match the workspace";
    await forge.closeRequest(request);
    return "the files match the workspace again: request closed";
  }
  const title = `Pull changes made by hand: ${unit}`;
  git("commit", "--quiet", "--message", title);
  const last = remoteCommit(branch);
  if (last !== undefined && git("log", "-1", "--format=%ae", last) !== AUTHOR.email) {
    throw new Error(`the branch ${branch} has commits of somebody else, so it is not overwritten. Merge or delete it`);
  }
  if (last === undefined || git("rev-parse", `${last}^{tree}`) !== git("rev-parse", "HEAD^{tree}")) {
    git(
      "push",
      "--quiet",
      `--force-with-lease=refs/heads/${branch}:${last ?? ""}`,
      forge.remote,
      `HEAD:refs/heads/${branch}`,
    );
  }
  const body = requestText(forge, title, readFileSync(join(folder, "pull.log"), "utf8"));
  if (request === undefined) await forge.openRequest(branch, title, body);
  else await forge.updateRequest(request, body);
  return request === undefined ? "request opened" : "request updated";

  /** The newest commit of the branch on the forge, with its files. */
  function remoteCommit(name) {
    if (git("ls-remote", forge.remote, `refs/heads/${name}`) === "") return undefined;
    git("fetch", "--quiet", "--depth=1", forge.remote, `refs/heads/${name}`);
    return git("rev-parse", "FETCH_HEAD");
  }

  /** Runs git. The token is in its environment, where other users of the machine cannot read it. */
  function git(...words) {
    const identity = { GIT_AUTHOR_NAME: AUTHOR.name, GIT_AUTHOR_EMAIL: AUTHOR.email };
    const committer = { GIT_COMMITTER_NAME: AUTHOR.name, GIT_COMMITTER_EMAIL: AUTHOR.email };
    const header = `Authorization: Basic ${Buffer.from(forge.login).toString("base64")}`;
    const credentials = { GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "http.extraHeader", GIT_CONFIG_VALUE_0: header };
    const env = { ...process.env, ...identity, ...committer, ...credentials, GIT_TERMINAL_PROMPT: "0" };
    return execFileSync("git", words, { encoding: "utf8", env, stdio: ["ignore", "pipe", "inherit"] }).trim();
  }
}

function requestText({ run, note = "" }, title, log) {
  const fence = "~".repeat(8);
  return [
    `## ${title}`,
    "",
    "The files of this branch match the workspace. To keep what was changed by hand, merge this request. To undo it, close this request and apply the files.",
    "A change that was merged and not applied yet is also reversed here.",
    "",
    ...(note === "" ? [] : [note, ""]),
    `${fence}text\n${log.trim().slice(-MOST_LOG).replaceAll(fence, "~")}\n${fence}`,
    "",
    `<sub>[Run ${run.id}](${run.page})</sub>`,
    "",
  ].join("\n");
}
