/** A connection that fails: the error says what to check or run next. */

import { expect, test } from "vitest";
import { explainError } from "../../../src/app/console/error-report.ts";
import { transportError } from "../../../src/service/http/transport-error.ts";

const REQUEST = { method: "GET", path: "/api/v1/severities" } as const;

function lines(code: string, syscall?: string): readonly string[] {
  const cause = Object.assign(new Error("x"), { code, ...(syscall === undefined ? {} : { syscall }) });
  const thrown = Object.assign(new TypeError("fetch failed"), { cause });
  return explainError(transportError(REQUEST, "https://incidents.example.com", thrown, 30));
}

test.each([
  ["ECONNREFUSED", "connect", "incidentctl emulator"],
  ["ENOTFOUND", "getaddrinfo", "base_url in incidentctl.yaml"],
  ["EAI_AGAIN", "getaddrinfo", "HTTPS_PROXY"],
  ["EHOSTUNREACH", "connect", "check the network, the VPN"],
  ["UND_ERR_CONNECT_TIMEOUT", "connect", "--timeout SECONDS"],
  ["UND_ERR_HEADERS_TIMEOUT", undefined, "--timeout SECONDS"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "connect", "NODE_EXTRA_CA_CERTS"],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "connect", "NODE_EXTRA_CA_CERTS"],
  ["CERT_HAS_EXPIRED", "connect", "renew the certificate"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "connect", "the host name that the certificate is for"],
  ["ERR_SSL_WRONG_VERSION_NUMBER", "connect", "the port does not serve https"],
  ["ECONNRESET", undefined, "run the command again"],
])("%s", (code, syscall, said) => {
  const [message, advice] = lines(code, syscall);
  expect(message).toContain(code);
  expect(advice).toContain(said);
});
