/** Who can use the interface: people, service keys and agents, with their tokens by prefix. */

import { counted } from "../../../core/value-text.ts";
import type { Emulator } from "../../emulator.ts";
import { agentTable } from "../../modules/access/agents.ts";
import { serviceKeyTable } from "../../modules/access/api-keys.ts";
import { grantedAbilities } from "../../modules/access/grant.ts";
import { type TokenRow, tokens } from "../../modules/access/tokens.ts";
import { members } from "../../modules/people.ts";
import type { Database } from "../../store/database.ts";
import { visiblePart } from "../hide-tokens.ts";
import type { PageContext, PageResult, WebPage } from "../page.ts";
import { Pill, TablePanel, Time } from "../parts.tsx";

/** The page `/access`. */
export const accessPages: readonly WebPage[] = [{ method: "GET", path: "/access", view }];

function view({ database, control, emulator }: PageContext): PageResult {
  const people = database.list(members);
  const names = new Map([...people, ...machinesOf(database)].map(({ id, name }) => [id, name]));
  const now = control.clock.now().toISOString();
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
          label="Service keys and agents"
          columns={{
            Name: ({ name, href }) =>
              href === undefined ? (
                <>
                  {name} <Pill>of the emulator</Pill>
                </>
              ) : (
                <a href={href}>{name}</a>
              ),
            Kind: ({ kind }) => kindNames[kind],
            Slug: ({ slug }) => (slug === undefined ? "none" : <code>{slug}</code>),
            State: ({ state }) => state,
            Abilities: ({ id }) => counted(grantedAbilities(database, id, now).size, "ability", "abilities"),
          }}
          rows={machinesOf(database)}
          empty="There is none."
        />
      </>
    ),
  };
}

interface Machine {
  readonly id: string;
  readonly name: string;
  readonly kind: TokenRow["principal_kind"];
  /** Of an agent. */
  readonly slug?: string;
  readonly state: string;
  /** Its page; absent for the emulator's own key. */
  readonly href?: string;
}

function machinesOf(database: Database): readonly Machine[] {
  const keys = database.list(serviceKeyTable).map(({ id, name, active, built_in }): Machine => {
    const key = { id, name, kind: "api_key", state: active ? "active" : "inactive" } as const;
    return built_in ? key : { ...key, href: `/configuration/api_keys/${id}` };
  });
  const agents = database.list(agentTable).map(({ id, name, slug, enabled }): Machine => {
    return {
      id,
      name,
      kind: "agent",
      slug,
      state: enabled ? "enabled" : "disabled",
      href: `/configuration/agents/${id}`,
    };
  });
  return [...keys, ...agents];
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
