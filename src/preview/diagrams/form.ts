/** The declare form before and after a plan, if the plan has read it. */

import { ENVIRONMENT } from "../../workspace/match/last-applied.ts";
import { declarationRules } from "../impact/declare-form.ts";
import type { DiagramSource, FormDiagram } from "./diagrams.ts";

/** Kinds whose resources a condition reads, by its word for one of them. */
const READ_KINDS = { severity: "severities", incident_type: "incident_types", custom_field: "custom_fields" };
/** Kinds that decide which fields the form has. */
const KINDS: readonly string[] = ["forms", ...Object.values(READ_KINDS)];

/** The form; undefined if the plan changes nothing of it, has not read it, or a value of it came from the environment. */
export function formDiagram({ plan, configuration, state, hashes }: DiagramSource): FormDiagram | undefined {
  const isChanged = plan.changes.some(
    ({ kind, address }) => (kind === "forms" && address.startsWith("forms/declare/")) || kind === "custom_fields",
  );
  if (!isChanged || state.live("forms", "declare") === undefined) return undefined;
  const isSecret =
    configuration.declared.some(({ kind, secrets }) => KINDS.includes(kind.name) && secrets.length > 0) ||
    Object.keys(hashes).some((key) => KINDS.some((kind) => key.startsWith(`${kind}/`)) && key.endsWith(ENVIRONMENT));
  if (isSecret) return undefined;
  const names = Object.entries(READ_KINDS).flatMap(([subject, kind]) =>
    [...state.all(kind), ...configuration.declared.filter((resource) => resource.kind.name === kind)].flatMap(
      ({ key, fields: { name } }) => (typeof name === "string" ? [[`${subject}/${key}`, name] as const] : []),
    ),
  );
  return { ...declarationRules(state, configuration, plan), names: new Map(names) };
}
