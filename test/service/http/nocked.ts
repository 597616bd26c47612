/** The service as nock plays it, and a client of it with a clock of its own; a test file that uses it needs a process of its own. */

import nock from "nock";
import { MockAgent, setGlobalDispatcher } from "undici";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { type ConnectOptions, connect, type Retry } from "../../../src/service/http/client.ts";
import type { Writer } from "../../../src/service/requests/connection.ts";
import { VirtualClock } from "../virtual-clock.ts";

export const base = "https://incidents.example.com";
export const path = "/api/v1/severities";
export const member: string = `${path}/major`;
export const json = { "content-type": "application/json; charset=utf-8" };

/** The client's clock, and what it has repeated, since the test began. */
export let clock: VirtualClock;
export let retries: Retry[];

beforeAll(() => {
  // Whatever nock does not catch meets an agent that connects to nothing.
  const fence = new MockAgent();
  fence.disableNetConnect();
  setGlobalDispatcher(fence);
  nock.disableNetConnect();
});
beforeEach(() => {
  clock = new VirtualClock();
  retries = [];
});
afterEach(() => {
  expect(nock.pendingMocks()).toEqual([]);
  nock.cleanAll();
});
afterAll(() => nock.restore());

/** The service, which says of every answer how long it is. */
export function service(options?: nock.Options): nock.Scope {
  return nock(base, options).replyContentLength();
}

export function connected(options: Partial<ConnectOptions> = {}): Writer {
  return connect({
    baseUrl: base,
    token: "ff_ordinary",
    fetch: globalThis.fetch,
    clock,
    requestsPerMinute: 900,
    timeoutSeconds: 5,
    random: () => 0.5,
    onRetry: (retry) => retries.push(retry),
    ...options,
  });
}

/** What the promise is rejected with, which must be an error of this type. */
export async function rejection<E extends Error>(
  promise: Promise<unknown>,
  type: new (...args: never[]) => E,
): Promise<E> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(type);
  return error as E;
}

export function envelope(type: string, message: string, extra: object = {}): object {
  return { error: { type, message, request_id: "6f1c", ...extra } };
}
