/** Carries requests through the program's own HTTP client to a server on loopback: a good one, or a hostile one for a fault. */

import type { Fetch, FetchInit, HttpResponse } from "../../../src/core/fetch.ts";
import { type Authority, authority, type Identity } from "../../support/service/certificates.ts";
import type { Violation } from "../checks/invariants.ts";
import type { CarriedService, Carrier } from "../injection/connection.ts";
import { type ClientOptions, isProxied, isSecure, openClient, type Transport, TunnelProxy } from "./clients.ts";
import { HostileServer, type Service, WARM_UP } from "./hostile-server.ts";
import type { ReceivedRequest, ServedResponse } from "./http-bytes.ts";
import type { Addresses, RawAction, RawFault } from "./raw-fault.ts";

/** The address at which commands find the service. Ports differ on the wire. */
const HOST = "localhost:4010";
/** Virtual milliseconds of a request that times out. */
const PATIENCE = 30_000;
/** Longest real time of a request, in milliseconds. */
const LONGEST = 10_000;
/** Most bytes by which this process may grow during a request. */
const MOST_MEMORY = 256 * 1024 * 1024;

/** Headers of the connection, which are not part of a request. */
const HOP: readonly string[] = [
  "host",
  "connection",
  "content-length",
  "accept-encoding",
  "accept-language",
  "keep-alive",
];

/** The servers for one action. */
interface Place {
  readonly server: HostileServer | undefined;
  readonly port: number;
  readonly proxy: TunnelProxy | undefined;
  readonly addresses?: Addresses;
}

/** Real sockets between the program and the service, over one transport. */
export class RawNetwork implements Carrier {
  readonly #transport: Transport;
  readonly #trusted: Authority;
  readonly #identity: Identity;
  readonly #places = new Map<RawAction | undefined, Promise<Place>>();
  #client: Promise<Fetch> | undefined;
  #service: CarriedService | undefined;
  #violations: Violation[] = [];
  #sent = 0;
  #delivered = 0;

  constructor(transport: Transport) {
    this.#transport = transport;
    this.#trusted = authority("An authority");
    this.#identity = this.#trusted.issue({ names: ["localhost"] });
  }

  /** The base URL of the service. */
  get origin(): string {
    return `${isSecure(this.#transport) ? "https" : "http"}://${HOST}`;
  }

  readonly send = async (
    url: string,
    init: FetchInit,
    fault: RawFault | undefined,
    service: CarriedService,
  ): Promise<HttpResponse> => {
    this.#service = service;
    if (init.method !== "GET") this.#sent += 1;
    if (fault === undefined || !this.#applies(fault, init)) {
      this.#client ??= this.#place(undefined).then((place) => this.#open(place, false));
      return (await this.#client)(await this.#addressOf(url, undefined), init);
    }
    const place = await this.#place(fault.action);
    const client = await this.#open(place, fault.endless === true);
    const address = await this.#addressOf(url, fault.action);
    if (fault.action.at === "idle" || fault.action.at === "reuse") await this.#warmUp(client, address, init);
    return this.#watch(fault, place, () => client(address, init));
  };

  /** Violations since the last call. */
  takeViolations(): readonly Violation[] {
    if (this.#delivered > this.#sent) {
      const what = `${this.#sent} writes were sent, and ${this.#delivered} arrived`;
      this.#violations.push({ invariant: "I6", what });
    }
    this.#sent = 0;
    this.#delivered = 0;
    return this.#violations.splice(0);
  }

  async close(): Promise<void> {
    for (const place of this.#places.values()) {
      const { server, proxy } = await place;
      await server?.close();
      await proxy?.close();
    }
  }

  #applies({ only }: RawFault, { method }: FetchInit): boolean {
    return only === undefined || (only === "reads") === (method === "GET");
  }

  /** Sends a request with a fault; checks its time, the memory, and what untrusted servers have received. */
  async #watch(fault: RawFault, place: Place, send: () => Promise<HttpResponse>): Promise<HttpResponse> {
    const bad = (invariant: string, what: string) =>
      this.#violations.push({ invariant, what: `${fault.phase}, ${fault.name}: ${what}` });
    const start = { at: performance.now(), memory: process.memoryUsage.rss() };
    let peak = start.memory;
    const gauge = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage.rss());
    }, 20);
    const done = () => {
      clearInterval(gauge);
      if (performance.now() - start.at > LONGEST) bad("I11", `it took ${Math.round(performance.now() - start.at)} ms`);
      if (peak - start.memory > MOST_MEMORY) bad("I11", `it took ${Math.round((peak - start.memory) / 1024 ** 2)} MiB`);
      if (fault.action.at === "certificate" || (fault.action.at === "lookup" && fault.needs === "TLS")) {
        const received = [...(place.server?.received ?? []), ...(place.proxy?.received ?? [])];
        const isSecret = (bytes: Buffer) => /bearer|post |patch |delete /i.test(bytes.toString("latin1"));
        if (received.some(isSecret)) bad("I9", "a server with a bad certificate got the request");
      }
      if (fault.endless === true) this.#service?.timeline.tick(PATIENCE);
    };
    try {
      const response = await send();
      if (response.body === null) done();
      return response.body === null ? response : { ...viewOf(response), body: bodyUntil(response.body, done) };
    } catch (error) {
      done();
      throw error;
    }
  }

  async #warmUp(client: Fetch, address: string, init: FetchInit): Promise<void> {
    const { signal } = init;
    const headers = { accept: "application/json" };
    const warm = await client(new URL(WARM_UP, address).href, { method: "GET", headers, redirect: "manual", signal });
    for await (const _ of warm.body ?? []);
  }

  async #open({ proxy, addresses }: Place, isQuick: boolean): Promise<Fetch> {
    const options: ClientOptions = { ca: this.#trusted.cert, proxy: proxy?.port ?? 0, isQuick };
    return openClient(this.#transport, addresses === undefined ? options : { ...options, addresses });
  }

  async #addressOf(url: string, action: RawAction | undefined): Promise<string> {
    const { port } = await this.#place(action);
    return url.replace(`//${HOST}`, `//localhost:${port}`);
  }

  #place(action: RawAction | undefined): Promise<Place> {
    const known = this.#places.get(action);
    if (known !== undefined) return known;
    const opened = this.#openPlace(action);
    this.#places.set(action, opened);
    return opened;
  }

  async #openPlace(action: RawAction | undefined): Promise<Place> {
    const secure = isSecure(this.#transport) ? this.#identity : undefined;
    const isBad = (of: "server" | "proxy") => action?.at === "certificate" && action.of === of;
    const bad = action?.at === "certificate" ? action.identity(this.#trusted) : undefined;
    const server = await HostileServer.open({
      identity: isBad("server") ? bad : secure,
      action,
      service: this.#backend(),
    });
    const proxied = this.#transport === "https proxy" ? this.#identity : undefined;
    const act = action?.at === "tunnel" ? action.act : undefined;
    const proxy = isProxied(this.#transport) ? await TunnelProxy.open(isBad("proxy") ? bad : proxied, act) : undefined;
    if (action?.at === "nowhere") {
      await server.close();
      return { server: undefined, port: server.port, proxy };
    }
    if (action?.at !== "lookup") return { server, port: server.port, proxy };
    return { server: await this.#foreign(server.port), port: server.port, proxy, addresses: action.addresses };
  }

  /** A server of somebody else, at another address with the same port. */
  #foreign(port: number): Promise<HostileServer> {
    const identity = isSecure(this.#transport) ? authority("Somebody else").issue({ names: ["localhost"] }) : undefined;
    return HostileServer.open({ identity, action: undefined, service: this.#backend() }, "127.0.0.2", port);
  }

  #backend(): Service {
    return {
      noticeWholeFlood: () =>
        this.#violations.push({ invariant: "I11", what: "the connection of a flood was not closed" }),
      serve: (request) => this.#serve(request),
      later: (milliseconds, task) => this.#service?.timeline.later(milliseconds, task),
    };
  }

  async #serve({ method, path, headers, body }: ReceivedRequest): Promise<ServedResponse> {
    const service = this.#service;
    if (service === undefined) throw new Error("no request was sent");
    if (method !== "GET") this.#delivered += 1;
    const kept = Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP.includes(name)));
    const init = { method, headers: kept, ...(body === "" ? {} : { body }) };
    const response = await service.serve(`http://127.0.0.1:1${path}`, init);
    return {
      status: response.status,
      headers: [...response.headers].filter(([name]) => name !== "content-length"),
      body: Buffer.from(await response.arrayBuffer()),
    };
  }
}

function viewOf({ status, url, headers }: HttpResponse): Omit<HttpResponse, "body"> {
  return { status, url, headers };
}

/** The body; `done` is called once it has been read, refused or discarded. */
function bodyUntil(body: NonNullable<HttpResponse["body"]>, done: () => void): NonNullable<HttpResponse["body"]> {
  return {
    async *[Symbol.asyncIterator]() {
      try {
        yield* body;
      } finally {
        done();
      }
    },
    cancel: async () => {
      done();
      await body.cancel();
    },
  };
}
