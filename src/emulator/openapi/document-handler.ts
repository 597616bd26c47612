/** The OpenAPI document over HTTP, for everybody who can reach the emulator: it says nothing about the workspace. */

import { randomUUID } from "node:crypto";
import type { Dialects } from "../dialects.ts";
import type { RequestHandler } from "../http/exchange.ts";
import { errorResponse, HttpError, jsonResponse } from "../http/http-error.ts";
import { openapi } from "./service-document.ts";

const documentPath = "/openapi.json";

/** A handler that serves the document in the current dialects, and passes every other request on. */
export function withDocument(handler: RequestHandler, dialects: Dialects): RequestHandler {
  return async (incoming) => {
    if (incoming.url.pathname !== documentPath) return handler(incoming);
    if (incoming.method !== "GET" && incoming.method !== "HEAD") {
      return errorResponse(
        new HttpError(405, "method_not_allowed", "The document can only be read", undefined, {
          allow: "GET, HEAD",
        }),
      );
    }
    const response = jsonResponse(200, openapi(dialects), randomUUID());
    return incoming.method === "HEAD" ? { ...response, body: null } : response;
  };
}
