/** Checks a service against the rules of the interface, one file of rules after another, and finds out its dialects. */

import { type RuleFile, ruleFiles } from "./all-rules.ts";
import { connect } from "./client.ts";
import { type DetectedDialect, dialectNames } from "./dialects.ts";
import type { RuleResult } from "./rule.ts";
import { type ConformanceTarget, type OpenedTarget, openSession } from "./session.ts";

/** The rules to check. */
export interface RuleChoice {
  /** Part of a heading of the interface document, in any case. */
  readonly section?: string | undefined;
  /** The beginning of a rule's id. */
  readonly rule?: string | undefined;
}

/** The options of a check. */
export interface ServiceCheck extends RuleChoice {
  /** Opens the service for one file of rules. */
  readonly open: () => Promise<OpenedTarget>;
  /** Ends the check after the rule under way. What rules made is removed first. */
  readonly signal: AbortSignal;
  readonly onResult: (result: RuleResult) => void;
}

/** The results of a check. */
export interface ConformanceReport {
  readonly results: readonly RuleResult[];
  /** Every dialect; none if only some rules were checked, or if the check was interrupted. */
  readonly dialects: readonly DetectedDialect[];
  /** Requests that could not remove what a rule had made. */
  readonly leftovers: readonly string[];
}

/** The files of rules, each with the chosen rules only; without files that have none of them. */
export function chosenRules({ section = "", rule: id = "" }: RuleChoice): readonly RuleFile[] {
  const heading = section.toLowerCase();
  return ruleFiles
    .map(({ file, rules }) => ({
      file,
      rules: rules.filter((rule) => rule.section.toLowerCase().includes(heading) && rule.id.startsWith(id)),
    }))
    .filter(({ rules }) => rules.length > 0);
}

/** Checks the chosen rules. Without a choice, it also finds out every dialect. */
export async function checkService(options: ServiceCheck): Promise<ConformanceReport> {
  const results: RuleResult[] = [];
  const leftovers: string[] = [];
  for (const { rules } of chosenRules(options)) {
    if (options.signal.aborted) break;
    leftovers.push(...(await checkRules(rules, results, options)));
  }
  const isWhole = (options.section ?? options.rule) === undefined && !options.signal.aborted;
  return { results, dialects: isWhole ? await detectDialects(options) : [], leftovers };
}

async function checkRules(
  rules: RuleFile["rules"],
  results: RuleResult[],
  { open, signal, onResult }: ServiceCheck,
): Promise<readonly string[]> {
  const { target, close } = await open();
  const session = openSession(target);
  try {
    for (const rule of rules) {
      if (signal.aborted) break;
      const result = await session.check(rule);
      results.push(result);
      onResult(result);
    }
    return await session.close();
  } finally {
    await close();
  }
}

async function detectDialects({ open, signal }: ServiceCheck): Promise<readonly DetectedDialect[]> {
  const { target, close } = await open();
  const session = openSession(target);
  const dialects: DetectedDialect[] = [];
  try {
    for (const name of dialectNames) if (!signal.aborted) dialects.push(await session.detect(name));
    await session.close();
    return dialects;
  } finally {
    await close();
  }
}

/** The status of a first request with the ablest token. Throws the error of the connection if there is no response. */
export async function firstStatus({ url, token, adminToken }: ConformanceTarget): Promise<number> {
  const fetch = (request: Request) => globalThis.fetch(request);
  const client = connect({ url, token: adminToken ?? token, fetch, patient: true, record: () => {} });
  return (await client.get("severities")).status;
}
