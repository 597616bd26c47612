import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { load } from "../../src/config/load/load.ts";
import { dialectChoices } from "../../src/emulator/dialects.ts";
import { kinds } from "../../src/kinds/index.ts";
import { Apply, type Real } from "../model/commands.ts";
import { documentOf } from "../model/document.ts";
import { DEED_NAMES } from "../model/hands.ts";
import { beginning, dialectRows, happenings } from "../model/runs.ts";
import { DISTURBANCES, ModelService } from "../model/service.ts";
import { withFiles } from "../support/files.ts";
import { sampleSize } from "../support/samples/sample-size.ts";

const RUNS = sampleSize(300, process.env.CAMPAIGN_MODEL_RUNS);

/** A run to make again: what a failure printed. */
const REPLAY = process.env.CAMPAIGN_MODEL_REPLAY;

/** In so many runs everything that can happen has happened. */
const ENOUGH = 4000;

function replaying(): { seed?: number; path?: string; replayPath?: string } {
  const [seed, path, replayPath] = (REPLAY ?? "").split(" ");
  if (seed === undefined || path === undefined || replayPath === undefined) return {};
  return { seed: Number(seed), path, replayPath };
}

describe("the model: files and the service are edited, plans are applied, stopped, saved, under every dialect", () => {
  const service = new ModelService();
  afterAll(() => service.close());

  test(
    "after an apply managed resources are as declared, all others are unchanged, and the plan is empty",
    async () => {
      const reached = new Map<string, number>();
      const { replayPath, ...again } = replaying();
      const property = fc.asyncProperty(
        dialectRows,
        beginning,
        fc.boolean(),
        happenings(replayPath),
        async (dialects, { theme, declared }, isApplied, commands) => {
          for (const name of Object.keys(dialects)) reached.set(name, (reached.get(name) ?? 0) + 1);
          service.begin(dialects);
          const model = { theme, declared };
          const real: Real = { service, reached };
          if (isApplied) await new Apply().run(model, real);
          await fc.asyncModelRun(() => ({ model, real }), commands);
          await new Apply().run(model, real);
        },
      );
      const details = await fc.check(property, { numRuns: RUNS, ...again });
      if (details.failed) {
        const [, path = ""] = /replayPath="([^"]*)"/.exec(String(details.counterexample?.[3])) ?? [];
        const { seed, counterexamplePath } = details;
        const env = `CAMPAIGN_MODEL_REPLAY='${seed} ${counterexamplePath} ${path}'`;
        throw new Error(
          `${fc.defaultReportMessage(details)}\n\nTo make this run again: ${env} npx vitest run test/whole/model.test.ts`,
          { cause: details.errorInstance },
        );
      }
      if (process.env.CAMPAIGN_MODEL_REACHED !== undefined)
        console.log(
          [...reached]
            .sort()
            .map((one) => one.join(": "))
            .join("\n"),
        );
      if (REPLAY !== undefined || RUNS < ENOUGH) return;
      const wanted = [
        ...dialectChoices().map(([name]) => name),
        ...DISTURBANCES.map((how) => `stopped: ${how}`),
        ...DEED_NAMES.map((does) => `hand: ${does}`),
      ];
      expect(wanted.filter((what) => !reached.has(what))).toEqual([]);
    },
    240_000 + RUNS * 2_000,
  );

  test("every document of the model is valid", async () => {
    await fc.assert(
      fc.asyncProperty(beginning, async ({ declared }) => {
        service.begin({});
        const document = documentOf(declared, service.look());
        await withFiles({ "workspace.yaml": JSON.stringify(document) }, (cwd) => load([], { kinds, env: {}, cwd }));
      }),
      { numRuns: 40 },
    );
  }, 120_000);
});
