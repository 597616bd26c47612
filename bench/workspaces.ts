/** Workspaces to measure with: one of twenty entries, and made-up ones of any size. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beside, run, type Service } from "./processes.ts";

/** Writes twenty entries of four kinds as configuration files; one of them is described as is said. */
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

/** Writes so many runbooks, of which none needs another, as configuration files. */
export function writeRunbooks(folder: string, count: number): void {
  const entries = Array.from(
    { length: count },
    (_, at) =>
      `  - { slug: runbook_${at}, name: Runbook ${at}, summary: What to do first., steps: [], conditions: [] }\n`,
  );
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "runbooks.yaml"), `runbooks:\n${entries.join("")}`);
}

/** A made-up workspace: how many entries, and how many keys one mapping of it has. */
export interface Size {
  readonly entries: number;
  readonly keys?: number;
  /** Where its service is. */
  readonly url?: string;
}

/** Writes the configuration files of a made-up workspace. */
export function writeGenerated(folder: string, { entries, keys = 0, url }: Size): void {
  const size = ["--entries", String(entries), "--keys", String(keys)];
  const service = url === undefined ? [] : ["--url", url];
  run({ args: [beside("generate.mjs"), ...size, ...service, "--seed", "1", "--out", folder] });
}

/** The environment in which the program talks to a service. */
export function environmentOf({ said }: Service): Record<string, string> {
  const { url = "", token = "", adminToken = "" } = said;
  return { INCIDENTCTL_URL: url, INCIDENTCTL_TOKEN: token, INCIDENTCTL_ADMIN_TOKEN: adminToken };
}

/** What was asked of a service of `remember.mjs`, an address at a time. */
export interface Counted {
  readonly method: string;
  readonly url: string;
  readonly token: string;
  readonly times: number;
}

/** What was asked of a service of `remember.mjs` since it was counted last, and how often it has refused for its limit. */
export async function countedBy({ said }: Service): Promise<{ requests: readonly Counted[]; refused: number }> {
  const answer = await fetch(`${said.url}/counted`);
  return (await answer.json()) as { requests: readonly Counted[]; refused: number };
}

/** How many requests those are. */
export function sumOf(requests: readonly Counted[]): number {
  return requests.reduce((sum, { times }) => sum + times, 0);
}

/** A rate that never holds anything up. */
export const UNLIMITED: readonly string[] = ["--rate", "10000000"];
