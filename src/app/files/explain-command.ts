/** `explain`: explains a kind or a field, or shows where the values of a resource come from. It needs no network and no token. */

import { originsOf } from "../../config/load/origins.ts";
import type { Configuration } from "../../config/resources/configuration.ts";
import type { DeclaredResource } from "../../config/resources/declared-resource.ts";
import { startOf } from "../../config/resources/origins.ts";
import { type Explanation, explain as explainNames } from "../../config/resources/schema-docs.ts";
import { EXIT, Stop } from "../../core/exit-codes.ts";
import { misuse } from "../../core/flag-values.ts";
import type { Io } from "../../core/io.ts";
import { NO_WORDS, programLine, quoted, sanitised, shellWord } from "../../core/sanitise.ts";
import { suggest } from "../../core/suggest.ts";
import { kinds } from "../../kinds/index.ts";
import type { AnalyzerRule } from "../../plan/analyze/analyzer.ts";
import { rules } from "../../plan/analyze/index.ts";
import { prettyJson } from "../../view/format/json.ts";
import { explanationText, kindsText, originsText } from "../../view/workspace/explain.ts";
import type { Console } from "../console/console.ts";
import { loadConfiguration } from "../session/load-configuration.ts";
import { takeTokens } from "../session/tokens.ts";
import type { ExplainOptions } from "./explain-definition.ts";

/** Prints the explanation. An unknown kind or field is a usage error; an address that is not declared is an error. */
export async function explain(options: ExplainOptions, io: Io, console: Console): Promise<number> {
  takeTokens(io.env);
  if (options.origin === undefined) {
    explainName(options, console);
    return EXIT.success;
  }
  const configuration = await loadConfiguration({ ...options, paths: options.subjects }, io, console);
  const resource = resourceAt(options.origin, configuration);
  const origins = originsOf(resource, configuration);
  const { address } = resource;
  console.print(
    options.format === "json"
      ? prettyJson({
          address,
          at: startOf(resource),
          environment: configuration.settings.environment ?? null,
          values: origins,
        })
      : originsText(address, origins, console.outputStyle.paint),
  );
  return EXIT.success;
}

function explainName({ subjects, env, var: variables, format }: ExplainOptions, console: Console): void {
  const [word, ...more] = subjects;
  if (word === undefined) {
    const named = [...kinds].sort((left, right) => (left.name < right.name ? -1 : 1));
    const list = named.map(({ name, title }) => ({ name, title }));
    console.print(format === "json" ? prettyJson({ kinds: list }) : kindsText(list));
    return;
  }
  if (more.length > 0 || env !== undefined || variables !== undefined) {
    throw misuse("paths, --env and --var go with --origin; without it explain takes one KIND or KIND.field");
  }
  if (word.includes("/"))
    throw misuse(`to explain a resource, run ${programLine(`explain --origin ${shellWord(word)}`, NO_WORDS)}`);
  const rule = rules.find(({ id }) => id === word.toUpperCase());
  const explanation = rule === undefined ? explainNames(kinds, word.split(".")) : ruleExplanation(rule);
  if ("unknown" in explanation) {
    const { unknown, meant, known } = explanation;
    const guess = meant === undefined ? "" : ` (did you mean ${quoted(meant)}?)`;
    const names = known.length === 0 ? "it has no fields" : `the names are ${known.join(", ")}`;
    throw misuse(`there is no ${quoted(unknown)} to explain${guess}; ${names}`);
  }
  console.print(format === "json" ? prettyJson(explanation) : explanationText(explanation, console.outputStyle.paint));
}

/** An analyzer, as the page of analyzers has it. */
function ruleExplanation({ id, name, severity, title, why, fix }: AnalyzerRule): Explanation {
  const nothing = { fields: [], references: [], referencedBy: [] };
  return { name: id, type: `${name}, ${severity}`, description: title, notes: [why, `Fix: ${fix}`], ...nothing };
}

function resourceAt(address: string, { declared, overlays }: Configuration): DeclaredResource {
  const resource = declared.find((one) => one.address === address);
  if (resource !== undefined) return resource;
  const dropped = overlays?.removals.find((one) => one.address === address);
  if (dropped !== undefined) {
    const { file, line, column } = dropped.at;
    throw new Stop(EXIT.error, sanitised(`an overlay removes ${address}: ${file}:${line}:${column}`));
  }
  const guess = suggest(
    address,
    declared.map((one) => one.address),
  );
  const help = guess === undefined ? "an address looks like severities/critical" : `did you mean ${quoted(guess)}?`;
  throw new Stop(EXIT.error, `${sanitised(address)} is not in the configuration; ${help}`);
}
