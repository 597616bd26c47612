/** The CI system that the program runs in: the address of its run, annotations and the job summary. */

import { appendFile } from "node:fs/promises";
import { isAbsolute, join, relative, resolve } from "node:path";
import { locate } from "../../config/settings/project.ts";
import { Findings } from "../../core/findings.ts";
import type { Io } from "../../core/io.ts";
import { sanitised } from "../../core/sanitise.ts";
import { type Annotation, annotationLines } from "../../view/run/annotations.ts";
import type { Console } from "./console.ts";
import { reasonOf } from "./save-file.ts";

/** The address of the page of this CI run; empty if unknown. */
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

/** The parts of a report that a runner shows outside the log. */
export interface RunnerReport {
  readonly annotations: readonly Annotation[];
  /** Markdown for the job summary. */
  readonly summary?: string | Promise<string>;
}

/** On GitHub Actions, prints annotations and appends to the job summary. Elsewhere `report` is not called. */
export async function reportToRunner(
  report: () => RunnerReport,
  { paths }: { readonly paths: readonly string[] },
  io: Io,
  console: Console,
): Promise<void> {
  const { GITHUB_ACTIONS: runs, GITHUB_STEP_SUMMARY: file, GITHUB_WORKSPACE: workspace = io.cwd } = io.env;
  if (runs !== "true") return;
  const { annotations, summary } = report();
  const root = locate(paths, io.cwd, new Findings())?.root ?? io.cwd;
  for (const line of annotationLines(annotations, (name) => below(workspace, join(root, name)))) {
    if (line.startsWith("::error")) console.alert(line);
    else console.note(line);
  }
  if (summary === undefined || file === undefined || file === "") return;
  try {
    await appendFile(resolve(io.cwd, file), `${console.safe(await summary)}\n`);
  } catch (error) {
    console.note(`cannot write the job summary: ${sanitised(reasonOf(error))}`);
  }
}

function below(folder: string, path: string): string | undefined {
  const name = relative(folder, path);
  return isAbsolute(name) || /^\.\.(?:[\\/]|$)/.test(name) ? undefined : name.replaceAll("\\", "/");
}
