/** Runs commands of this program as processes of their own, each with the variables that it needs and no others. */

import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { EXIT } from "../../core/exit-codes.ts";
import { type Io, isTokenVariable } from "../../core/io.ts";
import { packageFile } from "../../core/package.ts";
import type { Console } from "../console/console.ts";

/** The end of a command. */
export interface Ended {
  readonly code: number;
  /** The text that it printed, on both streams. */
  readonly log: string;
}

/** Variables with secrets of the forge. No command gets one: a file of a pull request could name it. */
const FORGE_SECRETS: readonly string[] = [
  ...["GITHUB_TOKEN", "GH_TOKEN", "GITLAB_TOKEN", "INCIDENTCTL_PULL_TOKEN", "INCIDENTCTL_CHAT_URL"],
  ...["ACTIONS_RUNTIME_TOKEN", "ACTIONS_ID_TOKEN_REQUEST_TOKEN", "CI_JOB_TOKEN", "CI_REPOSITORY_URL"],
  ...["CI_REGISTRY_PASSWORD", "CI_DEPLOY_PASSWORD", "CI_DEPENDENCY_PROXY_PASSWORD"],
];

/** Where a command runs. */
export interface ProgramPlace {
  readonly directory: string;
  /** The environment in the settings; empty for none. */
  readonly environment: string;
  /** Without the tokens of the service. */
  readonly offline?: boolean;
}

/** Runs a command of this program, without a shell. Its output is printed as it comes. An interruption is passed on. */
export function runProgram(args: readonly string[], place: ProgramPlace, io: Io, console: Console): Promise<Ended> {
  const interruption = io.interruption();
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [fileURLToPath(packageFile("dist/cli.cjs")), ...args], {
      ...{ cwd: place.directory, env: variablesFor(place, io.env), windowsHide: true },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const interrupt = (): void => void child.kill("SIGINT");
    interruption.addEventListener("abort", interrupt);
    if (interruption.aborted) interrupt();
    const chunks: string[] = [];
    const tee = (print: (text: string) => void) => (text: string) => {
      chunks.push(text);
      print(text);
    };
    child.stdout.setEncoding("utf8").on(
      "data",
      tee((text) => console.print(text)),
    );
    child.stderr.setEncoding("utf8").on(
      "data",
      tee((text) => console.progress(text)),
    );
    const end = (code: number): void => {
      interruption.removeEventListener("abort", interrupt);
      resolve({ code, log: chunks.join("") });
    };
    child.on("error", (error) => {
      console.alert(`error: ${error.message}`);
      end(EXIT.error);
    });
    // A command that was killed has no code.
    child.on("close", (code) => end(code ?? EXIT.interrupted));
  });
}

/** The variables of a command: those of the job without secrets of the forge. */
export function variablesFor({ environment, offline = false }: ProgramPlace, env: Io["env"]): NodeJS.ProcessEnv {
  const passed = Object.entries(env).filter(
    ([name]) => !FORGE_SECRETS.includes(name) && !(offline && isTokenVariable(name)),
  );
  return { ...Object.fromEntries(passed), INCIDENTCTL_ENVIRONMENT: environment };
}
