/** Faults in errors, limits and versioning. */

import { at } from "../../../src/conformance/value-shape.ts";
import {
  changeError,
  changeRequest,
  changeResponse,
  fieldsOf,
  matches,
  type PlantedFault,
  without,
} from "./planted-fault.ts";

/** Faults of what every endpoint shares. */
export const generalFaults: readonly PlantedFault[] = [
  {
    title: "errors have no request_id",
    foundBy: ["errors.fields", "errors.404.resource"],
    wrap: changeResponse(
      () => true,
      ({ status, body }) => ({ status, body: changeError(body, (error) => without(error, "request_id")) }),
    ),
  },
  {
    title: "errors have a second key beside error",
    foundBy: ["errors.object"],
    wrap: changeResponse(
      () => true,
      ({ status, body }) => ({ status, body: status >= 400 ? { ...fieldsOf(body), status } : body }),
    ),
  },
  {
    title: "per_page has no maximum",
    foundBy: ["pagination.per_page.above", "pagination.per_page.far-above"],
    wrap: changeResponse(matches("GET", /^incidents$/), ({ status, body }, { query }) => {
      const per_page = Number(query.get("per_page") ?? "25");
      return { status, body: { ...fieldsOf(body), pagination: { ...fieldsOf(at(body, "pagination")), per_page } } };
    }),
  },
  {
    title: "there is no limit on requests",
    foundBy: ["limits.rate"],
    wrap: changeResponse(
      () => true,
      ({ status, body }) => (status === 429 ? { status: 200, body: { severities: [] } } : { status, body }),
    ),
  },
  {
    title: "version 2 of the interface responds like version 1",
    foundBy: ["versioning.2"],
    wrap: changeRequest(
      ({ path }) => path.startsWith("/api/v2/"),
      ({ path }) => ({ path: path.slice("/api/v2/".length) }),
    ),
  },
];
