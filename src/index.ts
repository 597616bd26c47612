/** The library: load a configuration, plan it against a service, apply the plan. */

export type { PlanFilter } from "./app/session/plan-filter.ts";
export {
  type AddressFilter,
  type Configuration,
  linesOf,
  listAt,
  type ManagedList,
  type OverlayRemoval,
} from "./config/resources/configuration.ts";
export type { DeclaredResource } from "./config/resources/declared-resource.ts";
export { locationOf, type Origins, type OverriddenValue, overriddenValues } from "./config/resources/origins.ts";
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
export type { Kind } from "./kinds/model/kind.ts";
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
export type { Approvals } from "./plan/checks/policy-checks.ts";
export type {
  Action,
  Blocked,
  Change,
  Derived,
  FieldChange,
  LateValue,
  LeftAlone,
  Operation,
  Precondition,
  RankedTransition,
  Risk,
  Seal,
  SealedPlan as Plan,
  Summary,
  TokenStore,
  Unreadable,
  Warning,
} from "./plan/model/plan.ts";
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
} from "./run/exchange/failure.ts";
export { Secret } from "./run/exchange/secret.ts";
export type { Intent, Journal, Settlement } from "./run/journal/intent.ts";
export type { ApplyEvent, ApplyResult, Counts, Outcome } from "./run/journal/outcome.ts";
export { type IssuedToken, type TokenSink, UnusableSink } from "./run/tokens/sink.ts";
export { type Retry, reader } from "./service/http/client.ts";
export { RefusedConnection } from "./service/http/credentials.ts";
export { TransportError } from "./service/http/transport-error.ts";
export { CannotRead, IncompleteList } from "./service/lists/cannot-read.ts";
export type { ApiRequest, ApiResponse, Reader, Writer } from "./service/requests/connection.ts";
export { ApprovalPending, type RequestLine, ServiceError } from "./service/requests/service-error.ts";
export { UnexpectedResponse } from "./service/requests/unexpected-response.ts";
export type { LastAppliedHashes } from "./workspace/match/last-applied.ts";
