/** The log of requests, as they arrive, and one request. */

import { counted } from "../../../core/value-text.ts";
import type { LoggedRequest } from "../../control/request-log.ts";
import { requireFound } from "../../http/http-error.ts";
import type { Markup } from "../markup.ts";
import type { PageContext, PageResult, WebPage } from "../page.ts";
import { DataTable, Facts, Followed, JsonText, Panel, Pill, Time } from "../parts.tsx";

const maximumRows = 100;

export const requestPages: readonly WebPage[] = [
  { method: "GET", path: "/requests", view: list },
  { method: "GET", path: "/requests/:number", view: detail },
];

function list({ control }: PageContext): PageResult {
  const all = control.log.list();
  const total = counted(all.length, "request");
  return {
    title: "Requests",
    note: "Every request to /api/v1, the newest first. New ones appear by themselves.",
    body: (
      <Followed part="requests" note={all.length > maximumRows ? `The newest ${maximumRows} of ${total}` : total}>
        <DataTable
          label="Requests"
          columns={{
            Number: ({ number }) => <a href={`/requests/${number}`}>{number}</a>,
            Request: ({ method, path }) => <code>{`${method} ${path}`}</code>,
            Status: statusPill,
            Time: ({ at }) => <Time at={at} />,
            Principal: ({ principal }) => principal?.name ?? "none",
            Notes: ({ commit, faults }) => (
              <>
                {commit === null ? null : <Pill>change</Pill>}{" "}
                {faults.length === 0 ? null : <Pill tone="alarm">fault</Pill>}
              </>
            ),
          }}
          rows={all.slice(-maximumRows).reverse()}
          empty="No request has arrived yet."
        />
      </Followed>
    ),
  };
}

function statusPill({ status }: LoggedRequest): Markup {
  if (status === null) return <Pill tone="alarm">no response</Pill>;
  return <Pill tone={status < 300 ? "added" : status < 500 ? "attention" : "alarm"}>{status}</Pill>;
}

function detail({ control, param }: PageContext): PageResult {
  const request = requireFound(control.log.list().find(({ number }) => String(number) === param("number")));
  const { method, path, number, at, principal, request_id, commit, faults, body } = request;
  return {
    title: `${method} ${path}`,
    crumbs: ["/requests", "Requests", number],
    mark: statusPill(request),
    body: (
      <>
        <Panel title="Facts">
          <Facts
            facts={[
              ["Time", <Time at={at} />],
              [
                "Principal",
                principal === null ? "none: the token was not accepted" : `${principal.name} (${principal.kind})`,
              ],
              ["Request id", <code>{request_id ?? "none"}</code>],
              ["Committed", commit === null ? "nothing" : `change ${commit}`],
              ["Faults", faults.length === 0 ? "none" : faults.join(", ")],
            ]}
          />
        </Panel>
        <Panel title="Body">
          {body === null ? <p class="quiet empty">The body was not read.</p> : <JsonText label="Body" value={body} />}
        </Panel>
      </>
    ),
  };
}
