import { defineConfig, type ViteUserConfig } from "vitest/config";

/** What would cost more than it notices: whole services, and one test that takes the time. */
const slow = ["forms", "ranked-alerts", "ranked-speed", "removal", "updating"].map(
  (name) => `test/plan/${name}.test.ts`,
);

/** The quick tests of the planner, for measuring how many of Stryker's mutants they notice: `npm run mutation`. */
const config: ViteUserConfig = defineConfig({
  test: {
    isolate: false,
    // Source that holds every mutant at once is slow.
    testTimeout: 120_000,
    include: ["test/plan/**/*.test.ts", "test/kinds/**/*.test.ts"],
    exclude: slow,
  },
});

export default config;
