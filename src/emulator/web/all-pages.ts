/** Every page. */

import { incidentDetailPages } from "./incident.tsx";
import { incidentPages } from "./incidents.tsx";
import { overviewPages } from "./overview.tsx";
import type { WebPage } from "./page.ts";

/** The pages, each under its path. */
export const allPages: readonly WebPage[] = [...overviewPages, ...incidentPages, ...incidentDetailPages];
