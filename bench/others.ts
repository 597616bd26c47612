/** Comparison of plans with other programs. */

import { join } from "node:path";
import type { Measured } from "./goals.ts";
import type { Peer } from "./peers.ts";
import { inTemporary, runCounted, serve } from "./processes.ts";
import type { Cost, Spent } from "./scale.ts";
import type { Starts } from "./start.ts";

/** Plans of the same number of resources by this program and by another. */
export interface Comparison {
  readonly entries: number;
  readonly own: Spent;
  readonly other: Spent;
}

/** Results of the comparison. */
export interface Comparisons {
  readonly measured: readonly Measured[];
  readonly comparisons: readonly Comparison[];
}

/** Recorded time of octoDNS for 10,000 records, YAML to YAML without a network, in milliseconds on a machine where N was 30 ms. */
const OCTODNS = { time: 7400, unit: 30 };

const SIZES = [20, 10_000] as const;
const LIMIT = 300_000;

/** Compares plans with the same number of resources, although the programs have different resources. */
export async function comparePlans({ unit, plan }: Starts, costs: readonly Cost[], peer?: Peer): Promise<Comparisons> {
  const large = costs.find(({ entries }) => entries === 10_000)?.plan;
  const comparisons: Comparison[] = [];
  for (const entries of peer === undefined ? [] : SIZES) {
    const own = entries === 20 ? plan : large;
    if (own !== undefined && peer !== undefined)
      comparisons.push({ entries, own, other: await preview(peer, entries) });
  }
  const [, many] = comparisons;
  const octodns = large && OCTODNS.time / OCTODNS.unit / (large.wall / unit);
  return {
    comparisons,
    measured: [
      { id: "P7", values: [octodns], beside: "octoDNS was not run here: 7.4 s where N was 30 ms, both in N" },
      { id: "P8", values: [many && many.other.processor / many.own.processor] },
    ],
  };
}

/** A dry run of auth0-deploy-cli for applications, against a stand-in for its service. */
function preview({ telling }: Peer, entries: number): Promise<Spent> {
  return inTemporary(async (folder) => {
    const service = await serve("management-api.ts", [String(entries), String(entries / 100), folder]);
    try {
      const [path = ""] = telling.args;
      const words = ["import", "-c", join(folder, "settings.json"), "-i", join(folder, "tenant.yaml"), "--dry-run"];
      const env = { NODE_EXTRA_CA_CERTS: join(folder, "certificate.pem") };
      return runCounted({ args: [path, ...words], env, limit: LIMIT });
    } finally {
      await service.close();
    }
  });
}
