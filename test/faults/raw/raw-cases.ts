/** The cases of the raw harness: each fault, at each request of an apply that creates, changes and removes resources of one kind. */

import type { Fault } from "../injection/fault.ts";
import { pick, type Random } from "../stage/random.ts";
import type { Scenario } from "../stage/scenarios.ts";
import type { Stage } from "../stage/stage.ts";
import type { Case } from "../stage/sweep.ts";
import { isProxied, isSecure, type Transport } from "./clients.ts";
import { connectionFaults } from "./connection-faults.ts";
import { listFaults } from "./list-faults.ts";
import type { RawFault } from "./raw-fault.ts";
import { responseFaults } from "./response-faults.ts";

/** Every fault on the wire. */
const rawFaults: readonly RawFault[] = [...connectionFaults, ...responseFaults, ...listFaults];

/** The faults that this transport can have. */
export function faultsOver(transport: Transport): readonly Fault[] {
  return rawFaults
    .filter(({ needs, action }) => {
      if (action.at === "lookup") return !isProxied(transport) && (needs === undefined || isSecure(transport));
      if (needs === "TLS") return isSecure(transport);
      return needs === undefined || needs === transport || (needs === "proxy" && isProxied(transport));
    })
    .map(asFault);
}

function asFault(raw: RawFault): Fault {
  return {
    name: `${raw.phase}: ${raw.name}`,
    effect: { raw },
    ...(raw.only === "writes" ? { writes: true } : {}),
    ...(raw.times === undefined ? {} : { times: raw.times }),
  };
}

function pair(number: number, name: string, before: readonly string[], after: readonly string[]): Scenario {
  const file = (rows: readonly string[]) => ({
    "workspace.yaml": [`${name}:`, ...rows.map((row) => `  - ${row}`), ""].join("\n"),
  });
  return { number, name, before: file(before), after: file(after) };
}

/** Of each kind with a one-time token, and of webhooks: one is created, one changed, one removed, one stays. */
export const rawScenarios: readonly Scenario[] = [
  pair(
    31,
    "api_keys",
    [
      "{ name: deploy bot, permissions: { incidents: [create, read] } }",
      "{ name: status page, permissions: { severities: [read] } }",
      "{ name: board, permissions: { incidents: [read] } }",
    ],
    [
      "{ name: deploy bot, permissions: { incidents: [read] } }",
      "{ name: board, permissions: { incidents: [read] } }",
      "{ name: importer, permissions: { incidents: [read] } }",
    ],
  ),
  pair(
    32,
    "agents",
    [
      "{ slug: triage_bot, name: First look, grants: [{ ability: incidents.read }] }",
      "{ slug: scribe_bot, name: Scribe bot }",
    ],
    [
      "{ slug: triage_bot, name: Triage bot }",
      "{ slug: pager_bot, name: Pager bot, grants: [{ ability: incidents.read }] }",
    ],
  ),
  pair(
    33,
    "webhooks",
    [
      "{ name: pager, url: 'https://hooks.example.com/in', subscribed_events: [incident.created] }",
      "{ name: board, url: 'https://hooks.example.com/in', subscribed_events: [incident.resolved] }",
    ],
    [
      "{ name: pager, url: 'https://hooks.example.com/pager', subscribed_events: [incident.created] }",
      "{ name: archive, url: 'https://hooks.example.com/in', subscribed_events: [postmortem.edited] }",
    ],
  ),
];

const METHODS: readonly string[] = ["GET", "POST", "PATCH", "DELETE"];

/** Each fault with each method, at one of the requests of that method. */
export function everyCell(stage: Stage, transport: Transport, seed: number, random: Random): readonly Case[] {
  const { number } = stage.scenario;
  const requests = stage.undisturbed.sent.map(({ method }, index) => ({ method, request: index + 1 }));
  return faultsOver(transport).flatMap((fault) =>
    METHODS.filter((method) => appliesTo(fault, method)).map((method) => {
      const { request } = pick(
        random,
        requests.filter((one) => one.method === method),
      );
      return { scenario: number, seed, first: [{ fault, request }], recovery: [] };
    }),
  );
}

function appliesTo(fault: Fault, method: string): boolean {
  return isReadFault(fault) ? method === "GET" : fault.writes !== true || method !== "GET";
}

function isReadFault({ effect }: Fault): boolean {
  return "raw" in effect && effect.raw.only === "reads";
}

/** Two faults in the first run, or one there and one in a run that recovers. */
export function pairs(
  stage: Stage,
  transport: Transport,
  seed: number,
  random: Random,
  count: number,
): readonly Case[] {
  const faults = faultsOver(transport);
  const requests = stage.undisturbed.sent.length + 8;
  const one = () => ({ fault: pick(random, faults), request: 1 + Math.floor(random() * requests) });
  return Array.from({ length: count }, () => ({
    scenario: stage.scenario.number,
    seed,
    ...(random() < 0.5 ? { first: [one(), one()], recovery: [] } : { first: [one()], recovery: [[one()]] }),
  }));
}
