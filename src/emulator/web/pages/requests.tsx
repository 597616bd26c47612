/** The log of requests, as they arrive, and one request. */

import type { LoggedRequest } from "../../control/request-log.ts";
import { requireFound } from "../../http/http-error.ts";
import type { Markup } from "../markup.ts";
import type { PageContext, PageResult, WebPage } from "../page.ts";
import { counted, DataTable, Facts, Heading, JsonText, Panel, Pause, Pill, Time } from "../parts.tsx";

const maximumRows = 100;

/** The pages of requests. */
export const requestPages: readonly WebPage[] = [
  { method: "GET", path: "/requests", view: list },
  { method: "GET", path: "/requests/:number", view: detail },
];

function list({ control }: PageContext): PageResult {
  const all = control.log.list();
  return {
    title: "Requests",
    body: (
      <>
        <Heading title="Requests" note="Every request to /api/v1, the newest first. New ones appear by themselves." />
        <Pause />
        <section class="panel" data-poll="2" data-part="requests">
          <p class="quiet">
            {all.length > maximumRows
              ? `The newest ${maximumRows} of ${counted(all.length, "request")}`
              : counted(all.length, "request")}
          </p>
          <DataTable
            label="Requests"
            head={["Number", "Request", "Status", "Time", "Principal", "Notes"]}
            empty="No request has arrived yet."
            rows={all
              .slice(-maximumRows)
              .reverse()
              .map((request) => [
                <a href={`/requests/${request.number}`}>{request.number}</a>,
                <code>{`${request.method} ${request.path}`}</code>,
                <ResponseStatus request={request} />,
                <Time at={request.at} />,
                request.principal?.name ?? "none",
                <Notes request={request} />,
              ])}
          />
        </section>
      </>
    ),
  };
}

function detail({ control, param }: PageContext): PageResult {
  const request = requireFound(control.log.list().find(({ number }) => String(number) === param("number")));
  const title = `${request.method} ${request.path}`;
  return {
    title,
    body: (
      <>
        <p class="crumbs">
          <a href="/requests">Requests</a> / {request.number}
        </p>
        <Heading title={title}>
          <ResponseStatus request={request} />
        </Heading>
        <Panel title="Facts">
          <Facts
            facts={[
              ["Time", <Time at={request.at} />],
              [
                "Principal",
                request.principal === null
                  ? "none: the token was not accepted"
                  : `${request.principal.name} (${request.principal.kind})`,
              ],
              ["Request id", <code>{request.request_id ?? "none"}</code>],
              ["Committed", request.commit === null ? "nothing" : `change ${request.commit}`],
              ["Faults", request.faults.length === 0 ? "none" : request.faults.join(", ")],
            ]}
          />
        </Panel>
        <Panel title="Body">
          {request.body === null ? (
            <p class="quiet empty">The body was not read.</p>
          ) : (
            <JsonText label="Body" value={request.body} />
          )}
        </Panel>
      </>
    ),
  };
}

function ResponseStatus({ request: { status } }: { readonly request: LoggedRequest }): Markup {
  if (status === null) return <Pill tone="alarm">no response</Pill>;
  return <Pill tone={status < 300 ? "added" : status < 500 ? "attention" : "alarm"}>{status}</Pill>;
}

function Notes({ request: { commit, faults } }: { readonly request: LoggedRequest }): Markup {
  return (
    <>
      {commit === null ? null : <Pill>change</Pill>} {faults.length === 0 ? null : <Pill tone="alarm">fault</Pill>}
    </>
  );
}
