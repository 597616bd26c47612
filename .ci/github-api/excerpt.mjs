/**
 * Writes the excerpt of GitHub's published description that the tests of the pipelines use, or with --check compares it. The description
 * has 73 MB, and the excerpt the parameters and bodies of the requests that `incidentctl ci` sends.
 *
 *   node .ci/github-api/excerpt.mjs [--check]
 */

import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";

const EXCERPT = new URL("../../test/pipelines/simulator/github-api.json", import.meta.url);
const OPERATIONS = [
  "GET /repos/{owner}/{repo}/actions/artifacts/{artifact_id}/{archive_format}",
  "GET /repos/{owner}/{repo}/actions/runs/{run_id}/artifacts",
  "GET /repos/{owner}/{repo}/actions/workflows/{workflow_id}/runs",
  "GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls",
  "GET /repos/{owner}/{repo}/compare/{basehead}",
  "GET /repos/{owner}/{repo}/environments/{environment_name}",
  "GET /repos/{owner}/{repo}/git/ref/{ref}",
  "GET /repos/{owner}/{repo}/issues",
  "POST /repos/{owner}/{repo}/issues",
  "PATCH /repos/{owner}/{repo}/issues/{issue_number}",
  "GET /repos/{owner}/{repo}/issues/{issue_number}/comments",
  "POST /repos/{owner}/{repo}/issues/{issue_number}/comments",
  "PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}",
  "GET /repos/{owner}/{repo}/issues/{issue_number}/events",
  "GET /repos/{owner}/{repo}/pulls",
  "POST /repos/{owner}/{repo}/pulls",
  "GET /repos/{owner}/{repo}/pulls/{pull_number}",
  "GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews",
  "PATCH /repos/{owner}/{repo}/pulls/{pull_number}",
];

const file = createRequire(import.meta.url).resolve("@octokit/openapi/generated/api.github.com.deref.json");
const { paths } = JSON.parse(readFileSync(file, "utf8"));
const excerpt = Object.fromEntries(OPERATIONS.map((name) => [name, requestOf(name)]));
const text = JSON.stringify(excerpt);
if (!process.argv.includes("--check")) writeFileSync(EXCERPT, text);
else if (JSON.stringify(JSON.parse(readFileSync(EXCERPT, "utf8"))) !== text) {
  throw new Error("github-api.json is not what GitHub has published");
}

/** The parameters and the body of an operation, as JSON Schemas. */
function requestOf(name) {
  const [method, path] = name.split(" ");
  const operation = paths[path]?.[method.toLowerCase()];
  if (operation === undefined) throw new Error(`there is no ${name}`);
  const of = (place) => operation.parameters.filter((parameter) => parameter.in === place);
  const schema = (parameters) => ({
    type: "object",
    additionalProperties: false,
    required: parameters.filter(({ required }) => required).map(({ name: key }) => key),
    properties: Object.fromEntries(parameters.map(({ name: key, schema: value }) => [key, plain(value)])),
  });
  const body = operation.requestBody?.content["application/json"]?.schema;
  return {
    path: schema(of("path")),
    query: schema(of("query")),
    ...(body === undefined ? {} : { body: { ...plain(body), additionalProperties: false } }),
  };
}

/** A schema without the texts for people, and without the words that only OpenAPI has. */
function plain(schema) {
  if (Array.isArray(schema)) return schema.map(plain);
  if (typeof schema !== "object" || schema === null) return schema;
  const { nullable, ...rest } = schema;
  const kept = Object.entries(rest).filter(
    ([key, value]) =>
      !(["description", "example", "examples", "title", "deprecated"].includes(key) && typeof value !== "object") &&
      !key.startsWith("x-"),
  );
  const result = Object.fromEntries(kept.map(([key, value]) => [key, plain(value)]));
  if (nullable === true && typeof result.type === "string") result.type = [result.type, "null"];
  return result;
}
