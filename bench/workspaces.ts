/** Workspaces for measurements: one of twenty resources, and generated ones of any size. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { helperProgram, run, type Service } from "./processes.ts";

/** Writes configuration files with twenty resources of four kinds, one of them with this description. */
export function writeTwenty(folder: string, described: string): void {
  const numbers = [1, 2, 3, 4, 5];
  const rows = {
    severities: numbers.map((at) => `slug: level_${at}, name: Level ${at}, description: How bad it is.`),
    incident_types: numbers.map((at) => `slug: type_${at}, name: Type ${at}, description: What it is about.`),
    incident_roles: numbers.map(
      (at) => `slug: role_${at}, name: Role ${at}, description: ${at === 1 ? described : "Who does what."}`,
    ),
    webhooks: numbers.map(
      (at) => `name: hook ${at}, url: "https://hooks.example.com/${at}", subscribed_events: [incident.created]`,
    ),
  };
  mkdirSync(folder, { recursive: true });
  for (const [kind, entries] of Object.entries(rows)) {
    const lines = entries.map((entry) => `  - { ${entry} }`);
    writeFileSync(join(folder, `${kind}.yaml`), `${[`${kind}:`, ...lines].join("\n")}\n`);
  }
}

/** Writes configuration files with this many independent runbooks. */
export function writeRunbooks(folder: string, count: number): void {
  const entries = Array.from(
    { length: count },
    (_, at) =>
      `  - { slug: runbook_${at}, name: Runbook ${at}, summary: What to do first., steps: [], conditions: [] }\n`,
  );
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "runbooks.yaml"), `runbooks:\n${entries.join("")}`);
}

/** Size of a generated workspace: its resources, and the keys of one mapping. */
export interface Size {
  readonly entries: number;
  readonly keys?: number;
  /** Base URL of its service. */
  readonly url?: string;
}

/** Writes the configuration files of a generated workspace. */
export function writeGenerated(folder: string, { entries, keys = 0, url }: Size): void {
  const size = ["--entries", String(entries), "--keys", String(keys)];
  const service = url === undefined ? [] : ["--url", url];
  run({ args: [helperProgram("generate.mjs"), ...size, ...service, "--seed", "1", "--out", folder] });
}

/** The environment variables for a service. */
export function environmentOf({ info: said }: Service): Record<string, string> {
  const { url = "", token = "", adminToken = "" } = said;
  return { INCIDENTCTL_URL: url, INCIDENTCTL_TOKEN: token, INCIDENTCTL_ADMIN_TOKEN: adminToken };
}

/** Addresses requested from a service of `remember.mjs`. */
export interface Counted {
  readonly method: string;
  readonly url: string;
  readonly token: string;
  readonly times: number;
}

/** Requests to a service of `remember.mjs` since the last count, and the number refused by its rate limit. */
export async function countedBy({ info: said }: Service): Promise<{ requests: readonly Counted[]; refused: number }> {
  const answer = await fetch(`${said.url}/counted`);
  return (await answer.json()) as { requests: readonly Counted[]; refused: number };
}

/** Total number of requests. */
export function sumOf(requests: readonly Counted[]): number {
  return requests.reduce((sum, { times }) => sum + times, 0);
}

/** A rate limit that never delays. */
export const UNLIMITED: readonly string[] = ["--rate", "10000000"];
