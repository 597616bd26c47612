/** Faults of the connection: before, between and after the messages. */

import { authority, type Identity, selfSigned } from "../../support/service/certificates.ts";
import { complete, errorResponse, head, json, type ServedResponse } from "./http-bytes.ts";
import type { CertificateSource, Exchange, Line, Phase, RawAction, RawFault } from "./raw-fault.ts";

const HOUR = 3_600_000;
const PAGE: ServedResponse = {
  status: 502,
  headers: [["content-type", "text/html"]],
  body: Buffer.from("<h1>Oops</h1>"),
};
const GARBAGE = Buffer.from("5353482d322e302d780d0a00ff17030300059f8e7d6c5b0d0a0d0a", "hex");
const ALERT = Buffer.from("15030300020246", "hex");
const BAD_RECORD = Buffer.concat([Buffer.from("1703030020", "hex"), Buffer.alloc(32, 0x61)]);

/** A way in which a connection goes wrong. */
interface Ending {
  readonly name: string;
  readonly act: (line: Line) => void;
  readonly needs?: "TLS";
  readonly endless?: true;
}

/** Through a proxy, the client notices a broken TLS connection only when it times out. */
const endings: readonly Ending[] = [
  { name: "reset", act: (line) => line.reset() },
  { name: "FIN", act: (line) => line.end() },
  { name: "silence", act: () => {}, endless: true },
  { name: "garbage", act: (line) => line.write(GARBAGE) },
  { name: "plaintext in TLS", act: (line) => line.spill(complete(PAGE)), needs: "TLS", endless: true },
  { name: "a TLS alert in plaintext", act: (line) => line.spill(ALERT), needs: "TLS", endless: true },
  { name: "a bad TLS record", act: (line) => line.spill(BAD_RECORD), needs: "TLS", endless: true },
];

/** Each ending, after something that the server does first. */
function endingAt(phase: Phase, what: string, action: (end: (line: Line) => void) => RawAction): readonly RawFault[] {
  return endings.map(({ name, act, ...rest }) => ({
    phase,
    name: what === "" ? name : `${what}, ${name}`,
    action: action(act),
    ...rest,
  }));
}

/** Endings of a connection whose bytes are not encrypted yet. */
function plainEndingAt(phase: Phase, at: "accept" | "hello" | "tunnel"): readonly RawFault[] {
  const all = endingAt(phase, "", (act) => ({ at, act })).filter(({ needs }) => needs === undefined);
  const page: RawFault = { phase, name: "an HTTP response", action: { at, act: (line) => line.write(complete(PAGE)) } };
  return [...all, page];
}

const lookups: readonly RawFault[] = [
  lookup("fails once", [undefined, ["127.0.0.1"]]),
  lookup("fails", [undefined]),
  lookup("a dead address first", [["127.0.0.9", "127.0.0.1"]]),
  lookup("only a dead address, then the right one", [["127.0.0.9"], ["127.0.0.1"]]),
  { ...lookup("another server's address", [["127.0.0.2"], ["127.0.0.1"]]), needs: "TLS" },
  { ...lookup("another server's address from now on", [["127.0.0.2"]]), needs: "TLS" },
  { ...lookup("another server's address beside the right one", [["127.0.0.2", "127.0.0.1"]]), needs: "TLS" },
];

function lookup(name: string, addresses: Extract<RawAction, { at: "lookup" }>["addresses"]): RawFault {
  return { phase: "name lookup", name, action: { at: "lookup", addresses } };
}

/** Certificates that a client must refuse. */
const certificates: Readonly<Record<string, (trusted: CertificateSource) => Identity>> = {
  expired: (trusted) => trusted.issue({ names: ["localhost"], from: ago(48), until: ago(1) }),
  "not yet valid": (trusted) => trusted.issue({ names: ["localhost"], from: ago(-1) }),
  "for another host": (trusted) => trusted.issue({ names: ["incidents.example.com"] }),
  "of a foreign authority": () => authority("A foreign authority").issue({ names: ["localhost"] }),
  "self-signed": () => selfSigned({ names: ["localhost"] }),
};

function ago(hours: number): Date {
  return new Date(Date.now() - hours * HOUR);
}

const badCertificates: readonly RawFault[] = Object.entries(certificates).flatMap(([name, identity]): RawFault[] => [
  {
    phase: "TLS handshake",
    name: `a certificate ${name}`,
    action: { at: "certificate", identity, of: "server" },
    needs: "TLS",
  },
  {
    phase: "tunnel",
    name: `a certificate ${name}`,
    action: { at: "certificate", identity, of: "proxy" },
    needs: "https proxy",
  },
]);

const tunnelHeads: Readonly<Record<string, string>> = {
  "a redirect": head(302, [["location", "https://127.0.0.1:9/"]]),
  "status 407": head(407, [["proxy-authenticate", "Basic"]]),
  "status 100": head(100, []),
  "status 204": head(204, []),
  "a flood of headers": head(
    200,
    Array.from({ length: 10_000 }, (_, index) => [`x-${index}`, "y"]),
  ),
  "half a status line": "HTTP/1.1 20",
};

const tunnels: readonly RawFault[] = [
  ...plainEndingAt("tunnel", "tunnel").map((fault) => ({ ...fault, needs: "proxy" }) as const),
  ...Object.entries(tunnelHeads).map(
    ([name, bytes]): RawFault => ({
      phase: "tunnel",
      name,
      needs: "proxy",
      action: { at: "tunnel", act: (line) => line.write(bytes) },
      endless: true,
    }),
  ),
  {
    phase: "tunnel",
    name: "status 200, then a reset",
    needs: "proxy",
    action: {
      at: "tunnel",
      act: (line) => {
        line.write(head(200, []));
        setTimeout(() => line.reset(), 5);
      },
    },
  },
];

const beforeTheResponse: readonly RawFault[] = [
  { phase: "connect", name: "refused", action: { at: "nowhere" } },
  ...plainEndingAt("connect", "accept"),
  ...plainEndingAt("TLS handshake", "hello").map((fault) => ({ ...fault, needs: "TLS" }) as const),
  ...endingAt("headers sent", "", (act) => ({ at: "head", act })),
  ...endingAt("body sent", "", (act) => ({ at: "request", act })),
  ...endingAt("committed", "", (act) => ({ at: "request", act: (exchange) => delivered(exchange, act) })),
];

async function delivered(
  exchange: Exchange,
  then: (exchange: Exchange, served: ServedResponse) => void,
): Promise<void> {
  then(exchange, await exchange.deliver());
}

/** Virtual milliseconds until a request whose connection is lost takes effect. */
const DELAYS: readonly number[] = [100, 2_000, 10_000, 25_000];

const late: readonly RawFault[] = DELAYS.flatMap((delay) =>
  endings
    .filter(({ name }) => name === "reset" || name === "plaintext in TLS")
    .map(
      ({ act, name, ...rest }): RawFault => ({
        phase: "body sent",
        name: `${name}, carried out ${delay / 1000} s later`,
        only: "writes",
        action: {
          at: "request",
          act: (exchange) => {
            exchange.deliverLater(delay);
            act(exchange);
          },
        },
        ...rest,
      }),
    ),
);

/** Parts of the head and of the body after which a connection ends. */
const cuts: readonly RawFault[] = [
  ...Object.entries({ "a status line": "HTTP/1.1 ", "a header": "HTTP/1.1 201 Created\r\nContent-Ty" }).flatMap(
    ([name, part]) =>
      endingAt("response headers", `half of ${name}`, (act) => ({
        at: "request",
        act: (exchange) =>
          delivered(exchange, () => {
            exchange.write(part);
            act(exchange);
          }),
      })),
  ),
  ...[0, 0.1, 0.5, 0.999].flatMap((share) =>
    endingAt("response body", `after ${share * 100} % of it`, (act) => ({
      at: "request",
      act: (exchange) =>
        delivered(exchange, (_, served) => {
          const bytes = complete(served);
          const start = bytes.length - served.body.length;
          exchange.write(bytes.subarray(0, start + Math.floor(served.body.length * share)));
          setTimeout(() => act(exchange), 2);
        }),
    })),
  ),
];

/** A connection that has served a request, and then goes wrong. */
const reuse: readonly RawFault[] = [
  ...endingAt("idle reuse", "at once", (act) => ({ at: "idle", act })).filter(({ name }) => !name.endsWith("silence")),
  ...endingAt("idle reuse", "at the next request", (act) => ({ at: "reuse", act })),
  ...endingAt("idle reuse", "after the next request is carried out", (act) => ({
    at: "reuse",
    act: (exchange) => delivered(exchange, act),
  })),
  ...Object.entries({
    "status 408": { status: 408, headers: [["connection", "close"]], body: Buffer.alloc(0) } as const,
    "an error object": errorResponse(404, "not_found"),
    "a page": PAGE,
    "an empty object": json(200, "{}"),
    "a creation": json(
      201,
      '{"id":"00000000-0000-4000-8000-000000000000","name":"other","token":"inc_other_0123456789"}',
    ),
  }).map(
    ([name, response]): RawFault => ({
      phase: "idle reuse",
      name: `a response nobody asked for, ${name}`,
      action: { at: "idle", act: (line) => line.write(complete(response)) },
    }),
  ),
];

export const connectionFaults: readonly RawFault[] = [
  ...lookups,
  ...badCertificates,
  ...tunnels,
  ...beforeTheResponse,
  ...late,
  ...cuts,
  ...reuse,
];
