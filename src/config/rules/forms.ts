/** Rules of forms: the fields of each form, and those without conditions. */

import { isList } from "../../core/json.ts";
import { locationOf } from "../resources/origins.ts";
import { checkConditions } from "./conditions.ts";
import type { ResourceRule } from "./rule.ts";

const OFFERED: Readonly<Record<string, readonly string[]>> = {
  declare: ["name", "incident_type", "severity", "summary", "visibility"],
  update: ["message", "next_update", "incident_type", "status", "severity", "summary"],
  resolve: ["name", "status", "severity", "summary", "lead"],
  cancel: ["status", "summary"],
};

/** Fields that a form always asks for, so they cannot have conditions. */
const LOCKED: Readonly<Record<string, readonly string[]>> = {
  declare: ["severity"],
  update: ["severity", "status"],
  resolve: ["severity"],
};

/** Checks a field against the fields of its form. */
export const checkFormField: ResourceRule = (resource, context) => {
  const { fields, scope, origins } = resource;
  const { findings } = context;
  checkConditions(resource, context);
  if (typeof fields.system_field !== "string") return;
  const offered = OFFERED[scope];
  if (offered !== undefined && !offered.includes(fields.system_field)) {
    const message = `the ${scope} form does not offer "${fields.system_field}"`;
    const help = findings.guess(fields.system_field, offered) ?? `It offers: ${offered.join(", ")}.`;
    findings.error("E_FORM_SYSTEM_FIELD", message, locationOf(origins, "/system_field"), { help });
  }
  const conditional = isList(fields.conditions) && fields.conditions.length > 0;
  if (conditional && LOCKED[scope]?.includes(fields.system_field) === true) {
    const message = `${resource.address} is always asked for and cannot have conditions`;
    findings.error("E_FORM_SYSTEM_FIELD", message, locationOf(origins, "/conditions"));
  }
};
