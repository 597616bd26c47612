/** The library: load a configuration, plan it against a service, apply the plan. */

export { type Retry, reader } from "./api/client.ts";
export type { Clock } from "./api/clock.ts";
export type { Answer, Ask, Reader, Writer } from "./api/connection.ts";
export type { Fetch, FetchInit, HttpBody, HttpHeaders, HttpResponse } from "./api/fetch.ts";
export type { Asked } from "./api/service-error.ts";
export type { Intent, Journal, Settlement } from "./apply/journal.ts";
export type { ApplyEvent, ApplyResult, Counts, Outcome } from "./apply/outcome.ts";
export { Secret } from "./apply/secret.ts";
export { type IssuedToken, type TokenSink, UnusableSink } from "./apply/token-sink.ts";
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
} from "./commands/library.ts";
export type { Narrowing } from "./commands/narrow.ts";
export type { Configuration, Managed, Remark } from "./config/configuration.ts";
export type { Limits } from "./config/limits.ts";
export type { Dropped } from "./config/overlay.ts";
export type { Ceiling, RemovalPolicy, Settings } from "./config/settings.ts";
export { type Diagnostic, InvalidConfiguration, type Location } from "./diagnostic.ts";
export type { Reach, Send } from "./emulator/deliveries/outbound.ts";
export type { Dialects } from "./emulator/dialects.ts";
export { createEmulator, type Emulator, type EmulatorOptions } from "./emulator/emulator.ts";
export type { PlainRequest, PlainResponse, RequestParts } from "./emulator/exchange.ts";
export type { SessionTokens, Workspace } from "./emulator/seed.ts";
export { type Served, type ServeOptions, serve } from "./emulator/serve.ts";
export type { Fields, Json } from "./json.ts";
export { kinds } from "./kinds/index.ts";
export type { Kind } from "./kinds/kind.ts";
export type { Covered, Declared } from "./kinds/resource.ts";
export type { Consent } from "./plan/guards.ts";
export type { Lock } from "./plan/memory.ts";
export type {
  Action,
  Blocked,
  Change,
  Custody,
  Derived,
  FieldChange,
  Guard,
  Insert,
  Operation,
  Plan,
  RankedTransition,
  Risk,
  Seal,
  Summary,
  Unreadable,
  Warning,
} from "./plan/plan.ts";
