/** Runs of commands that lose a response, and what they leave behind. */

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { apply } from "../../../src/app/apply/apply-command.ts";
import type { ApplyFlags } from "../../../src/app/apply/apply-definition.ts";
import { resume } from "../../../src/app/apply/resume-command.ts";
import type { ResumeOptions } from "../../../src/app/apply/resume-definition.ts";
import { type Fields, isFields, isList, type Json } from "../../../src/core/json.ts";
import type { Command, Ended, World, WorldIo } from "../../commands/world.ts";
import { VirtualClock } from "../../service/virtual-clock.ts";

export type Fetch = WorldIo["fetch"];

export const SETTINGS = "version: 1\nbase_url: http://localhost:4010\n";
/** A service key, and the body that creates it. */
export const KEY = "api_keys:\n  - { name: deploy bot, permissions: { incidents: [read] } }\n";
export const KEY_BODY: { readonly name: string; readonly permissions: Fields } = {
  name: "deploy bot",
  permissions: { incidents: ["read"] },
};
export const AGENT = "agents:\n  - { slug: triage_bot, name: Triage bot, grants: [{ ability: runbooks.update }] }\n";
export const SEVERITIES = `severities:
  - { slug: critical, name: Worst }
  - { slug: major, name: Bad, default: true }
  - { slug: minor, name: Small }
`;

export const APPLYING: ApplyFlags = { paths: [], yes: true, allowDelete: true, secretsOut: "tokens.jsonl" };
export const RESUMING: ResumeOptions = { paths: [], allowDelete: true, secretsOut: "tokens.jsonl" };

/** The two commands that continue an interrupted run. */
export const CONTINUATIONS: readonly (readonly [name: string, Command<object>, ResumeOptions])[] = [
  ["apply", apply as Command<object>, APPLYING],
  ["resume", resume as Command<object>, RESUMING],
];

/** The error of a connection that broke. */
export function broken(code = "ECONNRESET"): TypeError {
  return Object.assign(new TypeError("fetch failed"), { cause: Object.assign(new Error(code), { code }) });
}

/** Runs a command in a world that differs, without real waiting. */
export function runWithin<Options extends object>(
  world: World,
  command: Command<Options>,
  options: Options,
  differing: Partial<WorldIo> = {},
): Promise<Ended> {
  const clock = new VirtualClock();
  return world.run<Options>((given, io, console) => command(given, { ...io, clock, ...differing }, console), options);
}

/** The writes of a world, as method and path. */
export function writesOf(world: World): readonly string[] {
  return world.requests
    .filter(({ method }) => method !== "GET")
    .map(({ method, url }) => `${method} ${url.split("/v1")[1]}`);
}

export const journalFolder = (world: World): string => join(world.folder, ".incidentctl", "journals");

/** Names of the journals, without the part that tells services apart. */
export async function journalsOf(world: World): Promise<readonly string[]> {
  const names = await readdir(journalFolder(world));
  return names.map((name) => name.replace(/\.[0-9a-f]{8}\./, "."));
}

/** The rows of a list, disabled ones included. */
export async function rowsOf(world: World, list: string): Promise<readonly Fields[]> {
  const body = (await world.send("GET", `/api/v1/${list}?include_disabled=true`)) as Json;
  return isFields(body) && isList(body[list]) ? body[list].filter(isFields) : [];
}

/** Prefixes of every token that works, but for the program's own. */
export async function liveTokens(world: World): Promise<readonly string[]> {
  const agents = (await rowsOf(world, "agents")).flatMap(({ tokens }) =>
    isList(tokens) ? tokens.filter(isFields) : [],
  );
  const keys = (await rowsOf(world, "api_keys")).filter(({ name }) => name === KEY_BODY.name);
  return [...agents, ...keys].map(({ prefix }) => String(prefix));
}

/** Prefixes of the tokens in the sink. */
export async function storedTokens(world: World): Promise<readonly string[]> {
  const text = await readFile(join(world.folder, "tokens.jsonl"), "utf8").catch(() => "");
  const lines = text.split("\n").filter((line) => line !== "");
  return lines.map((line) => String(JSON.parse(line).prefix));
}
