/** Every page. */

import { incidentDetailPages } from "../incidents/incident.tsx";
import { incidentFormPages } from "../incidents/incident-form.tsx";
import { incidentPages } from "../incidents/list.tsx";
import { postmortemPages } from "../incidents/postmortem.tsx";
import type { WebPage } from "../page.ts";
import { accessPages } from "./access.tsx";
import { alertPages } from "./alerts.tsx";
import { configurationPages, pageResources } from "./configuration.tsx";
import { deliveryPages } from "./deliveries.tsx";
import { faultPages } from "./faults.tsx";
import { formPages } from "./forms.tsx";
import { overviewPages } from "./overview.tsx";
import { requestPages } from "./requests.tsx";
import { tryOutPages } from "./try-out.tsx";

/** The pages, each under its path. */
export const allPages: readonly WebPage[] = [
  ...overviewPages,
  ...incidentPages,
  ...incidentDetailPages,
  ...incidentFormPages,
  ...postmortemPages,
  ...formPages,
  ...alertPages,
  ...configurationPages(pageResources),
  ...accessPages,
  ...deliveryPages,
  ...requestPages,
  ...faultPages,
  ...tryOutPages,
];
