import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  kindSchema,
  moduleSchema,
  partAt,
  resourceSchema,
  typesOf,
  workspaceSchema,
} from "../../../src/config/schema/schema.ts";
import { settingsSchema } from "../../../src/config/schema/settings-schema.ts";
import { violationsBy } from "../../../src/config/schema/validator.ts";
import { type Fields, isFields, type Json } from "../../../src/core/json.ts";
import { kinds } from "../../../src/kinds/index.ts";
import { compiled } from "../../support/schemas/compiled-schema.ts";

const rooms = [...new Set(kinds.map(({ module: room }) => room))];

/** Every schema in the value that describes a property, an item or an entry, with its place. */
function described(value: Json | undefined, at: string): readonly (readonly [at: string, schema: Fields])[] {
  if (!isFields(value)) return [];
  const members = Object.entries(isFields(value.properties) ? value.properties : {});
  const others: [string, Json | undefined][] = [
    ["items", value.items],
    ["additionalProperties", value.additionalProperties],
    ...Object.entries(isFields(value.$defs) ? value.$defs : {}),
  ];
  return [...members, ...others].flatMap(([name, below]) =>
    isFields(below) && below.$ref === undefined
      ? [[`${at}/${name}`, below] as const, ...described(below, `${at}/${name}`)]
      : [],
  );
}

describe.each(rooms)("The schema of %s", (room) => {
  const schema = moduleSchema(room);

  it("names its dialect and its subject", () => {
    expect(schema).toMatchObject({ $schema: "https://json-schema.org/draft/2020-12/schema", type: "object" });
    expect(schema.description).toMatch(/^[A-Z].*\.$/s);
  });

  it("describes every property in sentences, and closes every object that it lists the keys of", () => {
    for (const [at, part] of described(schema, room)) {
      expect(part.description, at).toMatch(/^[A-Z$].*[.]$/s);
      if (part.properties !== undefined) expect(part.additionalProperties, at).toBe(false);
    }
    expect(schema.additionalProperties).toBe(false);
  });

  it("allows extra fields that the tool does not know, and protected resources", () => {
    expect(schema.properties).toMatchObject({ extra: { type: "object" }, protected: { type: "boolean" } });
  });
});

describe("The rooms", () => {
  it("have their files in schemas", () => {
    const files = readdirSync(new URL("../../../schemas", import.meta.url));
    expect(files).toEqual(expect.arrayContaining(rooms.map((room) => `${room}.json`)));
  });

  it.each(kinds)("describe entries of $name with the fields that the kind speaks of", (kind) => {
    const { properties } = resourceSchema(kind).part;
    const names = Object.keys(isFields(properties) ? properties : {});
    const spoken = [
      ...kind.identity.keys,
      ...Object.keys(kind.fields ?? {}),
      ...(kind.lifecycle.required ?? []),
      ...(kind.identity.labels ?? []),
    ];
    expect(names).toEqual(
      expect.arrayContaining([...spoken, ...(kind.identity.pin === undefined ? [] : [kind.identity.pin])]),
    );
  });
});

describe("The schema of a workspace", () => {
  const schema = workspaceSchema(kinds);
  const verdict = (value: Json): readonly string[] =>
    violationsBy(compiled(schema), value).map(({ pointer, keyword }) => `${pointer} ${keyword}`);

  it("is self-contained", () => {
    const references = [...JSON.stringify(schema).matchAll(/"\$ref":"(.*?)"/g)].map(([, target]) => target ?? "");
    for (const target of references) expect(target).toMatch(/^#\/\$defs\//);
    expect(references.length).toBeGreaterThan(rooms.length);
  });

  it("describes every kind at the top and nothing else", () => {
    const properties = isFields(schema.properties) ? schema.properties : {};
    expect(Object.keys(properties)).toEqual(
      [
        ...kinds.filter(({ parent }) => parent === undefined),
        ...kinds.filter(({ parent }) => parent?.apart === true),
      ].map(({ name }) => name),
    );
    for (const part of Object.values(properties))
      expect(part).toMatchObject({ description: expect.stringMatching(/\.$/) });
  });

  it.each<[title: string, value: Json, expected: readonly string[]]>([
    ["lists", { severities: [{ slug: "a" }], statuses: [] }, []],
    ["forms by their names", { forms: { declare: [{ system_field: "name" }] } }, []],
    [
      "rules by scopes",
      { routing_rules: { workspace: [], sources: { Datadog: [{ outcome: { action: "drop" } }] } } },
      [],
    ],
    ["nested entries", { catalog_types: [{ slug: "a", entries: [{ slug: "b" }] }] }, []],
    ["no unknown kind", { severites: [] }, [" additionalProperties"]],
    ["no fifth form", { forms: { archive: [] } }, ["/forms additionalProperties"]],
    ["no unknown field", { severities: [{ slug: "a", nmae: "A" }] }, ["/severities/0 additionalProperties"]],
    [
      "no unknown field of a nested entry",
      { agents: [{ slug: "a", grants: [{ ability: "a.read", x: 1 }] }] },
      ["/agents/0/grants/0 additionalProperties"],
    ],
  ])("accepts %s", (_title, value, expected) => {
    expect(verdict(value)).toEqual(expected);
  });

  it("can be cut down to one kind", () => {
    expect(kindSchema(kinds, "severities")).toMatchObject(moduleSchema("severities"));
    expect(kindSchema(kinds, "grants")).toMatchObject({ title: "Grant", additionalProperties: false });
    expect(kindSchema(kinds, "nothing")).toBeUndefined();
  });
});

describe("A part of a schema", () => {
  const room = { whole: moduleSchema("catalog"), part: moduleSchema("catalog") };

  it("is found by the steps to a value, through lists, references and free keys", () => {
    const entry = partAt(partAt(room, "entries"), "3");
    expect(entry?.part.title).toBe("Catalog entry");
    expect(typesOf(partAt(partAt(entry, "attributes"), "tier"))).toEqual([
      "string",
      "number",
      "boolean",
      "array",
      "null",
    ]);
    expect(typesOf(partAt(room, "protected"))).toEqual(["boolean"]);
  });

  it("is none if any value is allowed", () => {
    const free = partAt(partAt(room, "extra"), "x");
    expect(free).toBeUndefined();
    expect(typesOf(free)).toEqual([]);
    expect(partAt(undefined, "x")).toBeUndefined();
  });
});

it("describes every setting", () => {
  for (const [at, part] of described(settingsSchema(kinds), "settings")) {
    expect(part.description, at).toMatch(/^[A-Z].*\.$/s);
  }
});

describe("the schema that editors use", () => {
  const schema = workspaceSchema(kinds);
  const check = (document: Json) => violationsBy(compiled(schema), document);

  it("allows a substitution as the whole value of a field that is no free text, and nothing else", () => {
    const enabled = (value: Json): Json => ({ severities: [{ slug: "critical", enabled: value }] });
    expect(check(enabled(`\${var:on}`))).toEqual([]);
    expect(check(enabled(true))).toEqual([]);
    expect(check(enabled("yes"))).not.toEqual([]);
    expect(check({ statuses: [{ slug: "open", lifecycle_stage: `\${env:STAGE}` }] })).toEqual([]);
    expect(check({ statuses: [{ slug: "open", lifecycle_stage: "opened" }] })).not.toEqual([]);
  });
});
