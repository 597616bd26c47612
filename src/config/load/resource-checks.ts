/** Checks across the declared resources: duplicates, defaults, renames, long names. */

import type { Findings } from "../../core/findings.ts";
import { canonical, type Fields, isFields } from "../../core/json.ts";
import { joinWords } from "../../core/suggest.ts";
import { childrenOf, type Kind } from "../../kinds/model/kind.ts";
import { addressPrefix, originOf } from "../../kinds/model/resource.ts";
import type { DeclaredResource } from "../resources/declared-resource.ts";
import { ListMap } from "../resources/list-map.ts";
import { expressionOf, fileOf, locationOf, startOf, templateAt } from "../resources/origins.ts";
import type { ResourceIndex } from "../resources/resource-index.ts";

/** Records every resource with the identity of an earlier one. Pinned resources are compared by their pins. */
export function refuseDuplicates(
  resources: readonly DeclaredResource[],
  kinds: readonly Kind[],
  findings: Findings,
): void {
  const keys = new ListMap<Map<string, DeclaredResource>>(() => new Map());
  const pins = new ListMap<Map<string, DeclaredResource>>(() => new Map());
  const origins = new ListMap<Map<string, DeclaredResource>>(() => new Map());
  for (const resource of resources) {
    const { kind, scope, keyField, pin } = resource;
    if (kind.identity.keys.length === 0) continue;
    if (pin !== undefined) {
      const first = firstWith(pins.of(kind.name, scope), pin, resource);
      if (first !== undefined) refuse(resource, first, `"${pin}" is pinned by two resources`, kinds, findings);
    }
    const origin = originOf(kind, resource.fields);
    if (origin !== undefined) {
      const first = firstWith(origins.of(kind.name, scope), origin, resource);
      if (first !== undefined && first.key !== resource.key) refuseSameOrigin(resource, first, findings);
    }
    if (pin === undefined || kind.lifecycle.allowsDuplicates !== true) {
      const name =
        keyField === kind.identity.keys[0] ? comparableKey(resource) : `${keyField}\n${comparableKey(resource)}`;
      const first = firstWith(keys.of(kind.name, scope), name, resource);
      if (first !== undefined) refuse(resource, first, `${resource.address} is declared twice`, kinds, findings);
    }
  }
}

/** The service takes the creation of the second for a change of the first. */
function refuseSameOrigin(resource: DeclaredResource, first: DeclaredResource, findings: Findings): void {
  const { system = "", id = "" } = resource.kind.identity.origin ?? {};
  const message = `${resource.address} has the ${system} and ${id} of ${first.address}`;
  findings.about(resource.address).error("E_DUP_OBJECT", message, locationOf(resource.origins, `/${id}`), {
    madeAt: templateAt(resource.origins, `/${id}`),
    related: [{ message: "first here", at: locationOf(first.origins, `/${id}`) }],
    help: `Give each its own ${id}${templateAt(resource.origins, `/${id}`) === undefined ? "" : ", or choose one with on_duplicate"}.`,
  });
}

/** The key without case if it is a slug: people do not see the difference. */
function comparableKey(resource: DeclaredResource): string {
  return resource.keyField === "slug" ? resource.key.toLowerCase() : resource.key;
}

function firstWith(
  firstByAddress: Map<string, DeclaredResource>,
  name: string,
  resource: DeclaredResource,
): DeclaredResource | undefined {
  const first = firstByAddress.get(name);
  if (first === undefined) firstByAddress.set(name, resource);
  return first;
}

function refuse(
  resource: DeclaredResource,
  first: DeclaredResource,
  message: string,
  kinds: readonly Kind[],
  findings: Findings,
): void {
  const apart = childrenOf(kinds, resource.kind).find(({ parent }) => parent?.apart === true);
  const elsewhere =
    apart === undefined || fileOf(resource) === fileOf(first)
      ? ""
      : ` ${apart.parent?.field} may stand in several files, under ${apart.name}: { ${resource.key}: […] }.`;
  const madeAt = templateAt(resource.origins, `/${resource.keyField}`);
  const differing = madeAt === undefined ? [] : differences(resource.fields, first.fields);
  findings
    .about(resource.address)
    .error("E_DUP_OBJECT", message, locationOf(resource.origins, `/${resource.keyField}`), {
      madeAt,
      related: [
        {
          message: differing.length === 0 ? "first here" : `first here, with another ${joinWords(differing)}`,
          at: locationOf(first.origins, `/${first.keyField}`),
        },
      ],
      help:
        expressionOf(resource.origins, `/${resource.keyField}`) === undefined
          ? `Keep one of the two.${elsewhere}`
          : `Keep one of the two, exclude one with when, or let ${resource.keyField} of entries_from tell them apart. merge: true joins their values, and on_duplicate chooses one.`,
    });
}

/** The names of values that differ; those in mappings with their paths. */
function differences(fields: Fields, others: Fields): readonly string[] {
  return [...new Set([...Object.keys(fields), ...Object.keys(others)])].flatMap((name) => {
    const [value = null, other = null] = [fields[name], others[name]];
    if (isFields(value) && isFields(other)) return differences(value, other).map((below) => `${name}/${below}`);
    return canonical(value) === canonical(other) ? [] : [name];
  });
}

/** Records resources that every workspace needs enabled and that are declared disabled. */
export function refuseDisabledBuiltins(resources: readonly DeclaredResource[], findings: Findings): void {
  for (const { kind, key, address, fields, origins } of resources) {
    const { builtins, disable = "" } = kind.lifecycle;
    if (fields[disable] !== false || builtins?.keys.includes(key) !== true) continue;
    findings
      .about(address)
      .error("E_BUILT_IN", `${address} is built in and cannot be disabled`, locationOf(origins, `/${disable}`), {
        help: `Remove ${disable}: false.`,
      });
  }
}

/** Records a second default of a list, and a default that is disabled. */
export function checkDefaults(resources: readonly DeclaredResource[], findings: Findings): void {
  const firsts = new Map<string, DeclaredResource>();
  for (const resource of resources) {
    if (resource.kind.fields?.default === undefined || resource.fields.default !== true) continue;
    const {
      name,
      lifecycle: { disable },
    } = resource.kind;
    if (disable !== undefined && resource.fields[disable] === false) {
      findings
        .about(resource.address)
        .error(
          "E_DEFAULT",
          `${resource.address} is the default but disabled`,
          locationOf(resource.origins, `/${disable}`),
          {
            help: "Make another resource the default first.",
          },
        );
    }
    const first = firsts.get(name);
    if (first === undefined) {
      firsts.set(name, resource);
      continue;
    }
    findings
      .about(resource.address)
      .error("E_DEFAULT", `a second ${resource.kind.title} is the default`, locationOf(resource.origins, "/default"), {
        related: [{ message: `${first.address} is the default`, at: locationOf(first.origins, "/default") }],
        help: "Set default: true on one of them.",
      });
  }
}

/** Records every `renamed_from` that is still the name of a resource, or that two resources have. */
export function checkRenames(resources: readonly DeclaredResource[], index: ResourceIndex, findings: Findings): void {
  const claims = new Map<string, DeclaredResource>();
  for (const resource of resources) {
    if (resource.renamedFrom === undefined) continue;
    const { kind, scope, renamedFrom } = resource;
    const at = locationOf(resource.origins, "/renamed_from");
    const holder = index.resource(kind.name, renamedFrom, scope);
    if (holder !== undefined) {
      findings.about(resource.address).error("E_RENAME", `"${renamedFrom}" is still the name of a ${kind.title}`, at, {
        related: [{ message: "declared here", at: locationOf(holder.origins, `/${holder.keyField}`) }],
        help: "Remove renamed_from once the new name is applied.",
      });
    }
    const claim = `${kind.name}\n${scope}\n${renamedFrom}`;
    const first = claims.get(claim);
    if (first === undefined) claims.set(claim, resource);
    else {
      findings.about(resource.address).error("E_RENAME", `two resources have renamed_from "${renamedFrom}"`, at, {
        related: [{ message: "first here", at: locationOf(first.origins, "/renamed_from") }],
      });
    }
  }
}

/** A common size of a database column; the limit of the service is not known. */
const LONGEST_NAME = 255;

/** Warns of names that the service may refuse. */
export function warnOfLongNames(resources: Iterable<DeclaredResource>, findings: Findings): void {
  for (const resource of resources) {
    const { name } = resource.fields;
    if (typeof name !== "string") continue;
    if ([...name].length <= LONGEST_NAME) continue;
    // The length of a value of the environment is not told.
    const message = `the name has more than ${LONGEST_NAME} characters; the service may refuse or cut it`;
    findings.about(resource.address).warning("W_TOO_LONG", message, locationOf(resource.origins, "/name"), {
      madeAt: templateAt(resource.origins, "/name"),
    });
  }
}

/** Warns of a list whose order counts and that stands in several files: their paths then decide on it. Overlays place what they add. */
export function warnOfOrderOverFiles(
  resources: Iterable<DeclaredResource>,
  overlays: ReadonlySet<string>,
  findings: Findings,
): void {
  const lists = new ListMap<Map<string, DeclaredResource>>(() => new Map());
  for (const resource of resources) {
    const { kind, scope } = resource;
    const file = fileOf(resource);
    if (kind.lifecycle.order === undefined || overlays.has(file)) continue;
    const firsts = lists.of(kind.name, scope);
    if (!firsts.has(file)) firsts.set(file, resource);
  }
  for (const firsts of lists.values()) {
    const [first, second] = firsts.values();
    if (first === undefined || second === undefined) continue;
    const { kind, scope } = first;
    const list = addressPrefix(kind, scope).slice(0, -1);
    const files = joinWords([...firsts.keys()]);
    findings.warning("W_ORDER", `the order of ${list} is that of the paths of its files: ${files}`, startOf(second), {
      related: [{ message: "first here", at: startOf(first) }],
      help: `Write ${list} in one file.`,
    });
  }
}
