/** The emulator: the service's interface as a function from request to response, on an embedded database. */

import { createApplication } from "./application.ts";
import { Control } from "./control/control.ts";
import { withControlSurface, withLogAndFaults } from "./control/control-handler.ts";
import { type Dialects, standardDialects } from "./dialects.ts";
import { configureExampleWorkspace } from "./example-workspace/configuration.ts";
import { seedExampleWorkspace } from "./example-workspace/example-workspace.ts";
import { fetchOf, type PlainRequest, plainRequestOf, type RequestHandler } from "./http/exchange.ts";
import { allModules } from "./modules/all-modules.ts";
import { members } from "./modules/people.ts";
import { withDocument } from "./openapi/document-handler.ts";
import { openTokenSession, type SessionTokens, seedWorkspace } from "./seed.ts";
import { Seeds, type WorkspaceContent } from "./seeds/seeds.ts";
import { Background } from "./service/background.ts";
import { clockTable, readClockPosition, ServiceClock, writeClockPosition } from "./service/clock.ts";
import type { ServiceModule } from "./service/module.ts";
import { type DeliveryTarget, OutboundSender, type SendWebhook } from "./service/outbound.ts";
import type { ServiceContext, WorkspaceTemplate } from "./service/service-context.ts";
import { Database } from "./store/database.ts";

/** Options of an emulator. Each has a default. */
export interface EmulatorOptions {
  /** The database file; in memory if absent. An existing workspace is opened unchanged. */
  readonly file?: string | undefined;
  /** Dialects that differ from the interface document. */
  readonly dialects?: Partial<Dialects>;
  /** The content of a new workspace; `default` if absent. */
  readonly workspace?: WorkspaceTemplate | undefined;
  /** The clock; the system's if absent. */
  readonly now?: () => Date;
  /** Requests per minute and token before 429; 1,000 if absent, as the interface says. */
  readonly requestsPerMinute?: number;
  /** Fixed tokens instead of random ones. */
  readonly tokens?: Partial<SessionTokens>;
  /** Called with errors of the emulator itself; writes to standard error if absent. */
  readonly report?: (error: unknown) => void;
  /** Enables the control surface: `Emulator.control`, and /control over HTTP unless it is "in-process". */
  readonly control?: boolean | "in-process";
  /** The key of the control surface; a random one if absent. */
  readonly controlKey?: string | undefined;
  /** Adds the configuration, people and incidents of the example workspace to a new workspace. */
  readonly seed?: boolean;
  /** The whole content of a new workspace, from `seeds.dump()` of another emulator; instead of `workspace` and `seed`. */
  readonly content?: WorkspaceContent;
  /** Allowed targets of webhooks; none if absent: then deliveries are recorded, and nothing is sent. */
  readonly deliverTo?: readonly DeliveryTarget[];
  /** Sends a webhook's request; the global fetch if absent. */
  readonly send?: SendWebhook;
}

/** A running emulator. */
export interface Emulator {
  /** Responds to a request; the URL's host is ignored. It rejects only if a fault resets the connection. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** The same without the classes of `fetch`, which take most of an empty start to load. */
  readonly request: PlainRequest;
  /** A personal token of an admin, with every permission. */
  readonly adminToken: string;
  /** A service key with every ability that can be granted. */
  readonly serviceToken: string;
  readonly dialects: Dialects;
  /** Whether this start created the workspace; false if the file had one. */
  readonly isNew: boolean;
  /** The control surface; undefined unless enabled. */
  readonly control: Control | undefined;
  /** Loads and exports people and incidents. */
  readonly seeds: Seeds;
  /**
   * Waits for background work (half a second at most), closes the database and releases its file. Without background
   * work, everything is done when the call returns.
   */
  close(): Promise<void>;
}

const interfaceRequestsPerMinute = 1000;

/** Opens or creates a workspace. Throws if another process holds the file, or if it is not an emulator's database. */
export function createEmulator(options: EmulatorOptions = {}): Emulator {
  if (options.seed === true && options.workspace === "bare") {
    throw new Error('the example workspace needs the default workspace: remove workspace: "bare" or seed');
  }
  const database = new Database(options.file, [...allModules.flatMap(({ tables }) => tables), clockTable]);
  try {
    return start(database, allModules, options);
  } catch (error) {
    database.close();
    throw error;
  }
}

function start(database: Database, modules: readonly ServiceModule[], options: EmulatorOptions): Emulator {
  const report = options.report ?? console.error;
  const background = new Background(report);
  const clock = new ServiceClock(
    options.now ?? (() => new Date()),
    readClockPosition(database),
    (position) => void writeClockPosition(database, position),
  );
  const dialects = { ...standardDialects, ...options.dialects };
  const service: ServiceContext = {
    database,
    background,
    outbound: new OutboundSender(options.send ?? ((url, init) => fetch(url, init)), options.deliverTo ?? []),
    dialects,
    now: clock.now,
    referenceCounters: modules.flatMap(({ referenceCounters: counters = [] }) => counters),
  };
  // One transaction: after a kill during the first start, the next start fills the file.
  const seeds = new Seeds(
    service,
    modules.flatMap(({ tables }) => tables),
  );
  const fill = (): void => {
    database.transaction(() => {
      if (options.content !== undefined) return seeds.restore(options.content);
      seedWorkspace(service, modules, options.workspace ?? "default");
      if (options.seed !== true) return;
      configureExampleWorkspace(service);
      seedExampleWorkspace(service);
    });
  };
  const isNew = database.count(members) === 0;
  if (isNew) fill();
  else for (const module of modules) module.resumeUnfinished?.(service);
  const session = openTokenSession(service, options.tokens ?? {});
  const application = createApplication(service, {
    modules,
    requestsPerMinute: options.requestsPerMinute ?? interfaceRequestsPerMinute,
    report,
  });
  const control =
    options.control === true || options.control === "in-process"
      ? new Control({
          service,
          clock,
          background,
          seeds,
          key: options.controlKey,
          refillWorkspace() {
            database.transaction(() => {
              database.clear(modules.flatMap(({ tables }) => tables));
              fill();
              openTokenSession(service, session);
            });
          },
          restoreWorkspace(content) {
            database.transaction(() => {
              seeds.restore(content);
              openTokenSession(service, session);
            });
            for (const module of modules) module.resumeUnfinished?.(service);
          },
          seedExampleWorkspace: () => seedExampleWorkspace(service),
          resetDialects: (changes) => void Object.assign(dialects, standardDialects, options.dialects, changes),
        })
      : undefined;
  const withControl = options.control === true ? withControlSurface : withLogAndFaults;
  const handler: RequestHandler = withDocument(
    control === undefined ? application : withControl(application, control),
    dialects,
  );
  return {
    fetch: fetchOf(handler),
    request: plainRequestOf(handler),
    adminToken: session.admin,
    serviceToken: session.service,
    dialects,
    isNew,
    control,
    seeds,
    async close() {
      if (!background.isIdle) await background.close();
      database.close();
    },
  };
}
