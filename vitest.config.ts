import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Test files that replace what belongs to the whole process, such as the dispatcher behind `fetch`, or modules. */
const alone = [
  "test/service/http/client.test.ts",
  "test/service/http/network.test.ts",
  "test/service/http/repeating.test.ts",
  "test/config/load/places.test.ts",
  "test/workspace/read/once.test.ts",
];

/** Test files that start the program, or take seconds: `npm test` leaves them to `npm run test:samples`. */
const long = process.env.TESTS === "quick" ? ["test/**/*.long.test.ts"] : [];

/** Test files that take minutes begin first, so that no core waits for the last of them. */
const minutes = [
  "test/pipelines/months/here",
  "test/stored/random",
  "test/commands/removal/unapproved-runs",
  "test/pipelines/",
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = minutes.findIndex((part) => moduleId.includes(part));
      return at < 0 ? minutes.length : at;
    };
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other));
  }
}

const limits = { testTimeout: 30_000, hookTimeout: 30_000 };

export default defineConfig({
  test: {
    globalSetup: "test/setup/compiled-validators.ts",
    // No core is left free, since nobody watches; and while one process waits for a program, a lock or a clock, another works.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    // A run begins with what an earlier one has compiled of files that are the same: the other versions of Node, and each mutant.
    experimental: { fsModuleCache: true },
    projects: [
      // Loading the program anew for every file would take longer than the tests: one process has it loaded once, and
      // `test/setup/shared-process.ts` sees to it that no file leaves the process other than it was.
      {
        test: {
          ...limits,
          name: "shared",
          isolate: false,
          include: ["test/**/*.test.ts"],
          exclude: [...alone, ...long, "test/browser/**", "test/ecosystem/**"],
          setupFiles: ["test/setup/shared-process.ts", "test/setup/seed.ts"],
        },
      },
      { test: { ...limits, name: "alone", include: alone, setupFiles: ["test/setup/seed.ts"] } },
    ],
  },
});
