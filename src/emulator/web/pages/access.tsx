/** Who can use the interface: people, service keys and agentTable, with their tokens by prefix. */

import type { Emulator } from "../../emulator.ts";
import { agentTable } from "../../modules/access/agents.ts";
import { serviceKeyTable } from "../../modules/access/api-keys.ts";
import { grantedAbilities } from "../../modules/access/grant.ts";
import { type TokenRow, tokens } from "../../modules/access/tokens.ts";
import { members } from "../../modules/people.ts";
import { visiblePart } from "../hide-tokens.ts";
import type { PageContext, PageResult, WebPage } from "../page.ts";
import { counted, Pill, TablePanel, Time } from "../parts.tsx";

/** The page `/access`. */
export const accessPages: readonly WebPage[] = [{ method: "GET", path: "/access", view }];

function view({ database, control, emulator }: PageContext): PageResult {
  const people = database.list(members);
  const keys = database.list(serviceKeyTable);
  const bots = database.list(agentTable);
  const names = new Map([...people, ...keys, ...bots].map(({ id, name }) => [id, name]));
  const now = control.clock.now().toISOString();
  const abilities = ({ id }: { readonly id: string }): string =>
    counted(grantedAbilities(database, id, now).size, "ability", "abilities");
  return {
    title: "Access",
    note: "Tokens are stored as hashes. Pages show only how they begin.",
    body: (
      <>
        <TablePanel
          label="Tokens"
          columns={{
            Prefix: (token) => <code>{beginningOf(token, emulator)}…</code>,
            Owner: ({ principal_id }) => names.get(principal_id) ?? "deleted",
            Kind: ({ principal_kind, session }) => (
              <>
                {kindNames[principal_kind]} {session ? <Pill>of this start</Pill> : null}
              </>
            ),
            Created: ({ created_at }) => <Time at={created_at} />,
            "Last used": ({ last_used_at }) => (last_used_at === null ? "never" : <Time at={last_used_at} />),
          }}
          rows={database.list(tokens)}
          empty="There is no token."
        />
        <TablePanel
          label="People"
          columns={{
            Name: ({ name }) => name,
            Email: ({ email }) => email,
            "Chat user": ({ chat_user_id }) => <code>{chat_user_id}</code>,
            Role: ({ role }) => role,
          }}
          rows={people}
          empty="There is nobody."
        />
        <TablePanel
          label="Service keys"
          columns={{
            Name: ({ name, built_in }) => (
              <>
                {name} {built_in ? <Pill>of the emulator</Pill> : null}
              </>
            ),
            State: ({ active }) => (active ? "active" : "inactive"),
            Abilities: abilities,
          }}
          rows={keys}
          empty="There is none."
        />
        <TablePanel
          label="Agents"
          columns={{
            Name: ({ name }) => name,
            Slug: ({ slug }) => <code>{slug}</code>,
            State: ({ enabled }) => (enabled ? "enabled" : "disabled"),
            Abilities: abilities,
          }}
          rows={bots}
          empty="There is none."
        />
      </>
    ),
  };
}

/** The visible part of a token. A fixed token may be short, so that its prefix would show too much of it. */
function beginningOf({ prefix, session }: TokenRow, { adminToken, serviceToken }: Emulator): string {
  const own = session ? [adminToken, serviceToken].find((token) => token.startsWith(prefix)) : undefined;
  return own === undefined ? prefix : visiblePart(own);
}

const kindNames: { readonly [Kind in TokenRow["principal_kind"]]: string } = {
  user: "personal token",
  agent: "agent",
  api_key: "service key",
};
