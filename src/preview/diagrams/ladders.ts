/** Lists that are ordered by position, such as severities, before and after a plan. */

import type { LiveResource } from "../../kinds/model/resource.ts";
import type { DiagramSource, Diagrams, Rung } from "./diagrams.ts";
import { isFromEnvironment } from "./secret-fields.ts";

/** The lists that are read and that the plan changes. */
export function ladders(source: DiagramSource): Diagrams["ladders"] {
  const changed = new Set(source.plan.changes.map(({ kind }) => kind));
  return [...source.state.kinds.values()]
    .filter(({ name, lifecycle }) => lifecycle.order === "position" && changed.has(name))
    .flatMap(({ name }) => {
      const live = source.state.live(name);
      return live === undefined ? [] : [{ kind: name, rungs: rungs(name, live, source) }];
    });
}

function rungs(kind: string, live: readonly LiveResource[], source: DiagramSource): readonly Rung[] {
  const { state, plan } = source;
  const changes = new Map(plan.changes.map((change) => [change.address, change]));
  const isEnabled = ({ fields }: LiveResource): boolean => fields.enabled !== false;
  const before = live.filter(isEnabled).map(({ address }) => address);
  const declared = state.declaredIn(kind, "");
  const isLeaving = (address: string): boolean => ["delete", "disable"].includes(changes.get(address)?.action ?? "");
  const after = declared
    .filter(({ address, fields }) => {
      const exists = live.some((one) => one.address === address) || changes.has(address);
      return exists && fields.enabled !== false && !isLeaving(address);
    })
    .map(({ address }) => address);
  // Resources that the files do not declare and that stay keep their place after the resource above them.
  for (const [at, address] of before.entries()) {
    if (after.includes(address) || isLeaving(address)) continue;
    const above = before.slice(0, at).findLast((other) => after.includes(other));
    after.splice(above === undefined ? 0 : after.indexOf(above) + 1, 0, address);
  }
  const position = (list: readonly string[], address: string): number | null =>
    list.includes(address) ? list.indexOf(address) + 1 : null;
  return [...new Set([...before, ...after])].map((address): Rung => {
    const resource = declared.find((one) => one.address === address) ?? live.find((one) => one.address === address);
    const row = live.find((one) => one.address === address)?.fields ?? {};
    const text = (field: string): string | undefined => {
      if (resource === undefined || isFromEnvironment(source, resource, field)) return undefined;
      const value = resource.fields[field] ?? row[field];
      return typeof value === "string" ? value : undefined;
    };
    const color = text("color");
    return {
      address,
      name: text("name") ?? address.slice(address.indexOf("/") + 1),
      ...(color === undefined ? {} : { color }),
      before: position(before, address),
      after: position(after, address),
    };
  });
}
