/** Differences between two workspaces, but for what the service makes. */

import { isFields, isList } from "../../../src/core/json.ts";
import { OPTION_LISTS } from "../../support/option-lists.ts";
import { rowsOf } from "../cases/choice.ts";
import { documentOf } from "../cases/projection.ts";
import type { Snapshot } from "../service.ts";
import { conditionSet, permissionSet, sorted, text } from "./texts.ts";

/** What differs between two workspaces but for ids, each with the name of what it is about. */
export function differences(
  before: Snapshot,
  after: Snapshot,
): readonly { readonly name: string; readonly message: string }[] {
  const [old, now] = [parts(before), parts(after)];
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((name) => {
    const [one, other] = [old.get(name) ?? "absent", now.get(name) ?? "absent"];
    return one === other ? [] : [{ name, message: `${name} was ${one}, and is ${other}` }];
  });
}

/** The resources of a workspace by address, as texts without ids. */
function parts(live: Snapshot): ReadonlyMap<string, string> {
  const all = new Map<string, string>();
  for (const [kind, value] of Object.entries(documentOf(live))) {
    if (isList(value)) {
      for (const { entries, grants, id: _id, prefix: _prefix, ...row } of rowsOf(value)) {
        const address = `${kind}/${row.slug ?? row.name}`;
        // Several of one name, in any order.
        all.set(
          address,
          [
            ...(all.get(address)?.split("\n") ?? []),
            text({
              // An empty text and none are the same.
              ...Object.fromEntries(Object.entries(row).filter(([, value]) => value !== "")),
              conditions: conditionSet(row.conditions),
              aliases: sorted(row.aliases),
              permissions: permissionSet(row.permissions),
              subscribed_events: sorted(row.subscribed_events),
              grants: rowsOf(grants)
                .map((grant) => text(grant))
                .sort(),
            }),
          ]
            .sort()
            .join("\n"),
        );
        for (const entry of rowsOf(entries)) all.set(`${address}/entries/${entry.slug}`, text(entry));
      }
      const isOrdered = (OPTION_LISTS as readonly string[]).includes(kind);
      if (isOrdered)
        all.set(
          `${kind}, in order`,
          rowsOf(value)
            .map(({ slug }) => slug)
            .join(),
        );
    } else if (kind === "forms" && isFields(value)) {
      for (const [form, rows] of Object.entries(value)) {
        for (const row of rowsOf(rows))
          all.set(
            `forms/${form}/${row.system_field ?? row.custom_field}`,
            text({ ...row, conditions: conditionSet(row.conditions) }),
          );
      }
    } else if (isFields(value)) {
      if (rowsOf(value.workspace).length > 0) all.set("routing_rules/workspace", text(value.workspace));
      for (const [source, rules] of Object.entries(isFields(value.sources) ? value.sources : {}))
        all.set(`routing_rules/${source}`, text(rules));
    }
  }
  for (const { source, falls_back } of live.routes) all.set(`routing_rules/${source}, fallback`, String(falls_back));
  return all;
}
