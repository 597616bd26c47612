/** The registry of analyzers, in the order of their ids. A new analyzer needs its file and a line here. */

import type { Analyzer, AnalyzerRule } from "./analyzer.ts";
import { alikeOptions } from "./rules/alike-options.ts";
import { broadKey } from "./rules/broad-key.ts";
import { declareFormDemand } from "./rules/declare-form-demand.ts";
import { defaultAttribute } from "./rules/default-attribute.ts";
import { endingGrant } from "./rules/ending-grant.ts";
import { repeatedColor } from "./rules/repeated-color.ts";
import { requiredAndHidden } from "./rules/required-and-hidden.ts";
import { sameName } from "./rules/same-name.ts";
import { shadowedRule } from "./rules/shadowed-rule.ts";
import { singleDefault } from "./rules/single-default.ts";
import { sourceWithoutCatchAll } from "./rules/source-without-catch-all.ts";
import { stageWithoutStatus } from "./rules/stage-without-status.ts";
import { unusableDefault } from "./rules/unusable-default.ts";
import { unusableReference } from "./rules/unusable-reference.ts";
import { webhookAddress } from "./rules/webhook-address.ts";
import { malformedWaiver, unusedWaiver } from "./waiver.ts";

/** Every analyzer. */
export const analyzers: readonly Analyzer[] = [
  stageWithoutStatus,
  singleDefault,
  shadowedRule,
  sourceWithoutCatchAll,
  requiredAndHidden,
  unusableReference,
  webhookAddress,
  broadKey,
  sameName,
  declareFormDemand,
  unusableDefault,
  endingGrant,
  repeatedColor,
  alikeOptions,
  defaultAttribute,
];

/** Every rule that a finding can have: those of the analyzers and those about waivers. */
export const rules: readonly AnalyzerRule[] = [...analyzers, malformedWaiver, unusedWaiver];
