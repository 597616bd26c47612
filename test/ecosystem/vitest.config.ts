import { defineConfig, type ViteUserConfig } from "vitest/config";

/** The package in programs that are not everywhere, such as pre-commit: `npm run test:ecosystem`. */
const config: ViteUserConfig = defineConfig({
  test: {
    root: import.meta.dirname,
    include: ["*.test.ts"],
    // They install packages.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    fileParallelism: false,
  },
});

export default config;
