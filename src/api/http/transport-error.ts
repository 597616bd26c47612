/** Errors of the transport: the one file that reads what `fetch` throws. */

import { NotConnected } from "../../core/fetch.ts";
import type { RequestLine } from "../read/service-error.ts";

/** Error for a request without a complete response. */
export class TransportError extends Error {
  readonly request: RequestLine;
  /** Code of the operating system, TLS or undici, if there is one. */
  readonly code: string | undefined;
  /** "no" if the connection failed before the first byte of the request was sent. */
  readonly applied: "no" | "unknown";
  /** The request timed out. */
  readonly timedOut: boolean;

  constructor(
    request: RequestLine,
    details: { message: string; code?: string; applied: "no" | "unknown"; timedOut: boolean },
  ) {
    super(details.message);
    this.name = "TransportError";
    this.request = request;
    this.code = details.code;
    this.applied = details.applied;
    this.timedOut = details.timedOut;
  }
}

/** Descriptions of failures before the first byte of a request, by error code. */
const BEFORE_THE_FIRST_BYTE: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the connection was refused",
  ENOTFOUND: "the host name is unknown",
  EAI_AGAIN: "the host name cannot be looked up at the moment",
  EHOSTUNREACH: "the host is unreachable",
  ENETUNREACH: "the network is unreachable",
  EADDRNOTAVAIL: "the address cannot be used",
  CONNECT_TIMEOUT: "connecting timed out",
  UND_ERR_CONNECT_TIMEOUT: "connecting timed out",
  UND_ERR_PRX_TLS: "the proxy's certificate is for another host",
  CERT_HAS_EXPIRED: "its certificate has expired (or this machine's clock is wrong)",
  CERT_NOT_YET_VALID: "its certificate is not valid yet (or this machine's clock is wrong)",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "its certificate chain is self-signed",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "its certificate's issuer is not trusted",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its certificate cannot be verified",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another host",
  ERR_SSL_WRONG_VERSION_NUMBER: "it does not speak TLS",
  ERR_SSL_PACKET_LENGTH_TOO_LONG: "it does not speak TLS",
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: "it does not speak a TLS version in use",
  ERR_SSL_UNSUPPORTED_PROTOCOL: "it does not speak a TLS version in use",
};

/** undici's message for a proxy that did not open the tunnel. */
const NO_TUNNEL = /^Proxy response \((\d+)\)/;

/** Returns the error for a failure of `fetch` or of reading a body. It writes its own message, because the original may contain headers. */
export function transportError(
  request: RequestLine,
  host: string,
  thrown: unknown,
  timeoutSeconds: number,
): TransportError {
  const line = `${request.method} ${request.path}`;
  const failed = causeOf(thrown) ?? thrown;
  const applied = thrown instanceof NotConnected ? "no" : "unknown";
  if (isNamed(thrown, "TimeoutError") || isNamed(failed, "TimeoutError")) {
    const message = `${host} did not send a complete response to ${line} within ${timeoutSeconds} s`;
    return new TransportError(request, { message, applied, timedOut: true });
  }
  const code = codeOf(failed) ?? codeOf(thrown);
  const [, status] = NO_TUNNEL.exec(messageOf(failed)) ?? [];
  if (status !== undefined) {
    const message = `cannot connect to ${host}: the proxy returned status ${status} to the request for a tunnel`;
    return new TransportError(request, { message, code: `PROXY_${status}`, applied: "no", timedOut: false });
  }
  if (code === undefined) {
    const message = `${host} sent no complete response to ${line}`;
    return new TransportError(request, { message, applied, timedOut: false });
  }
  if (/^(UND_ERR_)?(HEADERS|BODY)_TIMEOUT$/.test(code)) {
    const message = `${host} stopped sending before its response to ${line} was complete (${code})`;
    return new TransportError(request, { message, code, applied: "unknown", timedOut: true });
  }
  const early = applied === "no" || isConnecting(failed) ? "connecting failed" : undefined;
  const reason = wasConnected(failed) ? early : (BEFORE_THE_FIRST_BYTE[code] ?? early);
  return new TransportError(request, {
    message:
      reason === undefined
        ? `the connection to ${host} broke before the response to ${line} was complete (${code})`
        : `cannot connect to ${host}: ${reason} (${code})`,
    code,
    applied: reason === undefined ? "unknown" : "no",
    timedOut: code.endsWith("_TIMEOUT") || code === "ETIMEDOUT",
  });
}

function causeOf(thrown: unknown): unknown {
  return thrown instanceof Error ? thrown.cause : undefined;
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : "";
}

function isNamed(thrown: unknown, name: string): boolean {
  return thrown instanceof Error && thrown.name === name;
}

function codeOf(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error) || !("code" in thrown)) return undefined;
  return typeof thrown.code === "string" ? thrown.code : undefined;
}

/** Whether the connection failed while it was being made: nothing was sent. */
function isConnecting(failed: unknown): boolean {
  return syscallOf(failed) === "connect" || syscallOf(failed) === "getaddrinfo";
}

/** Whether the connection had been made: a route may break later, with the same code. */
function wasConnected(failed: unknown): boolean {
  return syscallOf(failed) !== undefined && !isConnecting(failed);
}

function syscallOf(failed: unknown): string | undefined {
  if (!(failed instanceof Error) || !("syscall" in failed)) return undefined;
  return typeof failed.syscall === "string" ? failed.syscall : undefined;
}
