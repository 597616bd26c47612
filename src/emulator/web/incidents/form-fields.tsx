/** The fields of a form as responders see them: the answers, and the values of the incident, decide which fields are asked. */

import { type Fields, isList } from "../../../core/json.ts";
import { choicesOf, isSelectable, takesSeveral } from "../../modules/custom-fields/custom-field-tables.ts";
import { type ConditionInputs, conditionsHold, serializeConditions } from "../../modules/forms/conditions.ts";
import { type FormFieldState, type FormName, formFields, type SystemField } from "../../modules/forms/form-fields.ts";
import { chosenIdsByField, type IncidentRow } from "../../modules/incident-record/incident.ts";
import { statusesFor } from "../../modules/incidents/submit-form.ts";
import { incidentTypeTable, severityTable } from "../../modules/option-lists/option-lists.ts";
import { members } from "../../modules/people.ts";
import type { Database } from "../../store/database.ts";
import { Choice, Problem, TextArea, TextField } from "../fields.tsx";
import type { Markup } from "../markup.ts";
import type { PageContext } from "../page.ts";
import { Panel } from "../parts.tsx";
import type { FieldProblem } from "../send.ts";

/** The fields with texts of several lines. */
const longTexts: ReadonlySet<string> = new Set(["summary", "message"]);

/** A form while it is filled in. */
export interface FormState {
  readonly form: FormName;
  /** The incident that the form belongs to; undefined for a new one. */
  readonly incident?: IncidentRow;
  readonly asked: readonly FormFieldState[];
  readonly notAsked: readonly FormFieldState[];
  /** The answers, by the name of the input. Where none was typed, the value of the incident. */
  readonly answers: URLSearchParams;
}

/** The state of a form with the typed answers. Each input that was on the page is named by `asked`, since an empty one is not sent. */
export function formState(
  database: Database,
  form: FormName,
  typed: URLSearchParams,
  incident?: IncidentRow,
): FormState {
  const visible = formFields(database, form).filter((field) => field.visible);
  const answers = new URLSearchParams(typed);
  for (const field of incident === undefined ? [] : visible) {
    if (incident === undefined || typed.getAll("asked").includes(field.slug)) continue;
    for (const value of currentValues(database, form, incident, field)) answers.append(inputName(field), value);
  }
  const inputs = conditionInputs(visible, answers, incident);
  const isAsked = ({ conditions }: FormFieldState): boolean => conditionsHold(conditions, inputs);
  return {
    form,
    ...(incident === undefined ? {} : { incident }),
    asked: visible.filter(isAsked),
    notAsked: visible.filter((field) => !isAsked(field)),
    answers,
  };
}

function inputName({ custom, slug }: FormFieldState): string {
  return custom === undefined ? slug : `custom.${slug}`;
}

/** The values of the incident with which a field begins. */
function currentValues(
  database: Database,
  form: FormName,
  incident: IncidentRow,
  { system, custom }: FormFieldState,
): readonly string[] {
  if (custom !== undefined) {
    const value = incident.custom_values[custom.id];
    return value === undefined ? [] : (isList(value) ? value : [value]).map(String);
  }
  if (system === "status") {
    const fitting = statusesFor(database, form, incident).map(({ id }) => id);
    return fitting.length === 1 ? fitting : fitting.filter((id) => id === incident.status_id);
  }
  const lead = database.find(members, { id: incident.lead_id ?? "" })?.email;
  const { name, summary, severity_id: severity, incident_type_id: incident_type, visibility } = incident;
  const values: { readonly [Field in SystemField]?: string | null | undefined } = {
    ...{ name, summary, severity, incident_type, visibility, lead },
  };
  const value = system === undefined ? null : values[system];
  return value == null ? [] : [value];
}

/** The answers that conditions read; what the form does not ask is the value of the incident. */
function conditionInputs(
  fields: readonly FormFieldState[],
  answers: URLSearchParams,
  incident: IncidentRow | undefined,
): ConditionInputs {
  const asks = (system: SystemField): boolean => fields.some((field) => field.system === system);
  return {
    severity_id: asks("severity") ? answers.get("severity") || null : (incident?.severity_id ?? null),
    incident_type_id: asks("incident_type")
      ? answers.get("incident_type") || null
      : (incident?.incident_type_id ?? null),
    chosenIds: new Map([
      ...chosenIdsByField(incident?.custom_values ?? {}),
      ...fields.flatMap(({ custom, slug }): [string, readonly string[]][] =>
        custom === undefined ? [] : [[custom.id, answers.getAll(`custom.${slug}`)]],
      ),
    ]),
  };
}

/** The inputs of the asked fields, each with its problem. */
export function FormInputs({
  database,
  state,
  problems,
}: {
  readonly database: Database;
  readonly state: FormState;
  readonly problems: readonly FieldProblem[];
}): Markup {
  return (
    <div data-part="fields">
      {state.asked.map((field) => (
        <>
          <input type="hidden" name="asked" value={field.slug} />
          {formInput(database, state, field, problems.find((problem) => isAbout(problem, field))?.message)}
        </>
      ))}
    </div>
  );
}

function formInput(database: Database, state: FormState, field: FormFieldState, error: string | undefined): Markup {
  const { custom, slug, name, required: isRequired } = field;
  const values = state.answers.getAll(inputName(field));
  const props = {
    id: `field-${custom === undefined ? "" : "custom-"}${slug}`,
    name: inputName(field),
    label: name,
    isRequired,
    note: custom?.description ?? undefined,
    error,
  };
  const options = optionsOf(database, state, field);
  if (options === undefined) {
    const [value = ""] = values;
    return longTexts.has(slug) ? (
      <TextArea {...props} value={value} rows={3} />
    ) : (
      <TextField {...props} value={value} />
    );
  }
  const several = custom !== undefined && takesSeveral(custom);
  const choices: Options = several ? options : [["", isRequired ? "Choose one" : "None"], ...options];
  return <Choice {...props} several={several} value={values} options={choices} />;
}

type Options = readonly (readonly [value: string, label: string])[];

/** The choices of a field; undefined for free text. */
function optionsOf(
  database: Database,
  { form, incident }: FormState,
  { system, custom }: FormFieldState,
): Options | undefined {
  if (custom !== undefined) {
    return isSelectable(custom) ? choicesOf(database, custom).map(({ id, label }) => [id, label]) : undefined;
  }
  /** The enabled rows, and the one that the incident has. */
  const list = (table: typeof severityTable, current: string | null | undefined): Options =>
    database
      .list(table, {}, { order: "position" })
      .flatMap(({ id, name, enabled }) => (enabled || id === current ? [[id, name] as const] : []));
  const systemOptions: { readonly [Field in SystemField]?: () => Options } = {
    severity: () => list(severityTable, incident?.severity_id),
    incident_type: () => list(incidentTypeTable, incident?.incident_type_id),
    status: () => statusesFor(database, form, incident).map(({ id, name }) => [id, name]),
    visibility: () => [
      ["public", "public"],
      ["private", "private"],
    ],
    lead: () => database.list(members).map(({ email, name }) => [email, name]),
  };
  return system === undefined ? undefined : systemOptions[system]?.();
}

function isAbout({ field }: FieldProblem, { slug }: FormFieldState): boolean {
  return field === slug || field === `${slug}_id`;
}

/** Why the form was refused: the problems that no field shows. */
export function FormRefusal({
  sentence,
  state: { asked },
  problems,
}: {
  readonly sentence: string;
  readonly state: FormState;
  readonly problems: readonly FieldProblem[];
}): Markup {
  const others = problems.filter((problem) => !asked.some((field) => isAbout(problem, field)));
  return (
    <Problem>
      <p>
        <b>{sentence}</b> {others.length < problems.length ? "The fields below say what to correct." : ""}
      </p>
      {others.map(({ field, message }) => (
        <p>{field === undefined ? message : `${field}: ${message}`}</p>
      ))}
    </Problem>
  );
}

/** The fields whose conditions do not hold, with the conditions. */
export function NotAsked({
  context: { control },
  state: { notAsked },
}: {
  readonly context: PageContext;
  readonly state: FormState;
}): Markup {
  return (
    <div data-part="not-asked">
      {notAsked.length === 0 ? null : (
        <Panel title="Not asked" note="the conditions of these fields do not hold">
          <ul>
            {notAsked.map(({ name, conditions }) => (
              <li class="text">
                {name}: asked if{" "}
                {serializeConditions(control.service, conditions)
                  .map(({ condition_field, operator, values, custom_field }) => {
                    const subject = condition_field === "custom_field" ? custom_field : condition_field;
                    return `${String(subject).replace("_", " ")} is ${operator === "one_of" ? "" : "not "}one of ${isList(values) ? values.join(", ") : ""}`;
                  })
                  .join(" and ")}
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </div>
  );
}

/** The problems of the required fields without an answer, besides the known ones: a service may name the first alone. */
export function withMissing({ asked, answers }: FormState, problems: readonly FieldProblem[]): readonly FieldProblem[] {
  const missing = asked.filter((field) => field.required && answers.getAll(inputName(field)).join("").trim() === "");
  return [
    ...problems,
    ...missing
      .filter((field) => !problems.some((problem) => isAbout(problem, field)))
      .map(({ slug }) => ({ field: slug, message: "can't be blank" })),
  ];
}

/** The answers to the asked custom fields, by slug. */
export function customAnswers({ asked, answers }: FormState, blank?: null): Fields {
  const entries = asked.flatMap(({ custom, slug }): [string, Fields[string]][] => {
    if (custom === undefined) return [];
    const values = answers.getAll(`custom.${slug}`).filter((value) => value !== "");
    if (values.length === 0) return blank === undefined ? [] : [[slug, blank]];
    return [[slug, takesSeveral(custom) ? values : (values[0] ?? "")]];
  });
  return Object.fromEntries(entries);
}
