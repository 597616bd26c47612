/**
 * A company whose catalog files change every day: services are renamed, move between files and repositories, are copied with their id,
 * come and go, templates appear, and a column is lost for a day.
 */

import { stringify } from "yaml";
import { type Dice, slugOf } from "../../config/catalog/entries/dice.ts";

/** A service as its team thinks of it. */
interface Service {
  /** The id that stays. */
  readonly id: string;
  readonly name: string;
  readonly title: string;
  /** The id of its team. */
  readonly team: string;
  readonly tier: "Critical" | "Standard";
  /** The repository of its catalog file, or the inventory. */
  readonly home: "shop" | "platform" | "inventory";
}

interface Team {
  readonly id: string;
  readonly name: string;
}

/** The catalog of a company on one day. */
export interface Company {
  readonly services: readonly Service[];
  readonly teams: readonly Team[];
  /** The number of the next service or team. */
  readonly next: number;
  /** The inventory has another header for the owner. */
  readonly hasLostColumn: boolean;
  readonly hasTemplate: boolean;
  /** A service whose file somebody copied, without another id. */
  readonly copied?: Service;
  /** Names that were free only since today: whoever takes one today is the same service to the program. */
  readonly freed: readonly string[];
  /** The changes of the day, for the message of a failure. */
  readonly log: readonly string[];
}

const CONFIGURATION = `catalog_types:
  - slug: team
    entries_from:
      files: teams.csv
      name: { jsonata: name }
      external_id: { jsonata: id }
  - slug: service
    entries_from:
      - files: repositories/**/catalog-info.yaml
        on_duplicate: first
        when: { jsonata: kind = 'Component' }
        slug: { jsonata: metadata.name }
        name: { jsonata: metadata.title }
        external_id: { jsonata: metadata.annotations.id }
        attributes: { owner_team: { jsonata: spec.owner }, tier: { jsonata: metadata.labels.tier } }
      - files: inventory.csv
        on_duplicate: first
        slug: { jsonata: name }
        name: { jsonata: title }
        external_id: { jsonata: id }
        attributes: { owner_team: { jsonata: owner }, tier: { jsonata: tier } }
`;

const WORDS = ["checkout", "search", "mail", "ledger", "cart", "fraud", "identity", "export"] as const;
const HOMES = ["shop", "platform", "inventory"] as const;
const TIERS = ["Critical", "Standard"] as const;

/** A company with so many services. */
export function companyOf(dice: Dice, size: number): Company {
  const teams = ["Payments", "Growth", "Core"].map((name, index) => ({ id: `T${index}`, name }));
  let company: Company = {
    services: [],
    teams,
    next: 10,
    hasLostColumn: false,
    hasTemplate: false,
    freed: [],
    log: [],
  };
  for (let index = 0; index < size; index += 1) company = EVENTS.added(company, dice);
  return company;
}

/** The company on the next day. */
export function nextDay(company: Company, dice: Dice): Company {
  const { copied: _, ...rest } = company;
  let next: Company = { ...rest, hasLostColumn: false, freed: [], log: [] };
  const names = Object.keys(EVENTS) as [keyof typeof EVENTS, ...(keyof typeof EVENTS)[]];
  for (let index = dice.below(4); index >= 0; index -= 1) {
    const name = dice.one(names);
    next = EVENTS[name](next, dice);
    next = { ...next, log: [...next.log, name] };
  }
  return next;
}

type Event = (company: Company, dice: Dice) => Company;

const EVENTS = {
  added: (company, dice) => {
    const { services, teams, next } = company;
    // A name may have been that of a service that is gone.
    const free = WORDS.filter(
      (word) => ![...company.freed, ...services.map(({ name }) => name)].includes(`${word}-api`),
    );
    const name = free.length > 0 && dice.rarely(2) ? `${dice.one(free as [string])}-api` : `${dice.one(WORDS)}-${next}`;
    const team = dice.one(teams as [Team]).id;
    const service = { id: `S${next}`, name, title: titleOf(name), team, tier: dice.one(TIERS), home: dice.one(HOMES) };
    return { ...company, services: [...services, service], next: next + 1 };
  },
  removed: (company, dice) => {
    const gone = chosen(company, dice);
    return company.services.length < 3
      ? company
      : { ...company, services: company.services.filter((one) => one !== gone), freed: [...company.freed, gone.name] };
  },
  retitled: (company, dice) =>
    changed(company, chosen(company, dice), (one) => ({ title: `${titleOf(one.name)} ${company.next}` })),
  renamed: (company, dice) =>
    changed(company, chosen(company, dice), () => {
      const name = `${dice.one(WORDS)}-r${company.next}`;
      return { name, title: titleOf(name) };
    }),
  swapped: (company, dice) => {
    const [left, right] = [chosen(company, dice), chosen(company, dice)];
    if (left === right) return company;
    const half = changed(company, left, () => ({ name: right.name, title: right.title }));
    return changed(half, right, () => ({ name: left.name, title: left.title }));
  },
  replaced: (company, dice) => {
    // Another service takes over the title of one that goes.
    const gone = chosen(company, dice);
    return changed(company, gone, () => ({ id: `S${company.next}`, name: `${dice.one(WORDS)}-n${company.next}` }));
  },
  moved: (company, dice) => changed(company, chosen(company, dice), () => ({ home: dice.one(HOMES) })),
  handedOver: (company, dice) =>
    changed(company, chosen(company, dice), () => ({ team: dice.one(company.teams as [Team]).id })),
  teamRenamed: (company, dice) => {
    const team = dice.one(company.teams as [Team]);
    const teams = company.teams.map((one) => (one === team ? { ...one, name: `Team ${company.next}` } : one));
    return { ...company, teams, next: company.next + 1 };
  },
  teamDissolved: (company, dice) => {
    const [first, second, ...rest] = company.teams;
    if (first === undefined || second === undefined || rest.length === 0) return company;
    const team = { id: `T${company.next}`, name: `Team ${company.next}` };
    const services = company.services.map((one) => (one.team === first.id ? { ...one, team: second.id } : one));
    const teams = dice.rarely(2) ? [second, ...rest] : [second, ...rest, team];
    return { ...company, services, teams, next: company.next + 1 };
  },
  columnLost: (company) => ({ ...company, hasLostColumn: true }),
  templated: (company) => ({ ...company, hasTemplate: !company.hasTemplate }),
  copied: (company, dice) => ({ ...company, copied: chosen(company, dice) }),
} satisfies Readonly<Record<string, Event>>;

function chosen({ services }: Company, dice: Dice): Service {
  return dice.one(services as unknown as [Service]);
}

function changed(company: Company, service: Service, change: (service: Service) => Partial<Service>): Company {
  const services = company.services.map((one) => (one === service ? { ...one, ...change(one) } : one));
  return { ...company, services, freed: [...company.freed, service.name], next: company.next + 1 };
}

function titleOf(name: string): string {
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1).replaceAll("-", " ")}`;
}

/** The files of the company, by path. */
export function filesOf({
  services,
  teams,
  hasLostColumn,
  hasTemplate,
  copied,
}: Company): Readonly<Record<string, string>> {
  const teamName = (id: string): string => teams.find((team) => team.id === id)?.name ?? "";
  const files: Record<string, string> = {
    "incidentctl.yaml": "version: 1\nconfig: [catalog.yaml]\n",
    "catalog.yaml": CONFIGURATION,
    "teams.csv": ["id,name", ...teams.map(({ id, name }) => `${id},${name}`), ""].join("\n"),
    // Without an app in it, the program warns of an empty source.
    "repositories/all/catalog-info.yaml": "kind: Location\nmetadata: { name: all }\n",
  };
  const rows = services.filter(({ home }) => home === "inventory");
  files["inventory.csv"] = [
    `id,name,title,${hasLostColumn ? "owning_team" : "owner"},tier`,
    ...rows.map(({ id, name, title, team, tier }) => [id, name, title, teamName(team), tier].join(",")),
    "",
  ].join("\n");
  const write = (service: Service, folder: string): void => {
    files[`repositories/${service.home}/${folder}/catalog-info.yaml`] = stringify({
      kind: "Component",
      metadata: {
        name: service.name,
        title: service.title,
        annotations: { id: service.id },
        labels: { tier: service.tier },
      },
      spec: { owner: `group:default/${slugOf(teamName(service.team))}` },
    });
  };
  for (const service of services) if (service.home !== "inventory") write(service, service.name);
  if (copied !== undefined) {
    const name = `copy-of-${copied.name}`;
    write({ ...copied, name, title: titleOf(name), home: "shop" }, name);
  }
  if (hasTemplate) {
    const metadata = { name: `\${{ values.name }}`, title: "New" };
    files["repositories/platform/new/catalog-info.yaml"] = stringify({ kind: "Component", metadata, spec: {} });
  }
  return files;
}
