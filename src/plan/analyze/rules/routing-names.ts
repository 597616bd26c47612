/** Analyzers of the names in routing rules: fields of alerts, attributes and entries of the catalog, and channels. */

import { fieldsIn, listIn, objectsIn } from "../../../core/json.ts";
import { misspelt, suggest } from "../../../core/suggest.ts";
import { ALERT_FIELDS } from "../../../kinds/routing/context.ts";
import { routingTargets } from "../../../kinds/rows/routing-rules.ts";
import { type Analyzer, type Hit, placeOf, relatedPlace } from "../analyzer.ts";
import type { PlannedResource, PlannedWorkspace } from "../planned-workspace.ts";
import { KnownCatalog, optionsOf } from "./known-catalog.ts";

/** A name that nothing is known to have. */
type UnknownName = Pick<Hit, "message" | "severity" | "related"> & {
  /** The workspace does not have it, and not only the files. */
  readonly isCertain?: boolean;
};

/** A field that no alert is known to have, and that is near a known one. */
export const unknownField: Analyzer = {
  id: "A016",
  name: "unknown-field",
  severity: "warning",
  title:
    "A routing rule names a field that alerts are not known to have and that is near a known one (a warning), or an attribute that its catalog type does not have, or the owner of something that is not a catalog type (an error).",
  why: "Only is_empty matches an alert without the field, so the rule does not apply, and nobody is notified.",
  fix: "Correct the spelling. If alerts have the field, use it in a routing test. If only the workspace has the attribute, declare it, or waive the finding in the line above: # incidentctl: allow A016 until DATE because REASON.",
  *find(workspace) {
    const catalog = new KnownCatalog(workspace);
    const unknownNames = new Map<string, UnknownName | undefined>();
    for (const rule of rulesOf(workspace)) {
      const { fields } = rule;
      const conditions = objectsIn(fields.conditions).map(({ field }, index) => {
        return { name: String(field), at: `/conditions/${index}/field`, find: unknownConditionField };
      });
      const owners = routingTargets(fieldsIn(fields.outcome)).flatMap(({ at, target: { of } }) => {
        return typeof of === "string" ? [{ name: of, at: `${at}/of`, find: unknownOwned }] : [];
      });
      for (const { name, at, find } of [...conditions, ...owners]) {
        if (rule.isUnknown(at)) continue;
        const key = `${find.name} ${name}`;
        if (!unknownNames.has(key)) {
          unknownNames.set(key, unknownAttribute(name, catalog, workspace) ?? find(name, catalog, workspace));
        }
        const unknown = unknownNames.get(key);
        if (unknown === undefined || workspace.testedFields().has(name)) continue;
        const { isCertain = false, ...hit } = unknown;
        yield {
          ...hit,
          ...placeOf(rule, at),
          ...(isCertain && !isLive(name, rule, workspace) ? { refusesPlan: true } : {}),
        };
      }
    }
  },
};

/** An attribute that a known type does not have. */
function unknownAttribute(name: string, catalog: KnownCatalog, workspace: PlannedWorkspace): UnknownName | undefined {
  const [type = "", attribute] = name.split(".");
  const known = attribute === undefined ? undefined : catalog.attributes(type);
  if (attribute === undefined || known === undefined || known.bySlug.has(attribute)) return undefined;
  const { bySlug, isCertain, isDeclared } = known;
  const near = (isCertain ? suggest : misspelt)(attribute, bySlug.keys());
  if (!isCertain && !isDeclared && near === undefined) return undefined;
  const owner = workspace.resource("catalog_types", type);
  return {
    message: `the catalog type ${type} has no attribute "${attribute}"${nearest(near)}`,
    severity: isCertain || near !== undefined ? "error" : "warning",
    ...(owner === undefined ? {} : relatedPlace(owner, "its attributes are declared here", "/attributes")),
    isCertain,
  };
}

/** A field of a condition that is near one that alerts are known to have. */
function unknownConditionField(
  name: string,
  catalog: KnownCatalog,
  workspace: PlannedWorkspace,
): UnknownName | undefined {
  if (ALERT_FIELDS.includes(name) || catalog.types.has(name)) return undefined;
  const [type = "", attribute] = name.split(".");
  if (attribute !== undefined && catalog.attributes(type) !== undefined) return undefined;
  const attributes = [...catalog.types].flatMap((known) =>
    [...(catalog.attributes(known)?.bySlug.keys() ?? [])].map((slug) => `${known}.${slug}`),
  );
  const tested = workspace.testedFields();
  const near = misspelt(name, [...ALERT_FIELDS, ...catalog.types, ...tested.keys(), ...attributes]);
  if (near === undefined) return undefined;
  const at = tested.get(near);
  return {
    message: `alerts are not known to have the field "${name}"${nearest(near)}`,
    ...(at === undefined ? {} : { related: [{ message: `a routing test uses "${near}"`, at }] }),
  };
}

/** Something whose owner is meant and that is not a catalog type. */
function unknownOwned(name: string, catalog: KnownCatalog, workspace: PlannedWorkspace): UnknownName | undefined {
  const [type = ""] = name.split(".");
  if (catalog.types.has(type)) return undefined;
  const near = misspelt(type, catalog.types);
  if (near === undefined && !catalog.hasAllTypes) return undefined;
  return {
    message: `no team owns "${name}": there is no catalog type "${type}"${nearest(near)}`,
    severity: near === undefined ? "warning" : "error",
    isCertain: near !== undefined && workspace.live("catalog_types") !== undefined,
  };
}

/** A text that names nothing in the catalog. */
export const unknownValue: Analyzer = {
  id: "A017",
  name: "unknown-value",
  severity: "warning",
  title: "A routing rule compares a field with an entry or an option that the catalog does not have.",
  why: "Alerts that name what is in the catalog do not match the condition, so the rule does not apply to the alerts that its author has in mind.",
  fix: "Correct the spelling, or add the entry to the catalog. If alerts name what is not in the catalog, waive the finding in the line above: # incidentctl: allow A017 until DATE because REASON.",
  *find(workspace) {
    const catalog = new KnownCatalog(workspace);
    for (const rule of rulesOf(workspace)) {
      for (const [index, { field, operator, value }] of objectsIn(rule.fields.conditions).entries()) {
        const at = `/conditions/${index}`;
        if (operator !== "is_one_of" || rule.isUnknown(`${at}/field`)) continue;
        const [type = "", attribute] = String(field).split(".");
        const known = attribute === undefined ? undefined : catalog.attributes(type);
        const options = known?.isCertain === true ? optionsOf(known.bySlug.get(attribute ?? "")) : undefined;
        const values = attribute === undefined ? catalog.entries(type) : options;
        if (values === undefined) continue;
        const owner =
          attribute === undefined
            ? `the catalog type ${type} has no entry`
            : `the attribute ${attribute} of the catalog type ${type} has no option`;
        for (const [position, text] of listIn(value).map(String).entries()) {
          const pointer = `${at}/value/${position}`;
          if (values.has(text) || rule.isUnknown(pointer)) continue;
          yield { message: `${owner} "${text}"${nearest(suggest(text, values.names))}`, ...placeOf(rule, pointer) };
        }
      }
    }
  },
};

/** A channel's name in place of its id. */
export const channelName: Analyzer = {
  id: "A018",
  name: "channel-name",
  severity: "warning",
  title: "A routing rule notifies a channel by its name.",
  why: "The service expects the id of a channel and does not check it, so the notification reaches nobody.",
  fix: "Write the id of the channel, such as C0123456789. The chat platform shows it in the details of the channel.",
  *find(workspace) {
    for (const rule of rulesOf(workspace)) {
      for (const { at, target } of routingTargets(fieldsIn(rule.fields.outcome))) {
        const { channel_id: id } = target;
        const pointer = `${at}/channel_id`;
        if (typeof id !== "string" || !NAME_OF_CHANNEL.test(id) || rule.isUnknown(pointer)) continue;
        yield { message: `"${id}" is the name of a channel, not its id`, ...placeOf(rule, pointer) };
      }
    }
  },
};

/** Names begin with a sign, hold spaces, or are words in small letters; ids have digits or capital letters. */
const NAME_OF_CHANNEL = /^[#@]|\s|^[a-z][a-z_-]+$/;

/** The declared rules. */
function rulesOf(workspace: PlannedWorkspace): readonly PlannedResource[] {
  const rules = workspace.lists.flatMap(({ kind, resources }) => (kind === "routing_rules" ? resources : []));
  return rules.filter(({ declared }) => declared !== undefined);
}

/** Whether a live rule of the list has the name, so that no plan writes it first. */
function isLive(name: string, { scope }: PlannedResource, workspace: PlannedWorkspace): boolean {
  return (workspace.live("routing_rules", scope) ?? []).some(
    ({ fields }) =>
      objectsIn(fields.conditions).some(({ field }) => field === name) ||
      routingTargets(fieldsIn(fields.outcome)).some(({ target }) => target.of === name),
  );
}

function nearest(name: string | undefined): string {
  return name === undefined ? "" : `; the nearest is "${name}"`;
}
