/** The validators that `scripts/compile-validators.mjs` compiles from the schemas, by the names in `checkedSchemas`. */
declare module "#validators" {
  export const validators: Readonly<Record<string, import("./validator.ts").Validator>>;
}
