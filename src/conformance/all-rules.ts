/** Every rule of the suite, in the order of the document. */

import type { ConformanceRule } from "./rule.ts";
import { tokenRules } from "./rules/agents-and-keys.ts";
import { authenticationRules } from "./rules/authentication.ts";
import { resourceRules } from "./rules/configuration-resources.ts";
import { customFieldRules } from "./rules/custom-fields.ts";
import { disabledEntryRules } from "./rules/disabled-entries.ts";
import { errorRules } from "./rules/errors.ts";
import { formRules } from "./rules/forms.ts";
import { incidentEndpointRules } from "./rules/incident-endpoints.ts";
import { incidentRules } from "./rules/incident-fields.ts";
import { lifecycleRules } from "./rules/lifecycle.ts";
import { limitRules } from "./rules/limits.ts";
import { optionListRules } from "./rules/option-lists.ts";
import { positionRules } from "./rules/position.ts";
import { postmortemRules } from "./rules/postmortem.ts";
import { purposeRules } from "./rules/purpose.ts";
import { responderRules } from "./rules/responders.ts";
import { routingRules } from "./rules/routing.ts";
import { runbookRules } from "./rules/runbooks.ts";
import { timelineRules } from "./rules/timeline.ts";
import { transcriptRules } from "./rules/transcript.ts";
import { webhookRules } from "./rules/webhooks.ts";

/** The rules of one file, with the path it has in the project. */
export interface RuleFile {
  readonly file: string;
  readonly rules: readonly ConformanceRule[];
}

/** The files of rules. */
export const ruleFiles: readonly RuleFile[] = [
  { file: "src/conformance/rules/purpose.ts", rules: purposeRules },
  { file: "src/conformance/rules/incident-fields.ts", rules: incidentRules },
  { file: "src/conformance/rules/option-lists.ts", rules: optionListRules },
  { file: "src/conformance/rules/position.ts", rules: positionRules },
  { file: "src/conformance/rules/disabled-entries.ts", rules: disabledEntryRules },
  { file: "src/conformance/rules/configuration-resources.ts", rules: resourceRules },
  { file: "src/conformance/rules/custom-fields.ts", rules: customFieldRules },
  { file: "src/conformance/rules/forms.ts", rules: formRules },
  { file: "src/conformance/rules/runbooks.ts", rules: runbookRules },
  { file: "src/conformance/rules/routing.ts", rules: routingRules },
  { file: "src/conformance/rules/agents-and-keys.ts", rules: tokenRules },
  { file: "src/conformance/rules/incident-endpoints.ts", rules: incidentEndpointRules },
  { file: "src/conformance/rules/lifecycle.ts", rules: lifecycleRules },
  { file: "src/conformance/rules/timeline.ts", rules: timelineRules },
  { file: "src/conformance/rules/transcript.ts", rules: transcriptRules },
  { file: "src/conformance/rules/responders.ts", rules: responderRules },
  { file: "src/conformance/rules/postmortem.ts", rules: postmortemRules },
  { file: "src/conformance/rules/authentication.ts", rules: authenticationRules },
  { file: "src/conformance/rules/webhooks.ts", rules: webhookRules },
  { file: "src/conformance/rules/errors.ts", rules: errorRules },
  { file: "src/conformance/rules/limits.ts", rules: limitRules },
];

/** All rules. */
export const allRules: readonly ConformanceRule[] = ruleFiles.flatMap((chapter) => chapter.rules);
