/** The connection to the service: the one place that sends. Everything above it sees answers or typed errors. */

import { type Clock, systemClock } from "../../core/clock.ts";
import type { Fetch, FetchInit } from "../../core/fetch.ts";
import type { Json } from "../../core/json.ts";
import { dateOf, readAnswer } from "../read/response.ts";
import { ApprovalPending, type Asked, ServiceError } from "../read/service-error.ts";
import { UnexpectedAnswer } from "../read/unexpected-response.ts";
import type { Answer, Ask, Evaluator, Reader, Writer } from "./connection.ts";
import { checkedToken, trustedOrigin } from "./credentials.ts";
import type { Purpose } from "./purpose.ts";
import { type Admission, rateLimit } from "./rate-limit.ts";
import { allowanceOf } from "./rate-limit-headers.ts";
import { ATTEMPTS, RetryBudget, RULES, signOf, waitBefore } from "./retry.ts";
import { transportError } from "./transport-error.ts";

/** An attempt that failed and is made again. */
export interface Retry {
  readonly asked: Asked;
  /** Of the attempt that failed, from 1. */
  readonly attempt: number;
  readonly waitMilliseconds: number;
  readonly error: Error;
}

/** How to reach a service. */
export interface ConnectOptions {
  /** Scheme, host and port; the only place that the tokens are sent to. */
  readonly baseUrl: string;
  /** From the environment. Without one, requests carry none. */
  readonly token: string | undefined;
  /** Used instead of `token` where a request asks for it. */
  readonly adminToken?: string;
  readonly fetch: Fetch;
  /** Who the service is told that it is asked by. */
  readonly userAgent?: string;
  readonly clock?: Clock;
  /** Reads and writes together, in any sixty seconds. */
  readonly requestsPerMinute: number;
  /** How many milliseconds ago requests ended that others have sent, and that count for the same minute. */
  readonly earlier?: readonly number[];
  /** For one attempt, the body included; waiting for the rate limit is not counted. */
  readonly timeoutSeconds: number;
  /** In [0, 1), for jitter. */
  readonly random?: () => number;
  readonly onRetry?: (retry: Retry) => void;
  /** Hears of every request right before it is sent; one that is made again is for `retry`. */
  readonly onSend?: (purpose: Purpose) => void;
}

/** The address of the dry run: what is sent there is only looked at, so it may be sent again like a GET. */
const DRY_RUN = "/api/v1/routing/evaluate";

/** Milliseconds that a write may wait for the rate limit before what was checked for it counts as old. */
const LONG_WAIT = 2_000;

interface Request extends Asked {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly purpose: Purpose;
}

/**
 * A connection that reads and writes. Throws {@link RefusedConnection} before anything is sent when the address or a token
 * is not acceptable; its methods throw {@link ServiceError}, {@link ApprovalPending}, {@link TransportError} or
 * {@link UnexpectedAnswer}.
 */
export function connect(options: ConnectOptions): Writer {
  const origin = trustedOrigin(options.baseUrl);
  const token = options.token === undefined ? undefined : checkedToken(options.token, "INCIDENTCTL_TOKEN");
  const adminToken =
    options.adminToken === undefined ? token : checkedToken(options.adminToken, "INCIDENTCTL_ADMIN_TOKEN");
  const { fetch, timeoutSeconds, userAgent, random = Math.random, clock = systemClock } = options;
  const limit = rateLimit(options.requestsPerMinute, clock, options.earlier);
  const budget = new RetryBudget();

  function prepare(method: string, ask: Ask, body?: Json): Request {
    const url = urlOf(origin, ask);
    const bearer = ask.admin === true ? adminToken : token;
    return {
      method,
      path: ask.path,
      purpose: ask.purpose ?? "other",
      url,
      headers: {
        accept: "application/json",
        ...(userAgent === undefined ? {} : { "user-agent": userAgent }),
        ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
        // A list may be large; nothing else needs to be unpacked.
        ...(method === "GET" ? {} : { "accept-encoding": "identity" }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(ask.approval === undefined ? {} : { "x-approval-id": ask.approval }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    };
  }

  async function attempt({ url, method, path, headers, body }: Request): Promise<Answer> {
    const signal = AbortSignal.timeout(timeoutSeconds * 1000);
    const asked: Asked = { method, path };
    try {
      const init: FetchInit = { method, headers, redirect: "manual", signal };
      const response = await fetch(url, body === undefined ? init : { ...init, body });
      const allowance = allowanceOf(response.headers, dateOf(response));
      if (allowance !== undefined) limit.heed(allowance);
      return await readAnswer(asked, response);
    } catch (thrown) {
      if (isAnswered(thrown)) throw thrown;
      throw transportError(asked, origin, thrown, timeoutSeconds);
    }
  }

  /** The service asked to be left alone for longer than anybody waits, and until when. */
  let dismissed: { readonly error: Error; readonly until: number } | undefined;

  /** Whoever is throttled is throttled as a whole, whether this request is made again or not. */
  function heed(error: ServiceError, wait: number | undefined, sentAt: number): void {
    limit.yield(sentAt);
    if (wait !== undefined) limit.pause(wait);
    else dismissed = { error, until: clock.now() + (error.retryAfterSeconds ?? 0) * 1000 };
  }

  /** Lets a request through; after a long wait what it relies on is looked at again first, once. */
  async function admitted(recheck: (() => Promise<void>) | undefined): Promise<Admission> {
    const asked = clock.now();
    const admission = await limit.admit();
    if (recheck === undefined || admission.at - asked <= LONG_WAIT) return admission;
    admission.withdraw();
    await recheck();
    return limit.admit();
  }

  async function settle(request: Request, recheck?: () => Promise<void>): Promise<Answer> {
    const use = request.method === "GET" || request.path === DRY_RUN ? "read" : "write";
    for (let made = 1; ; made++) {
      // Before another attempt it was looked at already.
      const admission = await admitted(made === 1 ? recheck : undefined);
      if (dismissed !== undefined && admission.at < dismissed.until) {
        admission.end();
        throw dismissed.error;
      }
      options.onSend?.(made === 1 ? request.purpose : "retry");
      try {
        const answer = await attempt(request).finally(admission.end);
        budget.succeed();
        return answer;
      } catch (thrown) {
        const error = thrown as Error;
        const sign = signOf(error);
        const wait = waitBefore(error, made, random());
        if (sign === "throttled" && error instanceof ServiceError) heed(error, wait, admission.at);
        if (sign === undefined || RULES[sign][use] !== "retry" || made === ATTEMPTS[use]) throw error;
        if (wait === undefined || !budget.afford(error)) throw error;
        options.onRetry?.({
          asked: { method: request.method, path: request.path },
          attempt: made,
          waitMilliseconds: wait,
          error,
        });
        if (sign !== "throttled") await clock.sleep(wait);
        await recheck?.();
      }
    }
  }

  return {
    host: origin,
    get: async (ask) => settle(prepare("GET", ask)),
    send: async (method, ask, body, recheck) => settle(prepare(method, ask, body ?? undefined), recheck),
  };
}

/** The same connection without the ability to write: an object that has no `send` at all. */
export function reader(writer: Writer): Reader {
  return { host: writer.host, get: (ask) => writer.get(ask) };
}

/** The same connection for reading and for the dry run, the one POST that changes nothing; it can send no other. */
export function evaluator(writer: Writer): Evaluator {
  return {
    ...reader(writer),
    evaluate: ({ source, fields }) =>
      writer.send(
        "POST",
        { path: DRY_RUN, purpose: "dry_run" },
        { fields, ...(source === undefined ? {} : { source }) },
      ),
  };
}

function isAnswered(thrown: unknown): boolean {
  return thrown instanceof ServiceError || thrown instanceof ApprovalPending || thrown instanceof UnexpectedAnswer;
}

/** The address of a request. Throws when the path would be read as another one: a segment that names a parent, a stray `?`. */
function urlOf(origin: string, ask: Ask): string {
  const url = new URL(origin + ask.path);
  if (url.origin !== origin || url.pathname !== ask.path || !ask.path.startsWith("/api/v1/")) {
    throw new Error(`${JSON.stringify(ask.path)} is not a path of the interface`);
  }
  url.search = new URLSearchParams(ask.query).toString();
  return url.href;
}
