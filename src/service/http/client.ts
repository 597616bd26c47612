/** The connection to the service, the one place that sends requests. Its callers get responses or typed errors. */

import { type Clock, systemClock } from "../../core/clock.ts";
import type { Fetch, FetchInit } from "../../core/fetch.ts";
import type { Json } from "../../core/json.ts";
import type { ApiRequest, ApiResponse, Evaluator, Reader, Writer } from "../requests/connection.ts";
import type { Purpose } from "../requests/purpose.ts";
import { dateOf, readResponse } from "../requests/response.ts";
import { ApprovalPending, type RequestLine, ServiceError } from "../requests/service-error.ts";
import { UnexpectedResponse } from "../requests/unexpected-response.ts";
import { checkedToken, trustedOrigin } from "./credentials.ts";
import { type Admission, rateLimit, readAllowance } from "./rate-limit.ts";
import { ATTEMPTS, classifyFailure, RETRY_RULES, RetryBudget, retryDelay } from "./retry.ts";
import { transportError } from "./transport-error.ts";

/** A failed attempt that will be repeated. */
export interface Retry {
  readonly request: RequestLine;
  /** Number of the failed attempt, from 1. */
  readonly attempt: number;
  readonly waitMilliseconds: number;
  readonly error: Error;
}

/** Address, tokens and limits of a connection. */
export interface ConnectOptions {
  /** Scheme, host and port; the only place that the tokens are sent to. */
  readonly baseUrl: string;
  /** Host and port to which plain http is allowed, besides loopback. */
  readonly plainHttpHost?: string;
  /** The paths of the connection: those of the interface by default, or those of an emulator's control surface. */
  readonly root?: "/api/v1/" | "/control/";
  /** From the environment. Undefined sends requests without a token. */
  readonly token: string | undefined;
  /** Used instead of `token` for requests with `admin: true`. */
  readonly adminToken?: string;
  readonly fetch: Fetch;
  /** The `User-Agent` header. */
  readonly userAgent?: string;
  readonly clock?: Clock;
  /** Reads and writes together, in any sixty seconds. */
  readonly requestsPerMinute: number;
  /** Ages, in milliseconds, of the last requests of earlier runs: they count for the same minute. */
  readonly earlier?: readonly number[];
  /** For one attempt, the body included; waiting for the rate limit is not counted. */
  readonly timeoutSeconds: number;
  /** Source of jitter, in [0, 1). */
  readonly random?: () => number;
  readonly onRetry?: (retry: Retry) => void;
  /** Called right before each request is sent; a repeated request has the purpose `retry`. */
  readonly onSend?: (purpose: Purpose) => void;
  /** Called after each attempt. */
  readonly onEnd?: (attempt: Attempt) => void;
}

/** An attempt at a request, as logs show it. */
export interface Attempt extends RequestLine {
  /** Status of the response; undefined if there was none that is the service's. */
  readonly status: number | undefined;
  readonly milliseconds: number;
}

/** Path of the dry run. It changes nothing, so a request to it may be repeated like a GET. */
const DRY_RUN = "/api/v1/routing/evaluate";

/** Longest wait for the rate limit, in milliseconds, after which a write's preconditions are checked again. */
const LONG_WAIT = 2_000;

/** A request ready to be sent. */
interface PreparedRequest {
  readonly line: RequestLine;
  readonly purpose: Purpose;
  readonly url: string;
  readonly init: Omit<FetchInit, "signal">;
}

/**
 * Returns a connection that reads and writes. Throws {@link RefusedConnection} before anything is sent if the address or a
 * token is not acceptable. The methods throw {@link ServiceError}, {@link ApprovalPending}, {@link TransportError} or
 * {@link UnexpectedResponse}.
 */
export function connect(options: ConnectOptions): Writer {
  const origin = trustedOrigin(options.baseUrl, options.plainHttpHost);
  const token = options.token === undefined ? undefined : checkedToken(options.token, "INCIDENTCTL_TOKEN");
  const adminToken =
    options.adminToken === undefined ? token : checkedToken(options.adminToken, "INCIDENTCTL_ADMIN_TOKEN");
  const { fetch, timeoutSeconds, userAgent, root = "/api/v1/", random = Math.random, clock = systemClock } = options;
  const limit = rateLimit(options.requestsPerMinute, clock, options.earlier);
  const budget = new RetryBudget();

  function prepare(method: string, ask: ApiRequest, body?: Json): PreparedRequest {
    const bearer = ask.admin === true ? adminToken : token;
    const headers = {
      accept: "application/json",
      ...(userAgent === undefined ? {} : { "user-agent": userAgent }),
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      // Only a list is large enough to be worth compressing.
      ...(method === "GET" ? {} : { "accept-encoding": "identity" }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(ask.approval === undefined ? {} : { "x-approval-id": ask.approval }),
    };
    return {
      line: { method, path: ask.path },
      purpose: ask.purpose ?? "other",
      url: urlOf(origin, root, ask),
      init: { method, headers, redirect: "manual", ...(body === undefined ? {} : { body: JSON.stringify(body) }) },
    };
  }

  async function sendOnce({ line, url, init }: PreparedRequest): Promise<ApiResponse> {
    try {
      const response = await fetch(url, { ...init, signal: AbortSignal.timeout(timeoutSeconds * 1000) });
      const allowance = readAllowance(response.headers, dateOf(response));
      if (allowance !== undefined) limit.useAllowance(allowance);
      return await readResponse(line, response);
    } catch (thrown) {
      // The error of a response stays as it is.
      throw classifyFailure(thrown) === undefined ? transportError(line, origin, thrown, timeoutSeconds) : thrown;
    }
  }

  /** Set once the service asks for a pause longer than the longest wait: until then, every request fails with this error. */
  let lockout: { readonly error: Error; readonly until: number } | undefined;

  /** Slows down the whole connection after a response with status 429, not only the request that got it. */
  function slowDown(error: ServiceError, wait: number | undefined, sentAt: number): void {
    limit.halve(sentAt);
    if (wait !== undefined) limit.pause(wait);
    else lockout = { error, until: clock.now() + (error.retryAfterSeconds ?? 0) * 1000 };
  }

  /** Waits for the rate limit. After a long wait, runs `recheck` once before the request is admitted. */
  async function waitForAdmission(recheck: (() => Promise<void>) | undefined): Promise<Admission> {
    const start = clock.now();
    const admission = await limit.admit();
    if (recheck === undefined || admission.at - start <= LONG_WAIT) return admission;
    admission.withdraw();
    await recheck();
    return limit.admit();
  }

  async function sendWithRetries(request: PreparedRequest, recheck?: () => Promise<void>): Promise<ApiResponse> {
    const { line } = request;
    const use = line.method === "GET" || line.path === DRY_RUN ? "read" : "write";
    for (let attempt = 1; ; attempt++) {
      // A retry runs `recheck` itself, below.
      const admission = await waitForAdmission(attempt === 1 ? recheck : undefined);
      if (lockout !== undefined && admission.at < lockout.until) {
        admission.end();
        throw lockout.error;
      }
      options.onSend?.(attempt === 1 ? request.purpose : "retry");
      const begun = clock.now();
      const end = (status: number | undefined): void =>
        options.onEnd?.({ ...line, status, milliseconds: clock.now() - begun });
      try {
        const response = await sendOnce(request).finally(admission.end);
        end(response.status);
        budget.succeed();
        return response;
      } catch (thrown) {
        const error = thrown as Error;
        end(error instanceof ServiceError || error instanceof UnexpectedResponse ? error.status : undefined);
        const failure = classifyFailure(error);
        const wait = retryDelay(error, attempt, random());
        if (failure === "throttled" && error instanceof ServiceError) slowDown(error, wait, admission.at);
        if (failure === undefined || RETRY_RULES[failure][use] !== "retry" || attempt === ATTEMPTS[use]) throw error;
        if (wait === undefined || !budget.afford(error)) throw error;
        options.onRetry?.({ request: line, attempt, waitMilliseconds: wait, error });
        if (failure !== "throttled") await clock.sleep(wait);
        await recheck?.();
      }
    }
  }

  return {
    host: origin,
    get: async (ask) => sendWithRetries(prepare("GET", ask)),
    send: async (method, ask, body, recheck) => sendWithRetries(prepare(method, ask, body ?? undefined), recheck),
  };
}

/** Returns the connection as a reader: an object without a `send` method. */
export function reader(writer: Writer): Reader {
  return { host: writer.host, get: (ask) => writer.get(ask) };
}

/** Returns the connection for reading and for the dry run, the one POST that changes nothing. */
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

/** The URL of a request. Throws if URL parsing would change the path, as with `..` or a stray `?`. */
function urlOf(origin: string, root: string, ask: ApiRequest): string {
  const url = new URL(origin + ask.path);
  if (url.origin !== origin || url.pathname !== ask.path || !ask.path.startsWith(root)) {
    throw new Error(`${JSON.stringify(ask.path)} is not a path of the interface`);
  }
  url.search = new URLSearchParams(ask.query).toString();
  return url.href;
}
