/** The emulator's public face: the service's interface as a function from request to response, on an embedded database. */

import { createApplication } from "./application.ts";
import { Background } from "./background.ts";
import { Clock } from "./clock.ts";
import { Control } from "./control/control.ts";
import { controlled } from "./control/control-handler.ts";
import { type Dialects, standardDialects } from "./dialects.ts";
import { seedBelievable } from "./example-workspace/example-workspace.ts";
import { fetchOf, type Handler, type PlainRequest, plainRequestOf } from "./http/exchange.ts";
import { members } from "./rooms/access/principals.ts";
import { rooms } from "./rooms/all-rooms.ts";
import type { Room } from "./rooms/room.ts";
import { Outbound, type Reach, type Send } from "./rooms/webhooks/outbound.ts";
import { openSession, type SessionTokens, seed } from "./seed.ts";
import type { Service, Workspace } from "./service-context.ts";
import { Database } from "./store/database.ts";

/** How an emulator is made; everything has a default. */
export interface EmulatorOptions {
  /** The database file; in memory when absent. A file that holds a workspace is opened as it is. */
  readonly file?: string;
  /** Rows of the dialect table that differ from the interface's word. */
  readonly dialects?: Partial<Dialects>;
  /** What a new workspace holds; `default` when absent. */
  readonly workspace?: Workspace;
  /** The clock; the system's when absent. */
  readonly now?: () => Date;
  /** Requests per minute and key before 429; the interface's 1,000 when absent. */
  readonly requestsPerMinute?: number;
  /** Fixed tokens in place of random ones. */
  readonly tokens?: Partial<SessionTokens>;
  /** Told of errors that are the emulator's own fault; standard error when absent. */
  readonly report?: (error: unknown) => void;
  /** Makes the control surface: `Emulator.control`, and /control over HTTP. */
  readonly control?: boolean;
  /** Fills a new workspace with the people and incidents of the believable one. */
  readonly seed?: boolean | "believable";
  /** Where webhooks may be delivered to; this machine's loopback when absent. */
  readonly deliverTo?: Reach;
  /** Sends a webhook's delivery; the global fetch when absent. */
  readonly send?: Send;
}

/** A running emulator. */
export interface Emulator {
  /** Answers a request; the host of its URL is not looked at. It rejects only where a fault resets the connection. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** The same, in parts, for a process that does without Node's own `fetch`: that takes most of an empty start to load. */
  readonly request: PlainRequest;
  /** A personal token of an admin: it may do everything. */
  readonly adminToken: string;
  /** A service key that holds every ability that can be granted. */
  readonly serviceToken: string;
  readonly dialects: Dialects;
  /** The control surface; undefined unless it was asked for. */
  readonly control: Control | undefined;
  /**
   * Waits for background work (half a second at most), closes the database and gives its file back. With nothing under way
   * all of it is done when the call returns.
   */
  close(): Promise<void>;
}

const interfaceRequestsPerMinute = 1000;

/** Opens or makes a workspace. Throws when the file cannot be used: held by a live process, or no database of ours. */
export function createEmulator(options: EmulatorOptions = {}): Emulator {
  if (isSeeded(options) && options.workspace === "bare") {
    throw new Error("the believable workspace needs the entries of the default one");
  }
  const database = new Database(
    options.file,
    rooms.flatMap(({ tables }) => tables),
  );
  try {
    return start(database, rooms, options);
  } catch (error) {
    database.close();
    throw error;
  }
}

function start(database: Database, rooms: readonly Room[], options: EmulatorOptions): Emulator {
  const report = options.report ?? console.error;
  const background = new Background(report);
  const clock = new Clock(options.now ?? (() => new Date()));
  const dialects = { ...standardDialects, ...options.dialects };
  const service: Service = {
    database,
    background,
    outbound: new Outbound(options.send ?? ((url, init) => fetch(url, init)), options.deliverTo ?? "loopback"),
    dialects,
    now: clock.now,
    references: rooms.flatMap(({ references = [] }) => references),
  };
  // One transaction: a process killed on its first start leaves a file that the next one fills.
  const fill = (): void => {
    database.transaction(() => {
      seed(service, rooms, options.workspace ?? "default");
      if (isSeeded(options)) seedBelievable(service);
    });
  };
  if (database.count(members) === 0) fill();
  else for (const room of rooms) room.resume?.(service);
  const session = openSession(service, options.tokens ?? {});
  const application = createApplication(service, {
    rooms,
    requestsPerMinute: options.requestsPerMinute ?? interfaceRequestsPerMinute,
    report,
  });
  const control =
    options.control === true
      ? new Control({
          service,
          clock,
          background,
          refill() {
            database.transaction(() => {
              database.clear(rooms.flatMap(({ tables }) => tables));
              fill();
              openSession(service, session);
            });
          },
          seedBelievable: () => seedBelievable(service),
          dialects: (changes) => void Object.assign(dialects, standardDialects, options.dialects, changes),
        })
      : undefined;
  const handler: Handler = control === undefined ? application : controlled(application, control);
  return {
    fetch: fetchOf(handler),
    request: plainRequestOf(handler),
    adminToken: session.admin,
    serviceToken: session.service,
    dialects,
    control,
    async close() {
      if (!background.idle) await background.close();
      database.close();
    },
  };
}

function isSeeded({ seed }: EmulatorOptions): boolean {
  return seed === true || seed === "believable";
}
