/** A TCP or TLS server in front of the service. It responds correctly, except for one fault that every connection gets. */

import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { TLSSocket } from "node:tls";
import type { Identity } from "../../support/service/certificates.ts";
import { complete, json, parseRequest, type ReceivedRequest, type ServedResponse } from "./http-bytes.ts";
import type { Exchange, Line, RawAction } from "./raw-fault.ts";

/** The service behind a server. */
export interface Service {
  /** Carries out a request and returns the response. */
  serve(request: ReceivedRequest): Promise<ServedResponse>;
  /** Runs a task after so many milliseconds of virtual time. */
  later(milliseconds: number, task: () => Promise<void>): void;
  /** Takes note that the client did not end a flood. */
  noticeWholeFlood(): void;
}

/** Path of the request that opens a connection before it is reused. The service does not get it. */
export const WARM_UP = "/api/v1/warm-up";

/** Milliseconds within which a client must close the connection on which a flood comes. Then the flood ends by itself. */
const LONGEST_FLOOD = 10_000;

export interface ServerOptions {
  readonly identity: Identity | undefined;
  readonly action: RawAction | undefined;
  readonly service: Service;
}

/** A server on loopback. */
export class HostileServer {
  readonly port: number;
  /** Decrypted bytes that arrived. */
  readonly received: Buffer[] = [];
  readonly #server: Server;
  readonly #options: ServerOptions;
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server, options: ServerOptions) {
    this.#server = server;
    this.#options = options;
    this.port = (server.address() as AddressInfo).port;
    server.on("connection", (raw) => this.#accept(raw));
  }

  static async open(options: ServerOptions, host = "127.0.0.1", port = 0): Promise<HostileServer> {
    const server = createServer({ allowHalfOpen: true, noDelay: true });
    await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, host, resolve));
    return new HostileServer(server, options);
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #accept(raw: Socket): void {
    const { action, identity } = this.#options;
    this.#sockets.add(raw);
    raw.on("error", () => raw.destroy());
    raw.on("close", () => this.#sockets.delete(raw));
    raw.on("end", () => raw.end());
    if (action?.at === "accept") {
      raw.resume();
      action.act(this.#line(raw, raw));
    } else if (action?.at === "hello") {
      raw.once("data", () => action.act(this.#line(raw, raw)));
    } else if (identity === undefined) {
      this.#serve(raw, raw);
    } else {
      const socket = new TLSSocket(raw, { ...identity, isServer: true });
      socket.on("error", () => raw.destroy());
      socket.on("end", () => socket.end());
      this.#serve(socket, raw);
    }
  }

  /** Reads requests and responds to them, one after another. */
  #serve(socket: Socket, raw: Socket): void {
    const { action } = this.#options;
    const line = this.#line(socket, raw);
    let bytes = Buffer.alloc(0);
    let isFaulty = false;
    let queue = Promise.resolve();
    socket.on("data", (chunk: Buffer) => {
      this.received.push(chunk);
      if (isFaulty) return;
      if (action?.at === "head") {
        isFaulty = true;
        action.act(line);
        return;
      }
      bytes = Buffer.concat([bytes, chunk]);
      for (let parsed = parseRequest(bytes); parsed !== undefined; parsed = parseRequest(bytes)) {
        const { request, length } = parsed;
        bytes = bytes.subarray(length);
        const isWarmUp = request.path === WARM_UP;
        isFaulty ||= !isWarmUp && (action?.at === "request" || action?.at === "reuse");
        queue = queue
          .then(() => this.#respond(this.#exchange(socket, line, request), isWarmUp))
          .catch(() => void raw.destroy());
      }
    });
  }

  async #respond(exchange: Exchange, isWarmUp: boolean): Promise<void> {
    const { action } = this.#options;
    if (isWarmUp) {
      exchange.respond(json(200, "{}"));
      if (action?.at === "idle") action.act(exchange);
    } else if (action?.at === "request" || action?.at === "reuse") {
      await action.act(exchange);
    } else {
      exchange.respond(await exchange.deliver());
    }
  }

  #exchange(socket: Socket, line: Line, request: ReceivedRequest): Exchange {
    const { service } = this.#options;
    return {
      ...line,
      request,
      flood: (bytes) => void this.#flood(socket, Buffer.from(bytes)),
      deliver: () => service.serve(request),
      deliverLater: (milliseconds) => service.later(milliseconds, async () => void (await service.serve(request))),
      respond: (response) => line.write(complete(response)),
    };
  }

  #line(socket: Socket, raw: Socket): Line {
    return {
      write: (bytes) => void socket.write(bytes),
      spill: (bytes) => void raw.write(bytes),
      end: () => void socket.end(),
      reset: () => void raw.resetAndDestroy(),
    };
  }

  async #flood(socket: Socket, bytes: Buffer): Promise<void> {
    const chunk = Buffer.concat(Array.from({ length: Math.ceil(65_536 / bytes.length) }, () => bytes));
    const closed = new Promise<void>((resolve) => void socket.once("close", resolve));
    const end = setTimeout(() => {
      this.#options.service.noticeWholeFlood();
      socket.destroy();
    }, LONGEST_FLOOD);
    void closed.then(() => clearTimeout(end));
    while (!socket.destroyed) {
      if (socket.write(chunk)) await new Promise((resolve) => setImmediate(resolve));
      else await Promise.race([new Promise((resolve) => void socket.once("drain", resolve)), closed]);
    }
  }
}
