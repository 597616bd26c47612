/** Who can use the interface: people, service keys and agents, with their tokens by prefix. */

import type { Emulator } from "../../emulator.ts";
import { agents, grantedAbilities, serviceKeys } from "../../modules/access/principals.ts";
import { type TokenRow, tokens } from "../../modules/access/tokens.ts";
import { members } from "../../modules/people.ts";
import { visiblePart } from "../hide-tokens.ts";
import type { Markup } from "../markup.ts";
import type { PageContext, PageResult, WebPage } from "../page.ts";
import { counted, DataTable, Heading, Panel, Pill, Time } from "../parts.tsx";

/** The page `/access`. */
export const accessPages: readonly WebPage[] = [{ method: "GET", path: "/access", view }];

function view({ database, control, emulator }: PageContext): PageResult {
  const people = database.list(members);
  const keys = database.list(serviceKeys);
  const bots = database.list(agents);
  const names = new Map([...people, ...keys, ...bots].map(({ id, name }) => [id, name]));
  const now = control.clock.now().toISOString();
  const abilities = (id: string): string => counted(grantedAbilities(database, id, now).size, "ability", "abilities");
  return {
    title: "Access",
    body: (
      <>
        <Heading title="Access" note="Tokens are stored as hashes. Pages show only how they begin." />
        <Panel title="Tokens">
          <DataTable
            label="Tokens"
            head={["Prefix", "Owner", "Kind", "Created", "Last used"]}
            empty="There is no token."
            rows={database
              .list(tokens)
              .map((token) => [
                <code>{beginningOf(token, emulator)}…</code>,
                names.get(token.principal_id) ?? "deleted",
                <TokenKind token={token} />,
                <Time at={token.created_at} />,
                token.last_used_at === null ? "never" : <Time at={token.last_used_at} />,
              ])}
          />
        </Panel>
        <Panel title="People">
          <DataTable
            label="People"
            head={["Name", "Email", "Chat user", "Role"]}
            empty="There is nobody."
            rows={people.map(({ name, email, chat_user_id, role }) => [name, email, <code>{chat_user_id}</code>, role])}
          />
        </Panel>
        <Panel title="Service keys">
          <DataTable
            label="Service keys"
            head={["Name", "State", "Abilities"]}
            empty="There is none."
            rows={keys.map(({ id, name, active, built_in }) => [
              <>
                {name} {built_in ? <Pill>of the emulator</Pill> : null}
              </>,
              active ? "active" : "inactive",
              abilities(id),
            ])}
          />
        </Panel>
        <Panel title="Agents">
          <DataTable
            label="Agents"
            head={["Name", "Slug", "State", "Abilities"]}
            empty="There is none."
            rows={bots.map(({ id, name, slug, enabled }) => [
              name,
              <code>{slug}</code>,
              enabled ? "enabled" : "disabled",
              abilities(id),
            ])}
          />
        </Panel>
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

function TokenKind({ token: { principal_kind, session } }: { readonly token: TokenRow }): Markup {
  return (
    <>
      {kindNames[principal_kind]} {session ? <Pill>of this start</Pill> : null}
    </>
  );
}
