/** The content of a workspace that a seed file describes, made on an emulator in memory. */

import { dirname } from "node:path";
import { load } from "../../config/load/load.ts";
import type { Configuration } from "../../config/resources/configuration.ts";
import { TIMEOUT_SECONDS } from "../../config/settings/request-defaults.ts";
import { DISK } from "../../config/source/disk.ts";
import { withContents } from "../../config/source/file-tree.ts";
import { EXIT, Stop } from "../../core/exit-codes.ts";
import type { Io } from "../../core/io.ts";
import { version } from "../../core/package.ts";
import { createEmulator, type Emulator } from "../../emulator/emulator.ts";
import { HttpError } from "../../emulator/http/http-error.ts";
import { readSeedData } from "../../emulator/seeds/seed-data.ts";
import type { WorkspaceContent } from "../../emulator/seeds/seeds.ts";
import { kinds } from "../../kinds/index.ts";
import { apply } from "../../run/apply/apply.ts";
import type { TokenSink } from "../../run/tokens/sink.ts";
import { connect } from "../../service/http/client.ts";
import type { Writer } from "../../service/requests/connection.ts";
import { declaredValues } from "../saved-plan/secret-values.ts";
import { fetchFrom } from "../session/connect.ts";
import { makePlanFor } from "../session/make-plan.ts";
import { readSeedFile, type SeedFile } from "./seed-file.ts";

/** Makes the content. Throws `InvalidConfiguration` with the file, line and column of every error. */
export async function seededContent(typed: string, io: Pick<Io, "cwd" | "env" | "now">): Promise<WorkspaceContent> {
  const seed = readSeedFile(typed, io.cwd);
  const emulator = createEmulator({
    workspace: seed.base,
    requestsPerMinute: Number.MAX_SAFE_INTEGER,
    now: () => io.now(),
  });
  try {
    const data = inFile(seed, () => readSeedData(seed.data));
    // Catalog entries may name people, and incidents name what the configuration declares.
    const { people = [] } = seed.data;
    inFile(seed, () => emulator.seeds.load({ people }));
    if (seed.configuration !== undefined) await applyConfiguration(seed, emulator, io);
    inFile(seed, () => emulator.seeds.load(seed.data));
    emulator.seeds.makeIdsStable(data);
    return emulator.seeds.dump();
  } finally {
    await emulator.close();
  }
}

/** Runs the function, and reports its errors at their places in the file. */
function inFile<Result>(seed: SeedFile, run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    if (error instanceof HttpError) seed.refuse(error.errors ?? [{ message: error.message }]);
    throw error;
  }
}

async function applyConfiguration(seed: SeedFile, emulator: Emulator, io: Pick<Io, "env" | "now">): Promise<void> {
  const configuration = await loadConfiguration(seed, io);
  const writer = connectTo(emulator);
  const { plan } = await makePlanFor(configuration, writer, kinds, {
    version,
    approvals: { allowDelete: true, acceptRoutingWindow: true, tokenSink: true, maxRemovals: { percent: 100 } },
    filter: { kinds: [], targets: [], excludes: [] },
    parallelism: 1,
    ownPrefixes: [],
    lastApplied: { hashes: {}, resend: false },
    identify: false,
    now: () => io.now(),
  });
  const [blocked] = plan.blocked;
  if (blocked !== undefined) throw new Stop(EXIT.error, `the seed cannot be applied: ${blocked.message}`);
  const steps = apply(plan, writer, { keepGoing: false, sink: noTokens, secret: declaredValues(configuration) });
  for (let step = await steps.next(); ; step = await steps.next()) {
    if (step.done === true) return;
    if (step.value.status !== "failed" && step.value.status !== "unknown") continue;
    throw new Stop(
      EXIT.error,
      `the seed cannot be applied: ${step.value.operation.address}: ${step.value.error.message}`,
    );
  }
}

function loadConfiguration({ path, configuration }: SeedFile, { env }: Pick<Io, "env">): Promise<Configuration> {
  const cwd = dirname(path);
  const context = { kinds, env, cwd };
  if (configuration === undefined || "paths" in configuration) return load(configuration?.paths ?? [], context);
  const tree = withContents(DISK, new Map([[path, new TextEncoder().encode(configuration.text)]]));
  return load([path], { ...context, tree, mayBeEmpty: true });
}

/** A connection to the emulator without a network. */
export function connectTo(emulator: Emulator): Writer {
  return connect({
    baseUrl: "http://localhost",
    token: emulator.serviceToken,
    adminToken: emulator.adminToken,
    fetch: fetchFrom(emulator),
    requestsPerMinute: Number.MAX_SAFE_INTEGER,
    timeoutSeconds: TIMEOUT_SECONDS,
  });
}

/** Nobody keeps the tokens of a seed's service keys and agents: they are different in every run. */
const noTokens: TokenSink = { probe: () => Promise.resolve(), store: () => Promise.resolve() };
