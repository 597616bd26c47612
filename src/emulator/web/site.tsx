/** The pages as a handler of requests: signs browsers in, checks where forms come from, and renders the page of the path. */

import { createHash } from "node:crypto";
import { SCRIPT, STYLE } from "#web-assets";
import type { Control } from "../control/control.ts";
import type { Emulator } from "../emulator.ts";
import type { IncomingRequest, OutgoingResponse, RequestHandler } from "../http/exchange.ts";
import { badRequest, HttpError, notFound } from "../http/http-error.ts";
import { matchPath } from "../http/match-path.ts";
import { readText } from "../http/request-body.ts";
import { isSameSecret } from "../http/same-secret.ts";
import { hideTokens } from "./hide-tokens.ts";
import { Layout, type LayoutProps, PageBody } from "./layout.tsx";
import { type Markup, renderDocument } from "./markup.ts";
import type { PageResult, WebPage, WebPagesOptions } from "./page.ts";
import { allPages } from "./pages/all-pages.ts";
import { ErrorPage, SignedInPage, SignInPage } from "./pages/sign-in.tsx";
import type { WebSession, WebSessions } from "./sessions.ts";

/** The style sheet, the script and the icon. Their names contain digests, so browsers may keep them. */
const assets = {
  style: asset("css", "text/css; charset=utf-8", STYLE),
  script: asset("js", "text/javascript; charset=utf-8", SCRIPT),
  icon: asset(
    "svg",
    "image/svg+xml",
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><defs><linearGradient id="g" x2="1" y2="1"><stop stop-color="#6d78ff"/><stop offset="1" stop-color="#b44dd8"/></linearGradient></defs><rect width="16" height="16" rx="4.5" fill="url(#g)"/></svg>',
  ),
};

/** Only the style, the script and the icon of this server; forms only to it; in no frame of another page. */
const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

const pageHeaders = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": policy,
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  // With no-referrer, browsers would send forms without their origin.
  "referrer-policy": "same-origin",
};

/** Creates the handler. Throws for an emulator without a control surface. */
export function createSite(emulator: Emulator, sessions: WebSessions, options: WebPagesOptions): RequestHandler {
  const { control } = emulator;
  if (control === undefined) throw new Error("the pages need an emulator with a control surface");
  const site = { emulator, control, isWritable: options.isWritable === true };
  const ownTokens = [emulator.adminToken, emulator.serviceToken, control.key];
  const render = async (
    status: number,
    title: string,
    body: Markup,
    headers: Readonly<Record<string, string>> = {},
    props: Partial<LayoutProps> = {},
  ): Promise<OutgoingResponse> => {
    const document = (
      <Layout
        title={title}
        style={assets.style.path}
        script={assets.script.path}
        icon={assets.icon.path}
        notice={options.notice}
        {...props}
      >
        {body}
      </Layout>
    );
    return {
      status,
      headers: { ...pageHeaders, ...headers },
      body: hideTokens(await renderDocument(document), ownTokens),
    };
  };
  const renderError = (error: unknown, props: Partial<LayoutProps>): Promise<OutgoingResponse> => {
    const { status, message } =
      error instanceof HttpError ? error : { status: 500, message: error instanceof Error ? error.message : "unknown" };
    const title = status === 404 ? "Not found" : status === 403 ? "Refused" : "Error";
    return render(status, title, <ErrorPage title={title} message={message} />, {}, props);
  };
  const respond = async (
    incoming: IncomingRequest,
    session: WebSession,
    props: Partial<LayoutProps>,
  ): Promise<OutgoingResponse> => {
    const result = await runPage(site, incoming, session);
    if ("goTo" in result) return redirect(result.goTo);
    return render(result.status ?? 200, result.title, <PageBody {...result} />, {}, props);
  };
  return async (incoming) => {
    const { pathname, searchParams } = incoming.url;
    const file = Object.values(assets).find(({ path }) => path === pathname);
    if (file !== undefined) return file.response;
    if (pathname === "/sign-in" && incoming.method === "GET") {
      const cookie = sessions.signIn(searchParams.get("key") ?? "");
      if (cookie !== undefined)
        return render(200, "Signed in", <SignedInPage />, { "set-cookie": cookie }, { goTo: "/" });
    }
    const session = sessions.find(incoming.headers.get("cookie"));
    // The link, followed again in the browser that it has signed in.
    if (session !== undefined && pathname === "/sign-in") return redirect("/");
    if (session === undefined) return render(401, "Sign in", <SignInPage isUsed={pathname === "/sign-in"} />);
    const props = { path: pathname, isWritable: site.isWritable, control };
    return respond(incoming, session, props).catch((error: unknown) => renderError(error, props));
  };
}

interface Site {
  readonly emulator: Emulator;
  readonly control: Control;
  readonly isWritable: boolean;
}

/** Runs the page of the path. Throws 404 without one, and 403 for a form that must not be sent. */
async function runPage(site: Site, incoming: IncomingRequest, { formToken }: WebSession): Promise<PageResult> {
  const { url } = incoming;
  const method = incoming.method === "HEAD" ? "GET" : incoming.method;
  for (const page of allPages) {
    const parameters = page.method === method ? matchPath(page.path, url.pathname) : undefined;
    if (parameters === undefined) continue;
    const form = method === "POST" ? await readForm(site, page, incoming, formToken) : new URLSearchParams();
    return page.view({
      ...site,
      database: site.control.service.database,
      path: url.pathname,
      query: url.searchParams,
      form,
      formToken,
      param: (name) => decode(parameters.get(name) ?? ""),
    });
  }
  throw notFound();
}

/** The fields of a form. Throws 403 unless it comes from a page of this server and session, and may change what it changes. */
async function readForm(
  { isWritable }: Site,
  page: WebPage,
  incoming: IncomingRequest,
  formToken: string,
): Promise<URLSearchParams> {
  const { headers } = incoming;
  if (!isOwnOrigin(headers.get("origin"), headers.get("host"))) throw forbidden("The form is from another site");
  if (headers.get("content-type")?.split(";", 1)[0] !== "application/x-www-form-urlencoded") {
    throw badRequest("The body is not a form");
  }
  const form = new URLSearchParams(await readText(incoming));
  if (!isSameSecret(form.get("form_token") ?? "", formToken)) throw forbidden("The form is from another session");
  if (!isWritable && page.isReadOnly !== true) {
    throw forbidden("These pages are read only. Start the emulator with --control to change the workspace.");
  }
  return form;
}

function redirect(location: string): OutgoingResponse {
  return { status: 303, headers: { location, "cache-control": "no-store" }, body: null };
}

function isOwnOrigin(origin: string | null, host: string | null): boolean {
  return host !== null && (origin === `http://${host}` || origin === `https://${host}`);
}

function forbidden(message: string): HttpError {
  return new HttpError(403, "forbidden", message);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw notFound();
  }
}

interface Asset {
  readonly path: string;
  readonly response: OutgoingResponse;
}

function asset(extension: string, type: string, body: string): Asset {
  const digest = createHash("sha256").update(body).digest("hex").slice(0, 16);
  const headers = {
    "content-type": type,
    "cache-control": "private, max-age=31536000, immutable",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
  };
  return { path: `/assets/${digest}.${extension}`, response: { status: 200, headers, body } };
}
