/**
 * The rest of an interrupted plan, made again. A journal is input from outside, so its operations only select: each one that is sent
 * is the operation of a plan that was just made from the files and the live state, and it makes the same request.
 */

import { canonical, type Fields } from "../../core/json.ts";
import { addTo } from "../../core/lists.ts";
import type { Operation, Plan } from "../../plan/model/plan.ts";
import { CreatedResources } from "../../run/exchange/created-resources.ts";
import { buildRequest, type LateValueSource } from "../../run/exchange/request.ts";
import type { MadePlan } from "../session/make-plan.ts";

/** The operations of an interrupted plan that remain, each made again. */
export interface DerivedRest {
  /** The operations that remain, in the order of the new plan, with the ids of the interrupted one. */
  readonly operations: readonly Operation[];
  /** Addresses of the operations that the new plan does not have. */
  readonly missing: readonly string[];
}

/** Makes the remaining operations of an interrupted plan again. */
export function deriveRest(rest: readonly Operation[], made: MadePlan, secret: LateValueSource["secret"]): DerivedRest {
  const source = { secret, created: rowsOrPlaceholders(made, [...rest, ...made.plan.operations]) };
  const idsByRequest = new Map<string, string[]>();
  for (const operation of rest) addTo(idsByRequest, requestText(operation, made, source), operation.id);
  const ids = new Map<string, string>();
  const derived = made.plan.operations.filter((operation) => {
    const id = idsByRequest.get(requestText(operation, made, source))?.shift();
    if (id !== undefined) ids.set(operation.id, id);
    return id !== undefined;
  });
  const found = new Set(ids.values());
  const needed = derived.flatMap((operation) => operation.depends_on).filter((id) => !ids.has(id));
  return {
    operations: derived.map((operation) => ({
      ...operation,
      id: ids.get(operation.id) ?? operation.id,
      depends_on: operation.depends_on.flatMap((id) => ids.get(id) ?? []),
    })),
    missing: [
      ...rest.filter(({ id }) => !found.has(id)),
      ...made.plan.operations.filter(({ id }) => needed.includes(id)),
    ].map(({ address }) => address),
  };
}

/** The reasons for which the operations are refused. Those about other resources do not count. */
export function blockedFor(operations: readonly Operation[], { blocked }: Plan): Plan["blocked"] {
  const own = new Set(operations.map(({ address }) => address));
  return blocked.filter(({ addresses }) => addresses.length === 0 || addresses.some((address) => own.has(address)));
}

/** The request of an operation as text, with every value that the plan leaves open. */
function requestText(operation: Operation, { state }: MadePlan, source: LateValueSource): string {
  const { request, body } = buildRequest(operation, source);
  const [kind = "", ...rest] = operation.address.split("/");
  // The number of a rule that is deleted in the end depends on the list that the plan was made from.
  const isRanked = state.kinds.get(kind)?.lifecycle.order === "rank";
  const address = isRanked ? [kind, ...rest.slice(0, -1)].join("/") : operation.address;
  return canonical([operation.method, address, request.path, { ...request.query }, body]);
}

/** The live rows that the operations take values from; while there is none, a row with the same text for each of its fields. */
function rowsOrPlaceholders({ state }: MadePlan, operations: readonly Operation[]): CreatedResources {
  const rows = new Map<string, Fields>();
  for (const { name } of state.kinds.values()) for (const live of state.all(name)) rows.set(live.address, live.row);
  const created = new CreatedResources();
  for (const { address, fields = [] } of operations.flatMap(({ inserts = [] }) => inserts)) {
    const placeholder = `created ${Buffer.from(address).toString("hex")}`;
    const unknown = Object.fromEntries(fields.map((name) => [name, placeholder]));
    created.set({ id: address, address }, rows.get(address) ?? { ...created.by(address), ...unknown });
  }
  return created;
}
