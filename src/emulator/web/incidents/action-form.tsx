/** The forms of actions on the page of an incident, and their submission. */

import { type IncidentRow, identifierOf } from "../../modules/incident-record/incident.ts";
import { Choice, Submit, TextArea, TextField } from "../fields.tsx";
import type { Markup } from "../markup.ts";
import type { PageContext } from "../page.ts";
import { type FieldProblem, problemsOf, sendToControl, sendToService } from "../send.ts";
import { type ActionInput, type ActionName, incidentActions, inputsOf, requestBody, requestPath } from "./actions.ts";

/** An attempt that was refused. */
export interface RefusedAttempt {
  readonly action: ActionName;
  readonly form: URLSearchParams;
  readonly problems: readonly FieldProblem[];
}

/** The incident of a page, and the attempt that was refused. */
export interface IncidentScope {
  readonly context: PageContext;
  readonly incident: IncidentRow;
  readonly attempt?: RefusedAttempt;
}

/** The properties of an action's form. */
interface ActionFormProps {
  readonly scope: IncidentScope;
  readonly action: ActionName;
  /** Values that the form carries: parameters of the path, and members of the body without an input. */
  readonly carried?: { readonly [name: string]: string };
  /** The values of the inputs before anything is typed. */
  readonly values?: { readonly [member: string]: string };
  /** The row that the form belongs to, for screen readers: each button and input has a name of its own. */
  readonly of?: string;
}

/** A button with the inputs of its action, in a row; nothing on pages that are read only. */
export function ActionForm(props: ActionFormProps): Markup {
  const { scope, action, carried = {}, of } = props;
  const { context, incident } = scope;
  if (!context.isWritable) return null;
  const { button } = incidentActions[action];
  return (
    <form
      method="post"
      action={`/incidents/${identifierOf(incident)}/actions/${action}`}
      class={of === undefined ? "fill" : "fill row"}
    >
      {Object.entries(carried).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      {inputsOf(incidentActions[action], context.database, incident).map((input) => actionInput(props, input))}
      <Submit context={context}>
        {button}
        {of === undefined ? null : <span class="unseen"> {of}</span>}
      </Submit>
    </form>
  );
}

/** The form of an action that is opened when it is needed. */
export function ActionPanel(props: Omit<ActionFormProps, "of"> & { readonly title: string }): Markup {
  const { scope, title } = props;
  if (!scope.context.isWritable) return null;
  return (
    <details class="action" open={attemptOf(props) !== undefined}>
      <summary>{title}</summary>
      <ActionForm {...props} />
    </details>
  );
}

/** The refused attempt of this form; undefined if it was another one. Only a form of a row is one of several. */
function attemptOf({ scope: { attempt }, action, carried = {}, of }: ActionFormProps): RefusedAttempt | undefined {
  if (attempt?.action !== action) return undefined;
  const isOfRow = Object.entries(carried).every(([name, value]) => attempt.form.get(name) === value);
  return of === undefined || isOfRow ? attempt : undefined;
}

const longTexts: ReadonlySet<string> = new Set(["text", "html"]);

function actionInput(
  props: ActionFormProps,
  { member, label, isRequired, takesSeveral, options }: ActionInput,
): Markup {
  const { action, carried = {}, values = {}, of } = props;
  const attempt = attemptOf(props);
  const value = attempt?.form.getAll(member) ?? (values[member] === undefined ? [] : [values[member]]);
  const field = {
    id: [action, ...Object.values(carried), member].join("-"),
    name: member,
    label: of === undefined ? label : `${of}: ${label}`,
    isRequired,
    error: attempt?.problems.find((problem) => problem.field === member)?.message,
  };
  if (options !== undefined) {
    const blank = [["", isRequired ? "Choose one" : "none"] as const];
    const isChosen = value.some((each) => options.some(([option]) => option === each)) || options[0]?.[0] === "false";
    const choices = takesSeveral || isChosen ? options : [...blank, ...options];
    return <Choice {...field} several={takesSeveral} value={value} options={choices} />;
  }
  const [text = ""] = value;
  if (longTexts.has(member))
    return <TextArea {...field} rows={member === "html" ? 12 : 3} isCode={member === "html"} value={text} />;
  return <TextField {...field} value={text} />;
}

/** Sends an action. Returns the attempt if it was refused, and undefined if it was done. */
export async function runAction(
  { emulator, control, database, form }: PageContext,
  incident: IncidentRow,
  name: ActionName,
): Promise<RefusedAttempt | undefined> {
  const action = incidentActions[name];
  const missing = inputsOf(action, database, incident)
    .filter(({ member, isRequired }) => isRequired && form.getAll(member).join("").trim() === "")
    .map(({ member }) => ({ field: member, message: "can't be blank" }));
  if (missing.length > 0) return { action: name, form, problems: missing };
  const [method = ""] = action.operation.split(" ");
  const request = {
    method,
    path: requestPath(action, incident, form),
    body: JSON.stringify(requestBody(action, form)),
  };
  const response = request.path.startsWith("/control/")
    ? await sendToControl(control, request)
    : await sendToService(emulator, { ...request, token: emulator.adminToken });
  const isDone = response.status !== null && response.status < 300;
  return isDone ? undefined : { action: name, form, problems: problemsOf(response) };
}
