/** Runbooks: steps and conditions change only when they are sent, and sending steps makes them anew. */

import { escapedStep, type Fields, fieldsIn, isFields, isList, type Json, objectsIn, pick } from "../../core/json.ts";
import { defineKind } from "../model/define-kind.ts";
import type { Equality, Kind, Rejection } from "../model/kind.ts";
import {
  conditionDecoder,
  conditionReferences,
  equalConditions,
  rejectedConditions,
  sortConditions,
} from "../values/conditions.ts";
import {
  equalRowsOf,
  equalSets,
  equalTexts,
  equalWithoutBlanks,
  pickRowFields,
  sortAsSet,
} from "../values/equality.ts";

const STEP: readonly string[] = ["title", "instruction", "tool", "arguments"];
const WATCH_STEP: readonly string[] = ["capability", "resource"];
const INPUT: readonly string[] = ["key", "question", "default"];

/** Compares watches by the members of the interface and those that are declared: a newer service may add others. */
const equalWatches: Equality = (live, declared) => equalWithoutBlanks(knownOf(live, declared), declared);

function knownOf(live: Json, declared: Json): Json {
  if (!isFields(live)) return live;
  const known = pick(live, ["steps", ...Object.keys(fieldsIn(declared))]);
  const steps = objectsIn(fieldsIn(declared).steps).flatMap((step) => Object.keys(step));
  return isList(known.steps) ? { ...known, steps: pickRowFields(known.steps, [...WATCH_STEP, ...steps]) } : known;
}

export const runbooks: Kind = defineKind({
  name: "runbooks",
  title: "runbook",
  identity: { keys: ["slug"], displayName: "name", idFields: ["slug", "id"], slug: "word" },
  endpoint: {
    detail: true,
  },
  lifecycle: {
    required: ["name"],
    rejectFields: (lookup) => (declared, live) => [
      ...rejectedConditions(declared.conditions, lookup),
      ...missingInputs(declared, live),
    ],
  },
  references: {
    incidentsUnknown: true,
    dependsOn: ["severities", "incident_types", "custom_fields", "catalog_entries"],
    of: (lookup) => (fields) => conditionReferences(fields.conditions, lookup),
  },
  codec: {
    decode: (lookup) => {
      const decodeConditions = conditionDecoder(lookup);
      return ({ steps, inputs, conditions, ...row }) => ({
        ...row,
        ...(steps === undefined ? {} : { steps: pickRowFields(inOrder(steps), STEP) }),
        ...(inputs === undefined ? {} : { inputs: pickRowFields(inputs, INPUT) }),
        ...(conditions === undefined ? {} : { conditions: decodeConditions(conditions) }),
      });
    },
  },
  fields: {
    summary: { equals: equalTexts },
    content: { equals: equalTexts },
    external_url: { equals: equalTexts },
    steps: { equals: equalRowsOf(STEP) },
    conditions: { equals: equalConditions, canonical: sortConditions, holdsReferences: true },
    inputs: { equals: equalRowsOf(INPUT) },
    aliases: { equals: equalSets, canonical: sortAsSet },
    watch: { equals: equalWatches, members: ["steps", ...WATCH_STEP] },
  },
});

/** Steps by their positions, if all of them have one: an answer may list them in another order. */
function inOrder(steps: Json): Json {
  const places = objectsIn(steps).map(({ position }) => Number(position ?? Number.NaN));
  if (!isList(steps) || places.length !== steps.length || places.some(Number.isNaN)) return steps;
  return objectsIn(steps).toSorted((one, other) => Number(one.position) - Number(other.position));
}

/** A placeholder `{{name}}`, and its JSON Pointer. */
export interface Placeholder {
  readonly at: string;
  readonly name: string;
}

/** The placeholders in a value, at any depth. */
export function placeholders(value: Json | undefined, at: string): readonly Placeholder[] {
  if (typeof value === "string") {
    return [...value.matchAll(/\{\{\s*([^{}]*?)\s*\}\}/g)].map((match) => ({ at, name: match[1] ?? "" }));
  }
  if (isList(value)) return value.flatMap((item, index) => placeholders(item, `${at}/${index}`));
  if (!isFields(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => placeholders(member, `${at}/${escapedStep(name)}`));
}

/** Placeholders of `watch` that are no inputs, where one of the two is declared and the other may be live. */
function missingInputs(declared: Fields, live: Fields | undefined): readonly Rejection[] {
  if (declared.watch === undefined && declared.inputs === undefined) return [];
  const inputs = declared.inputs ?? (live === undefined ? [] : live.inputs);
  // The service may not return the inputs.
  if (!isList(inputs)) return [];
  const keys = inputs.filter(isFields).map(({ key }) => key);
  const missing = placeholders(declared.watch ?? live?.watch, "watch").filter(({ name }) => !keys.includes(name));
  return missing.map(({ at, name }) => ({
    field: declared.watch === undefined ? "inputs" : at,
    code: "E_INPUT",
    message: `watch uses {{${name}}}, and there is no input "${name}"`,
  }));
}
