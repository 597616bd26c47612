/** What a run needs of secrets: the values that the plan leaves out, and a place for the tokens that the service tells once. */

import { resolve } from "node:path";
import { commandSink } from "../apply/tokens/command-sink.ts";
import { fileSink } from "../apply/tokens/file-sink.ts";
import { type TokenSink, UnusableSink } from "../apply/tokens/sink.ts";
import type { Configuration } from "../config/load/configuration.ts";
import { misuse } from "../core/flag-values.ts";
import type { Io } from "../core/io.ts";
import { isFields, isList, type Json } from "../core/json.ts";
import type { Console } from "../output/console.ts";
import { masked } from "../report/format/mask.ts";

/** The flags that say where tokens go. */
export interface SinkOptions {
  readonly secretsOut?: string;
  readonly secretsExec?: string;
}

/** The place that the flags name, if they name one. Each token is concealed before it is given there. */
export function sinkOf(options: SinkOptions, io: Io, console: Pick<Console, "conceal">): TokenSink | undefined {
  const sink = placeOf(options, io);
  if (sink === undefined) return undefined;
  return {
    probe: () => sink.probe(),
    keep: async (issued) => {
      const token = issued.token.reveal();
      console.conceal([token]);
      announce(token, io);
      try {
        await sink.keep(issued);
      } catch (error) {
        // What the sink says may go further than a console: into a journal.
        throw error instanceof UnusableSink ? new UnusableSink(masked(error.message, [token])) : error;
      }
    },
  };
}

function placeOf({ secretsOut, secretsExec }: SinkOptions, { cwd, env }: Io): TokenSink | undefined {
  if (secretsOut !== undefined && secretsExec !== undefined) {
    throw misuse("--secrets-out and --secrets-exec exclude each other");
  }
  if (secretsOut !== undefined) return fileSink(resolve(cwd, secretsOut));
  return secretsExec === undefined ? undefined : commandOf(secretsExec, env);
}

function commandOf(line: string, env: NodeJS.ProcessEnv): TokenSink {
  try {
    return commandSink(line, env);
  } catch (error) {
    if (error instanceof UnusableSink) throw misuse(`--secrets-exec: ${error.message}`);
    throw error;
  }
}

/** Tells a GitHub runner to mask the token in everything that later steps print; it shows nothing of this itself. */
function announce(token: string, { env, stderr }: Io): void {
  if (env.GITHUB_ACTIONS !== "true") return;
  const forms = [token, Buffer.from(token, "utf8").toString("base64")];
  const commands = forms.map((form) => `::add-mask::${form.replace(/[%\r\n]/g, encodeURIComponent)}\n`);
  // A command counts only at the beginning of a line.
  stderr.write(`${stderr.terminal ? "\n" : ""}${commands.join("")}`);
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
