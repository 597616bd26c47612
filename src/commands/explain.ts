/** `explain`: what a kind or a field means, or where the values of an entry come from. It needs no network and no token. */

import type { Configuration } from "../config/load/configuration.ts";
import { meaningOf } from "../config/schema/schema-docs.ts";
import { escaped } from "../config/source/tree.ts";
import { EXIT, Stop } from "../core/exit-codes.ts";
import { misuse } from "../core/flag-values.ts";
import type { Io } from "../core/io.ts";
import { isFields, isList, type Json } from "../core/json.ts";
import { quoted, sanitised } from "../core/sanitise.ts";
import { suggest } from "../core/suggest.ts";
import { kinds } from "../kinds/index.ts";
import type { DeclaredResource } from "../kinds/resource.ts";
import { type Console, openConsole } from "../output/console.ts";
import type { AnswerFormat } from "../output/formats.ts";
import { meaningText, type Origin, originsText } from "../report/explain.ts";
import { pretty } from "../report/plan/json.ts";
import { type ConfigurationOptions, loadConfiguration } from "../session/load-configuration.ts";
import { takeTokens } from "../session/tokens.ts";

/** The flags of `explain`. */
export interface ExplainOptions extends ConfigurationOptions {
  /** Paths of the configuration with `--origin`, else one KIND or KIND.field. */
  readonly paths: readonly string[];
  /** An entry, as plans name it. */
  readonly origin?: string;
  readonly format?: AnswerFormat;
}

/** Prints the explanation; what does not exist is a wrong command line, an entry that is not declared exit code 1. */
export async function explain(
  options: ExplainOptions,
  io: Io,
  console: Console = openConsole(io, options),
): Promise<number> {
  takeTokens(io.env);
  if (options.origin === undefined) {
    explainName(options, console);
    return EXIT.success;
  }
  const configuration = await loadConfiguration(options, io, console);
  const entry = entryAt(options.origin, configuration);
  const origins = originsOf(entry, configuration);
  const { address, at } = entry;
  console.answer(
    options.format === "json"
      ? pretty({ address, at, environment: configuration.settings.environment ?? null, values: origins })
      : originsText(address, origins, console.answerStyle.paint),
  );
  return EXIT.success;
}

function explainName({ paths, env, var: variables, format }: ExplainOptions, console: Console): void {
  const names = kinds.map(({ name }) => name).sort();
  const [word, ...more] = paths;
  if (word === undefined) throw misuse(`explain takes a kind, or --origin ADDRESS; the kinds are ${names.join(", ")}`);
  if (more.length > 0 || env !== undefined || variables !== undefined) {
    throw misuse("paths, --env and --var go with --origin; without it explain takes one KIND or KIND.field");
  }
  const meaning = meaningOf(kinds, word.split("."));
  if ("unknown" in meaning) {
    const meant = meaning.meant === undefined ? "" : ` (did you mean ${quoted(meaning.meant)}?)`;
    const known = meaning.known.length === 0 ? "there is nothing below" : `there are ${meaning.known.join(", ")}`;
    throw misuse(`there is no ${quoted(meaning.unknown)} to explain${meant}; ${known}`);
  }
  console.answer(format === "json" ? pretty(meaning) : meaningText(meaning, console.answerStyle.paint));
}

function entryAt(address: string, { declared, overlaid }: Configuration): DeclaredResource {
  const entry = declared.find((one) => one.address === address);
  if (entry !== undefined) return entry;
  const dropped = overlaid?.dropped.find((one) => one.address === address);
  if (dropped !== undefined) {
    const { file, line, column } = dropped.at;
    throw new Stop(
      EXIT.error,
      `${sanitised(address)} is taken away by an overlay: ${sanitised(`${file}:${line}:${column}`)}`,
    );
  }
  const guess = suggest(
    address,
    declared.map((one) => one.address),
  );
  throw new Stop(
    EXIT.error,
    sanitised(
      `the files declare no ${address}; ${guess === undefined ? "plans and explain name entries like severities/critical" : `did you mean ${JSON.stringify(guess)}?`}`,
    ),
  );
}

function originsOf(entry: DeclaredResource, configuration: Configuration): readonly Origin[] {
  const overlays = configuration.overlaid?.files ?? [];
  const extra = new Set(entry.extra);
  const fields = Object.entries(entry.fields).flatMap(([name, value]) => leaves(`/${escaped(name)}`, value));
  const pin =
    entry.kind.identity.pin !== undefined && entry.pin !== undefined
      ? [[`/${entry.kind.identity.pin}`, entry.pin] as const]
      : [];
  return [...fields, ...pin].map(([path, value]) => {
    const { file, line, column, length = 0 } = entry.place(path);
    const secret = entry.secrets.some(
      (pointer) => `${path}/`.startsWith(`${pointer}/`) || pointer.startsWith(`${path}/`),
    );
    const written = configuration.lines(file)?.[line - 1]?.slice(column - 1, column - 1 + length) ?? "";
    const [, first = ""] = path.split("/");
    return {
      path: extra.has(first) ? `/extra${path}` : path,
      value: secret ? null : value,
      secret,
      file,
      line,
      column,
      overlay: overlays.includes(file),
      ...coveredAt(entry, path, secret),
      ...(written.includes("${") ? { written } : {}),
    };
  });
}

/** What overlays have laid a value over; of a secret only where. */
function coveredAt(entry: DeclaredResource, path: string, secret: boolean): Pick<Origin, "covers"> {
  const covers = (entry.covered?.(path) ?? []).map(({ written, at: { file, line, column } }) => ({
    written: secret ? null : written,
    file,
    line,
    column,
  }));
  return covers.length === 0 ? {} : { covers };
}

/** The values that stand at one place each: texts and numbers, and lists of them. */
function leaves(path: string, value: Json): readonly (readonly [string, Json])[] {
  if (isFields(value) && Object.keys(value).length > 0) {
    return Object.entries(value).flatMap(([name, member]) => leaves(`${path}/${escaped(name)}`, member));
  }
  if (isList(value) && value.some((item) => isFields(item) || isList(item))) {
    return value.flatMap((item, index) => leaves(`${path}/${index}`, item));
  }
  return [[path, value]];
}
