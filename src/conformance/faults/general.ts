/** Faults in errors, limits and versioning. */

import { answering, asking, errorWith, type Fault, fieldsOf, is, without } from "../fault.ts";
import { at } from "../shape.ts";

/** Faults of what every endpoint shares. */
export const generalFaults: readonly Fault[] = [
  {
    title: "errors have no request_id",
    foundBy: ["errors.fields", "errors.404.resource"],
    wrap: answering(
      () => true,
      ({ status, body }) => ({ status, body: errorWith(body, (error) => without(error, "request_id")) }),
    ),
  },
  {
    title: "errors have a second key beside error",
    foundBy: ["errors.object"],
    wrap: answering(
      () => true,
      ({ status, body }) => ({ status, body: status >= 400 ? { ...fieldsOf(body), status } : body }),
    ),
  },
  {
    title: "per_page has no maximum",
    foundBy: ["pagination.per_page.above", "pagination.per_page.far-above"],
    wrap: answering(is("GET", /^incidents$/), ({ status, body }, { query }) => {
      const per_page = Number(query.get("per_page") ?? "25");
      return { status, body: { ...fieldsOf(body), pagination: { ...fieldsOf(at(body, "pagination")), per_page } } };
    }),
  },
  {
    title: "there is no limit on requests",
    foundBy: ["limits.rate"],
    wrap: answering(
      () => true,
      ({ status, body }) => (status === 429 ? { status: 200, body: { severities: [] } } : { status, body }),
    ),
  },
  {
    title: "version 2 of the interface answers as version 1",
    foundBy: ["versioning.2"],
    wrap: asking(
      ({ path }) => path.startsWith("/api/v2/"),
      ({ path }) => ({ path: path.slice("/api/v2/".length) }),
    ),
  },
];
