/** Loads a workspace from the answers of a service that has it: the same ids, slugs, places and addresses. */

import { loadAccess } from "./access.ts";
import { loadCatalog, loadPeople } from "./catalog.ts";
import { Conditions } from "./conditions.ts";
import { loadCustomFields } from "./custom-fields.ts";
import { loadForms } from "./forms.ts";
import { type HeldCounts, loadIncidents } from "./incidents.ts";
import type { Loading } from "./lenient-rows.ts";
import { loadOptionLists } from "./option-lists.ts";
import { loadRouting, loadWebhooks } from "./routing.ts";
import { loadRunbooks } from "./runbooks.ts";

/** What is loaded besides the rows. */
export interface Surroundings {
  readonly held: HeldCounts;
  /** Email addresses, user or member ids of people that writes to come will name. */
  readonly people: readonly string[];
}

/** Loads everything in one transaction, what is mentioned before what mentions it; returns how many incidents were made. */
export function loadWorkspace(loading: Loading, { held, people }: Surroundings): number {
  return loading.service.database.transaction(() => {
    loadOptionLists(loading);
    loadCatalog(loading);
    loadPeople(loading, people);
    loadCustomFields(loading);
    const conditions = new Conditions(loading);
    loadForms(loading, conditions);
    loadRunbooks(loading, conditions);
    loadRouting(loading);
    loadWebhooks(loading);
    loadAccess(loading);
    return loadIncidents(loading, held);
  });
}
