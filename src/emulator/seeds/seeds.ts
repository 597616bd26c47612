/** Seeds of one emulator: loading, exporting, and the content of the whole workspace for another emulator. */

import type { Fields } from "../../core/json.ts";
import type { ServiceContext } from "../service/service-context.ts";
import type { AnyTable, StoredRows } from "../store/database.ts";
import { exportSeed } from "./export-seed.ts";
import { loadSeed } from "./load-seed.ts";
import { readSeedData, type SeedData } from "./seed-data.ts";
import { makeIdsStable } from "./stable-ids.ts";

/** Everything in a workspace, with which another emulator can start. */
export type WorkspaceContent = StoredRows;

/** The seeds of one emulator. */
export class Seeds {
  readonly #service: ServiceContext;
  readonly #tables: readonly AnyTable[];

  constructor(service: ServiceContext, tables: readonly AnyTable[]) {
    this.#service = service;
    this.#tables = tables;
  }

  /** Loads people and incidents, and returns the number of incidents. Throws an HttpError with the field of each error. */
  load(input: Fields): number {
    return loadSeed(this.#service.database, readSeedData(input), this.#service.now());
  }

  /** Gives every resource an id made from its name, so that it is the same in every run. */
  makeIdsStable({ alert_sources }: SeedData): void {
    makeIdsStable(this.#service.database, this.#tables, alert_sources);
  }

  /** The people and incidents as a seed. */
  export(): SeedData {
    return exportSeed(this.#service.database);
  }

  /** The content of the workspace. */
  dump(): WorkspaceContent {
    return this.#service.database.dump(this.#tables);
  }

  /** Replaces the content of the workspace, tokens included. */
  restore(content: WorkspaceContent): void {
    this.#service.database.restore(this.#tables, content);
  }
}
