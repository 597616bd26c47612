/** Rules of forms and runbooks: conditions compare custom fields with options, forms offer their fields, and names are unique. */

import { isList, objectsIn, textsIn } from "../../core/json.ts";
import { placeholders } from "../../kinds/rows/runbooks.ts";
import { WITHOUT_OPTIONS } from "../../kinds/values/conditions.ts";
import { locationOf } from "../resources/origins.ts";
import type { CheckContext, ResourceRule } from "./rule.ts";

/** Records every condition on a custom field without options. */
const checkConditions: ResourceRule = ({ fields }, { declared, error }) => {
  for (const [index, { custom_field }] of objectsIn(fields.conditions).entries()) {
    if (typeof custom_field !== "string") continue;
    const target = declared.resource("custom_fields", custom_field);
    const type = String(target?.fields.field_type);
    if (target === undefined || !WITHOUT_OPTIONS.has(type)) continue;
    const message = `a condition cannot read ${target.address}, a field of type ${type}`;
    error("E_CONDITION", message, `/conditions/${index}/custom_field`, {
      related: [{ message: "its type is declared here", at: locationOf(target.origins, "/field_type") }],
      help: "Conditions read selects and catalog references only.",
    });
  }
};

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
  const { fields, scope } = resource;
  const { findings, error } = context;
  checkConditions(resource, context);
  if (typeof fields.system_field !== "string") return;
  const offered = OFFERED[scope];
  if (offered !== undefined && !offered.includes(fields.system_field)) {
    const help = findings.guess(fields.system_field, offered) ?? `It offers: ${offered.join(", ")}.`;
    const message = `the ${scope} form does not offer "${fields.system_field}"`;
    error("E_FORM_SYSTEM_FIELD", message, "/system_field", { help });
  }
  const conditional = isList(fields.conditions) && fields.conditions.length > 0;
  if (conditional && LOCKED[scope]?.includes(fields.system_field) === true) {
    error("E_FORM_SYSTEM_FIELD", `${resource.address} is always asked for and cannot have conditions`, "/conditions");
  }
};

/** Checks the inputs, aliases, conditions and placeholders of a runbook. */
export const checkRunbook: ResourceRule = (resource, context) => {
  const { fields } = resource;
  checkConditions(resource, context);
  const keys = objectsIn(fields.inputs).map(({ key }) => String(key));
  refuseRepeated(keys, (index) => `/inputs/${index}/key`, context);
  const aliases = textsIn(fields.aliases).map((alias) => alias.trim().toLowerCase());
  refuseRepeated(aliases, (index) => `/aliases/${index}`, context);
  if (!isList(fields.inputs)) return;
  for (const { at, name } of placeholders(fields.watch, "/watch")) {
    if (keys.includes(name)) continue;
    const related = [{ message: "the inputs are listed here", at: context.at("/inputs") }];
    context.error("E_INPUT", `there is no input "${name}"`, at, { related });
  }
};

function refuseRepeated(
  names: readonly string[],
  pointer: (index: number) => string,
  { error, at }: CheckContext,
): void {
  for (const [index, name] of names.entries()) {
    const first = names.indexOf(name);
    if (first === index) continue;
    const related = [{ message: "first here", at: at(pointer(first)) }];
    error("E_DUP", `"${name}" is listed twice`, pointer(index), { related });
  }
}
