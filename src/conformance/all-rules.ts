/** Every rule of the suite, in the order of the document. */

import type { ConformanceRule } from "./rule.ts";
import { resourceRules } from "./rules/configuration/configuration-resources.ts";
import { customFieldRules } from "./rules/configuration/custom-fields.ts";
import { disabledEntryRules } from "./rules/configuration/disabled-entries.ts";
import { formRules } from "./rules/configuration/forms.ts";
import { optionListRules } from "./rules/configuration/option-lists.ts";
import { positionRules } from "./rules/configuration/position.ts";
import { routingRules } from "./rules/configuration/routing.ts";
import { runbookRules } from "./rules/configuration/runbooks.ts";
import { errorRules } from "./rules/general/errors.ts";
import { limitRules } from "./rules/general/limits.ts";
import { purposeRules } from "./rules/general/purpose.ts";
import { webhookRules } from "./rules/general/webhooks.ts";
import { incidentEndpointRules } from "./rules/incidents/incident-endpoints.ts";
import { incidentRules } from "./rules/incidents/incident-fields.ts";
import { lifecycleRules } from "./rules/incidents/lifecycle.ts";
import { postmortemRules } from "./rules/incidents/postmortem.ts";
import { responderRules } from "./rules/incidents/responders.ts";
import { timelineRules } from "./rules/incidents/timeline.ts";
import { transcriptRules } from "./rules/incidents/transcript.ts";
import { tokenRules } from "./rules/tokens/agents-and-keys.ts";
import { authenticationRules } from "./rules/tokens/authentication.ts";

/** The rules of one file, with the path it has in the project. */
export interface RuleFile {
  readonly file: string;
  readonly rules: readonly ConformanceRule[];
}

export const ruleFiles: readonly RuleFile[] = [
  { file: "src/conformance/rules/general/purpose.ts", rules: purposeRules },
  { file: "src/conformance/rules/incidents/incident-fields.ts", rules: incidentRules },
  { file: "src/conformance/rules/configuration/option-lists.ts", rules: optionListRules },
  { file: "src/conformance/rules/configuration/position.ts", rules: positionRules },
  { file: "src/conformance/rules/configuration/disabled-entries.ts", rules: disabledEntryRules },
  { file: "src/conformance/rules/configuration/configuration-resources.ts", rules: resourceRules },
  { file: "src/conformance/rules/configuration/custom-fields.ts", rules: customFieldRules },
  { file: "src/conformance/rules/configuration/forms.ts", rules: formRules },
  { file: "src/conformance/rules/configuration/runbooks.ts", rules: runbookRules },
  { file: "src/conformance/rules/configuration/routing.ts", rules: routingRules },
  { file: "src/conformance/rules/tokens/agents-and-keys.ts", rules: tokenRules },
  { file: "src/conformance/rules/incidents/incident-endpoints.ts", rules: incidentEndpointRules },
  { file: "src/conformance/rules/incidents/lifecycle.ts", rules: lifecycleRules },
  { file: "src/conformance/rules/incidents/timeline.ts", rules: timelineRules },
  { file: "src/conformance/rules/incidents/transcript.ts", rules: transcriptRules },
  { file: "src/conformance/rules/incidents/responders.ts", rules: responderRules },
  { file: "src/conformance/rules/incidents/postmortem.ts", rules: postmortemRules },
  { file: "src/conformance/rules/tokens/authentication.ts", rules: authenticationRules },
  { file: "src/conformance/rules/general/webhooks.ts", rules: webhookRules },
  { file: "src/conformance/rules/general/errors.ts", rules: errorRules },
  { file: "src/conformance/rules/general/limits.ts", rules: limitRules },
];

export const allRules: readonly ConformanceRule[] = ruleFiles.flatMap((chapter) => chapter.rules);
