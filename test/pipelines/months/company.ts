/** What the simulated months happen to: one repository with two directories, for two workspaces each. */

import { parse } from "yaml";
import type { Run } from "../simulator/github.ts";
import type { Files } from "../simulator/repository.ts";
import { environmentsOf, openWorld, startWorkspace, type Workspace, type World } from "../simulator/world.ts";

/** One directory: the kind that its files declare, and its resources. */
export interface Team {
  readonly directory: string;
  readonly kind: "severities" | "custom_fields";
  readonly slugs: readonly string[];
}

/** The directories. */
export const TEAMS: readonly Team[] = [
  { directory: "teams/levels", kind: "severities", slugs: ["critical", "major"] },
  { directory: "teams/fields", kind: "custom_fields", slugs: ["region", "zone"] },
];

/** A directory in an environment. */
export interface Unit {
  readonly name: string;
  readonly environment: string;
  readonly team: Team;
  readonly workspace: Workspace;
}

/** Names of resources by their slugs. */
export type Names = Readonly<Record<string, string>>;

/** The repository and its workspaces. */
export interface Company {
  readonly world: World;
  readonly units: readonly Unit[];
  /** The file that names a resource, with this name. */
  file(team: Team, slug: string, name: string): Files;
  /** The same file, which no longer is valid. */
  brokenFile(team: Team, slug: string): Files;
  /** The names that the files of a commit declare. */
  declared(team: Team, commit: string): Names;
  /** The names in the workspace of a unit. */
  live(unit: Unit): Promise<Names>;
  /** The job of a unit in a run. */
  jobOf(run: Run, unit: Unit): Run["jobs"][number] | undefined;
  close(): Promise<void>;
}

const INITIAL: Names = { critical: "Critical", major: "Major", region: "region", zone: "zone" };

/** Opens the company. Its files match both workspaces. */
export async function openCompany(): Promise<Company> {
  const production = await startWorkspace();
  const staging = await startWorkspace();
  const workspaces = { production, staging };
  const settings = `version: 1
base_url: https://incidents.example.com
config: [.]
environments:
  production: { base_url: "${production.url}" }
  staging: { base_url: "${staging.url}" }
`;
  const pathOf = ({ directory }: Team, slug: string) => `${directory}/${slug}.yaml`;
  const file = (team: Team, slug: string, name: string): Files => {
    const type = team.kind === "custom_fields" ? ", field_type: text" : "";
    return { [pathOf(team, slug)]: `${team.kind}:\n  - { slug: ${slug}, name: ${name}${type} }\n` };
  };
  for (const workspace of Object.values(workspaces)) {
    for (const name of ["region", "zone"])
      await workspace.send("POST", "/api/v1/custom_fields", { name, field_type: "text", option_source: "none" });
  }
  const [levels] = TEAMS;
  const files = TEAMS.flatMap((team) => [
    { [`${team.directory}/incidentctl.yaml`]: settings },
    ...team.slugs.map((slug) => file(team, slug, INITIAL[slug] ?? "")),
  ]);
  const minor = "severities:\n  - { slug: minor, name: Minor, default: true }\n";
  const world = await openWorld(
    Object.assign({ ".gitignore": ".incidentctl/\n", [`${levels?.directory}/minor.yaml`]: minor }, ...files),
    [...environmentsOf(production, "-production"), ...environmentsOf(staging, "-staging")],
  );
  const units = TEAMS.flatMap((team) =>
    Object.entries(workspaces).map(([environment, workspace]) => {
      const name = `${team.kind}-${environment}`;
      return { name, environment, team, workspace };
    }),
  );
  const rows = units.map(({ name, environment, team }) => ({ name, environment, directory: team.directory }));
  world.github.variables.INCIDENTCTL_UNITS = JSON.stringify(rows);
  return {
    world,
    units,
    file,
    brokenFile: (team, slug) => ({ [pathOf(team, slug)]: `${team.kind}:\n  - { slug: ${slug}, nam: Oops }\n` }),
    declared: (team, commit) =>
      Object.fromEntries(
        team.slugs.map((slug) => {
          const value = parse(world.github.repository.read(commit, pathOf(team, slug)));
          return [slug, String(value[team.kind][0].name)];
        }),
      ),
    live: async ({ team, workspace }) => {
      const list = (await workspace.send("GET", `/api/v1/${team.kind}`)) as Readonly<Record<string, readonly Row[]>>;
      const rows = list[team.kind]?.filter(({ slug }) => team.slugs.includes(slug)) ?? [];
      return Object.fromEntries(rows.map(({ slug, name }) => [slug, name]));
    },
    jobOf: (run, unit) => run.jobs.find(({ name }) => name.endsWith(` ${unit.name}`)),
    close: async () => {
      await world.close();
      await production.close();
      await staging.close();
    },
  };
}

interface Row {
  readonly slug: string;
  readonly name: string;
}
