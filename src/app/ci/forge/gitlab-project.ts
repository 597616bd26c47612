/** The project of a job on GitLab, and the merge request that was merged with a commit. */

import type { Io } from "../../../core/io.ts";
import type { ForgeApi } from "./requests.ts";

/** A project on GitLab, and the account of the token. */
export interface GitLabProject {
  readonly api: ForgeApi;
  /** The path of the project in the API. */
  readonly path: string;
  readonly id: string;
  readonly branch: string;
  readonly commit: string;
  readonly env: Io["env"];
}

/** A merge request, as far as it is read. */
export interface MergeRequest {
  readonly iid: number;
  readonly sha: string;
  readonly state: string;
  readonly target_branch: string;
  readonly source_project_id: number;
  readonly target_project_id: number;
  readonly merge_commit_sha: string | null;
  readonly squash_commit_sha: string | null;
  readonly merged_at: string | null;
}

/** The merge request of this project that was merged with a commit of the branch. */
export async function mergedRequest(
  { api, path, branch }: GitLabProject,
  commit: string,
): Promise<MergeRequest | undefined> {
  const found = await api.all<MergeRequest>(`${path}/repository/commits/${commit}/merge_requests`);
  return found.find(
    ({ state, target_branch, source_project_id, target_project_id, merge_commit_sha, squash_commit_sha, sha }) =>
      state === "merged" &&
      target_branch === branch &&
      source_project_id === target_project_id &&
      [merge_commit_sha, squash_commit_sha, sha].includes(commit),
  );
}
