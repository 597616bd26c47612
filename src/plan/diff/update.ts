/** Updates a live resource: one PATCH with the fields that differ, and requests for option lists that keep the identity of each option. */

import type { DeclaredResource } from "../../config/resources/declared-resource.ts";
import type { Diagnostic } from "../../core/diagnostic.ts";
import { type Fields, isList, type Json } from "../../core/json.ts";
import { joinWords } from "../../core/suggest.ts";
import type { Kind, Rejection } from "../../kinds/model/kind.ts";
import type { LiveResource } from "../../kinds/model/resource.ts";
import { isSameField } from "../../kinds/values/same-field.ts";
import { isExempt } from "../../workspace/match/exempt.ts";
import { incidentsUsing } from "../../workspace/match/incident-usage.ts";
import type { ResolvedState } from "../../workspace/match/resolved-state.ts";
import type { PlanContext } from "../model/context.ts";
import type { Action, Risk } from "../model/plan.ts";
import { changeOfDeclared, draftPatch, fieldProblem, type ResourceDraft, rejectedFields } from "./change.ts";
import { compare, otherFormWarning, writableFields } from "./compare.ts";
import { copies } from "./copies.ts";
import type { FilledFields } from "./fill.ts";
import { optionListSteps } from "./option-list.ts";
import type { Step } from "./step.ts";

/** Drafts the change of a live resource. `moves`: its position changes as well. */
export function draftUpdate(
  context: PlanContext,
  declared: DeclaredResource,
  live: LiveResource,
  { fields, interim, warnings: filling }: FilledFields,
  moves: boolean,
): ResourceDraft {
  const { state } = context;
  const { kind } = declared;
  const { disable } = kind.lifecycle;
  const isKept = disable === undefined || disable in fields || isExempt(declared, `/${disable}`);
  const target = isKept ? fields : { ...fields, [disable]: true };
  const { names, changes, otherForms, unreadable: all } = compare(declared, target, live, context.lastApplied);
  const warnings = [...filling, ...otherForms.map((field) => otherFormWarning(declared, field))];
  const unreadable = all.filter(({ path }) => path.slice(1) in declared.fields || !(path.slice(1) in target));
  const rejected = names.length === 0 ? [] : rejectedFields(state, declared, { ...fields, ...interim }, live, names);
  // A plan that verifies sends nothing: what differs is what the service made of it.
  const isSent = context.lastApplied.verifying !== true;
  const errors = isSent ? [...rejections(context, declared, live, fields, names), ...rejected] : [];
  if (names.length === 0 && !moves) return { errors, warnings, unreadable };

  // An empty list has no option that could be taken for another: the first options go with the rest.
  const optionLists = names.filter((name) => isOptionList(kind, name) && !isEmptyList(live.fields[name]));
  const deferred = names.filter((name) => name in interim);
  const immediate = names.filter((name) => !optionLists.includes(name) && !deferred.includes(name));
  const interimNames = deferred.filter(
    (name) => !isSameField(kind, name, live.fields[name] ?? null, interim[name] ?? null),
  );
  const enabledValue = disable !== undefined && names.includes(disable) ? target[disable] : undefined;
  const steps: Step[] = [];
  const firstNames = [...immediate, ...interimNames];
  if (firstNames.length > 0 || moves) {
    const writable = writableFields(kind, target);
    const sentValue = (name: string) =>
      name === declared.keyField ? declared.key : (interim[name] ?? writable[name] ?? null);
    // Requests to the resources in a scope use its new name, so a rename does not wait with a disable. Everything else does.
    const isEarlyRename =
      enabledValue === false && firstNames.includes(declared.keyField) && namesScopes(state, declared.kind);
    const parts = isEarlyRename
      ? [[declared.keyField], firstNames.filter((name) => name !== declared.keyField)]
      : [firstNames];
    for (const part of parts) {
      const sent = Object.fromEntries(part.map((name) => [name, sentValue(name)]));
      const why = part.length > 0 ? fieldsText(sent) : "move to its position";
      const step = draftPatch(context, declared, live, sent, why, steps.slice(-1));
      const phase = enabledValue === false && part.includes(disable ?? "") ? "removal" : "change";
      steps.push({ ...step, phase, ...(moves && steps.length === 0 ? { positioned: true as const } : {}) });
    }
  }
  if (deferred.length > 0) {
    const sent = Object.fromEntries(deferred.map((name) => [name, target[name] ?? null]));
    const why = `set ${joinWords(deferred)} (the removed values are no longer in use)`;
    const removesItems = `the removed ${joinWords(deferred)}`;
    steps.push({ ...draftPatch(context, declared, live, sent, why, steps.slice(-1)), phase: "removal", removesItems });
  }
  for (const name of optionLists) {
    steps.push(...optionListRequests(context, declared, live, name, fields[name] ?? null, steps));
  }
  const action: Action =
    enabledValue === undefined ? (names.length > 0 ? "update" : "move") : enabledValue === true ? "enable" : "disable";
  const needsAttention =
    action === "disable" ||
    names.some((name) => kind.fields?.[name]?.attention === true) ||
    steps.some(({ removesOptions }) => removesOptions !== undefined);
  const risk: Risk = needsAttention ? "attention" : "safe";
  const reason =
    names.length > 0 ? `${joinWords(names)} ${names.length === 1 ? "differs" : "differ"}` : "position differs";
  const change = changeOfDeclared(declared, action, changes, reason, risk);
  return { draft: { change, kind, scope: declared.scope, declared, live, steps }, unreadable, warnings, errors };
}

/** The fields of a request: `set steps and clear conditions`. */
function fieldsText(sent: Fields): string {
  const isCleared = (name: string): boolean => ["null", '""', "[]"].includes(JSON.stringify(sent[name]));
  const set = Object.keys(sent).filter((name) => !isCleared(name));
  const cleared = Object.keys(sent).filter(isCleared);
  return [["set", set] as const, ["clear", cleared] as const]
    .flatMap(([verb, names]) => (names.length === 0 ? [] : [`${verb} ${joinWords(names)}`]))
    .join("; ");
}

/** Whether resources of the kind give their names to the scopes of another one. */
function namesScopes({ kinds }: ResolvedState, { name }: Kind): boolean {
  return [...kinds.values()].some(({ scopes }) => scopes?.kind === name);
}

function isOptionList({ fields }: Kind, name: string): boolean {
  return fields?.[name]?.optionList === true;
}

function isEmptyList(value: Json | undefined): boolean {
  return isList(value) && value.length === 0;
}

/** The requests of a changed option list; those that remove options wait. */
function optionListRequests(
  context: PlanContext,
  declared: DeclaredResource,
  live: LiveResource,
  name: string,
  target: Json,
  before: readonly Step[],
): readonly Step[] {
  const options = live.fields[name];
  if (!isList(options) || !isList(target)) return [];
  const { mostItems = Number.POSITIVE_INFINITY } = declared.kind.fields?.[name] ?? {};
  const steps: Step[] = [];
  for (const { action, list, labels } of optionListSteps(options.map(String), target, mostItems)) {
    const quoted = labels.map((label) => JSON.stringify(label));
    const optionTitle = name.replace(/s$/, "");
    const why =
      action === "order"
        ? `reorder the ${name}`
        : action === "rename"
          ? `rename ${optionTitle} ${quoted.join(" to ")}`
          : `${action} ${optionTitle}${labels.length > 1 ? "s" : ""} ${quoted.join(", ")}`;
    const step = draftPatch(context, declared, live, { [name]: list }, why, [...before.slice(-1), ...steps.slice(-1)]);
    const retains = `${labels.length === 1 ? optionTitle : name} ${quoted.join(", ")}`;
    steps.push(action === "remove" ? { ...step, phase: "removal", retains, removesOptions: labels } : step);
  }
  return steps;
}

/** Changes that the service cannot make, that would change incidents, or that would make a second option. */
function rejections(
  { usage, lastApplied }: PlanContext,
  declared: DeclaredResource,
  live: LiveResource,
  fields: Fields,
  names: readonly string[],
): readonly Diagnostic[] {
  const { kind, address } = declared;
  // A plan that verifies shows what the service has stored, which may be another value that cannot be changed.
  const isVerifying = lastApplied.verifying === true;
  const found = kind.lifecycle.rejectUpdate?.(live.fields, fields, incidentsUsing(usage, live)?.count);
  const isChanged = names.includes(found?.field.split("/")[0] ?? "");
  const rejection = isChanged && !isVerifying ? found : undefined;
  const immutable = isVerifying ? [] : names.filter((name) => kind.fields?.[name]?.writtenBy === "create");
  return [
    ...immutable.map((name) => {
      const message = `the ${name} of ${address} is ${JSON.stringify(live.fields[name])} and cannot be changed to ${JSON.stringify(fields[name])}`;
      return fieldProblem(
        declared,
        `/${name}`,
        "E_IMMUTABLE",
        message,
        `Write the live value, or declare a new ${kind.title}.`,
      );
    }),
    ...(isVerifying ? [] : names.flatMap((name) => copies(declared, live, name))),
    ...(rejection === undefined ? [] : [rejected(declared, rejection)]),
  ];
}

/** The error of a rejected change; without a code of its own, the change would affect incidents. */
function rejected(declared: DeclaredResource, { field, message, code = "E_CAUTION" }: Rejection): Diagnostic {
  return fieldProblem(declared, `/${field}`, code, `${declared.address}: ${message}`, undefined);
}
