/**
 * `npm run mutants`: plants every mutant in turn and reports those that no test notices. Arguments select the mutants whose id or rule
 * contains one of them.
 */

import { join } from "node:path";
import { mutantsIn } from "./list.ts";
import type { Mutant } from "./mutant.ts";
import { type Run, Tree } from "./tree.ts";

/** Mutants that are tried at the same time. */
const TREES = 2;

interface Tried extends Run {
  readonly mutant: Mutant;
}

async function main(words: readonly string[]): Promise<number> {
  // Compiled into dist-tools/test/mutants.
  const root = join(import.meta.dirname, "..", "..", "..");
  const chosen = mutantsIn(root).filter(
    ({ id, rule }) => words.length === 0 || words.some((word) => id.includes(word) || rule.includes(word)),
  );
  if (chosen.length === 0) {
    console.error(`No mutant matches ${words.join(" or ")}.`);
    return 3;
  }
  const trees = Array.from({ length: Math.min(TREES, chosen.length) }, () => new Tree(root));
  try {
    const files = [...new Set(chosen.flatMap(({ redBy }) => redBy))];
    const sound = await trees[0]?.sound(files);
    if (sound?.verdict !== "green") {
      console.error(`Without a mutant, the run of the tests is ${sound?.verdict}; fix them first:`);
      for (const name of sound?.failed ?? []) console.error(`  ${name}`);
      return 1;
    }
    const waiting = [...chosen];
    const tried: Tried[] = [];
    await Promise.all(trees.map((tree) => work(tree, waiting, tried)));
    const survivors = tried.filter(({ verdict }) => verdict === "green" || verdict === "broken");
    console.log(`${tried.length - survivors.length} of ${tried.length} mutants were noticed.`);
    for (const { mutant, verdict, failed } of survivors) {
      console.log(
        verdict === "green" ? `Alive: ${mutant.id}` : `Cannot be run: ${mutant.id}\n  ${failed.join("\n  ")}`,
      );
    }
    return survivors.length === 0 ? 0 : 1;
  } finally {
    for (const tree of trees) tree.remove();
  }
}

async function work(tree: Tree, waiting: Mutant[], tried: Tried[]): Promise<void> {
  for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
    const since = Date.now();
    const run = await tree.try(mutant);
    tried.push({ mutant, ...run });
    const seconds = Math.round((Date.now() - since) / 1000);
    console.log(`${run.verdict.padEnd(7)} ${String(seconds).padStart(3)} s  ${mutant.rule.padEnd(24)} ${mutant.id}`);
  }
}

process.exitCode = await main(process.argv.slice(2));
