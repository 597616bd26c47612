/** Commits files of the checkout to a branch of the forge: the only place where the program writes with git. */

import { spawnSync } from "node:child_process";
import { EXIT, Stop } from "../../core/exit-codes.ts";
import { type Io, isTokenVariable } from "../../core/io.ts";
import { sanitised } from "../../core/sanitise.ts";
import type { ForgeRequests } from "./forge/forge.ts";

const AUTHOR = { name: "incidentctl", email: "incidentctl@localhost" };

/** Writes to a branch that has one commit of its own. */
export class BranchWriter {
  readonly #directory: string;
  readonly #remote: string;
  readonly #env: NodeJS.ProcessEnv;

  constructor(directory: string, { remote, login }: Pick<ForgeRequests, "remote" | "login">, { env }: Pick<Io, "env">) {
    this.#directory = directory;
    this.#remote = remote;
    const own = Object.entries(env).filter(([name]) => !isTokenVariable(name));
    // The token is in the environment, where other users of the machine cannot read it.
    const header = `Authorization: Basic ${Buffer.from(login).toString("base64")}`;
    this.#env = {
      ...Object.fromEntries(own),
      ...{ GIT_AUTHOR_NAME: AUTHOR.name, GIT_AUTHOR_EMAIL: AUTHOR.email },
      ...{ GIT_COMMITTER_NAME: AUTHOR.name, GIT_COMMITTER_EMAIL: AUTHOR.email },
      ...{ GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "http.extraHeader", GIT_CONFIG_VALUE_0: header },
      GIT_TERMINAL_PROMPT: "0",
    };
  }

  /** Adds the changed files of the directory. Returns whether there are any. */
  stage(): boolean {
    this.#git("add", "--all", "--", ".");
    return this.#git("diff", "--cached", "--name-only") !== "";
  }

  /** Commits and pushes what is added, unless the branch has the same files. Returns false if somebody else has committed there. */
  push(branch: string, title: string): boolean {
    this.#git("commit", "--quiet", "--message", title);
    const last = this.#remoteCommit(branch);
    if (last !== undefined && this.#git("log", "-1", "--format=%ae", last) !== AUTHOR.email) return false;
    if (last !== undefined && this.#treeOf(last) === this.#treeOf("HEAD")) return true;
    const lease = `--force-with-lease=refs/heads/${branch}:${last ?? ""}`;
    this.#git("push", "--quiet", lease, this.#remote, `HEAD:refs/heads/${branch}`);
    return true;
  }

  #treeOf(commit: string): string {
    return this.#git("rev-parse", `${commit}^{tree}`);
  }

  /** The newest commit of the branch on the forge, with its files. */
  #remoteCommit(branch: string): string | undefined {
    if (this.#git("ls-remote", this.#remote, `refs/heads/${branch}`) === "") return undefined;
    this.#git("fetch", "--quiet", "--depth=1", this.#remote, `refs/heads/${branch}`);
    return this.#git("rev-parse", "FETCH_HEAD");
  }

  #git(...words: readonly string[]): string {
    const { status, stdout, stderr, error } = spawnSync("git", words, {
      ...{ cwd: this.#directory, encoding: "utf8", env: this.#env, stdio: ["ignore", "pipe", "pipe"] },
    });
    if (status === 0) return stdout.trim();
    throw new Stop(EXIT.error, `git ${words[0]} failed: ${sanitised(error?.message ?? stderr.trim())}`);
  }
}
