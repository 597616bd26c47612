/**
 * What a forge accepts of the keys that our pipelines use, as closed JSON Schemas: a misspelt key is no key of theirs.
 * From "Metadata syntax for GitHub Actions" and the "CI/CD YAML syntax reference" of GitLab.
 */

const text = { type: "string", minLength: 1 };
const anyText = { type: "string" };

function mapping(values: object): object {
  return { type: "object", additionalProperties: values };
}

function closed(required: readonly string[], properties: Readonly<Record<string, object>>): object {
  return { type: "object", additionalProperties: false, required, properties };
}

function listOf(items: object): object {
  return { type: "array", minItems: 1, items };
}

/** `action.yml` of a composite action. */
export const compositeAction: object = closed(["name", "description", "runs"], {
  name: text,
  description: text,
  inputs: mapping(closed(["description"], { description: text, required: { type: "boolean" }, default: anyText })),
  outputs: mapping(closed(["description", "value"], { description: text, value: text })),
  runs: closed(["using", "steps"], {
    using: { const: "composite" },
    steps: listOf(
      closed(["run", "shell"], {
        name: text,
        id: { type: "string", pattern: "^[A-Za-z_][\\w-]*$" },
        if: text,
        run: text,
        shell: { enum: ["bash", "sh", "pwsh", "python"] },
        "working-directory": text,
        env: mapping(anyText),
      }),
    ),
  }),
});

const when = { enum: ["on_success", "manual", "always", "on_failure", "delayed", "never"] };
const duration = { type: "string", pattern: "^\\d+ (minutes?|hours?|days?|weeks?)$" };
const allowFailure = {
  anyOf: [{ type: "boolean" }, closed(["exit_codes"], { exit_codes: listOf({ type: "integer", minimum: 1 }) })],
};
const job = {
  image: text,
  timeout: duration,
  interruptible: { type: "boolean" },
  before_script: listOf(text),
  after_script: listOf(text),
  extends: { anyOf: [text, listOf(text)] },
  parallel: closed(["matrix"], { matrix: listOf(mapping({ anyOf: [text, listOf(text)] })) }),
  environment: closed(["name"], { name: text, action: { enum: ["start", "prepare", "stop", "verify", "access"] } }),
  variables: mapping(anyText),
  cache: closed(["key", "paths"], {
    key: text,
    paths: listOf(text),
    when: { enum: ["on_success", "on_failure", "always"] },
  }),
  stage: text,
  needs: listOf({ anyOf: [text, closed(["job"], { job: text, artifacts: { type: "boolean" } })] }),
  resource_group: text,
  rules: listOf(closed(["if"], { if: text, when, allow_failure: { type: "boolean" } })),
  script: listOf(text),
  allow_failure: allowFailure,
  artifacts: closed(["paths"], {
    when: { enum: ["on_success", "on_failure", "always"] },
    paths: listOf(text),
    // Not dotenv: variables of a report would reach the jobs that hold a token of the forge.
    reports: closed([], { junit: text, terraform: text, codequality: text }),
    expire_in: duration,
  }),
};

/** `.gitlab-ci.yml`: hidden jobs begin with a dot and need no script. */
export const gitlabPipeline: object = {
  type: "object",
  required: ["stages"],
  properties: { stages: listOf(text) },
  patternProperties: {
    "^\\.": closed([], job),
    "^(?!\\.|stages$)": closed(["stage", "script", "rules"], job),
  },
  additionalProperties: false,
};
