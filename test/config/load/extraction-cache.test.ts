import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ExtractionCache } from "../../../src/config/load/extraction-cache.ts";
import { loadWithErrors } from "../../../src/config/load/load.ts";
import { DISK } from "../../../src/config/source/disk.ts";
import { withContents } from "../../../src/config/source/file-tree.ts";
import { kinds } from "../../../src/kinds/index.ts";
import { withFiles } from "../../support/files.ts";

const FILES = {
  "incidentctl.yaml": "version: 1\n",
  "a.yaml": "severities:\n  - { slug: critical, name: Critical }\n",
  "b.yaml": "statuses:\n  - { slug: open, name: Open, lifecycle_stage: active }\n",
};

/** Loads the files once as they are, and then with another text of one of them. */
function loadTwice(
  files: Readonly<Record<string, string>>,
  file: string,
  text: string,
): Promise<{
  readonly cache: ExtractionCache;
  readonly loads: readonly Awaited<ReturnType<typeof loadWithErrors>>[];
  readonly parsed: readonly unknown[];
}> {
  return withFiles(files, async (folder) => {
    const cache = new ExtractionCache();
    const contents = new Map<string, Uint8Array>();
    const context = { kinds, env: {}, cwd: folder, cache, tree: withContents(DISK, contents) };
    const first = await loadWithErrors([], context);
    const parsed = cache.parsedFiles;
    contents.set(join(folder, file), new TextEncoder().encode(text));
    return { cache, parsed, loads: [first, await loadWithErrors([], context)] };
  });
}

describe("a second load", () => {
  test("parses the file that has changed, and no other one", async () => {
    const { cache, parsed, loads } = await loadTwice(
      FILES,
      "a.yaml",
      "severities:\n  - { slug: major, name: Major }\n",
    );
    const again = cache.parsedFiles.filter((file) => !parsed.includes(file));
    expect(again.map(({ source }) => source.file)).toEqual(["a.yaml"]);
    expect(loads[1]?.configuration?.declared.map(({ address }) => address)).toEqual([
      "severities/major",
      "statuses/open",
    ]);
    const [before, after] = loads.map(({ configuration }) =>
      configuration?.declared.find(({ scope, key }) => scope === "" && key === "open"),
    );
    expect(after).toBe(before);
  });

  test("reads no text a second time for a place, if the trees are kept", async () => {
    await withFiles(FILES, async (folder) => {
      const cache = new ExtractionCache({ keepsTrees: true });
      await loadWithErrors([], { kinds, env: {}, cwd: folder, cache });
      const file = cache.file("a.yaml");
      if (file === undefined) throw new Error("a.yaml was not parsed");
      const { text } = file.source;
      let reads = 0;
      Object.defineProperty(file.source, "text", {
        get: () => {
          reads += 1;
          return text;
        },
      });
      expect([file.node.type, reads]).toEqual(["map", 0]);
    });
  });

  test("finds again what was wrong in a file that has not changed", async () => {
    const files = { ...FILES, "b.yaml": "statuses:\n  - { slug: open, name: Open, lifecycle_stage: nowhere }\n" };
    const { loads } = await loadTwice(files, "a.yaml", "severities: []\n");
    expect(loads.map(({ error }) => error?.diagnostics.map(({ code, at }) => `${at?.file} ${code}`))).toEqual([
      ["b.yaml E_ENUM"],
      ["b.yaml E_ENUM"],
    ]);
  });

  test("says whether every file could be parsed, and keeps the last text of one that cannot", async () => {
    const { cache, loads } = await loadTwice(FILES, "a.yaml", "severities: [\n");
    expect(loads.map(({ isComplete }) => isComplete)).toEqual([true, false]);
    expect(cache.file("a.yaml")?.source.text).toBe(FILES["a.yaml"]);
  });
});
