/** The command line before it is understood: no token stands on it, and nothing is said twice or half. */

import { tokenIn } from "../config/load/leaked-tokens.ts";
import { misuse } from "../core/flag-values.ts";
import type { Io } from "../core/io.ts";
import { quoted } from "../core/sanitise.ts";
import { type Formats, format } from "../output/formats.ts";

/** A flag, as far as it matters how often and with what it is given. */
export interface Flag {
  readonly long?: string | undefined;
  readonly short?: string | undefined;
  /** It takes a value, and not only behind `=`. */
  readonly required: boolean;
}

/** Flags that may be given several times. */
const REPEATABLE: ReadonlySet<string> = new Set(["--dialect", "--exclude", "--report", "--target", "--var"]);

/** Shorter values of a token's variable are no token, and would be found in any word. */
const SHORTEST_TOKEN = 8;

const OWN_TOKENS: readonly string[] = ["INCIDENTCTL_TOKEN", "INCIDENTCTL_ADMIN_TOKEN"];

/** Ends the command when a token, or a flag for one, is on the command line; what stands there is never repeated. */
export function refuseTokens(args: readonly string[], env: Io["env"]): void {
  const known = OWN_TOKENS.map((name) => env[name] ?? "").filter((token) => token.length >= SHORTEST_TOKEN);
  for (const argument of args) {
    const name = /^--?(?:admin[-_]?)?(?:token|api[-_]?key|password|secret|authorization)(?==|$)/i.exec(argument)?.[0];
    if (name !== undefined) {
      throw misuse(
        `there is no ${quoted(name)}: everybody on the machine can read a command line; set ${OWN_TOKENS[0]}`,
      );
    }
    const found = tokenIn(argument) ?? (known.some((token) => argument.includes(token)) ? "a token" : undefined);
    if (found === undefined) continue;
    throw misuse(
      `an argument holds what looks like ${found}: everybody on the machine can read a command line; revoke it, and set ${OWN_TOKENS[0]}`,
    );
  }
}

/** Gives a listener for every use of a flag, which ends the command at a second use, at no value, and at a flag for a value. */
export function usageCheck(flag: Flag, args: readonly string[]): (value?: unknown) => void {
  const name = flag.long ?? flag.short ?? "";
  let uses = 0;
  return (value) => {
    uses += 1;
    if (uses > 1 && !REPEATABLE.has(name)) throw misuse(`${name} is given more than once`);
    if (!flag.required || typeof value !== "string") return;
    if (value === "") throw misuse(`${name} needs a value`);
    const spellings = [flag.long, flag.short];
    const apart = args.some((argument, at) => spellings.includes(argument) && args[at + 1] === value);
    if (apart && /^-./.test(value)) {
      throw misuse(`${name} needs a value, and ${quoted(value)} is a flag; write ${name}=… if it is meant`);
    }
  };
}

/** A command, as far as it matters which flags it has and was given. */
export interface Flagged {
  readonly options: readonly { readonly long?: string | undefined; attributeName(): string }[];
  name(): string;
  getOptionValue(name: string): unknown;
}

/** A command reads the flags of one that lies in it as well: ends the command at a flag or a format that only the outer one has. */
export function refuseOuterFlags(outer: Flagged, inner: Flagged, formats: Formats): void {
  const own = new Set(inner.options.map((option) => option.attributeName()));
  const given = outer.options.filter((option) => outer.getOptionValue(option.attributeName()) !== undefined);
  const wrong = given.find((option) => !own.has(option.attributeName()));
  if (wrong !== undefined) throw misuse(`${outer.name()} ${inner.name()} takes no ${wrong.long ?? "such flag"}`);
  const asked = outer.getOptionValue("format");
  if (typeof asked === "string") format(formats)(asked);
}
