/** The library: load a configuration, plan it against a service, apply the plan. */

export { type Fetch, reader } from "./api/client.ts";
export type { Answer, Ask, Reader, Writer } from "./api/connection.ts";
export type { ApplyEvent, ApplyResult, Outcome } from "./apply/outcome.ts";
export type { IssuedToken, TokenSink } from "./apply/token-sink.ts";
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
export type { Configuration } from "./config/configuration.ts";
export type { Settings } from "./config/settings.ts";
export { type Diagnostic, InvalidConfiguration, type Location } from "./diagnostic.ts";
export { createEmulator, type Emulator, type EmulatorOptions } from "./emulator/emulator.ts";
export { serve } from "./emulator/serve.ts";
export type { Fields, Json } from "./json.ts";
export { kinds } from "./kinds/index.ts";
export type { Kind } from "./kinds/kind.ts";
export type { Change, Operation, Plan } from "./plan/plan.ts";
