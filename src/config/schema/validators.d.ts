/** What `scripts/compile-validators.mjs` compiles from the schemas: the validators by the names in `checkedSchemas`. */
declare module "#validators" {
  export const validators: Readonly<Record<string, import("./validator.ts").Validator>>;
}
