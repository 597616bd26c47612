/**
 * What the readme and the pages of docs/ show is run: each `sh` block with commands of the program, in the order of its page, and
 * the `text` block that follows it is held against what came out. Comments in the page set the stage:
 *
 *     <!-- shown: examples -->            a new folder with the example workspace, and a fresh service; `empty` for an empty
 *                                         folder, `busy` for an empty one and a service with a week of incidents
 *     <!-- shown: file PATH -->           the next block is what stands in that file; or the comment's further lines do
 *     <!-- shown: edit PATH BEFORE => AFTER -->
 *     <!-- shown: hand METHOD PATH BODY --> somebody changes the service by hand
 *     <!-- shown: run ARGUMENTS -->       a command before what is shown
 *     <!-- shown: exit N -->              the last command of the next block ends with that code; it is 0 otherwise
 *     <!-- shown: shell -->               the next block is run by a shell, with the built program
 *     <!-- shown: not-run REASON -->      the next block is not
 */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { type Block, isBlock, linesOf, type Note, partsOf, patternOf, wordsOf } from "./page.ts";
import { type Ended, Stage } from "./stage.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (file: string) => readFileSync(join(root, file), "utf8");
const pages = ["README.md", ...readdirSync(join(root, "docs")).map((file) => `docs/${file}`)].filter((file) =>
  file.endsWith(".md"),
);

const isCommand = (line: string) => line.startsWith("incidentctl ");

/** Plays a page from its first block to its last. */
class Play {
  #stage: Stage | undefined;
  /** What the next block is told by the notes above it. */
  #notes = new Map<string, string>();
  /** What the block above has printed, until its text is compared. */
  #printed: string | undefined;

  async note({ word, rest, content }: Note): Promise<void> {
    switch (word) {
      case "examples":
      case "empty":
      case "busy":
        await this.close();
        this.#stage = await Stage.open(word);
        return;
      case "file":
        if (content === "") this.#notes.set(word, rest);
        else await (await this.#open()).write(rest, content);
        return;
      case "edit": {
        const [, path = "", before = "", after = ""] = /^(\S+) (.*) => (.*)$/.exec(rest) ?? [];
        return (await this.#open()).replace(path, before, after);
      }
      case "hand": {
        const [, method = "", path = "", body = ""] = /^(\S+) (\S+) ?(.*)$/.exec(rest) ?? [];
        return (await this.#open()).hand(method, path, body);
      }
      case "run":
        expectEnded(rest, await (await this.#open()).run(wordsOf(rest)), 0);
        return;
      case "exit":
      case "shell":
      case "not-run":
        this.#notes.set(word, rest);
        return;
      default:
        throw new Error(`nobody knows what "${word}" means`);
    }
  }

  async block(block: Block): Promise<void> {
    const notes = this.#notes;
    this.#notes = new Map();
    const printed = this.#printed;
    this.#printed = undefined;
    const why = notes.get("not-run");
    const file = notes.get("file");
    if (file !== undefined) return (await this.#open()).write(file, block.text);
    if (why !== undefined) expect(why, "the reason why it is not run").toMatch(/\w+ \w+/);
    else if (block.language === "text") this.#compare(block, printed);
    else if (block.language === "sh" && linesOf(block).some(isCommand)) await this.#run(block, notes);
  }

  async close(): Promise<void> {
    await this.#stage?.close();
    this.#stage = undefined;
  }

  async #open(): Promise<Stage> {
    this.#stage ??= await Stage.open("examples");
    return this.#stage;
  }

  async #run(block: Block, notes: ReadonlyMap<string, string>): Promise<void> {
    const stage = await this.#open();
    const wanted = Number(notes.get("exit") ?? 0);
    if (notes.has("shell")) {
      const ended = await stage.script(block.text);
      expectEnded("the script", ended, wanted);
      this.#printed = ended.stdout;
      return;
    }
    // The stage has tokens of its own.
    const lines = linesOf(block).filter((line) => !/^export \w+=…$/.test(line));
    let printed = "";
    for (const [index, line] of lines.entries()) {
      const [, folder] = /^mkdir (\S+)$/.exec(line) ?? [];
      if (folder !== undefined) {
        await stage.makeFolder(folder);
        continue;
      }
      expect(line, "only a shell could run it").toMatch(/^incidentctl [^|&;<>$]*$/);
      const ended = await stage.run(wordsOf(line).slice(1));
      expectEnded(line, ended, index === lines.length - 1 ? wanted : 0);
      printed += ended.stdout;
    }
    this.#printed = printed;
  }

  #compare({ text }: Block, printed: string | undefined): void {
    expect(printed, "the block of commands above it").toBeDefined();
    if (!patternOf(text).test(printed ?? "")) expect(printed).toBe(text);
  }
}

function expectEnded(line: string, { exit, stdout, stderr }: Ended, wanted: number): void {
  expect({ line, exit, said: exit === wanted ? "" : stdout + stderr }).toEqual({ line, exit: wanted, said: "" });
}

test.each(pages)("the examples on %s match the program", async (page) => {
  const play = new Play();
  try {
    for (const part of partsOf(read(page))) {
      try {
        await (isBlock(part) ? play.block(part) : play.note(part));
      } catch (error) {
        if (error instanceof Error) error.message = `${page}:${part.line}: ${error.message}`;
        throw error;
      }
    }
  } finally {
    await play.close();
  }
});

describe("a command in a sentence or a comment", () => {
  const named = pages.flatMap((page) =>
    [...read(page).matchAll(/(?:`|^)incidentctl (?<words>[a-z][^`\n#]*)/gm)].map(({ groups = {} }) => ({
      page,
      words: wordsOf(groups.words ?? ""),
    })),
  );

  test("exists, and has the flags mentioned with it", async () => {
    expect(named.length).toBeGreaterThan(30);
    const stage = await Stage.open("empty");
    try {
      for (const { page, words } of named) {
        const nested = words[1] !== undefined && /^[a-z]+$/.test(words[1]) ? [words.slice(0, 2)] : [];
        const helps = await Promise.all([words.slice(0, 1), ...nested].map((own) => stage.run([...own, "--help"])));
        const help = helps.map(({ stdout }) => stdout).join("");
        const flags = words.flatMap((word) => /^--[a-z-]+/.exec(word) ?? []);
        expect({ page, words, exit: helps[0]?.exit }).toEqual({ page, words, exit: 0 });
        expect({ page, words, unknown: flags.filter((flag) => !help.includes(flag)) }).toMatchObject({ unknown: [] });
      }
    } finally {
      await stage.close();
    }
  });
});

describe("the comparison of examples", () => {
  test.each<readonly [shown: string, printed: string, same: boolean]>([
    ["a\nb\n", "a\nb\n", true],
    ["a\nb\n", "a\nb\nc\n", false],
    ["a.\n", "ab\n", false],
    ["a\n…\nc\n", "a\nb\nb\nc\n", true],
    ["a\n…\n", "a\n", true],
    ["id …, kept\n", "id 8f3c, kept\n", true],
    ["id …, kept\n", "id 8f3c\n", false],
    ["a, …  2 of them\n", "a, b, c  2 of them\n", true],
    ["a, …  2 of them\n", "a, b, c  3 of them\n", false],
  ])("%j, of %j: %j", (shown, printed, same) => {
    expect(patternOf(shown).test(printed)).toBe(same);
  });
});
