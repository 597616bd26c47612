/** A scenario whose requests go over real sockets, and the line from which a run of it can be repeated. */

import type { Scenario } from "../stage/scenarios.ts";
import { Stage } from "../stage/stage.ts";
import { type Case, parseReplay, playCase, replayLine, type Tally } from "../stage/sweep.ts";
import { TRANSPORTS, type Transport } from "./clients.ts";
import { faultsOver, rawScenarios } from "./raw-cases.ts";
import { RawNetwork } from "./raw-network.ts";

/** A prepared scenario over one transport. */
export class RawStage {
  readonly stage: Stage;
  readonly #network: RawNetwork;
  readonly #transport: Transport;

  private constructor(stage: Stage, network: RawNetwork, transport: Transport) {
    this.stage = stage;
    this.#network = network;
    this.#transport = transport;
  }

  /** Prepares a scenario; the undisturbed run still goes without sockets. */
  static async open(scenario: Scenario, transport: Transport): Promise<RawStage> {
    const stage = await Stage.open(scenario);
    const network = new RawNetwork(transport);
    stage.carrier = network;
    stage.service = network.origin;
    return new RawStage(stage, network, transport);
  }

  /** Runs the cases and adds the results to the tally. Violations are printed at once. */
  async play(cases: readonly Case[], tally: Tally): Promise<void> {
    for (const one of cases) {
      const { violations, exits } = await playCase(this.stage, one);
      const all = [...violations, ...this.#network.takeViolations()];
      tally.runs += 1;
      if (exits[0] === 0) tally.absorbed += 1;
      else if (all.length === 0) tally.recovered += 1;
      for (const { invariant, what } of all) {
        const failure = `${replayLine(one).replace("REPLAY", `REPLAY over=${this.#transport}`)} ${invariant}: ${what}`;
        tally.failures.push(failure);
        process.stdout.write(`${failure}\n`);
      }
    }
  }

  /** Ends the servers and removes the files. */
  async close(): Promise<void> {
    await this.stage.close();
    await this.#network.close();
  }
}

/** Parses a replay line of a raw run. Throws if it is invalid. */
export function parseRawReplay(line: string): {
  readonly transport: Transport;
  readonly scenario: Scenario;
  readonly one: Case;
} {
  const [, over] = /^REPLAY over=(.+?) seed=/.exec(line) ?? [];
  const transport = TRANSPORTS.find((one) => one === over);
  if (transport === undefined) throw new Error(`${JSON.stringify(line)} names no transport`);
  const faults = faultsOver(transport);
  const one = parseReplay(line, (name) => {
    const fault = faults.find((candidate) => candidate.name === name);
    if (fault === undefined) throw new Error(`there is no fault "${name}" over ${transport}`);
    return fault;
  });
  const scenario = rawScenarios.find(({ number }) => number === one.scenario);
  if (scenario === undefined) throw new Error(`there is no raw scenario ${one.scenario}`);
  return { transport, scenario, one };
}
