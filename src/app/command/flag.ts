/** Flags and arguments of commands, as rows of data. The types of the options that a command receives are derived from its rows. */

import type { FailOn, RemovalLimit } from "../../core/flag-values.ts";
import type { Formats, ReportTarget } from "../console/formats.ts";

/** The types of values that are more than a text. `cli/program.ts` has the parser of each. */
export interface FlagValues {
  /** Takes a value also if the spelling makes it optional: `--emulator` alone is `--emulator=`. */
  readonly text: string;
  /** A whole number from 1. */
  readonly count: number;
  /** Milliseconds. */
  readonly duration: number;
  readonly port: number;
  /** A number of incidents, from 1 to 1000. */
  readonly incidents: number;
  readonly removals: RemovalLimit;
  readonly severity: FailOn;
  /** One `NAME=VALUE` for each use of the flag. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Words that a shell offers: these, or those that `cli/completion-command.ts` finds. */
export type Completion = readonly string[] | "files" | "addresses" | "environments" | "kinds" | "schemas" | "subjects";

/** A flag. Without a placeholder in its spelling it is a switch; otherwise its value is a text, unless the row says more. */
export interface FlagRow {
  readonly help: string;
  readonly takes?: keyof FlagValues;
  readonly choices?: readonly string[];
  /** The value is the name of a format or, if the flag is repeatable, a report to write. */
  readonly formats?: Formats;
  readonly repeatable?: true;
  readonly required?: true;
  /** An empty value has a meaning. */
  readonly mayBeEmpty?: true;
  /** Default: the choices or formats, or else files. */
  readonly completes?: Completion;
}

/** Flags by spelling: `"-o, --out <file>"`. In the order of the help. */
export type FlagRows = Readonly<Record<string, FlagRow>>;

export interface ArgumentRow {
  readonly help: string;
  readonly completes: readonly Completion[];
}

/** Arguments by spelling: `"<address>"`, `"[path...]"`. In the order in which they are typed. */
export type ArgumentRows = Readonly<Record<string, ArgumentRow>>;

/** The options that flags give: `"--dry-run"` is `dryRun`. */
export type OptionsOf<Flags> = {
  readonly [Spelling in keyof Flags as Flags[Spelling] extends { required: true }
    ? never
    : OptionName<Spelling>]?: Value<Spelling, Flags[Spelling]>;
} & {
  readonly [Spelling in keyof Flags as Flags[Spelling] extends { required: true }
    ? OptionName<Spelling>
    : never]: Value<Spelling, Flags[Spelling]>;
};

/** The options that arguments give: `"<address>"` is `address`, and `"[path...]"` is `paths`. */
export type ArgumentsOf<Arguments> = {
  readonly [Spelling in keyof Arguments as Spelling extends `<${string}...>`
    ? never
    : Spelling extends `<${infer Name}>`
      ? Name
      : never]: string;
} & {
  readonly [Spelling in keyof Arguments as Spelling extends `[${infer Name}...]` | `<${infer Name}...>`
    ? `${Name}s`
    : never]: readonly string[];
} & {
  readonly [Spelling in keyof Arguments as Spelling extends `[${string}...]`
    ? never
    : Spelling extends `[${infer Name}]`
      ? Name
      : never]?: string;
};

type OptionName<Spelling> = Spelling extends `${string}--${infer Name} ${string}`
  ? CamelCase<Name>
  : Spelling extends `${string}--${infer Name}`
    ? CamelCase<Name>
    : never;

type CamelCase<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;

type Value<Spelling, Row> = Row extends { takes: infer Name extends keyof FlagValues }
  ? FlagValues[Name]
  : Row extends { formats: Formats<infer Format> }
    ? Row extends { repeatable: true }
      ? readonly ReportTarget<Format>[]
      : Format
    : Row extends { choices: readonly (infer Choice)[] }
      ? Choice
      : Row extends { repeatable: true }
        ? readonly string[]
        : Spelling extends `${string}<${string}`
          ? string
          : Spelling extends `${string}[${string}`
            ? string | true
            : boolean;
