/** What a run needs of secrets: the values that the plan leaves out, and a place for the tokens that the service tells once. */

import { resolve } from "node:path";
import { tokenCommand } from "../apply/token-command.ts";
import { tokenFile } from "../apply/token-file.ts";
import { type TokenSink, UnusableSink } from "../apply/token-sink.ts";
import type { Configuration } from "../config/configuration.ts";
import { isFields, isList, type Json } from "../json.ts";
import { misuse } from "./flags.ts";

/** The flags that say where tokens go. */
export interface SinkOptions {
  readonly secretsOut?: string;
  readonly secretsExec?: string;
}

/** The place that the flags name, if they name one. */
export function sinkOf(
  { secretsOut, secretsExec }: SinkOptions,
  cwd: string,
  env: NodeJS.ProcessEnv,
): TokenSink | undefined {
  if (secretsOut !== undefined && secretsExec !== undefined) {
    throw misuse("--secrets-out and --secrets-exec exclude each other");
  }
  if (secretsOut !== undefined) return tokenFile(resolve(cwd, secretsOut));
  return secretsExec === undefined ? undefined : commandOf(secretsExec, env);
}

function commandOf(line: string, env: NodeJS.ProcessEnv): TokenSink {
  try {
    return tokenCommand(line, env);
  } catch (error) {
    if (error instanceof UnusableSink) throw misuse(`--secrets-exec: ${error.message}`);
    throw error;
  }
}

/** Gives the declared value at a JSON Pointer into an entry. */
export function declaredValues(configuration: Configuration): (address: string, pointer: string) => Json | undefined {
  const entries = new Map(configuration.declared.map((entry) => [entry.address, entry.fields]));
  return (address, pointer) => {
    const segments = pointer.split("/").slice(1);
    return segments.reduce<Json | undefined>(member, entries.get(address));
  };
}

function member(value: Json | undefined, segment: string): Json | undefined {
  const name = segment.replaceAll("~1", "/").replaceAll("~0", "~");
  if (isList(value)) return value[Number(name)];
  return isFields(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
