/** Fixed tokens of an emulator, from the environment or a file, so that they are the same at every start. */

import { readFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { resolve } from "node:path";
import { EXIT, Stop } from "../../core/exit-codes.ts";
import type { Io } from "../../core/io.ts";
import { quoted } from "../../core/sanitise.ts";
import { newControlKey } from "../../emulator/control/control.ts";
import { newToken } from "../../emulator/modules/access/tokens.ts";
import { refuseMissingFolder } from "../console/require-folder.ts";
import { reasonOf } from "../console/save-file.ts";

/** The tokens that are fixed; the others are random at each start. */
export interface FixedTokens {
  readonly service?: string;
  readonly admin?: string;
  readonly controlKey?: string;
}

type TokenName = keyof FixedTokens;

/** The variables that set a token, and the names under which the emulator prints it and a file holds it. */
const VARIABLES: Readonly<Record<TokenName, string>> = {
  service: "INCIDENTCTL_EMULATOR_TOKEN",
  admin: "INCIDENTCTL_EMULATOR_ADMIN_TOKEN",
  controlKey: "INCIDENTCTL_EMULATOR_CONTROL_KEY",
};
const PRINTED: Readonly<Record<TokenName, string>> = {
  service: "INCIDENTCTL_TOKEN",
  admin: "INCIDENTCTL_ADMIN_TOKEN",
  controlKey: "INCIDENTCTL_CONTROL_KEY",
};
const NAMES: readonly TokenName[] = ["service", "admin", "controlKey"];

const MINIMUM_LENGTH = 32;
const MINIMUM_DIFFERENT = 10;

/** One token with the place that sets it. */
interface StatedToken {
  readonly token: string;
  readonly source: string;
}

/**
 * Reads the fixed tokens, and removes their variables from the environment. A variable takes precedence over the file. A file that
 * does not exist is created with new tokens. Ends the command for an unusable token, and for a weak one unless only this machine can
 * reach the emulator.
 */
export async function readFixedTokens(
  { env, cwd }: Pick<Io, "env" | "cwd">,
  file: string | undefined,
  isLoopback: boolean,
): Promise<FixedTokens> {
  const stated = new Map<TokenName, StatedToken>(file === undefined ? [] : await readTokensFile(file, cwd));
  for (const name of NAMES) {
    const source = VARIABLES[name];
    const token = env[source] ?? "";
    delete env[source];
    if (token !== "") stated.set(name, { token, source });
  }
  for (const each of stated.values()) checkToken(each, isLoopback);
  refuseSharedTokens([...stated.values()]);
  return Object.fromEntries([...stated].map(([name, { token }]) => [name, token]));
}

/** The lines that a shell reads, with the name of each token. */
export function tokenLines({ service, admin, controlKey }: FixedTokens): readonly string[] {
  const tokens = { service, admin, controlKey };
  return NAMES.flatMap((name) => (tokens[name] === undefined ? [] : [`export ${PRINTED[name]}=${tokens[name]}`]));
}

async function readTokensFile(file: string, cwd: string): Promise<readonly (readonly [TokenName, StatedToken])[]> {
  const path = resolve(cwd, file);
  refuseMissingFolder(path, file, "the file of tokens");
  const text = readOrUndefined(path, file) ?? (await createTokensFile(path, file));
  return text.split("\n").flatMap((line, index) => {
    const source = `${file}:${index + 1}`;
    if (/^\s*(?:#.*)?$/.test(line)) return [];
    const [, variable, token = ""] = /^(?:export )?(\w+)=(.*?)\s*$/.exec(line) ?? [];
    const name = NAMES.find((each) => PRINTED[each] === variable);
    if (name !== undefined) return [[name, { token, source }] as const];
    throw new Stop(
      EXIT.error,
      `${source}: expected ${NAMES.map((each) => `${PRINTED[each]}=…`).join(", ")} or a comment`,
    );
  });
}

function readOrUndefined(path: string, file: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw new Stop(EXIT.error, `cannot read ${quoted(file)}: ${reasonOf(error)}`);
  }
}

/** Creates the file for its owner alone. Of two processes that start at the same time, one creates it and the other fails. */
async function createTokensFile(path: string, file: string): Promise<string> {
  const tokens = { service: newToken(), admin: newToken(), controlKey: newControlKey() };
  const text = `# Tokens of an emulator: incidentctl emulator --tokens-file\n${tokenLines(tokens).join("\n")}\n`;
  try {
    const created = await open(path, "wx", 0o600);
    await created.writeFile(text);
    await created.close();
  } catch (error) {
    throw new Stop(EXIT.error, `cannot create ${quoted(file)}: ${reasonOf(error)}`);
  }
  return text;
}

/** Ends the command for a token that a shell or a header would change, or that somebody could guess. The message never holds it. */
function checkToken({ token, source }: StatedToken, isLoopback: boolean): void {
  if (!/^[\w.~+/=-]{1,4096}$/.test(token)) {
    throw new Stop(EXIT.error, `${source} must be one word of letters, digits and the characters . _ ~ + / = -`);
  }
  if (isLoopback || (token.length >= MINIMUM_LENGTH && new Set(token).size >= MINIMUM_DIFFERENT)) return;
  throw new Stop(
    EXIT.error,
    `${source} is too weak for an address that others can reach; use at least ${MINIMUM_LENGTH} random characters, as of openssl rand -hex 24`,
  );
}

function refuseSharedTokens(tokens: readonly StatedToken[]): void {
  const [first, second] = tokens.flatMap((one, at) => {
    const other = tokens.slice(at + 1).find(({ token }) => token === one.token);
    return other === undefined ? [] : [one.source, other.source];
  });
  if (first !== undefined) throw new Stop(EXIT.error, `${first} and ${second} hold the same token; use different ones`);
}
