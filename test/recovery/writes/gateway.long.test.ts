import { afterEach, describe, expect, it } from "vitest";
import type { Fields } from "../../../src/core/json.ts";
import { createEmulator, type Emulator } from "../../../src/emulator/emulator.ts";
import type { IssuedToken } from "../../../src/run/tokens/sink.ts";
import { someOf } from "../../support/samples/sample-size.ts";
import { serviceFor, type TestService } from "../../support/service/test-service.ts";
import { carryOut, liveTokens, sinkTo } from "./sending.ts";

/** Every status from 300 to 599 is a campaign; these are one or two of each kind. */
const STATUSES: readonly number[] =
  process.env.CAMPAIGN_GATEWAY === undefined
    ? [300, 302, 308, 400, 401, 403, 404, 408, 409, 410, 413, 422, 425, 429, 451, 499, 500, 502, 503, 504, 511, 599]
    : Array.from({ length: 300 }, (_, index) => 300 + index);

/** The number of statuses for each write in a small sample. */
const PER_WRITE = process.env.CAMPAIGN_GATEWAY === undefined ? 5 : STATUSES.length;

const PAGE: ResponseInit = { headers: { "content-type": "text/html" } };
const JSON_TYPE: ResponseInit = { headers: { "content-type": "application/json" } };

const SOME: readonly number[] = [301, 400, 404, 422, 429, 502];

/** Bodies that are not the interface's. */
const BODIES: readonly (readonly [name: string, body: string, statuses: readonly number[], init: ResponseInit])[] = [
  ["a page", "<html><h1>Blocked by policy</h1></html>", STATUSES, PAGE],
  ["nothing", "", SOME, {}],
  ["another service's JSON", '{"error":"blocked","message":"Blocked by policy"}', SOME, JSON_TYPE],
  ["an error without a request id", '{"error":{"type":"blocked","message":"Blocked by policy"}}', SOME, JSON_TYPE],
];

/** The configuration before the write, and the one whose only change is the write. */
const WRITES: Readonly<Record<string, readonly [before: Fields, after: Fields]>> = {
  "the creation of a webhook": [{ webhooks: [] }, { webhooks: [hook("one")] }],
  "the creation of a key": [{ api_keys: [] }, { api_keys: [{ name: "bot", permissions: { incidents: ["read"] } }] }],
  "the creation of an agent": [{ agents: [] }, { agents: [{ slug: "bot", name: "Bot" }] }],
  "an update": [{ webhooks: [hook("one")] }, { webhooks: [{ ...hook("one"), enabled: false }] }],
  "a deletion": [{ webhooks: [hook("one"), hook("two")] }, { webhooks: [hook("one")] }],
};

function hook(name: string): Fields {
  return { name, url: `https://hooks.example.com/${name}`, subscribed_events: ["incident.created"] };
}

let emulator: Emulator;

afterEach(() => emulator.close());

/** A service behind a gateway that replaces the response to the next write, which the service has carried out. */
function behindGateway(): { readonly service: TestService; replaceNext(response: () => Response): void } {
  emulator = createEmulator({ requestsPerMinute: 1_000_000 });
  let next: (() => Response) | undefined;
  const through: Emulator = {
    ...emulator,
    fetch: async (request) => {
      const own = await emulator.fetch(request);
      if (request.method === "GET" || next === undefined) return own;
      const replaced = next();
      next = undefined;
      return replaced;
    },
  };
  return {
    service: serviceFor({}, through),
    replaceNext: (response) => {
      next = response;
    },
  };
}

describe("a gateway that replaces the response to a write that was carried out", () => {
  describe.each(Object.entries(WRITES))("to %s", (name, [before, after]) => {
    it.each(BODIES)("by %s of any status loses and doubles nothing", async (_body, body, statuses, init) => {
      // Together the writes have every status in every sample.
      for (const status of someOf(statuses, Object.keys(WRITES).indexOf(name) * PER_WRITE, PER_WRITE)) {
        const { service, replaceNext } = behindGateway();
        await service.converge(before);
        const known = await liveTokens(service);
        const plan = await service.plan(after);
        expect(plan.operations).toHaveLength(1);
        replaceNext(() => new Response(body === "" ? null : body, { ...init, status }));
        const stored: IssuedToken[] = [];
        const { outcomes } = await carryOut(plan, service.writer, { sink: sinkTo(stored) });
        expect(outcomes, `status ${status}`).toMatchObject([{ status: "done" }]);
        const again = await service.plan(after);
        expect(again.operations, `status ${status}`).toEqual([]);
        const unknown = (await liveTokens(service)).filter((prefix) => !known.includes(prefix));
        expect(unknown, `status ${status}`).toEqual(stored.slice(-1).map(({ prefix }) => prefix));
        await emulator.close();
      }
    });
  });
});
