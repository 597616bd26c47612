import { describe, expect, it } from "vitest";
import type { Fetch } from "../../../src/core/fetch.ts";
import { connect, type Retry } from "../../../src/service/http/client.ts";
import type { Writer } from "../../../src/service/requests/connection.ts";
import { ServiceError } from "../../../src/service/requests/service-error.ts";
import { VirtualClock } from "../virtual-clock.ts";

const path = "/api/v1/severities";
const WINDOW = 60_000;

/** How a service counts requests: whether one more is within the limit at this moment. */
type Window = (now: number) => boolean;

const LIMIT = 1_000;
const windows: Readonly<Record<string, () => Window>> = {
  "a fixed window": () => {
    let [minute, count] = [-1, 0];
    return (now) => {
      const current = Math.floor((now + 7_321) / WINDOW);
      count = current === minute ? count + 1 : 1;
      minute = current;
      return count <= LIMIT;
    };
  },
  "a sliding window": () => {
    const times: number[] = [];
    return (now) => {
      while (times[0] !== undefined && times[0] <= now - WINDOW) times.shift();
      times.push(now);
      return times.length <= LIMIT;
    };
  },
  "a bucket": () => {
    let [tokens, at] = [LIMIT, 0];
    return (now) => {
      tokens = Math.min(LIMIT, tokens + ((now - at) * LIMIT) / WINDOW);
      at = now;
      tokens -= 1;
      return tokens >= 0;
    };
  },
};

interface Bench {
  readonly writer: Writer;
  readonly clock: VirtualClock;
  /** When each request came, and what it was answered with. */
  readonly seen: { readonly at: number; readonly status: number }[];
  readonly retries: Retry[];
}

/** A client at full speed and a service behind some latency that answers as the window says. */
function bench(
  answer: (now: number, count: number) => Response,
  options: { rate?: number; seed?: number } = {},
): Bench {
  const clock = new VirtualClock();
  const seen: { at: number; status: number }[] = [];
  const retries: Retry[] = [];
  const random = randomOf(options.seed ?? 1);
  const fetch: Fetch = async () => {
    await clock.sleep(Math.floor(random() * 400));
    const response = answer(clock.now(), seen.length);
    seen.push({ at: clock.now(), status: response.status });
    await clock.sleep(Math.floor(random() * 400));
    return response;
  };
  const writer = connect({
    ...{ baseUrl: "https://incidents.example.com", token: "ff_ordinary", fetch, clock, random },
    ...{ requestsPerMinute: options.rate ?? 900, timeoutSeconds: 5, onRetry: (retry) => retries.push(retry) },
  });
  return { writer, clock, seen, retries };
}

/** So many reads, eight at a time. */
async function reads(writer: Writer, count: number): Promise<readonly (Error | undefined)[]> {
  let left = count;
  const worker = async (): Promise<(Error | undefined)[]> => {
    const ended: (Error | undefined)[] = [];
    while (left-- > 0) {
      ended.push(
        await writer.get({ path }).then(
          () => undefined,
          (error: Error) => error,
        ),
      );
    }
    return ended;
  };
  return (await Promise.all(Array.from({ length: 8 }, worker))).flat();
}

describe("a client at its usual rate", () => {
  it.each(Object.keys(windows))("sends 5,000 requests within the limit of %s", async (name) => {
    const within = windows[name]?.() ?? (() => false);
    const { writer, seen } = bench((now) => (within(now) ? good() : throttled()));
    expect((await reads(writer, 5_000)).every((error) => error === undefined)).toBe(true);
    expect(seen).toHaveLength(5_000);
    expect(seen.filter(({ status }) => status === 429)).toEqual([]);
    expect(mostInAMinute(seen.map(({ at }) => at))).toBeLessThanOrEqual(LIMIT);
  });
});

describe("a single client with the whole limit", () => {
  it.each(["a fixed window", "a sliding window"])("is never refused by %s, and loses no time", async (name) => {
    const within = windows[name]?.() ?? (() => false);
    const { writer, clock, seen } = bench((now) => (within(now) ? good() : throttled()), { rate: LIMIT });
    await reads(writer, 5_000);
    expect(seen.filter(({ status }) => status === 429)).toEqual([]);
    // Eight at a time with 400 ms on average make a thousand in 50 s: four windows have to pass, and the last thousand.
    expect(clock.now()).toBeLessThan((4 * WINDOW + 50_000) * 1.05);
  });

  it("takes the time of its requests divided by the parallelism while the window allows it", async () => {
    const { writer, clock } = bench(() => good(), { rate: LIMIT });
    await reads(writer, 900);
    expect(clock.now()).toBeLessThan(((900 * 400) / 8) * 1.05);
  });

  it("waits if the service reports a low remainder, instead of being refused", async () => {
    const within = windows["a fixed window"]?.() ?? (() => false);
    let [minute, count] = [-1, 0];
    const { writer, seen } = bench((now) => {
      const current = Math.floor((now + 7_321) / WINDOW);
      // Somebody else has used half of each minute before.
      count = current === minute ? count + 1 : LIMIT / 2 + 1;
      minute = current;
      const left = { "ratelimit-remaining": String(LIMIT - count) };
      const reset = { "ratelimit-reset": String(Math.ceil(((minute + 1) * WINDOW - 7_321 - now) / 1000)) };
      return within(now) && count <= LIMIT ? good({ ...left, ...reset }) : throttled();
    });
    await reads(writer, 1_500);
    expect(seen.filter(({ status }) => status === 429)).toEqual([]);
  });
});

describe("a client that shares its limit with another one", () => {
  it("gets through with few refusals, and leaves the other one room", async () => {
    const within = windows["a sliding window"]?.() ?? (() => false);
    let other = 0;
    let refused = 0;
    const { writer, seen } = bench((now) => {
      // The other one asks six hundred times a minute, whatever becomes of it.
      for (; other < now; other += 100) if (!within(other)) refused += 1;
      return within(now) ? good() : throttled({ "retry-after": "5" });
    });
    const ended = await reads(writer, 3_000);
    expect(ended.filter((error) => error !== undefined)).toEqual([]);
    expect(seen.filter(({ status }) => status === 429).length).toBeLessThan(100);
    expect(refused).toBeLessThan(other / 100 / 4);
  });

  it("halves its rate after a refusal, and regains a tenth with each minute", async () => {
    const { writer, seen } = bench((_now, count) => (count === 100 ? throttled({ "retry-after": "1" }) : good()));
    await reads(writer, 6_000);
    const start = seen[100]?.at ?? 0;
    const inMinute = (minute: number) =>
      seen.filter(({ at }) => at > start + minute * WINDOW && at <= start + (minute + 1) * WINDOW).length;
    for (let minute = 0; minute < 6; minute++) {
      expect(inMinute(minute), `minute ${minute}`).toBeLessThanOrEqual(450 + 90 * (minute + 1) + 1);
    }
    expect(inMinute(6)).toBeGreaterThan(800);
  });

  it("counts the refusals of simultaneous requests as one", async () => {
    const { writer, seen } = bench((now) => (now < 700 ? throttled({ "retry-after": "1" }) : good()));
    await reads(writer, 900);
    const last = seen.at(-1)?.at ?? 0;
    // Halved once: 450 in the first minute and the rest in the second one.
    expect(last).toBeLessThan(3 * WINDOW);
    expect(last).toBeGreaterThan(WINDOW);
  });
});

describe("a service that refuses everything", () => {
  it("gets no more requests than the attempts and the budget of the run allow", async () => {
    const { writer, seen, retries } = bench(() => throttled());
    const ended = await reads(writer, 60);
    expect(ended.every((error) => error instanceof ServiceError && error.status === 429)).toBe(true);
    expect(retries).toHaveLength(20);
    expect(seen).toHaveLength(60 + 20);
  });

  it("gets no more requests after a Retry-After of more than two minutes", async () => {
    const { writer, clock, seen } = bench(() => throttled({ "retry-after": "600" }));
    const [first] = await reads(writer, 1);
    expect(first).toMatchObject({ status: 429, retryAfterSeconds: 600 });
    await expect(writer.send("POST", { path }, {})).rejects.toBe(first);
    await expect(writer.get({ path })).rejects.toBe(first);
    expect(seen).toHaveLength(1);
    await clock.sleep(600_001);
    await expect(writer.get({ path })).rejects.toMatchObject({ status: 429 });
    expect(seen).toHaveLength(2);
  });

  it("gets no request during a Retry-After, from any caller", async () => {
    const { writer, seen } = bench((_now, count) => (count === 0 ? throttled({ "retry-after": "30" }) : good()));
    await expect(writer.get({ path })).resolves.toMatchObject({ status: 200 });
    await writer.send("PATCH", { path }, {});
    const [first, second] = seen;
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(30_000);
  });

  it.each<readonly [header: string, least: number]>([
    ["0", 1_000],
    ["-5", 1_000],
    ["7", 7_000],
    ["Thu, 01 May 2031 09:00:00 GMT", 1_000],
    ["Thu, 01 May 2031 10:00:20 GMT", 20_000],
    ["abc", 1_000],
    ["", 1_000],
    ["3, 4", 1_000],
    ["1e9", 1_000],
  ])("with Retry-After %j gets the next request after %i ms at the earliest", async (header, least) => {
    const headers = { "retry-after": header, date: "Thu, 01 May 2031 10:00:00 GMT" };
    const { writer, retries } = bench((_now, count) => (count === 0 ? throttled(headers) : good()));
    await writer.get({ path });
    expect(retries[0]?.waitMilliseconds).toBeGreaterThanOrEqual(least);
    expect(retries[0]?.waitMilliseconds).toBeLessThanOrEqual(Math.max(2_000, least * 1.1));
  });

  it("is recognized by a read by its status alone, and by a write only with the interface's error object", async () => {
    const page = (): Response => new Response("<html>Slow down</html>", { status: 429 });
    const { writer, retries } = bench((_now, count) => (count === 0 ? page() : good()));
    await expect(writer.get({ path })).resolves.toMatchObject({ status: 200 });
    expect(retries).toHaveLength(1);
    const gateway = bench(page);
    await expect(gateway.writer.send("POST", { path }, {})).rejects.toMatchObject({ status: 429 });
    expect(gateway.retries).toHaveLength(0);
  });
});

function good(headers: Record<string, string> = {}): Response {
  return Response.json({ severities: [] }, { headers });
}

function throttled(headers: Record<string, string> = {}): Response {
  const error = { type: "rate_limit_exceeded", message: "slow down", request_id: "1" };
  return Response.json({ error }, { status: 429, headers });
}

/** The most that came in any sixty seconds. */
function mostInAMinute(times: readonly number[]): number {
  const sorted = times.toSorted((left, right) => left - right);
  let from = 0;
  return sorted.reduce((most, time, at) => {
    while ((sorted[from] ?? time) < time - WINDOW) from += 1;
    return Math.max(most, at - from + 1);
  }, 0);
}

/** Numbers in [0, 1) from a seed. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
