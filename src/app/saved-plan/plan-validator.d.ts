/** Compiled from `schemas/plan.json` by `scripts/compile-validators.mjs`. */
declare module "#plan-validator" {
  /** Whether a value is valid against the schema of plans. */
  export const isPlan: (value: unknown) => boolean;
}
