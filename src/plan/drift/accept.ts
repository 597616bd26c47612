/** Accepts differences: keeps them, until a day and for a reason, in place of earlier acceptances. */

import { addressIncludes } from "../../config/resources/configuration.ts";
import { EXIT, Stop } from "../../core/exit-codes.ts";
import { programLine, quoted, type RunWords, sanitised } from "../../core/sanitise.ts";
import { suggest } from "../../core/suggest.ts";
import { fieldPath } from "../../core/value-text.ts";
import type { Acceptance } from "./acceptance.ts";
import type { Drift, DriftDifference } from "./drift.ts";

/** The differences to accept, and the terms. */
export interface AcceptanceRequest {
  /** The service that they are accepted for. */
  readonly host: string;
  /** The resource that differs; resources below it are included. */
  readonly address: string;
  readonly until: string;
  readonly because: string;
  /** Who accepts them. */
  readonly by: string | undefined;
  /** Words of a command line for the same service and files, for commands in messages. */
  readonly words: RunWords;
}

/** The acceptances after a request. */
export interface AcceptedDrift {
  readonly accepted: readonly Acceptance[];
  /** Earlier acceptances without a difference. */
  readonly removed: readonly Acceptance[];
  /** All acceptances that the file holds from now on. */
  readonly file: readonly Acceptance[];
}

/** Accepts the differences at an address. Stops if there are none, or if one is secret. */
export function acceptDifferences(
  drift: Drift,
  earlier: readonly Acceptance[],
  { host, address, until, because, by, words }: AcceptanceRequest,
): AcceptedDrift {
  const differences = differencesAt([...drift.new, ...drift.known, ...drift.expired], address, words);
  const accepted = differences.map(({ address, path, fingerprint, declared }): Acceptance => {
    const who = by === undefined ? {} : { by };
    return { host, address, path, fingerprint, declared, until, because, ...who };
  });
  const removed = drift.resolved;
  const others = earlier.filter((one) => one.host !== host || !(isIn(removed, one) || isIn(accepted, one)));
  return { accepted, removed, file: [...others, ...accepted] };
}

/** The differences at the address and below it. */
function differencesAt(all: readonly DriftDifference[], address: string, words: RunWords): readonly DriftDifference[] {
  const differences = all.filter((one) => addressIncludes(address, one.address));
  const [first] = differences;
  if (first === undefined) {
    const near = suggest(address, [...new Set(all.map((one) => one.address))]);
    const help =
      near === undefined
        ? `run ${programLine("drift", words)} to list the differences`
        : `did you mean ${quoted(near)}?`;
    throw new Stop(EXIT.error, `nothing differs at ${quoted(address)}; ${help}`);
  }
  const secret = differences.find((one) => one.secret === true);
  if (secret === undefined) return differences;
  const where = `${sanitised(secret.address)} ${fieldPath(secret.path)}`;
  throw new Stop(
    EXIT.error,
    `cannot accept ${where}: it is secret, so nothing of it may be stored, and its next change would go unnoticed`,
  );
}

function isIn(all: readonly Acceptance[], one: Acceptance): boolean {
  return all.some((other) => isSame(other, one));
}

function isSame(left: Pick<Acceptance, "address" | "path">, right: Pick<Acceptance, "address" | "path">): boolean {
  return left.address === right.address && left.path === right.path;
}
