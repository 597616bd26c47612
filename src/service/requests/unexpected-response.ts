/** Error for a response that the interface does not have: a web page, a redirect, a body of another shape. It is never taken for data. */

import type { RequestLine } from "./service-error.ts";

/** Error for a success with another body than the interface promises, or for a status that the interface does not have. */
export class UnexpectedResponse extends Error {
  readonly request: RequestLine;
  readonly status: number;

  /** `problem` continues the sentence "GET /api/v1/severities returned …". */
  constructor(request: RequestLine, status: number, problem: string) {
    super(`${request.method} ${request.path} returned ${problem}`);
    this.name = "UnexpectedResponse";
    this.request = request;
    this.status = status;
  }
}

const LONGEST_EXCERPT = 120;

/** Returns the beginning of an untrusted text, on one line, for an error message. */
export function excerpt(text: string): string {
  const line = text
    .slice(0, LONGEST_EXCERPT * 4)
    .replace(/[\p{C}\p{Z}\s]+/gu, " ")
    .trim();
  const characters = [...line];
  return characters.length > LONGEST_EXCERPT ? `${characters.slice(0, LONGEST_EXCERPT).join("")}…` : line;
}
