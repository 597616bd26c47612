/** The repository of a run on GitHub, and the pull request that was merged with its commit. */

import type { ForgeApi } from "./requests.ts";

/** A pull request, as far as it is read. */
export interface GitHubPull {
  readonly number: number;
  readonly merged_at: string | null;
  readonly merge_commit_sha: string | null;
  readonly base: { readonly ref: string };
  readonly head: { readonly ref: string; readonly sha: string; readonly repo: { readonly id: number } | null };
}

/** The repository of a run on GitHub. */
export interface GitHubRepository {
  readonly api: ForgeApi;
  /** The path of the repository in the API. */
  readonly path: string;
  readonly owner: string;
  readonly id: number;
  readonly branch: string;
  /** The commit of the run. */
  readonly commit: string;
  readonly ref: string;
  /** The number of the run. */
  readonly run: number;
  /** The pull request of the run; undefined outside of reviews. */
  readonly pull?: number;
  /** Who started this run, and who started it again. */
  readonly actors: readonly string[];
  /** Who may apply a proposal where no environment asks a reviewer. */
  readonly approvers: readonly string[];
  /** The address of the pages of runs. */
  readonly runsPage: string;
}

/** The pull request of this repository that was merged with a commit of the branch. */
export async function mergedPull(
  { api, path, id, branch }: GitHubRepository,
  commit: string,
): Promise<GitHubPull | undefined> {
  const pulls = await api.all<GitHubPull>(`${path}/commits/${commit}/pulls`);
  return pulls.find(
    ({ merged_at: merged, merge_commit_sha: merge, base, head }) =>
      merged !== null && merge === commit && base.ref === branch && head.repo?.id === id,
  );
}
