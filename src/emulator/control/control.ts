/** The control surface: what tests do to an emulator besides using it. It exists only when it was asked for. */

import { randomBytes } from "node:crypto";
import type { Background } from "../background.ts";
import type { Clock } from "../clock.ts";
import type { Dialects } from "../dialects.ts";
import type { Service } from "../service-context.ts";
import { Faults } from "./faults.ts";
import { RequestLog } from "./request-log.ts";

/** What the control surface is made of. */
export interface ControlParts {
  readonly service: Service;
  readonly clock: Clock;
  readonly background: Background;
  /** Fills the emptied workspace as it was filled at the start, the session's tokens included. */
  readonly refill: () => void;
  /** Adds the people and incidents of the believable workspace. */
  readonly seedBelievable: () => void;
  /** Makes the dialects those of the start again, then those given. */
  readonly dialects: (changes: Partial<Dialects>) => void;
}

/** The control surface of one emulator. */
export class Control {
  /** The key of the HTTP side, /control: a random one per start. */
  readonly key: string = `ctl_${randomBytes(24).toString("base64url")}`;
  readonly clock: Clock;
  readonly faults: Faults = new Faults();
  readonly log: RequestLog = new RequestLog();
  readonly service: Service;
  readonly #parts: ControlParts;

  constructor(parts: ControlParts) {
    this.#parts = parts;
    this.clock = parts.clock;
    this.service = parts.service;
  }

  /** Makes everything as it was at the start: the data, the dialects, the clock; no faults, an empty log. Tokens stay. */
  reset(): void {
    this.#parts.dialects({});
    this.clock.reset();
    this.faults.clear();
    this.log.clear();
    this.#parts.refill();
  }

  /** Adds the people and incidents of the believable workspace. Throws when severities or statuses it needs are missing. */
  seed(): void {
    this.#parts.seedBelievable();
  }

  /** Switches dialects for the requests that follow; those not named stay. */
  switchDialects(changes: Partial<Dialects>): void {
    this.#parts.dialects({ ...this.service.dialects, ...changes });
  }

  /** Resolves when no delivery and no draft is under way. */
  async settled(): Promise<void> {
    await this.#parts.background.settled();
  }
}
