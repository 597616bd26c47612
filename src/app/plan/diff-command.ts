/** `diff`: shows how the configurations of two environments differ. It uses no network and no token. */

import type { Configuration } from "../../config/resources/configuration.ts";
import { withinPart } from "../../config/resources/part.ts";
import { EXIT } from "../../core/exit-codes.ts";
import { misuse } from "../../core/flag-values.ts";
import type { Io } from "../../core/io.ts";
import { kinds } from "../../kinds/index.ts";
import { compareConfigurations } from "../../plan/make/compare-configurations.ts";
import {
  type ComparedEnvironment,
  environmentDiffJson,
  environmentDiffText,
} from "../../view/workspace/configuration-diff.ts";
import type { Console } from "../console/console.ts";
import { loadConfiguration } from "../session/load-configuration.ts";
import { takeTokens } from "../session/tokens.ts";
import type { DiffOptions } from "./diff-definition.ts";

/** Compares two environments. Exits with 2 if they differ. */
export async function diff(options: DiffOptions, io: Io, console: Console): Promise<number> {
  const { env: names = [], ...others } = options;
  const [left, right, ...more] = names;
  if (left === undefined || right === undefined || more.length > 0) {
    throw misuse('diff compares two environments: -e staging -e production; -e "" is the settings without one');
  }
  if (left === right) throw misuse("both environments are the same; name two that differ");
  takeTokens(io.env);
  const before = await loadConfiguration({ ...others, env: left }, io, console);
  const after = await loadConfiguration({ ...others, env: right }, io, console);
  const differences = compareConfigurations(withinPart(before), withinPart(after), kinds);
  const result = { ...differences, before: comparedOf(before), after: comparedOf(after) };
  console.print(
    options.format === "json" ? environmentDiffJson(result) : environmentDiffText(result, console.outputStyle),
  );
  const { changes, managedBefore, managedAfter } = differences;
  return changes.length + managedBefore.length + managedAfter.length === 0 ? EXIT.success : EXIT.changes;
}

function comparedOf({ settings }: Configuration): ComparedEnvironment {
  return { name: settings.environment, baseUrl: settings.baseUrl };
}
