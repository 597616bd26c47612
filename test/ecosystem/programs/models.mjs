/**
 * Makes models.py and models.go of every schema in openapi.json with quicktype, and parses them with tree-sitter; prints one line of
 * JSON for each language.
 */

import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { FetchingJSONSchemaStore, InputData, JSONSchemaInput, quicktype } from "quicktype-core";

const require = createRequire(import.meta.url);
const { Language, Parser } = require("@vscode/tree-sitter-wasm");
const { components } = JSON.parse(readFileSync("openapi.json", "utf8"));

await Parser.init();
for (const [lang, file] of [
  ["python", "models.py"],
  ["go", "models.go"],
]) {
  const schemas = new JSONSchemaInput(new FetchingJSONSchemaStore());
  for (const name of Object.keys(components.schemas)) {
    await schemas.addSource({ name, schema: JSON.stringify({ $ref: `#/components/schemas/${name}`, components }) });
  }
  const inputData = new InputData();
  inputData.addInput(schemas);
  const { lines } = await quicktype({ inputData, lang, rendererOptions: lang === "go" ? { package: "service" } : {} });
  const text = lines.join("\n");
  writeFileSync(file, text);
  const grammar = require.resolve(`@vscode/tree-sitter-wasm/wasm/tree-sitter-${lang}.wasm`);
  const parser = new Parser();
  parser.setLanguage(await Language.load(readFileSync(grammar)));
  const isParsed = !parser.parse(text).rootNode.hasError;
  console.log(JSON.stringify({ file, isParsed, hasIncident: /^(class|type) Incident\b/m.test(text) }));
}
