/** The four forms as responders see them. The declare form declares an incident; the others belong to an incident, and are shown here only. */

import { randomUUID } from "node:crypto";
import { type Fields, isFields } from "../../../core/json.ts";
import { requireFound } from "../../http/http-error.ts";
import { type FormName, formNames, isForm } from "../../modules/forms/form-fields.ts";
import { Submit } from "../fields.tsx";
import {
  customAnswers,
  FormInputs,
  FormRefusal,
  type FormState,
  formState,
  NotAsked,
  withMissing,
} from "../incidents/form-fields.tsx";
import type { PageContext, PageResult, WebPage } from "../page.ts";
import { Tabs } from "../parts.tsx";
import { type FieldProblem, jsonBody, problemsOf, sendToService } from "../send.ts";

const formTitles: { readonly [Form in FormName]: string } = {
  declare: "Declare",
  update: "Update",
  resolve: "Resolve",
  cancel: "Cancel",
};

export const formPages: readonly WebPage[] = [
  { method: "GET", path: "/forms/:form", view: (context) => formPage(context, readForm(context), context.query) },
  { method: "POST", path: "/forms/declare", view: declare },
];

function readForm({ param }: PageContext): FormName {
  const name = param("form");
  return requireFound(isForm(name) ? name : undefined);
}

function formPage(
  context: PageContext,
  form: FormName,
  typed: URLSearchParams,
  problems: readonly FieldProblem[] = [],
): PageResult {
  const { database } = context;
  const state = formState(database, form, typed);
  const isDeclaration = form === "declare";
  const isRefused = problems.length > 0;
  return {
    title: `${formTitles[form]} form`,
    ...(isRefused ? { status: 422 } : {}),
    note: isDeclaration ? (
      "As responders see it. Your answers decide which fields with conditions are asked."
    ) : (
      <>
        As responders see it. To send it, open it on the page of <a href="/incidents?stage=live">an incident</a>.
      </>
    ),
    body: (
      <>
        <Tabs label="Forms" tabs={formNames.map((name) => [`/forms/${name}`, formTitles[name], name === form])} />
        {isRefused ? <FormRefusal sentence="The incident was not declared." state={state} problems={problems} /> : null}
        <form method={isDeclaration ? "post" : "get"} action={`/forms/${form}`} data-live="" class="panel fill">
          <FormInputs database={database} state={state} problems={problems} />
          {isDeclaration ? (
            <>
              <input type="hidden" name="idempotency_key" value={typed.get("idempotency_key") ?? randomUUID()} />
              <Submit context={context}>Declare incident</Submit>
            </>
          ) : null}
        </form>
        <NotAsked context={context} state={state} />
      </>
    ),
  };
}

async function declare(context: PageContext): Promise<PageResult> {
  const { emulator, database, form } = context;
  const state = formState(database, "declare", form);
  const response = await sendToService(emulator, {
    method: "POST",
    path: "/api/v1/incidents",
    token: emulator.adminToken,
    body: JSON.stringify(declarationOf(state, form)),
  });
  const incident = jsonBody(response)?.incident;
  // 200 for a form that is sent a second time.
  if ((response.status === 201 || response.status === 200) && isFields(incident))
    return { goTo: `/incidents/${String(incident.identifier)}` };
  return formPage(context, "declare", form, withMissing(state, problemsOf(response)));
}

/** The request body of the answers. Fields that the form does not ask are left out. */
function declarationOf(state: FormState, form: URLSearchParams): Fields {
  const optional = { summary: "summary", incident_type: "incident_type_id", visibility: "visibility" } as const;
  return {
    idempotency_key: form.get("idempotency_key") || randomUUID(),
    name: form.get("name") ?? "",
    severity_id: form.get("severity") ?? "",
    source: "emulator page",
    ...Object.fromEntries(
      Object.entries(optional).flatMap(([field, name]) => (form.get(field) ? [[name, form.get(field) ?? ""]] : [])),
    ),
    custom_fields: customAnswers(state),
  };
}
