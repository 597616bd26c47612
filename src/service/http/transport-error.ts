/** Errors of the transport: the one file that reads what `fetch` throws. */

import { NotConnected } from "../../core/fetch.ts";
import type { RequestLine } from "../requests/service-error.ts";

/** Error for a request without a complete response. */
export class TransportError extends Error {
  readonly request: RequestLine;
  /** Code of the operating system, TLS or undici, if there is one. */
  readonly code: string | undefined;
  /** "no" if the client that sends the bytes says that it sent none. */
  readonly applied: "no" | "unknown";
  /** The request timed out. */
  readonly timedOut: boolean;
  /** Advice on the next check or command, in one sentence. */
  readonly advice: string;

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
    this.advice = adviceFor(details);
  }
}

const WHERE = "--url, INCIDENTCTL_URL or base_url in incidentctl.yaml";
const LISTENING = `check the URL (${WHERE}) and that the service runs; an embedded one starts with incidentctl emulator`;
const NETWORK = "check the network, the VPN and the proxy (HTTPS_PROXY, NO_PROXY), then run the command again";
const CLOCK = "renew the certificate, or set this machine's clock";
const TRUST =
  "name the file of its authority's certificates (PEM) in NODE_EXTRA_CA_CERTS; verification cannot be switched off";
const SCHEME = `check scheme and port of the URL (${WHERE}): the port does not serve https`;
const PROXY = "check HTTPS_PROXY, or name the service's host in NO_PROXY to connect without the proxy";

/** Advice by error code. */
const ADVICE: Readonly<Record<string, string>> = {
  ECONNREFUSED: LISTENING,
  ENOTFOUND: `check the host name (${WHERE}); where only a proxy knows it, set HTTPS_PROXY`,
  PROXY_CLOSED: PROXY,
  UND_ERR_PRX_TLS: PROXY,
  CERT_HAS_EXPIRED: CLOCK,
  CERT_NOT_YET_VALID: CLOCK,
  DEPTH_ZERO_SELF_SIGNED_CERT: TRUST,
  SELF_SIGNED_CERT_IN_CHAIN: TRUST,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: TRUST,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: TRUST,
  ERR_TLS_CERT_ALTNAME_INVALID: `use the host name that the certificate is for (${WHERE})`,
  ERR_SSL_WRONG_VERSION_NUMBER: SCHEME,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: SCHEME,
};

function adviceFor({ code = "", timedOut }: { readonly code?: string; readonly timedOut: boolean }): string {
  if (/^PROXY_\d/.test(code)) return PROXY;
  return ADVICE[code] ?? (timedOut ? `wait longer with --timeout SECONDS, or ${NETWORK}` : NETWORK);
}

/** Reasons why a connection cannot be made, by error code. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the connection was refused",
  ENOTFOUND: "the host name is unknown",
  EAI_AGAIN: "the host name cannot be looked up at the moment",
  EHOSTUNREACH: "the host is unreachable",
  ENETUNREACH: "the network is unreachable",
  EADDRNOTAVAIL: "the address cannot be used",
  CONNECT_TIMEOUT: "connecting timed out",
  UND_ERR_CONNECT_TIMEOUT: "connecting timed out",
  PROXY_CLOSED: "the proxy closed the connection",
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
  const applied = thrown instanceof NotConnected || isConnecting(failed) ? "no" : "unknown";
  if (isNamed(thrown, "TimeoutError") || isNamed(failed, "TimeoutError")) {
    const message = `${host} did not send a complete response to ${line} within ${timeoutSeconds} s`;
    return new TransportError(request, { message, applied, timedOut: true });
  }
  const code = codeOf(failed) ?? codeOf(thrown);
  const [, status] = NO_TUNNEL.exec(messageOf(failed)) ?? [];
  if (status !== undefined && applied === "no") {
    const message = `cannot connect to ${host}: the proxy returned status ${status} to the request for a tunnel`;
    return new TransportError(request, { message, code: `PROXY_${status}`, applied, timedOut: false });
  }
  if (code === undefined) {
    const message = `${host} sent no complete response to ${line}`;
    return new TransportError(request, { message, applied, timedOut: false });
  }
  if (/^(UND_ERR_)?(HEADERS|BODY)_TIMEOUT$/.test(code)) {
    const message = `${host} stopped sending before its response to ${line} was complete (${code})`;
    return new TransportError(request, { message, code, applied, timedOut: true });
  }
  return new TransportError(request, {
    message:
      applied === "no"
        ? `cannot connect to ${host}: ${REASONS[code] ?? "connecting failed"} (${code})`
        : `the connection to ${host} broke before the response to ${line} was complete (${code})`,
    code,
    applied,
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

/** Whether the operating system reports that the connection could not be made, to any of the host's addresses: nothing was sent. */
function isConnecting(failed: unknown): boolean {
  if (failed instanceof AggregateError && failed.errors.length > 0) return failed.errors.every(isConnecting);
  if (!(failed instanceof Error) || !("syscall" in failed)) return false;
  return failed.syscall === "connect" || failed.syscall === "getaddrinfo";
}
