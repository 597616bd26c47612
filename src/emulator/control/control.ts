/** The control surface, with which tests control an emulator. It must be enabled explicitly. */

import { randomBytes } from "node:crypto";
import type { Dialects } from "../dialects.ts";
import type { Seeds, WorkspaceContent } from "../seeds/seeds.ts";
import type { Background } from "../service/background.ts";
import type { ClockPosition, ServiceClock } from "../service/clock.ts";
import type { ServiceContext } from "../service/service-context.ts";
import { ActiveFaults } from "./faults.ts";
import { RequestLog } from "./request-log.ts";

/** The parts that a control surface needs. */
export interface ControlOptions {
  readonly service: ServiceContext;
  readonly clock: ServiceClock;
  readonly background: Background;
  /** The key; a random one if absent. */
  readonly key?: string | undefined;
  /** Clears the workspace and fills it as at the start. The tokens stay. */
  readonly refillWorkspace: () => void;
  readonly seeds: Seeds;
  /** Replaces the content of the workspace. The tokens of the start stay. */
  readonly restoreWorkspace: (content: WorkspaceContent) => void;
  /** Adds the people and incidents of the example workspace. */
  readonly seedExampleWorkspace: () => void;
  /** Resets the dialects to those of the start, then applies the changes. */
  readonly resetDialects: (changes: Partial<Dialects>) => void;
}

/** The state of an emulator at one time. */
interface Snapshot {
  readonly name: string;
  readonly taken_at: string;
  readonly content: WorkspaceContent;
  readonly clock: ClockPosition;
}

/** The control surface of one emulator. */
export class Control {
  /** The key of /control. */
  readonly key: string;
  readonly clock: ServiceClock;
  readonly faults: ActiveFaults = new ActiveFaults();
  readonly log: RequestLog = new RequestLog();
  readonly service: ServiceContext;
  readonly seeds: Seeds;
  readonly #snapshots: Map<string, Snapshot> = new Map();
  readonly #parts: ControlOptions;

  constructor(options: ControlOptions) {
    this.#parts = options;
    this.key = options.key ?? newControlKey();
    this.clock = options.clock;
    this.service = options.service;
    this.seeds = options.seeds;
  }

  /** Resets data, dialects and clock to the start, and clears faults and log. The tokens stay. */
  reset(): void {
    this.#parts.resetDialects({});
    this.clock.reset();
    this.faults.clear();
    this.log.clear();
    this.#parts.refillWorkspace();
  }

  /** Adds the people and incidents of the example workspace. Throws if severities or statuses that it needs are missing. */
  seed(): void {
    this.#parts.seedExampleWorkspace();
  }

  /** The snapshots, oldest first. */
  get snapshots(): readonly Pick<Snapshot, "name" | "taken_at">[] {
    return [...this.#snapshots.values()].map(({ name, taken_at }) => ({ name, taken_at }));
  }

  /** Keeps the content of the workspace and the position of the clock in memory. An earlier one of the name is replaced. */
  takeSnapshot(name: string): Pick<Snapshot, "name" | "taken_at"> {
    const taken_at = this.clock.now().toISOString();
    this.#snapshots.delete(name);
    this.#snapshots.set(name, { name, taken_at, content: this.seeds.dump(), clock: this.clock.position });
    return { name, taken_at };
  }

  /** Restores the content and the clock. Returns false if there is no such snapshot. */
  restoreSnapshot(name: string): boolean {
    const snapshot = this.#snapshots.get(name);
    if (snapshot === undefined) return false;
    this.clock.moveTo(snapshot.clock);
    this.#parts.restoreWorkspace(snapshot.content);
    return true;
  }

  /** Removes a snapshot. */
  removeSnapshot(name: string): void {
    this.#snapshots.delete(name);
  }

  /** Changes dialects for all later requests. Dialects that are not named stay. */
  switchDialects(changes: Partial<Dialects>): void {
    this.#parts.resetDialects({ ...this.service.dialects, ...changes });
  }

  /** Resolves when no delivery and no draft is running. */
  async settled(): Promise<void> {
    await this.#parts.background.settled();
  }
}

/** A new random key. */
export function newControlKey(): string {
  return `ctl_${randomBytes(24).toString("base64url")}`;
}
