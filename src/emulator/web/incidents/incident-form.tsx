/** The forms of one incident: update, resolve and cancel. */

import { requireFound } from "../../http/http-error.ts";
import { type IncidentRow, identifierOf, isLive, stageOf } from "../../modules/incident-record/incident.ts";
import { formsOf, type IncidentForm, isIncidentForm } from "../../modules/incidents/submit-form.ts";
import type { Database } from "../../store/database.ts";
import { Submit } from "../fields.tsx";
import type { PageContext, PageResult, WebPage } from "../page.ts";
import { type FieldProblem, problemsOf, sendToControl } from "../send.ts";
import { findByName } from "./find-incident.ts";
import { customAnswers, FormInputs, FormRefusal, formState, NotAsked, withMissing } from "./form-fields.tsx";
import { IncidentMarks } from "./list.tsx";

/** The pages of an incident's forms, such as `/incidents/INC-1/forms/resolve`. */
export const incidentFormPages: readonly WebPage[] = [
  { method: "GET", path: "/incidents/:incident/forms/:form", view: (context) => formPage(context, context.query) },
  { method: "POST", path: "/incidents/:incident/forms/:form", view: submit },
];

/** The title of a form, which is also its button. */
export function formTitle(database: Database, incident: IncidentRow, form: IncidentForm): string {
  if (form === "update") return isLive(stageOf(database, incident)) ? "Update" : "Update or reopen";
  return form === "resolve" ? "Resolve" : "Cancel incident";
}

function formPage(context: PageContext, typed: URLSearchParams, problems: readonly FieldProblem[] = []): PageResult {
  const { database } = context;
  const { incident, form } = readPath(context);
  const identifier = identifierOf(incident);
  const state = formState(database, form, typed, incident);
  const title = formTitle(database, incident, form);
  const isRefused = problems.length > 0;
  return {
    title: `${title}: ${incident.name}`,
    crumbs: ["/incidents", "Incidents", <a href={`/incidents/${identifier}`}>{identifier}</a>],
    mark: <IncidentMarks database={database} incident={incident} />,
    ...(isRefused ? { status: 422 } : {}),
    note: "Your answers, and the values of the incident, decide which fields with conditions are asked.",
    body: (
      <>
        {isRefused ? <FormRefusal sentence="Nothing was changed." state={state} problems={problems} /> : null}
        <form method="post" action={`/incidents/${identifier}/forms/${form}`} data-live="" class="panel fill">
          <FormInputs database={database} state={state} problems={problems} />
          <Submit context={context}>{title}</Submit>
        </form>
        <NotAsked context={context} state={state} />
      </>
    ),
  };
}

/** The incident and the form of the path. Throws 404 for a form that does not fit the incident's stage. */
function readPath({ database, param }: PageContext): { readonly incident: IncidentRow; readonly form: IncidentForm } {
  const incident = findByName(database, param("incident"));
  const name = param("form");
  const form = requireFound(isIncidentForm(name) ? name : undefined);
  return { incident, form: requireFound(formsOf(database, incident).find((fitting) => fitting === form)) };
}

async function submit(context: PageContext): Promise<PageResult> {
  const { control, database, form: typed } = context;
  const { incident, form } = readPath(context);
  const state = formState(database, form, typed, incident);
  const system = state.asked.flatMap(({ system: slug }) => (slug === undefined ? [] : [[slug, typed.get(slug) ?? ""]]));
  const response = await sendToControl(control, {
    method: "POST",
    path: `/control/incidents/${incident.id}/forms/${form}`,
    body: JSON.stringify({ ...Object.fromEntries(system), custom_fields: customAnswers(state, null) }),
  });
  if (response.status === 200) return { goTo: `/incidents/${identifierOf(incident)}` };
  return formPage(context, typed, withMissing(state, problemsOf(response)));
}
