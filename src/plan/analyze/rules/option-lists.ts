/** Analyzers of lists that responders choose from: stages, defaults, names, colors and options. */

import { type Json, listIn, objectsIn } from "../../../core/json.ts";
import { optionLabel } from "../../../kinds/values/option-source.ts";
import { type Analyzer, foldedText, type Hit, placeOf, relatedPlace } from "../analyzer.ts";
import { isEnabled, type PlannedResource } from "../planned-workspace.ts";

const STAGES: readonly string[] = ["triage", "active", "closed", "canceled"];

/** A lifecycle stage without an enabled status. */
export const stageWithoutStatus: Analyzer = {
  id: "A001",
  name: "stage-without-status",
  severity: "error",
  title: "A lifecycle stage has no enabled status.",
  why: "An incident cannot enter a stage without a status, so nobody can resolve or cancel it. The service also refuses to remove the last status of a stage, in the middle of an apply.",
  fix: "Declare an enabled status for each of the stages triage, active, closed and canceled.",
  *find(workspace) {
    if (!workspace.isManaged("statuses")) return;
    // A live status that is not declared is preserved and may be in any stage.
    if (workspace.mayPreserveUndeclared("statuses") && !workspace.isRead("statuses")) return;
    const statuses = workspace.resources("statuses");
    // A status whose stage is not declared may be in any stage.
    if (statuses.some(({ fields }) => fields.lifecycle_stage === undefined)) return;
    for (const stage of STAGES) {
      const inStage = statuses.filter(({ fields }) => fields.lifecycle_stage === stage);
      if (inStage.some(isEnabled)) continue;
      const disabled = inStage.find(({ declared }) => declared !== undefined);
      yield disabled === undefined
        ? {
            message: `no status is declared for the stage ${stage}`,
            address: "statuses",
            at: workspace.listAt("statuses"),
          }
        : { message: `every status of the stage ${stage} is disabled`, ...placeOf(disabled, "/enabled") };
    }
  },
};

/** A list without exactly one default. */
export const singleDefault: Analyzer = {
  id: "A002",
  name: "single-default",
  severity: "warning",
  title: "The severities or the statuses have no default, or several.",
  why: "Incidents that are declared without a value then start with whatever was last set by hand, which may be the wrong one.",
  fix: "Set default: true on exactly one enabled severity and on exactly one enabled status.",
  *find(workspace) {
    for (const kind of ["severities", "statuses"]) {
      const resources = workspace.resources(kind);
      if (!workspace.isManaged(kind) || resources.length === 0) continue;
      const [first, ...others] = resources.filter(({ fields }) => fields.default === true);
      if (first === undefined) {
        yield { message: `none of the ${kind} is the default`, address: kind, at: workspace.listAt(kind) };
      }
      for (const other of others) {
        if (first === undefined) continue;
        yield {
          message: `${other.address} and ${first.address} are both the default`,
          ...placeOf(other, "/default"),
          ...relatedPlace(first, "the first default", "/default"),
        };
      }
    }
  },
};

/** Two resources that look the same. */
export const sameName: Analyzer = {
  id: "A009",
  name: "same-name",
  severity: "warning",
  title: "Two resources of one kind have the same name, apart from case and white space.",
  why: "Responders see both in the same menu, so incidents are split between them and every report is wrong.",
  fix: "Rename one of them, or keep only one.",
  *find(workspace) {
    for (const { resources } of workspace.lists) {
      const firsts = new Map<string, PlannedResource>();
      for (const resource of resources) {
        const name = resource.value("name");
        if (typeof name !== "string") continue;
        const folded = foldedText(name);
        const first = firsts.get(folded);
        if (first === undefined) firsts.set(folded, resource);
        else if (!bothPinned(first, resource)) yield toHit(first, resource);
      }
    }
  },
};

/** Whether both are pinned, which declares that the same name is intended. */
function bothPinned(left: PlannedResource, right: PlannedResource): boolean {
  return left.declared?.pin !== undefined && right.declared?.pin !== undefined;
}

function toHit(first: PlannedResource, second: PlannedResource): Hit {
  const [other, own] = second.declared === undefined ? [second, first] : [first, second];
  return {
    message: `${own.address} is named "${own.fields.name}" and ${other.address} "${other.fields.name}"`,
    ...placeOf(own, "/name"),
    ...relatedPlace(other, "the other one", "/name"),
  };
}

/** A default that no incident can start with. */
export const unusableDefault: Analyzer = {
  id: "A011",
  name: "unusable-default",
  severity: "error",
  title: "The default is disabled, or is a status of the stage closed or canceled.",
  why: "An incident that is declared without a status would be closed before anybody sees it, or could not be declared at all.",
  fix: "Make an enabled status of the stage triage or active the default.",
  *find(workspace) {
    for (const kind of ["statuses", "severities"]) {
      if (!workspace.isManaged(kind)) continue;
      for (const resource of workspace.resources(kind)) {
        const { fields, declared } = resource;
        if (fields.default !== true || declared === undefined) continue;
        if (!isEnabled(resource)) {
          yield {
            message: `${resource.address} is the default and disabled`,
            ...placeOf(resource, `/${resource.kind.lifecycle.disable}`),
          };
        } else if (kind === "statuses" && ENDED.includes(fields.lifecycle_stage)) {
          const message = `${resource.address} is the default, but its stage is ${fields.lifecycle_stage}`;
          yield { message, ...placeOf(resource, "/lifecycle_stage") };
        }
      }
    }
  },
};

const ENDED: readonly unknown[] = ["closed", "canceled"];

/** Two resources of the same color. */
export const repeatedColor: Analyzer = {
  id: "A013",
  name: "repeated-color",
  severity: "note",
  title: "Two resources of one kind have the same color.",
  why: "Responders recognize the color before they read the name, and confuse the two.",
  fix: "Give each of them its own color.",
  *find(workspace) {
    for (const { resources } of workspace.lists) {
      const firsts = new Map<string, PlannedResource>();
      for (const resource of resources) {
        const color = resource.value("color");
        if (typeof color !== "string" || resource.declared === undefined || !isEnabled(resource)) continue;
        const first = firsts.get(plain(color));
        if (first === undefined) {
          firsts.set(plain(color), resource);
          continue;
        }
        yield {
          message: `${resource.address} has the color of ${first.address}`,
          ...placeOf(resource, "/color"),
          ...relatedPlace(first, "first here", "/color"),
        };
      }
    }
  },
};

/** The color in one spelling: `#ABC` is `#aabbcc`. */
function plain(color: string): string {
  const text = color.toLowerCase();
  return /^#[0-9a-f]{3}$/.test(text) ? text.replace(/[0-9a-f]/g, "$&$&") : text;
}

/** Two options that look the same. */
export const alikeOptions: Analyzer = {
  id: "A014",
  name: "alike-options",
  severity: "warning",
  title: "Two options of a field differ only in case or white space.",
  why: "Responders see both in the same menu, so reports split what belongs together.",
  fix: "Keep one of them, with renamed_from for the other.",
  *find(workspace) {
    for (const field of workspace.resources("custom_fields")) {
      if (field.declared !== undefined) yield* among(field.declared.fields.options, "/options", field);
    }
    for (const type of workspace.resources("catalog_types")) {
      for (const [index, { options }] of objectsIn(type.declared?.fields.attributes).entries()) {
        yield* among(options, `/attributes/${index}/options`, type);
      }
    }
  },
};

function* among(options: Json | undefined, at: string, resource: PlannedResource): Iterable<Hit> {
  const firsts = new Map<string, string>();
  for (const [index, option] of listIn(options).entries()) {
    if (resource.hasUnknown(`${at}/${index}`)) continue;
    const label = optionLabel(option);
    const first = firsts.get(foldedText(label));
    if (first === undefined) firsts.set(foldedText(label), label);
    else if (first !== label) {
      const message = `the options "${first}" and "${label}" of ${resource.address} look the same`;
      yield { message, ...placeOf(resource, `${at}/${index}`) };
    }
  }
}
