import { defineConfig, type ViteUserConfig } from "vitest/config";

/** The pages in a real browser, which is not everywhere: `npm run test:browser`. */
const config: ViteUserConfig = defineConfig({
  test: {
    root: import.meta.dirname,
    include: ["*.test.ts"],
    globalSetup: "../setup/compiled-validators.ts",
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});

export default config;
