import { defineConfig } from "vitest/config";

/** The quick tests of the planner, for measuring how many of Stryker's mutants they notice: `npm run mutation`. */
export default defineConfig({
  test: {
    isolate: false,
    include: ["test/plan/**/*.test.ts", "test/kinds/**/*.test.ts"],
  },
});
