/** The request or its answer was lost on the way; the one place that reads what `fetch` throws. */

import { NotConnected } from "../../core/fetch.ts";
import type { Asked } from "../read/service-error.ts";

/** No complete answer came. */
export class TransportError extends Error {
  readonly asked: Asked;
  /** Of the operating system, TLS or undici; undefined when none was given. */
  readonly code: string | undefined;
  /** "no" when the connection failed before the first byte of the request was sent. */
  readonly applied: "no" | "unknown";
  /** The time for the request ran out. */
  readonly timedOut: boolean;

  constructor(asked: Asked, what: { message: string; code?: string; applied: "no" | "unknown"; timedOut: boolean }) {
    super(what.message);
    this.name = "TransportError";
    this.asked = asked;
    this.code = what.code;
    this.applied = what.applied;
    this.timedOut = what.timedOut;
  }
}

/** Failures that come before the first byte of a request, in words. */
const BEFORE_THE_FIRST_BYTE: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the connection was refused",
  ENOTFOUND: "the host name is unknown",
  EAI_AGAIN: "the host name cannot be looked up at the moment",
  EHOSTUNREACH: "there is no way to the host",
  ENETUNREACH: "there is no way to the network",
  EADDRNOTAVAIL: "the address cannot be used",
  CONNECT_TIMEOUT: "connecting took too long",
  UND_ERR_CONNECT_TIMEOUT: "connecting took too long",
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

/** A proxy has refused to make the tunnel, or gave an answer that makes none. */
const NO_TUNNEL = /^Proxy response \((\d+)\)/;

/** Reads what `fetch`, or reading its body, has thrown. The message is made here, since others' messages may hold headers. */
export function transportError(asked: Asked, host: string, thrown: unknown, timeoutSeconds: number): TransportError {
  const request = `${asked.method} ${asked.path}`;
  const failed = causeOf(thrown) ?? thrown;
  const applied = thrown instanceof NotConnected ? "no" : "unknown";
  if (isNamed(thrown, "TimeoutError") || isNamed(failed, "TimeoutError")) {
    const message = `${host} did not finish answering ${request} within ${timeoutSeconds} s`;
    return new TransportError(asked, { message, applied, timedOut: true });
  }
  const code = codeOf(failed) ?? codeOf(thrown);
  const [, status] = NO_TUNNEL.exec(messageOf(failed)) ?? [];
  if (status !== undefined) {
    const message = `cannot connect to ${host}: the proxy answered ${status} to the request for a tunnel`;
    return new TransportError(asked, { message, code: `PROXY_${status}`, applied: "no", timedOut: false });
  }
  if (code === undefined) {
    const message = `${host} gave no complete answer to ${request}`;
    return new TransportError(asked, { message, applied, timedOut: false });
  }
  if (/^(UND_ERR_)?(HEADERS|BODY)_TIMEOUT$/.test(code)) {
    const message = `${host} fell silent before ${request} was answered (${code})`;
    return new TransportError(asked, { message, code, applied: "unknown", timedOut: true });
  }
  const early = applied === "no" || isConnecting(failed) ? "connecting failed" : undefined;
  const reason = isUnderWay(failed) ? early : (BEFORE_THE_FIRST_BYTE[code] ?? early);
  return new TransportError(asked, {
    message:
      reason === undefined
        ? `the connection to ${host} broke before ${request} was answered (${code})`
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

/** Nothing was sent yet. */
function isConnecting(failed: unknown): boolean {
  return syscallOf(failed) === "connect" || syscallOf(failed) === "getaddrinfo";
}

/** It had been connected: the way to a host may also break later, and the code is the same. */
function isUnderWay(failed: unknown): boolean {
  return syscallOf(failed) !== undefined && !isConnecting(failed);
}

function syscallOf(failed: unknown): string | undefined {
  if (!(failed instanceof Error) || !("syscall" in failed)) return undefined;
  return typeof failed.syscall === "string" ? failed.syscall : undefined;
}
