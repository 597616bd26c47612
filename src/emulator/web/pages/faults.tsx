/** The panel of faults: those that are active, and a form for a new one. */

import { type Fault, type FaultAction, faultActionTypes, faultPhases } from "../../control/faults.ts";
import { Choice, Problem, Submit, TextField } from "../fields.tsx";
import type { Markup } from "../markup.ts";
import type { PageContext, PageResult, WebPage } from "../page.ts";
import { TablePanel } from "../parts.tsx";

export const faultPages: readonly WebPage[] = [
  { method: "GET", path: "/faults", view: (context) => faultPage(context) },
  { method: "POST", path: "/faults", view: add },
  { method: "POST", path: "/faults/:id/remove", view: remove },
];

/** The problem with a field of the form. */
interface FaultProblem {
  readonly field: string;
  readonly message: string;
}

const methods = ["GET", "POST", "PATCH", "DELETE"];

function faultPage(context: PageContext, problem?: FaultProblem): PageResult {
  const { control, form } = context;
  const field = (id: string, initial = ""): { id: string; value: string; error: string | undefined } => ({
    id,
    value: form.get(id) ?? initial,
    error: problem?.field === id ? problem.message : undefined,
  });
  const choice = (id: string, initial: string) => ({ ...field(id), value: [form.get(id) ?? initial] });
  return {
    title: "Faults",
    ...(problem === undefined ? {} : { status: 422 }),
    note: "A fault applies to the requests that match it, those of other programs and of these pages alike.",
    body: (
      <>
        <TablePanel
          label="Active faults"
          columns={{
            Requests: ({ method, path }) => <code>{`${method ?? "any"} ${path ?? "*"}`}</code>,
            Phase: ({ phase }) => phase,
            Action: ({ action }) => actionText(action),
            Matched: ({ seen }) => seen,
            Applied: ({ met, times = 1 }) => `${met} of ${times === 0 ? "all" : times}`,
            Remove: ({ id }) => removeButton(context, id),
          }}
          rows={control.faults.list()}
          empty="No fault is active."
        />
        {problem === undefined ? null : (
          <Problem>The fault was not added. The field below says what to correct.</Problem>
        )}
        <form method="post" action="/faults" class="panel fill">
          <h2>New fault</h2>
          <div class="inputs">
            <Choice
              {...choice("method", "")}
              label="Method"
              options={[["", "any"], ...methods.map((name) => [name, name] as const)]}
            />
            <TextField {...field("path", "/api/v1/*")} label="Path" note="* stands for any characters." />
            <Choice
              {...choice("phase", "after-commit")}
              label="Phase"
              note="after-commit: the change is made, and the response fails."
              options={faultPhases.map((phase) => [phase, phase])}
            />
            <Choice
              {...choice("action", "reset")}
              label="Action"
              options={faultActionTypes.map((type) => [type, type])}
            />
            <TextField {...field("nth", "1")} label="First request" note="1 is the next one that matches." />
            <TextField {...field("times", "1")} label="Number of requests" note="0 for all from the first one on." />
            <TextField {...field("status")} label="Status" note="For status and html. Default: 503 and 502." />
            <TextField {...field("milliseconds")} label="Milliseconds" note="For delay. Default: 1000." />
          </div>
          <Submit context={context}>Add fault</Submit>
        </form>
      </>
    ),
  };
}

function removeButton(context: PageContext, id: string): Markup {
  if (!context.isWritable) return null;
  return (
    <form method="post" action={`/faults/${id}/remove`}>
      <Submit context={context}>Remove</Submit>
    </form>
  );
}

/** The action with its values, such as `delay, milliseconds 200`. */
function actionText({ type, ...values }: FaultAction): string {
  return [type, ...Object.entries(values).map(([name, value]) => `${name} ${String(value)}`)].join(", ");
}

function add(context: PageContext): PageResult {
  const { control, form } = context;
  const fault = readFault(form);
  if ("message" in fault) return faultPage(context, fault);
  try {
    control.faults.add(fault);
  } catch (error) {
    return faultPage(context, { field: "action", message: error instanceof Error ? error.message : String(error) });
  }
  return { goTo: "/faults" };
}

function remove({ control, param }: PageContext): PageResult {
  control.faults.clear(param("id"));
  return { goTo: "/faults" };
}

/** The fault of the form, or the problem with its first wrong field. */
function readFault(form: URLSearchParams): Fault | FaultProblem {
  const text = (name: string): string => (form.get(name) ?? "").trim();
  const phase = faultPhases.find((each) => each === text("phase"));
  const type = faultActionTypes.find((each) => each === text("action"));
  if (text("method") !== "" && !methods.includes(text("method")))
    return { field: "method", message: "Choose a method." };
  if (!/^[/*]/.test(text("path"))) return { field: "path", message: "A path begins with / or *." };
  if (phase === undefined) return { field: "phase", message: "Choose a phase." };
  if (type === undefined) return { field: "action", message: "Choose an action." };
  const numbers = new Map<string, number>();
  for (const [field, [minimum, maximum]] of Object.entries(limits)) {
    if (text(field) === "") continue;
    const value = Number(text(field));
    if (!Number.isInteger(value) || value < minimum || value > maximum) {
      return { field, message: `Enter a whole number from ${minimum} to ${maximum}.` };
    }
    numbers.set(field, value);
  }
  const number = (name: string): { readonly [name: string]: number } => {
    const value = numbers.get(name);
    return value === undefined ? {} : { [name]: value };
  };
  return {
    ...(text("method") === "" ? {} : { method: text("method") }),
    path: text("path"),
    ...number("nth"),
    ...number("times"),
    phase,
    action: { type, ...number("status"), ...number("milliseconds") },
  };
}

/** The smallest and the largest value of each number. */
const limits: { readonly [field: string]: readonly [minimum: number, maximum: number] } = {
  nth: [1, 1_000_000],
  times: [0, 1_000_000],
  status: [200, 599],
  milliseconds: [0, 600_000],
};
