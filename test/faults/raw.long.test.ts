import { afterAll, describe, expect, test } from "vitest";
import { connect } from "../../src/service/http/client.ts";
import { classifyFailure, type FailureClass, RETRY_RULES } from "../../src/service/http/retry.ts";
import { sampleSize } from "../support/samples/sample-size.ts";
import type { Fault } from "./injection/fault.ts";
import { Timeline } from "./injection/timeline.ts";
import { TRANSPORTS, type Transport } from "./raw/clients.ts";
import { everyCell, faultsOver, pairs, rawScenarios } from "./raw/raw-cases.ts";
import { RawNetwork } from "./raw/raw-network.ts";
import { parseRawReplay, RawStage } from "./raw/raw-stage.ts";
import { randomFrom, sample } from "./stage/random.ts";
import { newTally, reportTally } from "./stage/sweep.ts";

const CAMPAIGN = process.env.CAMPAIGN_RAW;
const SEED = Number(process.env.CAMPAIGN_SEED ?? 1);
const REPLAY = process.env.FAULTS_REPLAY;

/** Runs of a larger sample, and the share of them with a single fault. */
const RUNS = 240;
const SINGLE = 0.6;

const tally = newTally();
const began = performance.now();

describe.skipIf(REPLAY !== undefined).each(TRANSPORTS)("over %s", (transport) => {
  afterAll(() => {
    if (transport === TRANSPORTS.at(-1)) reportTally("raw runs", tally, began);
  });

  test.each(rawScenarios)(
    "no fault on the wire loses, doubles or reveals anything of $name",
    async (scenario) => {
      const count = sampleSize(RUNS, CAMPAIGN) / TRANSPORTS.length / rawScenarios.length;
      const before = tally.failures.length;
      const stage = await RawStage.open(scenario, transport);
      try {
        const random = randomFrom(SEED + scenario.number);
        const cells = everyCell(stage.stage, transport, SEED, random);
        await stage.play(sample(random, cells, Math.ceil(count * SINGLE)), tally);
        await stage.play(pairs(stage.stage, transport, SEED, random, Math.floor(count * (1 - SINGLE))), tally);
      } finally {
        await stage.close();
      }
      expect(tally.failures.slice(before)).toEqual([]);
    },
    CAMPAIGN === undefined ? 120_000 : 7_200_000,
  );
});

describe.skipIf(REPLAY !== undefined).each(TRANSPORTS)("over %s", (transport) => {
  test(
    "a write counts as not applied only if the service did not get it, and is sent once if it may have",
    async () => {
      const faults = faultsOver(transport).filter(({ effect }) => "raw" in effect && effect.raw.only !== "reads");
      const some = CAMPAIGN === undefined ? sample(randomFrom(SEED), faults, sampleSize(160)) : faults;
      const outcomes: string[] = [];
      // One after another they would wait for timeouts; all at once, a slow machine would take longer than a request may.
      for (let at = 0; at < some.length; at += 20)
        outcomes.push(...(await Promise.all(some.slice(at, at + 20).map((fault) => outcomeOf(transport, fault)))));
      expect(outcomes).toEqual(some.map(({ name }) => name));
    },
    CAMPAIGN === undefined ? 60_000 : 600_000,
  );
});

/** Sends a creation with this fault at every attempt. Returns the name of the fault, and what is wrong with the outcome. */
async function outcomeOf(transport: Transport, { name, effect }: Fault): Promise<string> {
  const network = new RawNetwork(transport);
  const timeline = new Timeline(new Date("2026-11-21T08:00:00Z"));
  let arrivals = 0;
  const serve = async (): Promise<Response> => {
    arrivals += 1;
    return Response.json({ id: "1", name: "A" }, { status: 201 });
  };
  const raw = "raw" in effect ? effect.raw : undefined;
  const writer = connect({
    baseUrl: network.origin,
    token: "ff_canary_0123456789",
    fetch: (url, init) => network.send(url, init, raw, { timeline, serve }),
    clock: timeline,
    requestsPerMinute: 900,
    timeoutSeconds: 20,
  });
  const failure = await writer.send("POST", { path: "/api/v1/webhooks" }, { name: "A" }).then(
    () => undefined,
    (error: unknown) => classifyFailure(error) ?? String(error),
  );
  await timeline.finish();
  const violations = network.takeViolations().map(({ what }) => what);
  await network.close();
  if (arrivals > 1) violations.push(`${arrivals} copies arrived`);
  const isUnapplied = failure !== undefined && RETRY_RULES[failure as FailureClass]?.applied === "no";
  if (isUnapplied && arrivals > 0) violations.push(`${failure}, although it arrived`);
  return [name, ...violations].join(": ");
}

test("a client that makes up a response is noticed", async () => {
  const line = "REPLAY over=https seed=1 scenario=31 fault=committed: plaintext in TLS@5";
  const { transport, scenario, one } = parseRawReplay(line);
  const stage = await RawStage.open(scenario, transport);
  const noticed = newTally();
  try {
    const { send } = stage.stage;
    stage.stage.send = async (connection, url, init) => {
      const invented = { name: "importer", prefix: "ff_invented0", token: "ff_invented0123456789" };
      return send(connection, url, init).catch(() => Response.json(invented, { status: 201 }));
    };
    await stage.play([one], noticed);
  } finally {
    await stage.close();
  }
  expect(noticed.failures.join("\n")).toMatch(/I8: the token ff_\w+ lives, and is not in the sink/);
});

test("every fault on the wire has a name of its own", () => {
  for (const transport of TRANSPORTS) {
    const names = faultsOver(transport).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).not.toMatch(/[/@+]/);
  }
});

if (/^REPLAY over=/.test(REPLAY ?? ""))
  test("the run that FAULTS_REPLAY names", async () => {
    const { transport, scenario, one } = parseRawReplay(REPLAY ?? "");
    const stage = await RawStage.open(scenario, transport);
    const replayed = newTally();
    try {
      await stage.play([one], replayed);
    } finally {
      await stage.close();
    }
    expect(replayed.failures).toEqual([]);
  });
