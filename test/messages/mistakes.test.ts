/** Mistakes of a first hour: the message of each, and that what the message says to do is enough. */

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { createEmulator } from "../../src/emulator/emulator.ts";
import { command, type Ended } from "../bad-input/run.ts";
import { type Files, inDirectory } from "../config/loading.ts";
import { rowsIn } from "../support/rows.ts";
import { withoutKinds } from "../support/without-kinds.ts";

/** A command line, with the files that are written before it and its environment. */
interface Attempt {
  readonly args: readonly string[];
  readonly files?: Files;
  /** Null takes a variable away. */
  readonly env?: Readonly<Record<string, string | null>>;
  /** Another workspace at the same address. */
  readonly elsewhere?: true;
}

interface Mistake {
  readonly title: string;
  /** Command lines before it, in the same directory. */
  readonly before?: readonly Attempt[];
  readonly mistake?: Attempt;
  /** 1 if not stated. */
  readonly exit?: number;
  /** What the message says to do. */
  readonly says: string;
  /** Command lines that do it; the last one is the mended one. */
  readonly mend?: readonly Attempt[];
  /** Instead of both: the text of `config.yaml` in which `validate` finds the mistake, and the mended one. */
  readonly wrong?: string;
  readonly right?: string;
}

const MEMBERS: Readonly<Record<keyof Mistake, true>> = {
  title: true,
  before: true,
  mistake: true,
  exit: true,
  says: true,
  mend: true,
  wrong: true,
  right: true,
};

const FILES = ["first-hour", "typical-mistakes"] as const;
const MISTAKES = FILES.map((name) => {
  const [chapter] = Object.entries(rowsIn<Mistake>(new URL(`mistakes/${name}.yaml`, import.meta.url), MEMBERS));
  if (chapter === undefined) throw new Error(`${name}.yaml has no mistakes`);
  return { name, title: chapter[0], rows: chapter[1] };
});

describe.each(MISTAKES)("$title, each with a message that mends it", ({ name, rows }) => {
  const messages: string[] = [];

  it.each(rows)("$title", async (row) => {
    const { first, wrong, right } = await run(row);
    messages.push(`# ${row.title}\n$ incidentctl ${first.args.join(" ")}\n${stable(wrong.stderr)}exit ${wrong.exit}\n`);
    expect({ exit: wrong.exit, stderr: wrong.stderr }).toEqual({
      exit: row.exit ?? 1,
      stderr: expect.stringContaining(row.says),
    });
    expect(wrong.stderr.match(/(?:^|: )error[:[]/gm), wrong.stderr).toHaveLength(1);
    expect(right.exit, right.stderr).toBe(0);
  });

  it("the messages are those of the golden file", async () => {
    expect(messages).toHaveLength(rows.length);
    await expect(messages.join("\n")).toMatchFileSnapshot(`golden/${name}.txt`);
  });
});

interface Ran {
  readonly first: Attempt;
  readonly wrong: Ended;
  readonly right: Ended;
}

/** Runs a mistake and its mend in one directory, each workspace the same from line to line. */
async function run({ before = [], wrong = "", right = "", ...row }: Mistake): Promise<Ran> {
  const { mistake = validating(wrong), mend = [validating(right)] } = row;
  const [here, elsewhere] = [createEmulator(), createEmulator()];
  try {
    return await inDirectory({}, async (folder) => {
      const attempt = ({ args, files = {}, env = {}, elsewhere: isElsewhere }: Attempt): Promise<Ended> => {
        for (const [name, content] of Object.entries(files)) {
          mkdirSync(dirname(join(folder, name)), { recursive: true });
          writeFileSync(join(folder, name), content);
        }
        const noUrl = args.includes("--url") ? { INCIDENTCTL_URL: undefined } : {};
        const stated = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value ?? undefined]));
        return command(args, folder, isElsewhere === true ? elsewhere : here, { ...noUrl, ...stated });
      };
      for (const one of before) await attempt(one);
      const ended = await attempt(mistake);
      let last = ended;
      for (const one of mend) last = await attempt(one);
      return { first: mistake, wrong: ended, right: last };
    });
  } finally {
    here.close();
    elsewhere.close();
  }
}

function validating(text: string): Attempt {
  return { args: ["validate"], files: { "config.yaml": text } };
}

/** The text without what differs from run to run, or with each new kind. */
function stable(text: string): string {
  return withoutKinds(text).replaceAll(/request [0-9a-f-]{36}/g, "request <id>");
}
