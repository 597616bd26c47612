/** The library: load a configuration, plan it against a service, apply the plan. */

export { type Retry, reader } from "./api/http/client.ts";
export type { ApiRequest, ApiResponse, Reader, Writer } from "./api/http/connection.ts";
export { RefusedConnection } from "./api/http/credentials.ts";
export { TransportError } from "./api/http/transport-error.ts";
export { CannotRead, IncompleteList } from "./api/read/cannot-read.ts";
export { ApprovalPending, type RequestLine, ServiceError } from "./api/read/service-error.ts";
export { UnexpectedResponse } from "./api/read/unexpected-response.ts";
export {
  ApprovalMismatch,
  DuplicateRemoved,
  IgnoredChange,
  MissingValue,
  NotApplied,
  NotAsPlanned,
  TokenNotStored,
  Unchecked,
  UnexpectedSlug,
  Unrecorded,
  Unresolved,
  WrongResource,
} from "./apply/execute/failure.ts";
export type { Intent, Journal, Settlement } from "./apply/execute/journal.ts";
export type { ApplyEvent, ApplyResult, Counts, Outcome } from "./apply/execute/outcome.ts";
export { Secret } from "./apply/tokens/secret.ts";
export { type IssuedToken, type TokenSink, UnusableSink } from "./apply/tokens/sink.ts";
export type { Configuration, ManagedList, OverlayRemoval } from "./config/load/configuration.ts";
export type { RemovalPolicy, Settings } from "./config/settings/settings.ts";
export type { Directive } from "./config/source/directives.ts";
export type { Limits } from "./config/source/limits.ts";
export type { Clock } from "./core/clock.ts";
export { type Diagnostic, InvalidConfiguration, type Location } from "./core/diagnostic.ts";
export {
  type Fetch,
  type FetchInit,
  type HttpBody,
  type HttpHeaders,
  type HttpResponse,
  NotConnected,
} from "./core/fetch.ts";
export type { RemovalLimit } from "./core/flag-values.ts";
export type { Fields, Json } from "./core/json.ts";
export type { Dialects } from "./emulator/dialects.ts";
export { createEmulator, type Emulator, type EmulatorOptions } from "./emulator/emulator.ts";
export type { PlainRequest, PlainResponse, RequestParts } from "./emulator/http/exchange.ts";
export type { SessionTokens } from "./emulator/seed.ts";
export type { Seeds, WorkspaceContent } from "./emulator/seeds/seeds.ts";
export { type EmulatorServer, type ServeOptions, serve } from "./emulator/serve.ts";
export type { DeliveryTarget, SendWebhook } from "./emulator/service/outbound.ts";
export type { WorkspaceTemplate } from "./emulator/service/service-context.ts";
export { kinds } from "./kinds/index.ts";
export type { Kind } from "./kinds/kind.ts";
export type { CoveredValue, DeclaredResource } from "./kinds/resource.ts";
export {
  type ApplyOptions,
  apply,
  BlockedPlan,
  connect,
  type LoadOptions,
  load,
  type PlanOptions,
  plan,
  type ServiceOptions,
} from "./library.ts";
export type { LastAppliedHashes } from "./match/last-applied.ts";
export type { Approvals } from "./plan/checks/policy-checks.ts";
export type {
  Action,
  Blocked,
  Change,
  Custody,
  Derived,
  FieldChange,
  LateValue,
  LeftAlone,
  Operation,
  Plan,
  Precondition,
  RankedTransition,
  Risk,
  Seal,
  Summary,
  Unreadable,
  Warning,
} from "./plan/plan.ts";
export type { PlanFilter } from "./session/plan-filter.ts";
