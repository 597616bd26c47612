/** The table of refusals: every rule by which a service refuses to write configuration. */

import { rowsIn } from "../support/rows.ts";
import type { Refusal } from "./refusal.ts";

/** The files of the rows, in the order of the interface. */
const FILES = [
  "option-lists",
  "custom-fields",
  "forms",
  "conditions",
  "runbooks",
  "catalog-types",
  "catalog-entries",
  "alert-sources",
  "routing-rules",
  "webhooks",
  "access",
];

const MEMBERS: Readonly<Record<keyof Refusal, true>> = {
  rule: true,
  source: true,
  files: true,
  address: true,
  live: true,
  request: true,
  status: true,
  reason: true,
  caught: true,
  code: true,
  warning: true,
  why: true,
  dialects: true,
};

/** The rules by the resources that they are about. */
export const REFUSALS: Readonly<Record<string, readonly Refusal[]>> = Object.assign(
  {},
  ...FILES.map((name) => rowsIn<Refusal>(new URL(`rows/${name}.yaml`, import.meta.url), MEMBERS)),
);
