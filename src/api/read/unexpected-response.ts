/** An answer that is no answer of the interface: a page, a redirect, a body of another shape. Never taken for data. */

import type { Asked } from "./service-error.ts";

/** A successful status with something else than the interface promises, or a status that it does not know. */
export class UnexpectedAnswer extends Error {
  readonly asked: Asked;
  readonly status: number;

  /** `what` continues the sentence "GET /api/v1/severities was answered with …". */
  constructor(asked: Asked, status: number, what: string) {
    super(`${asked.method} ${asked.path} was answered with ${what}`);
    this.name = "UnexpectedAnswer";
    this.asked = asked;
    this.status = status;
  }
}

const LONGEST_EXCERPT = 120;

/** The beginning of a text that nobody vouches for, on one line, for an error message. */
export function excerpt(text: string): string {
  const line = text
    .slice(0, LONGEST_EXCERPT * 4)
    .replace(/[\p{C}\p{Z}\s]+/gu, " ")
    .trim();
  const characters = [...line];
  return characters.length > LONGEST_EXCERPT ? `${characters.slice(0, LONGEST_EXCERPT).join("")}…` : line;
}
