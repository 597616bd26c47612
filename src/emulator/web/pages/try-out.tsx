/** Trying out the interface: choose an operation, fill in its parameters, and send it with one of the emulator's tokens. */

import type { Emulator } from "../../emulator.ts";
import { HttpError, requireFound } from "../../http/http-error.ts";
import { parametersOf } from "../../http/match-path.ts";
import { allModules } from "../../modules/all-modules.ts";
import { exampleOf } from "../../openapi/example.ts";
import type { ServedEndpoint } from "../../service/module.ts";
import { Choice, Submit, TextArea, TextField } from "../fields.tsx";
import { hideTokens } from "../hide-tokens.ts";
import type { Markup } from "../markup.ts";
import type { PageContext, PageResult, WebPage } from "../page.ts";
import { Panel, Pill, Source } from "../parts.tsx";
import { jsonBody, type SentResponse, sendToService } from "../send.ts";

const endpoints: readonly ServedEndpoint[] = allModules.flatMap((module) => module.endpoints);

/** The pages of the interface. A form that only reads may be sent although pages are read only. */
export const tryOutPages: readonly WebPage[] = [
  { method: "GET", path: "/operations", view: list },
  { method: "GET", path: "/operations/:method/:path", view: (context) => operationPage(context) },
  { method: "POST", path: "/operations/:method/:path", isReadOnly: true, view: send },
];

function hrefOf({ method, path }: ServedEndpoint): string {
  return `/operations/${method}/${encodeURIComponent(path)}`;
}

function list(): PageResult {
  const groups = new Map<string, ServedEndpoint[]>();
  for (const endpoint of endpoints) {
    const group = endpoint.path.split("/")[1] ?? "";
    groups.set(group, [...(groups.get(group) ?? []), endpoint]);
  }
  return {
    title: "Interface",
    note: (
      <>
        Every operation of /api/v1. Choose one to try it. Programs read <a href="/openapi.json">the OpenAPI document</a>
        .
      </>
    ),
    body: (
      <>
        {[...groups].map(([group, own]) => (
          <Panel title={group.replaceAll("_", " ")}>
            <ul class="operations">
              {own.map((endpoint) => (
                <li>
                  <code>{endpoint.method}</code>{" "}
                  <a href={hrefOf(endpoint)}>
                    <code>{endpoint.path}</code>
                  </a>{" "}
                  <span class="quiet">{endpoint.summary}</span>
                </li>
              ))}
            </ul>
          </Panel>
        ))}
      </>
    ),
  };
}

function operationPage(context: PageContext, response?: SentResponse): PageResult {
  const endpoint = endpointOf(context);
  const { form } = context;
  const value = (name: string, initial = ""): string => form.get(name) ?? initial;
  return {
    title: `${endpoint.method} ${endpoint.path}`,
    heading: `${endpoint.method} /api/v1${endpoint.path}`,
    crumbs: ["/operations", "Interface", endpoint.summary],
    note:
      endpoint.requiredAbility === "token"
        ? "Any token may do this."
        : `The token needs the ability ${endpoint.requiredAbility}.`,
    body: (
      <>
        <form method="post" action={hrefOf(endpoint)} class="panel fill">
          <div class="inputs">
            <Choice
              id="token"
              label="Token"
              value={[value("token", "service")]}
              options={[
                ["service", "service token"],
                ["admin", "admin token"],
                ["wrong", "a wrong token"],
              ]}
            />
            {parametersOf(endpoint.path).map((name) => (
              <TextField id={`path.${name}`} label={`${name} (path)`} value={value(`path.${name}`)} />
            ))}
            {Object.entries(endpoint.query ?? {}).map(([name, { description }]) => (
              <TextField
                id={`query.${name}`}
                label={`${name} (query)`}
                note={description}
                value={value(`query.${name}`)}
              />
            ))}
          </div>
          {endpoint.body === undefined ? null : (
            <TextArea
              id="body"
              label="Body (JSON)"
              rows={10}
              isCode={true}
              value={value("body", JSON.stringify(exampleOf(endpoint.body), null, 2))}
            />
          )}
          <Submit context={context} isReadOnly={endpoint.method === "GET"}>
            Send
          </Submit>
        </form>
        {response === undefined ? null : responsePanel(response)}
      </>
    ),
  };
}

function responsePanel(response: SentResponse): Markup {
  const { status, requestId, text } = response;
  const json = jsonBody(response);
  return (
    <Panel title="Response" note={requestId === null ? "" : `request ${requestId}`}>
      <p role="status">
        {status === null ? (
          <Pill tone="alarm">the connection was reset, as after a fault</Pill>
        ) : (
          <Pill tone={status < 300 ? "added" : "attention"}>{`status ${status}`}</Pill>
        )}
      </p>
      {hideTokens(text, []) === text ? null : (
        <p class="quiet">Pages show only how a token begins. To get a token, send the request with a program.</p>
      )}
      {text === "" ? (
        <p class="quiet empty">The response has no body.</p>
      ) : (
        <Source label="Body of the response" text={json === undefined ? text : JSON.stringify(json, null, 2)} />
      )}
    </Panel>
  );
}

async function send(context: PageContext): Promise<PageResult> {
  const { emulator, form, isWritable } = context;
  const endpoint = endpointOf(context);
  if (endpoint.method !== "GET" && !isWritable) {
    throw new HttpError(
      403,
      "forbidden",
      "These pages are read only. Start the emulator with --control to change the workspace.",
    );
  }
  const body = endpoint.body === undefined || endpoint.method === "GET" ? {} : { body: form.get("body") ?? "" };
  const path = addressOf(endpoint, form);
  return operationPage(
    context,
    await sendToService(emulator, {
      method: endpoint.method,
      path,
      token: tokenOf(emulator, form.get("token")),
      ...body,
    }),
  );
}

function endpointOf({ param }: PageContext): ServedEndpoint {
  return requireFound(endpoints.find(({ method, path }) => method === param("method") && path === param("path")));
}

function addressOf(endpoint: ServedEndpoint, form: URLSearchParams): string {
  const path = endpoint.path.replace(/:(\w+)/g, (_all, name: string) =>
    encodeURIComponent(form.get(`path.${name}`) ?? ""),
  );
  const query = new URLSearchParams(
    Object.keys(endpoint.query ?? {}).flatMap((name): [string, string][] => {
      const value = form.get(`query.${name}`) ?? "";
      return value === "" ? [] : [[name, value]];
    }),
  );
  return `/api/v1${path}${query.size === 0 ? "" : `?${query}`}`;
}

function tokenOf({ adminToken, serviceToken }: Emulator, choice: string | null): string {
  if (choice === "admin") return adminToken;
  return choice === "service" ? serviceToken : "wrong";
}
