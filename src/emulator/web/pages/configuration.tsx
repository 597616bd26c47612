/** The configuration of the workspace: the rows of each resource, and one row with what refers to it. */

import { type Fields, isFields, isList, type Json, textIn } from "../../../core/json.ts";
import { counted } from "../../../core/value-text.ts";
import { requireFound } from "../../http/http-error.ts";
import { allModules } from "../../modules/all-modules.ts";
import type { ListedResource, ListedRow, ResponseScope, ServiceModule } from "../../service/module.ts";
import type { Database } from "../../store/database.ts";
import type { Markup } from "../markup.ts";
import type { PageContext, PageResult, WebPage } from "../page.ts";
import { DataTable, Facts, JsonText, Panel, Pill, Swatch, TablePanel, Tabs } from "../parts.tsx";
import { findUses, outcomeText, ruleName } from "./references.ts";

const maximumRows = 500;

export function configurationPages(resources: readonly PageResource[]): readonly WebPage[] {
  const resourceOf = (name?: string): PageResource => {
    return requireFound(name === undefined ? resources[0] : resources.find((each) => each.name === name));
  };
  return [
    { method: "GET", path: "/configuration", view: (context) => list(context, resources, resourceOf()) },
    {
      method: "GET",
      path: "/configuration/:resource",
      view: (context) => list(context, resources, resourceOf(context.param("resource"))),
    },
    {
      method: "GET",
      path: "/configuration/:resource/:id",
      view: (context) => detail(context, resourceOf(context.param("resource"))),
    },
  ];
}

function scopeOf({ control: { service, clock } }: PageContext): ResponseScope {
  return { database: service.database, dialects: service.dialects, timestamp: clock.now().toISOString() };
}

function list(context: PageContext, resources: readonly PageResource[], shown: PageResource): PageResult {
  const { database } = context;
  const { title } = shown;
  const count = shown.count(database);
  return {
    title,
    note: count > maximumRows ? `the first ${maximumRows} of ${count}` : counted(count, "resource"),
    body: (
      <>
        <Tabs
          label="Kinds"
          tabs={resources.map(({ name, title: label }) => [`/configuration/${name}`, label, name === shown.name])}
        />
        <section class="panel">
          <DataTable
            label={title}
            columns={{
              Resource: (row) => (
                <>
                  <Swatch color={textIn(row.properties.color) ?? null} />{" "}
                  <a href={`/configuration/${shown.name}/${row.id}`}>{labelOf(database, row)}</a>
                </>
              ),
              Key: ({ properties: { slug, priority } }) => <code>{String(slug ?? priority ?? "")}</code>,
              Description: ({ properties }) => descriptionOf(database, properties),
              State: ({ properties }) => statePills(properties),
            }}
            rows={shown.list(scopeOf(context), maximumRows)}
            empty="There is none."
          />
        </section>
      </>
    ),
  };
}

/** The name of a row. A routing rule has none of its own. */
function labelOf(database: Database, { id, properties: { name } }: ListedRow): string {
  return textIn(name) ?? ruleName(database, id);
}

function descriptionOf(database: Database, { outcome, description, summary, url }: Fields): string {
  return isFields(outcome) ? outcomeText(database, outcome) : String(description ?? summary ?? url ?? "");
}

function statePills({ enabled, active, is_default }: Fields): Markup {
  return (
    <>
      {enabled === false || active === false ? <Pill tone="removed">disabled</Pill> : null}{" "}
      {is_default === true ? <Pill>default</Pill> : null}
    </>
  );
}

function detail(context: PageContext, { name, title, find }: PageResource): PageResult {
  const { database, param } = context;
  const row = requireFound(find(scopeOf(context), param("id")));
  const label = labelOf(database, row);
  const properties = Object.entries(row.properties);
  return {
    title: label,
    crumbs: [`/configuration/${name}`, title, <span class="text">{label}</span>],
    mark: statePills(row.properties),
    body: (
      <>
        <Panel title="Fields">
          <Facts
            facts={properties.flatMap(([property, value]) =>
              isParts(value) ? [] : [[property, fieldValue(value, property)]],
            )}
          />
        </Panel>
        <TablePanel
          label="Referenced by"
          columns={{
            Resource: ({ name: referrer, href }) => (href === undefined ? referrer : <a href={href}>{referrer}</a>),
            Through: ({ via }) => via,
          }}
          rows={findUses(database, row.id)}
          empty="Nothing refers to it."
        />
        {properties.map(([property, value]) => (isParts(value) ? partPanel(property, value) : null))}
      </>
    ),
  };
}

/** Whether the value is a list of objects, each with facts of its own, such as the steps of a runbook. */
function isParts(value: Json): value is readonly Fields[] {
  return isList(value) && value.length > 0 && value.every(isFields);
}

function partPanel(property: string, parts: readonly Fields[]): Markup {
  return (
    <Panel title={wordsOf(property)}>
      {parts.map((part, index) => (
        <Facts
          facts={Object.entries(part).map(([name, value]) => [
            name,
            fieldValue(value, `${wordsOf(property)} ${index + 1}, ${name}`),
          ])}
        />
      ))}
    </Panel>
  );
}

/** A value; a structured one is a region of the page, under its label. */
function fieldValue(value: Json, label: string): Markup {
  if (value === null) return <span class="quiet">none</span>;
  if (isFields(value) || isList(value)) return <JsonText label={label} value={value} />;
  return String(value);
}

/** A resource with the name of its pages: `/configuration/catalog_types`, `Catalog types`. */
export interface PageResource extends ListedResource {
  readonly name: string;
  readonly title: string;
}

export function resourcesOf(modules: readonly Pick<ServiceModule, "resource">[]): readonly PageResource[] {
  return modules.flatMap(({ resource }) => (resource === undefined ? [] : [named(resource)]));
}

function named(resource: ListedResource): PageResource {
  const name = resource.path.replaceAll("/", "_");
  return { ...resource, name, title: wordsOf(name) };
}

/** A name of the interface as a title: `alert_sources` as `Alert sources`. */
function wordsOf(name: string): string {
  const words = name.replaceAll("_", " ").replace(/^api\b/, "API");
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** Every resource, except grants, of which the page about access tells. */
export const pageResources: readonly PageResource[] = resourcesOf(allModules).filter(({ name }) => name !== "grants");
