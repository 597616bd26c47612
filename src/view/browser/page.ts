/** The script of a plan's page: everything that the page can do besides being read. Without it the page is complete. */

import { startDiagrams } from "./diagrams.ts";
import { startFilters } from "./filters.ts";
import { startKeys } from "./keys.ts";
import { startLinks, startPrint } from "./links.ts";

const filters = startFilters();
startLinks(filters);
startPrint();
startKeys(filters);
startDiagrams();
