/** The pipelines that are brought along, as data, and their steps as they would run on a runner. */

import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { pipelineOf } from "../../src/app/init/component.ts";

export const root: string = fileURLToPath(new URL("../..", import.meta.url));
/** The text of a file of the project. */
export function read(file: string): string {
  return readFileSync(join(root, file), "utf8");
}

/** One step of a job. */
export interface Step {
  readonly name?: string;
  readonly id?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly if?: string;
  readonly shell?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly "working-directory"?: string;
}

/** One job of a workflow. */
export interface Job {
  readonly name?: string;
  readonly if?: string;
  readonly needs?: string | readonly string[];
  readonly strategy?: { readonly "fail-fast": boolean; readonly matrix: { readonly include: string } };
  readonly environment?: { readonly name: string; readonly deployment: boolean };
  readonly concurrency?: { readonly group: string; readonly "cancel-in-progress": boolean };
  readonly env?: Readonly<Record<string, string>>;
  readonly outputs?: Readonly<Record<string, string>>;
  readonly "runs-on": string;
  readonly "timeout-minutes": number;
  readonly permissions: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

/** A job that is a workflow of another repository. */
export interface Call {
  readonly uses: string;
  readonly with: Readonly<Record<string, string>>;
}

/** A workflow of GitHub. */
export interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: object;
  readonly concurrency?: { readonly group: string; readonly "cancel-in-progress": boolean };
  readonly jobs: Readonly<Record<string, Job>>;
}

/** Reads a file of YAML. */
export function yaml<Value>(file: string): Value {
  return parse(read(file)) as Value;
}

/** The text of `.gitlab-ci.yml` that `init --ci gitlab` writes. */
export const gitlabText: string = pipelineOf(read("templates/gitlab/template.yml"));

/** The pipeline of GitLab as data. */
export function gitlabPipeline<Value>(): Value {
  return parse(gitlabText) as Value;
}

const FOLDER = "templates/github/workflows";

/** Every workflow by the name of its file. */
export const workflows: readonly (readonly [string, Workflow])[] = readdirSync(join(root, FOLDER)).map((file) => [
  file,
  yaml<Workflow>(`${FOLDER}/${file}`),
]);

/** How a script ended. */
export interface Ended {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a script with the shell of a runner, in a folder, with nothing but this environment. */
export function script(text: string, cwd: string, env: Readonly<Record<string, string>>): Promise<Ended> {
  const path = { PATH: process.env.PATH ?? "", HOME: cwd };
  return new Promise((resolve) => {
    execFile("sh", ["-e", "-c", text], { cwd, env: { ...path, ...env }, timeout: 240_000 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
      resolve({ exit: code, stdout, stderr });
    });
  });
}

/** The environment of a step, its expressions replaced by what they stand for; one that nobody knows is an error. */
export function environmentOf(step: Step, values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(step.env ?? {}).map(([name, text]) => [
      name,
      String(text).replace(/\$\{\{ (.+?) \}\}/g, (_, expression: string) => {
        const value = values[expression];
        if (value === undefined) throw new Error(`nobody knows ${expression}`);
        return value;
      }),
    ]),
  );
}
