/** The four forms as responders see them. The declare form declares an incident. */

import { randomUUID } from "node:crypto";
import { type Fields, fieldsIn, isFields, isList, objectsIn } from "../../../core/json.ts";
import { requireFound } from "../../http/http-error.ts";
import { choicesOf, isSelectable, takesSeveral } from "../../modules/custom-fields/custom-field-tables.ts";
import { type ConditionInputs, conditionsHold, serializeConditions } from "../../modules/forms/conditions.ts";
import {
  type FormFieldState,
  type FormName,
  formFields,
  formNames,
  isForm,
  type SystemField,
} from "../../modules/forms/form-fields.ts";
import { incidentTypeTable, severityTable, statusTable } from "../../modules/option-lists/option-lists.ts";
import { members } from "../../modules/people.ts";
import type { Database } from "../../store/database.ts";
import { Choice, Problem, Submit, TextArea, TextField } from "../fields.tsx";
import type { Markup } from "../markup.ts";
import type { PageContext, PageResult, WebPage } from "../page.ts";
import { Panel, Pill, Tabs } from "../parts.tsx";
import { failureText, jsonBody, type SentResponse, sendToService } from "../send.ts";

const formTitles: { readonly [Form in FormName]: string } = {
  declare: "Declare",
  update: "Update",
  resolve: "Resolve",
  cancel: "Cancel",
};

/** The fields with texts of several lines. */
const longTexts: ReadonlySet<string> = new Set(["summary", "message"]);

/** The pages of forms. */
export const formPages: readonly WebPage[] = [
  { method: "GET", path: "/forms/:form", view: (context) => formPage(context, readForm(context), context.query) },
  { method: "POST", path: "/forms/declare", view: declare },
];

/** A problem of an attempt. `field` is the interface's name of a field, such as `severity_id` or the slug of a custom field. */
interface FormProblem {
  readonly field?: string;
  readonly message: string;
}

function readForm({ param }: PageContext): FormName {
  const name = param("form");
  return requireFound(isForm(name) ? name : undefined);
}

function formPage(
  context: PageContext,
  form: FormName,
  answers: URLSearchParams,
  problems: readonly FormProblem[] = [],
): PageResult {
  const { database } = context;
  const visible = formFields(database, form).filter((field) => field.visible);
  const inputs = conditionInputs(visible, answers);
  const isAsked = ({ conditions }: FormFieldState): boolean => conditionsHold(conditions, inputs);
  const asked = visible.filter(isAsked);
  const isRefused = problems.length > 0;
  return {
    title: `${formTitles[form]} form`,
    ...(isRefused ? { status: 422 } : {}),
    note: `As responders see it. Your answers decide which fields with conditions are asked.${
      form === "declare" ? "" : " This page sends nothing."
    }`,
    body: (
      <>
        <Tabs label="Forms" tabs={formNames.map((name) => [`/forms/${name}`, formTitles[name], name === form])} />
        {isRefused ? refusal(problems, asked) : null}
        <form method={form === "declare" ? "post" : "get"} action={`/forms/${form}`} data-live="" class="panel fill">
          <div data-part="fields">
            {asked.map((field) => {
              const problem = problems.find((each) => isAbout(each, field));
              return formField(database, field, answers, problem?.message);
            })}
          </div>
          {form === "declare" ? (
            <>
              <input type="hidden" name="idempotency_key" value={answers.get("idempotency_key") ?? randomUUID()} />
              <Submit context={context}>Declare incident</Submit>
            </>
          ) : null}
        </form>
        <div data-part="not-asked">
          {notAsked(
            context,
            visible.filter((field) => !isAsked(field)),
          )}
        </div>
      </>
    ),
  };
}

/** The problems that no asked field shows. */
function refusal(problems: readonly FormProblem[], asked: readonly FormFieldState[]): Markup {
  const others = problems.filter((problem) => !asked.some((field) => isAbout(problem, field)));
  return (
    <Problem>
      <p>
        <b>The incident was not declared.</b>{" "}
        {others.length < problems.length ? "The fields below say what to correct." : ""}
      </p>
      {others.map(({ field, message }) => (
        <p>{field === undefined ? message : `${field}: ${message}`}</p>
      ))}
    </Problem>
  );
}

function isAbout({ field }: FormProblem, { slug }: FormFieldState): boolean {
  return field === slug || field === `${slug}_id`;
}

/** The answers that conditions read. Values of choices are ids, as in the conditions. */
function conditionInputs(fields: readonly FormFieldState[], answers: URLSearchParams): ConditionInputs {
  return {
    severity_id: answers.get("severity") || null,
    incident_type_id: answers.get("incident_type") || null,
    chosenIds: new Map(
      fields.flatMap(({ custom, slug }) => (custom ? [[custom.id, answers.getAll(`custom.${slug}`)]] : [])),
    ),
  };
}

function formField(
  database: Database,
  field: FormFieldState,
  answers: URLSearchParams,
  error: string | undefined,
): Markup {
  const { custom, slug, name, required: isRequired } = field;
  const inputName = custom === undefined ? slug : `custom.${slug}`;
  const values = answers.getAll(inputName);
  const props = {
    id: `field-${custom === undefined ? "" : "custom-"}${slug}`,
    name: inputName,
    label: (
      <>
        {name} {isRequired ? <Pill>required</Pill> : null}
      </>
    ),
    note: custom?.description ?? undefined,
    error,
  };
  const options = optionsOf(database, field);
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
function optionsOf(database: Database, { system, custom }: FormFieldState): Options | undefined {
  if (custom !== undefined) {
    return isSelectable(custom) ? choicesOf(database, custom).map(({ id, label }) => [id, label]) : undefined;
  }
  const list = (table: typeof severityTable): Options =>
    database.list(table, { enabled: true }, { order: "position" }).map(({ id, name }) => [id, name]);
  const systemOptions: { readonly [Field in SystemField]?: () => Options } = {
    severity: () => list(severityTable),
    incident_type: () => list(incidentTypeTable),
    status: () => list(statusTable),
    visibility: () => [
      ["public", "public"],
      ["private", "private"],
    ],
    lead: () => database.list(members).map(({ id, name }) => [id, name]),
  };
  return system === undefined ? undefined : systemOptions[system]?.();
}

/** The fields whose conditions do not hold, with the conditions. */
function notAsked(context: PageContext, fields: readonly FormFieldState[]): Markup {
  if (fields.length === 0) return null;
  return (
    <Panel title="Not asked" note="the conditions of these fields do not hold">
      <ul>
        {fields.map(({ name, conditions }) => (
          <li class="text">
            {name}: asked if{" "}
            {serializeConditions(context.control.service, conditions)
              .map(({ condition_field, operator, values, custom_field }) => {
                const subject = condition_field === "custom_field" ? custom_field : condition_field;
                return `${String(subject).replace("_", " ")} is ${operator === "one_of" ? "" : "not "}one of ${isList(values) ? values.join(", ") : ""}`;
              })
              .join(" and ")}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

async function declare(context: PageContext): Promise<PageResult> {
  const { emulator, form } = context;
  const body = JSON.stringify(declarationOf(context));
  const response = await sendToService(emulator, {
    method: "POST",
    path: "/api/v1/incidents",
    token: emulator.adminToken,
    body,
  });
  const incident = jsonBody(response)?.incident;
  // 200 for a form that is sent a second time.
  if ((response.status === 201 || response.status === 200) && isFields(incident))
    return { goTo: `/incidents/${String(incident.identifier)}` };
  return formPage(context, "declare", form, problemsOf(response));
}

/** The request body of the answers. Fields that the form does not ask are left out. */
function declarationOf({ database, form }: PageContext): Fields {
  const visible = formFields(database, "declare").filter((field) => field.visible);
  const inputs = conditionInputs(visible, form);
  const custom = visible.flatMap(({ custom: field, slug, conditions }): [string, string | readonly string[]][] => {
    if (field === undefined || !conditionsHold(conditions, inputs)) return [];
    const values = form.getAll(`custom.${slug}`).filter((value) => value !== "");
    return values.length === 0 ? [] : [[slug, takesSeveral(field) ? values : (values[0] ?? "")]];
  });
  const optional = { summary: "summary", incident_type: "incident_type_id", visibility: "visibility" } as const;
  return {
    idempotency_key: form.get("idempotency_key") || randomUUID(),
    name: form.get("name") ?? "",
    severity_id: form.get("severity") ?? "",
    source: "emulator page",
    ...Object.fromEntries(
      Object.entries(optional).flatMap(([field, name]) => (form.get(field) ? [[name, form.get(field) ?? ""]] : [])),
    ),
    custom_fields: Object.fromEntries(custom),
  };
}

function problemsOf(response: SentResponse): readonly FormProblem[] {
  const error = jsonBody(response)?.error;
  const errors = objectsIn(fieldsIn(error).errors);
  if (errors.length === 0) return [{ message: failureText(response) }];
  return errors.map(({ field, message }) => ({
    message: String(message),
    ...(field === undefined ? {} : { field: String(field) }),
  }));
}
