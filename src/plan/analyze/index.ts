/** The registry of analyzers, in the order of their ids. A new analyzer is a row in the file of its subject and a line here. */

import type { Analyzer, AnalyzerRule } from "./analyzer.ts";
import { broadKey, endingGrant, webhookAddress } from "./rules/access.ts";
import { declareFormDemand, requiredAndHidden } from "./rules/form-fields.ts";
import {
  alikeOptions,
  repeatedColor,
  sameName,
  singleDefault,
  stageWithoutStatus,
  unusableDefault,
} from "./rules/option-lists.ts";
import { defaultAttribute, unusableReference } from "./rules/references.ts";
import { shadowedRule, sourceWithoutCatchAll } from "./rules/routing.ts";
import { channelName, unknownField, unknownValue } from "./rules/routing-names.ts";
import { malformedWaiver, unusedWaiver } from "./waiver.ts";

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
  unknownField,
  unknownValue,
  channelName,
];

/** Every rule that a finding can have: those of the analyzers and those about waivers. */
export const rules: readonly AnalyzerRule[] = [...analyzers, malformedWaiver, unusedWaiver];
