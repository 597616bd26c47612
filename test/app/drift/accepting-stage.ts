/** A world in which the service differs from the files, and the commands that tests of acceptances run in it. */

import { afterEach, expect } from "vitest";
import { apply } from "../../../src/app/apply/apply-command.ts";
import type { ApplyFlags } from "../../../src/app/apply/apply-definition.ts";
import { accept } from "../../../src/app/drift/accept-command.ts";
import type { AcceptOptions } from "../../../src/app/drift/accept-definition.ts";
import { plan } from "../../../src/app/plan/plan-command.ts";
import type { PlanFlags } from "../../../src/app/plan/plan-definition.ts";
import { type Command, type Ended, openWorld, type World, type WorldIo } from "../../commands/world.ts";

export const SETTINGS = "version: 1\n";
export const CONFIG = `severities:
  - { slug: critical, name: Critical }
  - { slug: major, name: Major }
  - { slug: minor, name: Minor, default: true }
webhooks: []
`;
export const UNTIL = "2026-12-31";

/** The world of the current test. */
export class AcceptingStage {
  #world: World | undefined;

  constructor() {
    afterEach(() => this.#world?.close());
  }

  get world(): World {
    if (this.#world === undefined) throw new Error("the test has not opened a world");
    return this.#world;
  }

  readonly opened = async (
    config: string = CONFIG,
    settings: string = SETTINGS,
    options: Parameters<typeof openWorld>[1] = {},
  ): Promise<void> => {
    this.#world = await openWorld({ "config.yaml": config, "incidentctl.yaml": settings }, options);
    this.#world.io.env.USER = "ann";
  };

  readonly rename = (slug: string, name: string): Promise<unknown> =>
    this.world.send("PATCH", `/api/v1/severities/${slug}`, { name });

  readonly hook = (name: string): Promise<unknown> =>
    this.world.send("POST", "/api/v1/webhooks", {
      ...{ name, url: "https://a.example.com/x", subscribed_events: ["incident.created"] },
    });

  readonly severity = async (slug: string): Promise<Record<string, unknown>> => {
    const { severities } = (await this.world.send("GET", "/api/v1/severities?include_disabled=true")) as {
      readonly severities: readonly Record<string, unknown>[];
    };
    return severities.find((one) => one.slug === slug) ?? {};
  };

  readonly accepted = async (address: string, options: Partial<AcceptOptions> = {}): Promise<void> => {
    const given = { paths: [], address, until: UNTIL, because: "for the audit", ...options };
    const ended = await this.world.run(accept, given);
    expect(ended.exit, ended.stderr).toBe(0);
  };

  readonly planned = async (options: Partial<PlanFlags> = {}): Promise<ReturnType<typeof JSON.parse>> => {
    const ended = await this.world.run(plan, { paths: [], format: "json", ...options });
    expect(ended.exit, ended.stderr).toBe(0);
    return JSON.parse(ended.stdout);
  };

  readonly applied = (options: Partial<ApplyFlags> = {}): Promise<Ended> =>
    this.world.run(apply, { paths: [], yes: true, ...options });

  /** Runs a command on a day. */
  readonly on = <Options extends Parameters<World["run"]>[1]>(
    day: string,
    command: (options: Options, io: WorldIo, console: never) => Promise<number>,
    options: Options,
  ): Promise<Ended> => {
    const later = () => ({ ...this.world.io, now: () => new Date(`${day}T12:00:00Z`) });
    const run = ((given, _io, console) => command(given, later(), console as never)) as Command<Options>;
    return this.world.run(run, options);
  };
}

/** The addresses of the changes of a plan. */
export function addresses({
  changes,
}: {
  readonly changes: readonly { readonly address: string }[];
}): readonly string[] {
  return changes.map(({ address }) => address);
}
