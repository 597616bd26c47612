/** Validates openapi.json in this folder with two libraries; prints one line of JSON for each. */

import { readFileSync } from "node:fs";
import { validate } from "@readme/openapi-parser";
import { Validator } from "@seriousme/openapi-schema-validator";

const read = () => JSON.parse(readFileSync("openapi.json", "utf8"));
const { valid, errors = [], warnings } = await validate(read());
console.log(JSON.stringify({ name: "@readme/openapi-parser", valid, errors, warnings }));
const validator = new Validator();
const result = await validator.validate(read());
console.log(JSON.stringify({ name: "@seriousme", valid: result.valid, errors: result.errors ?? [], warnings: [] }));
