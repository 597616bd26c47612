/** A listener on loopback that keeps what webhooks deliver to it. */

import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

/** One delivery as it arrived. */
export interface Delivery {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** A running receiver. */
export interface Receiver {
  readonly url: string;
  /** The first delivery that satisfies the test, or undefined when none came in time. */
  delivery(test: (delivery: Delivery) => boolean, milliseconds: number): Promise<Delivery | undefined>;
  close(): Promise<void>;
}

/** Listens on a free port of 127.0.0.1 and answers every POST with 204. */
export async function startReceiver(): Promise<Receiver> {
  const deliveries: Delivery[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      deliveries.push({ headers: request.headers, text: Buffer.concat(parts).toString("utf8") });
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    async delivery(test, milliseconds) {
      const deadline = Date.now() + milliseconds;
      for (;;) {
        const found = deliveries.find(test);
        if (found !== undefined || Date.now() > deadline) return found;
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
