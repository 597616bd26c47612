/** A mistake of a first hour, and command lines that mend it as its message says. */

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { createEmulator } from "../../src/emulator/emulator.ts";
import { command, type Ended } from "../bad-input/run.ts";
import { type Files, inDirectory } from "../config/loading.ts";

/** A command line, with the files that are written before it and its environment. */
export interface Attempt {
  readonly args: readonly string[];
  readonly files?: Files;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Another workspace at the same address. */
  readonly elsewhere?: true;
}

export interface Mistake {
  readonly title: string;
  /** Command lines before it, in the same directory. */
  readonly before?: readonly Attempt[];
  readonly mistake: Attempt;
  readonly exit: number;
  /** What the message says to do. */
  readonly says: string;
  /** Command lines that do it; the last one is the mended one. */
  readonly mend: readonly Attempt[];
}

const VALIDATE = ["validate"];
/** A mistake in a file, which `validate` finds. */
export function inFile(title: string, wrong: string, right: string, says: string): Mistake {
  return {
    title,
    mistake: { args: VALIDATE, files: { "config.yaml": wrong } },
    exit: 1,
    says,
    mend: [{ args: VALIDATE, files: { "config.yaml": right } }],
  };
}

/** Tests that each mistake has one message, which is that of the golden file, and that doing what it says is enough. */
export function describeMistakes(title: string, mistakes: readonly Mistake[], golden: string): void {
  const messages: string[] = [];
  describe(title, () => {
    it.each(mistakes)("$title", async (one) => {
      const { wrong, right } = await run(one);
      messages.push(transcript(one, wrong));
      expect({ exit: wrong.exit, stderr: wrong.stderr }).toEqual({
        exit: one.exit,
        stderr: expect.stringContaining(one.says),
      });
      expect(wrong.stderr.match(/(?:^|: )error[:[]/gm), wrong.stderr).toHaveLength(1);
      expect(right.exit, right.stderr).toBe(0);
    });

    it("the messages are those of the golden file", async () => {
      expect(messages).toHaveLength(mistakes.length);
      await expect(messages.join("\n")).toMatchFileSnapshot(`golden/${golden}`);
    });
  });
}

/** Runs a mistake and its mend in one directory, each workspace the same from line to line. */
async function run({ before = [], mistake, mend }: Mistake): Promise<{ readonly wrong: Ended; readonly right: Ended }> {
  const [here, elsewhere] = [createEmulator(), createEmulator()];
  try {
    return await inDirectory({}, async (folder) => {
      const attempt = ({ args, files = {}, env, elsewhere: isElsewhere }: Attempt): Promise<Ended> => {
        for (const [name, content] of Object.entries(files)) {
          mkdirSync(dirname(join(folder, name)), { recursive: true });
          writeFileSync(join(folder, name), content);
        }
        const noUrl = args.includes("--url") ? { INCIDENTCTL_URL: undefined } : {};
        return command(args, folder, isElsewhere === true ? elsewhere : here, { ...noUrl, ...env });
      };
      for (const one of before) await attempt(one);
      const wrong = await attempt(mistake);
      let right = wrong;
      for (const one of mend) right = await attempt(one);
      return { wrong, right };
    });
  } finally {
    here.close();
    elsewhere.close();
  }
}

/** The command line of a mistake with what it prints, for a golden file. */
function transcript({ title, mistake }: Mistake, { stderr, exit }: Ended): string {
  return `# ${title}\n$ incidentctl ${mistake.args.join(" ")}\n${stable(stderr)}exit ${exit}\n`;
}

/** The text without what differs from run to run. */
function stable(text: string): string {
  return text.replaceAll(/request [0-9a-f-]{36}/g, "request <id>");
}
