/** Checks of the command line that commander does not make: no tokens, no flag twice, no flag as the value of another one. */

import { describeToken } from "../../config/source/leaked-tokens.ts";
import { misuse } from "../../core/flag-values.ts";
import { type Io, isTokenVariable } from "../../core/io.ts";
import { quoted } from "../../core/sanitise.ts";
import type { FlagRow, FlagRows } from "../command/flag.ts";
import { type Formats, isFormat, PLANS, parseFormat } from "../console/formats.ts";

/** The properties of a commander flag that the checks read. */
export interface CheckedFlag {
  readonly long?: string | undefined;
  readonly short?: string | undefined;
  /** The flag always takes a value, also one that is a separate argument. */
  readonly required: boolean;
}

/** Least length of a token to search for. A shorter value of the variable could be part of any word. */
const SHORTEST_TOKEN = 8;

const EXPOSED = "every user of this machine can read command lines";

/**
 * Throws a usage error if an argument is a token or a flag for one, other than a flag of the command: that takes the public beginning of a
 * token. The error does not repeat the token.
 */
export function refuseTokens(args: readonly string[], env: Io["env"], flags: FlagRows = {}): void {
  const own = Object.keys(flags).map((spelling) => spelling.split(" ")[0]);
  const tokens = Object.entries(env).flatMap(([name, value = ""]) =>
    isTokenVariable(name) && value.length >= SHORTEST_TOKEN ? value : [],
  );
  for (const argument of args) {
    const name = /^--?(?:admin[-_]?)?(?:token|api[-_]?key|password|secret|authorization)(?==|$)/i.exec(argument)?.[0];
    if (name !== undefined && !own.includes(name)) {
      throw misuse(`there is no flag ${quoted(name)}, because ${EXPOSED}; set INCIDENTCTL_TOKEN`);
    }
    const token = describeToken(argument) ?? (tokens.some((each) => argument.includes(each)) ? "a token" : undefined);
    if (token === undefined) continue;
    throw misuse(`an argument contains what looks like ${token}, and ${EXPOSED}; revoke it, and set INCIDENTCTL_TOKEN`);
  }
}

/** Throws a usage error at a long flag with one hyphen, as Terraform has them: `-out=x` would be `-o` with the value `ut=x`. */
export function refuseSingleHyphens(args: readonly string[], flags: readonly CheckedFlag[]): void {
  const long = new Set(flags.map((flag) => flag.long));
  for (const argument of args) {
    const [, name = ""] = /^-([a-z][a-z-]+)(?==|$)/.exec(argument) ?? [];
    if (long.has(`--${name}`)) throw misuse(`write --${name} with two hyphens, not ${quoted(argument)}`);
  }
}

/**
 * Returns a function to be called with the value of each use of a flag. It throws a usage error at a second use, at an empty
 * value, and at a value that is a flag.
 */
export function usageCheck(
  flag: CheckedFlag,
  { repeatable, mayBeEmpty }: FlagRow,
  args: readonly string[],
): (value?: unknown) => void {
  const name = flag.long ?? flag.short ?? "";
  let uses = 0;
  return (value) => {
    uses += 1;
    if (uses > 1 && repeatable !== true) throw misuse(`${name} can only be given once`);
    if (!flag.required || typeof value !== "string") return;
    if (name === "--out" && isFormat(value)) {
      const format = PLANS.names.find((known) => known === value) ?? "json";
      throw misuse(
        `--out saves the plan in a file, and ${quoted(value)} is a format: --format ${format} prints one; to save the plan in a file of that name, write --out ./${value}`,
      );
    }
    if (value === "" && mayBeEmpty !== true) throw misuse(`${name} needs a value`);
    const spellings = [flag.long, flag.short];
    const isOwnArgument = args.some((argument, at) => spellings.includes(argument) && args[at + 1] === value);
    if (isOwnArgument && /^-./.test(value)) {
      throw misuse(`${name} needs a value, and ${quoted(value)} is a flag; if it is the value, write ${name}=…`);
    }
  };
}

/** The properties of a commander command that the checks read. */
export interface CheckedCommand {
  readonly options: readonly { readonly long?: string | undefined; attributeName(): string }[];
  name(): string;
  getOptionValue(name: string): unknown;
}

/**
 * Throws a usage error at a flag or a format that only the outer command has, because commander accepts the flags of the outer
 * command for the inner one too.
 */
export function refuseOuterFlags(outer: CheckedCommand, inner: CheckedCommand, formats: Formats | undefined): void {
  const known = new Set(inner.options.map((option) => option.attributeName()));
  const used = outer.options.filter((option) => outer.getOptionValue(option.attributeName()) !== undefined);
  const wrong = used.find((option) => !known.has(option.attributeName()));
  if (wrong !== undefined) throw misuse(`${outer.name()} ${inner.name()} has no ${wrong.long ?? "such flag"}`);
  const name = outer.getOptionValue("format");
  if (typeof name === "string" && formats !== undefined) parseFormat(formats)(name);
}
