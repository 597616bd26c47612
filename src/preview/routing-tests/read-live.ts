/** Reads the live rules that tests need, and checks the tests against what is live. */

import type { Configuration } from "../../config/resources/configuration.ts";
import type { RoutingTest } from "../../config/resources/routing-tests.ts";
import { checkLiveReferences } from "../../config/rules/routing-tests.ts";
import { InvalidConfiguration } from "../../core/diagnostic.ts";
import { Findings } from "../../core/findings.ts";
import type { Evaluator } from "../../service/requests/connection.ts";
import { readRouting } from "./rule-lists.ts";
import type { LiveRoutingService } from "./run.ts";

/** The live rules, once it is certain that every test can be run on them. */
export async function readLiveRouting(
  tests: readonly RoutingTest[],
  configuration: Configuration,
  evaluator: Evaluator,
  parallelism: number,
): Promise<LiveRoutingService> {
  const sources = [...new Set(tests.flatMap(({ source }) => source ?? []))];
  const live = await readRouting(evaluator, configuration, sources, parallelism);
  const findings = new Findings();
  checkLiveReferences(tests, configuration, (kind) => (live.state.live(kind) ?? []).map(({ key }) => key), findings);
  const errors = findings.list("error");
  if (errors.length > 0) throw new InvalidConfiguration(errors);
  return { evaluator, live, parallelism };
}
