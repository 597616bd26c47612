/** Secrets of a run: the values that the plan omits, and storage for one-time tokens. */

import { resolve } from "node:path";
import type { Configuration } from "../../config/resources/configuration.ts";
import { misuse } from "../../core/flag-values.ts";
import type { Io } from "../../core/io.ts";
import { type Json, stepsOf, valueAt } from "../../core/json.ts";
import { commandSink } from "../../run/tokens/command-sink.ts";
import { fileSink } from "../../run/tokens/file-sink.ts";
import { type TokenSink, UnusableSink } from "../../run/tokens/sink.ts";
import { masked } from "../../view/format/mask.ts";
import type { WriteOptions } from "../command/shared-flags.ts";
import type { Console } from "../console/console.ts";
import { writeStoredToken } from "../session/write-lock.ts";
import { exposedSink } from "./sink-file.ts";

/** Flags for the storage of tokens. */
export type SinkOptions = Pick<WriteOptions, "secretsOut" | "secretsExec">;

/**
 * Returns the token sink that the flags name, if any. Each token is masked in all output before the sink gets it. The first probe warns of
 * a file that could be committed.
 */
export function openSink(
  options: SinkOptions,
  io: Io,
  console: Pick<Console, "conceal" | "alert">,
): TokenSink | undefined {
  const sink = chooseSink(options, io);
  if (sink === undefined) return undefined;
  let file = options.secretsOut;
  return {
    probe: async () => {
      await sink.probe();
      const warning = file === undefined ? undefined : await exposedSink(resolve(io.cwd, file), io.env);
      file = undefined;
      if (warning !== undefined) console.alert(warning);
    },
    store: async (issued) => {
      const token = issued.token.reveal();
      console.conceal([token]);
      maskInRunner(token, io);
      try {
        await sink.store(issued);
      } catch (error) {
        // The sink's message may also go into the journal.
        throw error instanceof UnusableSink ? new UnusableSink(masked(error.message, [token])) : error;
      }
    },
  };
}

/**
 * Returns the sink with a record in the lock file of each token that it stores, so that later plans know that somebody has it. The token
 * is stored even if the lock file cannot be written.
 */
export function recordingSink(
  sink: TokenSink | undefined,
  configuration: Configuration,
  console: Pick<Console, "alert">,
): TokenSink | undefined {
  if (sink === undefined) return undefined;
  let written = Promise.resolve();
  return {
    probe: () => sink.probe(),
    store: async (issued) => {
      await sink.store(issued);
      // One after another: each write keeps the tokens of those before.
      written = written
        .then(() => writeStoredToken(configuration, issued))
        .catch((error: unknown) => {
          const reason = error instanceof Error ? error.message : String(error);
          console.alert(
            `the token of ${issued.address} is stored, but ${reason}; plans may warn that nobody has it, until it is used`,
          );
        });
      await written;
    },
  };
}

function chooseSink({ secretsOut, secretsExec }: SinkOptions, { cwd, env }: Io): TokenSink | undefined {
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

/** Tells a GitHub runner to mask the token in the output of later steps. The runner does not show these lines. */
function maskInRunner(token: string, { env, stderr }: Io): void {
  if (env.GITHUB_ACTIONS !== "true") return;
  const forms = [token, Buffer.from(token, "utf8").toString("base64")];
  const commands = forms.map((form) => `::add-mask::${form.replace(/[%\r\n]/g, encodeURIComponent)}\n`);
  // The runner reads a command only at the beginning of a line.
  stderr.write(`${stderr.terminal ? "\n" : ""}${commands.join("")}`);
}

/** Returns a function that finds the declared value at a JSON Pointer into a resource, by its address and its pin, if it has one. */
export function declaredValues(
  configuration: Configuration,
): (address: string, pointer: string, pin?: string) => Json | undefined {
  const identity = (address: string, pin: string | undefined): string => JSON.stringify([address, pin ?? null]);
  const resources = new Map(configuration.declared.map(({ address, pin, fields }) => [identity(address, pin), fields]));
  return (address, pointer, pin) => valueAt(resources.get(identity(address, pin)), stepsOf(pointer));
}
