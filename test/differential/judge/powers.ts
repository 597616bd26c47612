/** What a machine may do, or is told, at each moment of a run: one that is switched off in the end gains nothing before. */

import { agentTable } from "../../../src/emulator/modules/access/agents.ts";
import { serviceKeyTable } from "../../../src/emulator/modules/access/api-keys.ts";
import { grantTable } from "../../../src/emulator/modules/access/grant.ts";
import { webhookTable } from "../../../src/emulator/modules/webhooks/webhooks.ts";
import type { DifferentialService } from "../service.ts";

/** A webhook, service key or agent. */
interface Machine {
  readonly name: string;
  readonly isOn: boolean;
  readonly powers: readonly string[];
}

/** The machines of a workspace, by id. */
export type Machines = ReadonlyMap<string, Machine>;

/** The machines at this moment: read from the tables, since requests of a run may be under way. */
export function machinesOf({ emulator }: DifferentialService): Machines {
  const database = emulator.control?.service.database;
  if (database === undefined) throw new Error("the emulator was made without its control surface");
  const machines = new Map<string, Machine>();
  for (const { id, name, enabled, url, subscribed_events: events } of database.list(webhookTable, {}))
    machines.set(id, { name: `webhooks/${name}`, isOn: enabled, powers: events.map((event) => `${event} at ${url}`) });
  // The permissions of a service key are grants too.
  const grants = database.list(grantTable, {});
  const granted = (id: string) =>
    grants.flatMap((grant) => (grant.principal_id === id ? String(grant.ability ?? grant.permission_set) : []));
  for (const { id, name, active } of database.list(serviceKeyTable, {}))
    machines.set(id, { name: `api_keys/${name}`, isOn: active, powers: granted(id) });
  for (const { id, name, enabled } of database.list(agentTable, {}))
    machines.set(id, { name: `agents/${name}`, isOn: enabled, powers: granted(id) });
  return machines;
}

/** The faults of a run: what a machine gained while it was on, that was on before the run and is off after it. */
export function gained(moments: readonly Machines[]): readonly string[] {
  const [first, last] = [moments[0], moments.at(-1)];
  return [...(first ?? [])].flatMap(([id, { name, isOn, powers }]) => {
    if (!isOn || last?.get(id)?.isOn !== false) return [];
    const more = moments.flatMap((moment) => {
      const now = moment.get(id);
      return now?.isOn === true ? now.powers.filter((power) => !powers.includes(power)) : [];
    });
    return [...new Set(more)].map((power) => `${name} is switched off, and gains before: ${power}`);
  });
}
