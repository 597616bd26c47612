/** Errors for a collection that could not be read, or not completely. They are never turned into an empty list. */

import { EXIT } from "../../core/exit-codes.ts";
import type { ServiceError } from "../requests/service-error.ts";

/** Error for a collection that the service does not show to this token; the command ends with exit code 6. */
export class CannotRead extends Error {
  /** The kind that cannot be read. */
  readonly kind: string;
  readonly scope: string;
  readonly refusal: ServiceError;
  readonly exitCode: number = EXIT.cannotSee;

  constructor(kind: { readonly name: string; readonly admin: boolean }, scope: string, refusal: ServiceError) {
    const subject = scope === "" ? kind.name : `${kind.name} of "${scope}"`;
    const request = refusal.requestId === undefined ? "" : ` (request ${refusal.requestId})`;
    super(
      `${subject} cannot be read: ${refusal.status} ${refusal.message}${request}${helpFor(kind.admin, refusal.status)}`,
    );
    this.name = "CannotRead";
    this.kind = kind.name;
    this.scope = scope;
    this.refusal = refusal;
  }
}

/** The end of the message: what to do about the status. */
function helpFor(isAdmin: boolean, status: number): string {
  if (isAdmin && status !== 404)
    return "; set INCIDENTCTL_ADMIN_TOKEN to an administrator's personal token, which alone can read them; without it, plan, apply, drift and rehearse leave them out with --without-admin, and pull --kinds reads the others";
  return status === 401 ? "; set INCIDENTCTL_TOKEN to a token of this service" : "";
}

/** Error for a list that changed during every attempt to read it, or that contradicts itself. */
export class IncompleteList extends Error {
  readonly path: string;

  constructor(path: string, why: string) {
    super(`the list at ${path} cannot be read whole: ${why}`);
    this.name = "IncompleteList";
    this.path = path;
  }
}
