/** Alerts: a sample, the rules that it passes, and the alerts that have arrived. */

import { type Fields, objectsIn } from "../../../core/json.ts";
import { incidents } from "../../modules/incident-record/incident.ts";
import { alerts } from "../../modules/routing/alert.ts";
import { type AlertSourceRow, alertSourceTable } from "../../modules/routing/alert-sources.ts";
import { evaluate } from "../../modules/routing/evaluation.ts";
import { effectiveRules, ownRules, type RoutingRuleRow } from "../../modules/routing/routing-rule-sets.ts";
import type { Database } from "../../store/database.ts";
import { Choice, Problem, Submit, TextField } from "../fields.tsx";
import { incidentLink } from "../incidents/list.tsx";
import type { Markup } from "../markup.ts";
import type { PageContext, PageResult, WebPage } from "../page.ts";
import { Facts, Panel, Pill, type PillTone, TablePanel, Time } from "../parts.tsx";
import { failureText, sendToService } from "../send.ts";
import { outcomeText } from "./references.ts";

const maximumRows = 50;
const usualFields = ["title", "description", "service", "environment", "severity_raw", "status"];

export const alertPages: readonly WebPage[] = [
  { method: "GET", path: "/alerts", view: (context) => alertPage(context, context.query) },
  { method: "POST", path: "/alerts", view: sendAlert },
];

function alertPage(context: PageContext, values: URLSearchParams, problem?: string): PageResult {
  const { database } = context;
  const sources = database.list(alertSourceTable, {}, { order: "name" });
  const source = sources.find(({ id }) => id === values.get("source")) ?? sources[0];
  const names = fieldNames(database, source);
  const fields = fieldsOf(values, names);
  return {
    title: "Alerts",
    ...(problem === undefined ? {} : { status: 422 }),
    note: "Type a sample alert and see which routing rule decides. Nothing happens until you send it.",
    body: (
      <>
        {problem === undefined ? null : <Problem>{problem}</Problem>}
        <div class="pair">
          <form method="post" action="/alerts" data-live="" class="panel fill">
            <h2>Sample alert</h2>
            {source === undefined ? (
              <p class="quiet">There is no alert source to send it to. The rules of the workspace are tried.</p>
            ) : (
              <Choice
                id="source"
                label="Source"
                value={[source.id]}
                options={sources.map(({ id, name, enabled }) => [id, enabled ? name : `${name} (disabled)`])}
              />
            )}
            <div data-part="fields">
              {names.map((name) => (
                <TextField id={`field-${name}`} name={`field.${name}`} label={name} value={fields[name] ?? ""} />
              ))}
            </div>
            {source === undefined ? null : <Submit context={context}>Send the alert</Submit>}
          </form>
          <div data-part="trace">{trace(database, fields, source)}</div>
        </div>
        {received(database, sources)}
      </>
    ),
  };
}

/** The usual fields of an alert, and those that the rules in force read. */
function fieldNames(database: Database, source: AlertSourceRow | undefined): readonly string[] {
  const rules = effectiveRules(database, source?.id) ?? [];
  const read = rules.flatMap(({ conditions }) => conditions.map(({ field }) => String(field)));
  return [...new Set([...usualFields, ...read])];
}

function fieldsOf(values: URLSearchParams, names: readonly string[]): { readonly [name: string]: string } {
  const entries = names.map((name) => [name, values.get(`field.${name}`) ?? ""] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== ""));
}

/** The rules that the sample passes, with the one that decides. */
function trace(database: Database, fields: Fields, source: AlertSourceRow | undefined): Markup {
  const evaluation = evaluate(database, fields, source?.id);
  const isInherited = source === undefined || ownRules(database, source.id) === undefined;
  const note = isInherited ? "the rules of the workspace" : `the rules of ${source.name}`;
  if (evaluation === undefined) {
    return (
      <Panel title="Routing" note={note}>
        <p class="quiet empty">No routing rules are in force.</p>
      </Panel>
    );
  }
  const { rule: decisive, trace: steps, warnings, context } = evaluation;
  const rules = effectiveRules(database, source?.id) ?? [];
  return (
    <Panel title="Routing" note={note}>
      <p class={decisive === undefined ? "problem" : "done"} role="status">
        {decisive === undefined
          ? "No rule matches: nothing happens with this alert."
          : `Rule ${decisive.priority} decides: ${decisive.outcome.action.replaceAll("_", " ")}.`}
      </p>
      <ol class="flow">{rules.map((rule, index) => tracedRule(database, rule, steps[index]))}</ol>
      {warnings.map((warning) => (
        <p class="notice">{warning}</p>
      ))}
      {Object.keys(context).length === 0 ? null : (
        <details class="context">
          <summary>Fields that the rules see, with those of the catalog</summary>
          <Facts facts={Object.entries(context)} />
        </details>
      )}
    </Panel>
  );
}

/** One rule. `step` is undefined for a rule after the one that matches. */
function tracedRule(
  database: Database,
  { priority, outcome, conditions }: RoutingRuleRow,
  step: Fields | undefined,
): Markup {
  const [tone, verdict] = verdictOf(step);
  return (
    <li class={step?.matched === true ? "hit" : ""}>
      <p class="rule">
        <b>{`Rule ${priority}`}</b> <Pill tone={tone}>{verdict}</Pill>
      </p>
      {conditions.length === 0 ? <p class="when">every alert</p> : null}
      {objectsIn(step?.conditions).map(({ field, operator, value, actual, matched }) => (
        <p class="when text">
          {matched === true ? "✓ " : "✗ "}
          <span class="field">{String(field)}</span> {String(operator).replaceAll("_", " ")}{" "}
          {value == null ? "" : JSON.stringify(value)}
          {" – "}
          {actual == null ? "the alert has none" : `it is ${JSON.stringify(actual)}`}
        </p>
      ))}
      <p class="then text">→ {outcomeText(database, outcome)}</p>
    </li>
  );
}

function verdictOf(step: Fields | undefined): readonly [tone: PillTone, words: string] {
  if (step === undefined) return ["", "not reached"];
  if (step.skipped === true) return ["", "disabled, skipped"];
  return step.matched === true ? ["added", "matches"] : ["removed", "does not match"];
}

function received(database: Database, sources: readonly AlertSourceRow[]): Markup {
  return (
    <TablePanel
      label="Alerts so far"
      note={`the newest ${maximumRows} at most`}
      columns={{
        Received: ({ received_at }) => <Time at={received_at} />,
        Source: ({ source_id }) => sources.find(({ id }) => id === source_id)?.name ?? "deleted",
        Title: ({ fields }) => String(fields.title ?? ""),
        State: ({ status }) => status,
        Rule: ({ rule_priority }) => rule_priority ?? "none",
        Action: ({ action }) => action?.replaceAll("_", " ") ?? "none",
        Incident: ({ incident_id: id }) => incidentLink(id === null ? undefined : database.find(incidents, { id })),
      }}
      rows={database.list(alerts, {}, { order: "received_at DESC, rowid DESC", limit: maximumRows })}
      empty="No alert has arrived."
    />
  );
}

async function sendAlert(context: PageContext): Promise<PageResult> {
  const { database, emulator, form } = context;
  const source = database.find(alertSourceTable, { id: form.get("source") ?? "" });
  if (source === undefined) return alertPage(context, form, "Choose a source.");
  const body = JSON.stringify(fieldsOf(form, fieldNames(database, source)));
  const path = `/api/v1/alerts/${encodeURIComponent(source.slug)}`;
  const response = await sendToService(emulator, { method: "POST", path, token: emulator.adminToken, body });
  if (response.status !== 201) return alertPage(context, form, `The alert was not taken. ${failureText(response)}`);
  // The page keeps the alert, so that its trace stays visible.
  const values = [...form].filter(([name, value]) => name !== "form_token" && value !== "");
  return { goTo: `/alerts?${new URLSearchParams(values)}` };
}
