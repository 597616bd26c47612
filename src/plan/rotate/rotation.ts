/**
 * Plans a rotation: for each resource, a new token, and the end of the old ones after it is stored. A kind that issues no further token
 * to a resource gets another resource with the same fields, and the old one is deleted.
 */

import type { Fields, Json } from "../../core/json.ts";
import { fill } from "../../core/route.ts";
import { counted } from "../../core/value-text.ts";
import { type Kind, wireNamesOf } from "../../kinds/model/kind.ts";
import type { LiveResource } from "../../kinds/model/resource.ts";
import type { ResolvedState } from "../../workspace/match/resolved-state.ts";
import { type Approvals, tokensWithoutSink } from "../checks/policy-checks.ts";
import { identityFieldsOf, otherNames } from "../checks/preconditions.ts";
import { workspaceIdentity } from "../checks/seal.ts";
import { listOf, PREFIX, tokenRequests } from "../checks/token-requests.ts";
import { writableFields } from "../diff/compare.ts";
import { finishBody, LATER } from "../diff/step.ts";
import { summaryOf } from "../make/make.ts";
import {
  type Blocked,
  type Change,
  fingerprint,
  type Operation,
  type Plan,
  type Precondition,
  type Warning,
} from "../model/plan.ts";
import { tokenStoreOf, tokensOf } from "../model/token-paths.ts";

/** A resource whose tokens are replaced or revoked. */
export interface RotatedResource {
  /** Of a kind without further tokens: the one to replace. */
  readonly live: LiveResource;
  readonly issues: boolean;
  /** Prefixes of the tokens to revoke, after a new one is stored if one is issued. */
  readonly revoked: readonly string[];
  /** The new name of a resource that stays beside its successor for a while. */
  readonly renamed?: string;
}

export interface RotationInput {
  readonly state: ResolvedState;
  readonly resources: readonly RotatedResource[];
  /** The fields of a live resource that files can declare. */
  readonly declarable: (resource: LiveResource) => Fields;
  readonly approvals: Approvals;
  /** Scheme, host and port of the service. */
  readonly host: string;
  readonly version: string;
  readonly now: Date;
  /** First twelve characters of the tokens in use. */
  readonly ownPrefixes: readonly string[];
  readonly warnings?: readonly Warning[];
}

/** Plans the rotation. The plan has no configuration: it compares nothing. */
export function planRotation(input: RotationInput): Plan {
  const { state, resources, host, version, now, warnings = [] } = input;
  const operations: Operation[] = [];
  const changes = resources.map((resource): Change => {
    const own = requestsFor(resource, state, input.declarable).map((request, index, all) => ({
      ...request,
      id: `op-${operations.length + index + 1}`,
      depends_on: index > 0 && all[0]?.reveals !== undefined ? [`op-${operations.length + 1}`] : [],
    }));
    operations.push(...own.map(({ id, depends_on, ...rest }) => ({ id, ...rest, depends_on })));
    return changeOf(
      resource,
      own.map(({ id }) => id),
    );
  });
  const { environment } = state.configuration.settings;
  return {
    format_version: 1,
    tool: { name: "incidentctl", version },
    target: { host, ...(environment === undefined ? {} : { environment }), workspace: workspaceIdentity(state) },
    rotates: [...new Set(resources.map(({ live }) => live.address))],
    summary: summaryOf(changes, 0, operations),
    changes,
    operations,
    derived: [],
    warnings,
    unreadable: [],
    blocked: blockedBy(input, operations),
    seal: { created_at: now.toISOString(), configuration: state.configuration.digest },
  };
}

type Request = Omit<Operation, "id" | "depends_on">;

function requestsFor(
  { live, issues, revoked, renamed }: RotatedResource,
  state: ResolvedState,
  declarable: RotationInput["declarable"],
): readonly Request[] {
  const { kind, address, row } = live;
  const common = {
    query: {},
    address,
    item: kind.endpoint.envelope.item,
    ...(kind.endpoint.admin === true ? { admin: true as const } : {}),
  };
  const requests = tokenRequests(kind, identityOf(kind, row));
  if (requests === undefined) {
    const successor = issues ? [{ ...common, ...successorOf(live, state, declarable(live)) }] : [];
    const renaming = renamed === undefined ? [] : [{ ...common, ...renamingOf(live, renamed) }];
    return [...successor, ...renaming, ...revoked.map(() => ({ ...common, ...deletionOf(live) }))];
  }
  const { issue, revoke, custody, guard } = requests;
  const known = tokensOf(live).map(({ prefix }) => ({ [PREFIX]: prefix }));
  const issuing: Request = {
    ...common,
    method: "POST",
    path: issue,
    body: {},
    why: "issue a new token",
    reveals: kind.lifecycle.secret?.field ?? "",
    custody,
    guard: { ...guard, names: [{}], known, repeatable: true },
  };
  return [
    ...(issues ? [issuing] : []),
    ...revoked.map(
      (prefix): Request => ({
        ...common,
        method: "DELETE",
        path: revoke(prefix),
        body: null,
        why: `revoke the token ${prefix}`,
        guard: { ...guard, row: { [PREFIX]: prefix } },
      }),
    ),
  ];
}

/** The creation of a resource with the same fields, which has a token of its own. */
function successorOf(
  { kind, scope, key, keyField }: LiveResource,
  state: ResolvedState,
  declarable: Fields,
): Pick<Request, "method" | "path" | "body" | "why" | "reveals" | "custody" | "guard"> {
  const fields = Object.entries(writableFields(kind, declarable)).filter(
    ([name, value]) => value !== null && kind.fields?.[name]?.writtenBy !== "update",
  );
  const { encode } = state.listOf({ kind, scope });
  const { body } = finishBody({ [keyField]: key, ...encode(Object.fromEntries(fields)) });
  const names = wireNamesOf(kind, keyField).map((wire) => ({ [wire]: key }));
  const known = (state.live(kind.name, scope) ?? [])
    .filter((other) => other.key === key)
    .map(({ row }) => identityOf(kind, row));
  return {
    method: "POST",
    path: fill(kind.endpoint.create ?? kind.endpoint.list, {}).path,
    body,
    why: `create another ${kind.title} of this name, with a new token`,
    reveals: kind.lifecycle.secret?.field ?? "",
    custody: tokenStoreOf(kind),
    guard: {
      ...listOf(kind),
      identity: identityFieldsOf(kind),
      names,
      known,
      ...(kind.lifecycle.allowsDuplicates === true ? { repeatable: true as const } : {}),
      ...otherNames(kind, body),
    },
  };
}

/** A request that changes one resource. */
type MemberRequest = Pick<Request, "method" | "path" | "body" | "why" | "guard">;

function deletionOf(live: LiveResource): MemberRequest {
  const { kind, id } = live;
  return {
    method: "DELETE",
    path: fill(kind.endpoint.member, { id }).path,
    body: null,
    why: `delete the old ${kind.title} with its token ${id}`,
    guard: guardOf(live),
  };
}

/** Two resources of one name would leave open which one the files mean. */
function renamingOf(live: LiveResource, name: string): MemberRequest {
  const { kind, id, keyField } = live;
  return {
    method: "PATCH",
    path: fill(kind.endpoint.member, { id }).path,
    body: { [keyField]: name },
    why: `rename the old ${kind.title}, which keeps its token ${id}`,
    guard: guardOf(live),
  };
}

function guardOf({ kind, row, keyField }: LiveResource): Precondition {
  const fields = Object.entries(kind.fields ?? {}).flatMap(([name, { mayBeSecret }]) =>
    mayBeSecret === true ? [] : wireNamesOf(kind, name),
  );
  const held = [...wireNamesOf(kind, keyField), ...fields].flatMap((wire) =>
    row[wire] === undefined ? [] : [[wire, fingerprint(row[wire])] as const],
  );
  return {
    ...listOf(kind),
    identity: identityFieldsOf(kind),
    row: identityOf(kind, row),
    held: Object.fromEntries(held),
  };
}

function identityOf(kind: Kind, row: Fields): Fields {
  return Object.fromEntries(
    identityFieldsOf(kind).flatMap((name): readonly (readonly [string, Json])[] =>
      row[name] === undefined || row[name] === null ? [] : [[name, row[name]]],
    ),
  );
}

function changeOf({ live, issues, revoked, renamed }: RotatedResource, operations: readonly string[]): Change {
  const { address, kind } = live;
  const tokens = tokensOf(live);
  const before = tokens.map(({ prefix }) => prefix);
  const kept = before.filter((prefix) => !revoked.includes(prefix));
  const after = issues ? [LATER, ...kept] : kept;
  return {
    address,
    kind: kind.name,
    action: "update",
    fields: [
      { path: "/tokens", before, after },
      ...(renamed === undefined ? [] : [{ path: `/${live.keyField}`, before: live.key, after: renamed }]),
    ],
    reason: issues ? "rotate" : "revoke",
    risk: revoked.length > 0 ? "destructive" : "attention",
    attention: issues ? "issues a one-time token" : `revokes ${counted(revoked.length, "token")}`,
    ...(revoked.length === 0
      ? {}
      : {
          cuts_off: tokens
            .filter(({ prefix }) => revoked.includes(prefix))
            .map(({ prefix, lastUsed }) => ({
              what: "token",
              value: prefix,
              ...(lastUsed === undefined ? {} : { last_used_at: lastUsed }),
            })),
        }),
    operations,
  };
}

/** The reasons for which the rotation is refused: a token that this run uses, no approval, and no place for the new token. */
function blockedBy(
  { resources, approvals, ownPrefixes }: RotationInput,
  operations: readonly Operation[],
): readonly Blocked[] {
  const own = resources.filter(({ revoked }) => revoked.some((prefix) => ownPrefixes.includes(prefix)));
  const revoking = resources.filter(({ revoked }) => revoked.length > 0);
  const count = revoking.reduce((sum, { revoked }) => sum + revoked.length, 0);
  return [
    ...own.map(({ live: { address } }) => ({
      code: "OWN_KEY",
      message: `${address} has the token that this run uses; without it the run would lock itself out; use another token, or keep it with --overlap`,
      addresses: [address],
    })),
    ...(count === 0 || approvals.allowDelete
      ? []
      : [
          {
            code: "DELETE",
            message: `the rotation revokes ${counted(count, "token")}, which cuts off whoever still uses ${count === 1 ? "it" : "one"}`,
            addresses: revoking.map(({ live }) => live.address),
            flag: "--allow-delete",
          },
        ]),
    ...tokensWithoutSink(operations, approvals),
  ];
}
