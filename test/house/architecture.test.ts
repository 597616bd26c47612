import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { kinds } from "../../src/kinds/index.ts";
import type { Kind } from "../../src/kinds/model/kind.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

interface Source {
  readonly path: string;
  readonly text: string;
  /** Without comments. */
  readonly code: string;
  /** As written, and for our own files as a path below the root. */
  readonly imports: readonly string[];
}

const sources = filesBelow("src").map(sourceOf);

describe("layers", () => {
  test.each(["config", "service", "workspace", "plan", "run", "view"])(
    "src/%s receives the kinds and never imports the registry",
    (folder) => {
      const own = sources.filter(({ path }) => path.startsWith(`src/${folder}/`));
      expect(own.filter(({ imports }) => imports.includes("src/kinds/index.ts")).map(({ path }) => path)).toEqual([]);
    },
  );
});

describe("imports", () => {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

  /** What the bundle holds, so that users need not install it. */
  const bundled = [
    ...["commander", "diff", "hono", "js-yaml", "jsonata", "p-limit", "tinyglobby", "toml-eslint-parser", "undici"],
    ...["vscode-languageserver", "vscode-languageserver-textdocument", "yaml"],
  ];

  /** Parts of a package that have nothing to do with the rest of it. */
  const parts = ["hono/jsx"];

  test.each([...Object.keys(manifest.dependencies), ...bundled, ...parts])("one file imports %s", (name) => {
    const isOf = (target: string, owner: string): boolean => target === owner || target.startsWith(`${owner}/`);
    const doors = sources
      .filter(({ imports }) =>
        imports.some(
          (target) => isOf(target, name) && (parts.includes(name) || !parts.some((part) => isOf(target, part))),
        ),
      )
      .map(({ path }) => path);
    expect(doors).toHaveLength(1);
  });

  test("no file imports a development dependency", () => {
    const names = Object.keys(manifest.devDependencies).filter((name) => !bundled.includes(name));
    const wrong = sources.filter(({ imports }) => imports.some((target) => names.includes(target)));
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  test("only the transport calls fetch or opens a socket", () => {
    const wrong = sources
      .filter(
        ({ path }) =>
          ![
            ...["src/service/http/client.ts", "src/service/http/node-fetch.ts", "src/service/http/proxy-fetch.ts"],
            // Runs in a browser, whose policy allows it to reach the server of its page and no other.
            "src/view/browser/emulator.ts",
          ].includes(path),
      )
      .filter(({ path }) => !/^src\/(emulator|conformance)\//.test(path))
      .filter(({ code, imports }) => /\bglobalThis\.fetch\b|(?<![.\w])fetch\(/.test(code) || imports.some(isSocket));
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  test("no file joins signals with AbortSignal.any, which forgets timeouts on Node 20", () => {
    expect(sources.filter(({ code }) => code.includes("AbortSignal.any(")).map(({ path }) => path)).toEqual([]);
  });
});

describe("kinds", () => {
  /** Rules that are about certain kinds by their nature. */
  const rules = /^src\/(config\/rules|plan\/analyze\/rules)\//;

  test.each(["workspace", "plan", "service", "run", "view", "config"])("src/%s names no kind", (layer) => {
    const names = new RegExp(`\\b(${kinds.map(({ name }) => name).join("|")})\\b`);
    const wrong = sources
      .filter(({ path }) => path.startsWith(`src/${layer}/`) && !rules.test(path))
      .flatMap(({ path, code }) => literals(code).flatMap((text) => (names.test(text) ? [`${path}: ${text}`] : [])));
    expect(wrong).toEqual([]);
  });

  test.each(["workspace", "plan", "run", "service"])("src/%s names no field of a kind", (layer) => {
    const fields = new Set(kinds.flatMap(fieldsOf));
    const wrong = sources
      .filter(({ path }) => path.startsWith(`src/${layer}/`) && !rules.test(path))
      .flatMap(({ path, code }) => code.split("\n").map((line) => `${path}: ${line.trim()}`))
      .filter((line) =>
        [...line.matchAll(NAMED_FIELD)].some(([, literal, property]) => fields.has(literal ?? property ?? "")),
      );
    expect(wrong).toEqual([]);
  });
});

describe("ARCHITECTURE.md and CONTRIBUTING.md", () => {
  test.each(["ARCHITECTURE.md", "CONTRIBUTING.md"])("the files and folders on %s exist", (page) => {
    const text = readFileSync(join(root, page), "utf8");
    const paths = [...text.matchAll(/`((?:[a-z-]+\/)+(?:[a-z-]+(?:\.test)?\.ts)?)`/g)].map(([, path = ""]) => path);
    expect(
      paths.filter(
        (path) =>
          !["", "src/", "src/config/", "test/bad-input/"].some((folder) => existsSync(join(root, folder + path))),
      ),
    ).toEqual([]);
  });
});

describe("folders", () => {
  /** Folders with one file for each thing of a series: commands, kinds, analyzers, rules, parts of the emulator. */
  const series =
    /^src\/(kinds\/rows|conformance\/rules|emulator\/modules\/[a-z-]+)$|^test\/(commands|whole|bad-input)$/;

  test("a folder holds at most sixteen files, or twenty-five that are a series", () => {
    const paths = ["src", "test", "scripts", "bench"].flatMap(filesBelow);
    const full = [...new Set(paths.map((path) => dirname(path)))].filter((folder) => {
      return paths.filter((path) => dirname(path) === folder).length > (series.test(folder) ? 25 : 16);
    });
    const advice =
      "move the files of one subject into a folder with its name, and add it to the lists of ARCHITECTURE, or merge a file that one other imports into that one";
    expect(full, advice).toEqual([]);
  });

  test("the root holds at most nine folders", () => {
    const entries = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const own = entries
      .map(({ name }) => name)
      .filter((name) => !name.startsWith(".") && !MADE_BY_TOOLS.includes(name));
    expect(own.length).toBeLessThanOrEqual(9);
  });

  test("there are at most three tsconfigs", () => {
    const configs = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(
      (path) => /(^|\/)tsconfig[^/]*\.json$/.test(path) && !/(^|\/)(\.|node_modules\/)/.test(path),
    );
    expect(configs.length).toBeLessThanOrEqual(3);
  });
});

describe("words", () => {
  test("an exported type has a name of its own", () => {
    const paths = new Map<string, string[]>();
    for (const { path, code } of sources) {
      for (const [, name = ""] of code.matchAll(/^export (?:abstract )?(?:interface|type|class) (\w+)/gm)) {
        paths.set(name, [...(paths.get(name) ?? []), path]);
      }
    }
    expect([...paths].filter(([, files]) => files.length > 1)).toEqual([]);
  });

  test("no comment on a declaration begins with a clause", () => {
    const clause = /\/\*\*\s*(?:\*\s*)?(?:What|That which|Whether it is so that)\b.*/g;
    expect(sources.flatMap(({ path, text }) => (text.match(clause) ?? []).map((line) => `${path}: ${line}`))).toEqual(
      [],
    );
  });

  test("no file has a name that stands for another thing in the field", () => {
    expect(sources.map(({ path }) => path).filter((path) => FORMER_NAMES.test(path))).toEqual([]);
  });
});

describe("files", () => {
  const all = ["src", "test", "scripts", "bench"].flatMap(filesBelow).map(sourceOf);

  test("no file is longer than 400 lines or 20 kB", () => {
    const long = all.filter(({ text }) => text.split("\n").length > 401 || Buffer.byteLength(text) > 20_000);
    expect(long.map(({ path }) => path)).toEqual([]);
  });

  test("every file of src begins with a sentence about its purpose", () => {
    const silent = sources.filter(({ text }) => !/^(#!.*\n)?\/\*\*(?! *\*\/)/.test(text));
    expect(silent.map(({ path }) => path)).toEqual([]);
  });

  test("no file has a name such as utils", () => {
    const vague = /(^|\/)(utils?|helpers?|common|misc|types|constants)\./;
    expect(all.map(({ path }) => path).filter((path) => vague.test(path))).toEqual([]);
  });

  test("no check is disabled, and no comment announces work", () => {
    const marks = ["biome-" + "ignore", "@ts-" + "ignore", "@ts-" + "expect-error", "TO" + "DO", "FIX" + "ME"];
    expect(all.filter(({ text }) => marks.some((mark) => text.includes(mark))).map(({ path }) => path)).toEqual([]);
  });
});

function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.(tsx?|mjs)$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort();
}

function sourceOf(path: string): Source {
  const text = readFileSync(join(root, path), "utf8");
  const code = text.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, "");
  const imports = [...code.matchAll(/\b(?:from|import)\s*\(?\s*"([^"]+)"/g)].map(([, target = ""]) =>
    target.startsWith(".") ? relative(root, join(root, dirname(path), target)) : target,
  );
  return { path, text, code, imports };
}

/** Strings that are data: sentences for people, which may give an example, hold blanks. */
function literals(code: string): readonly string[] {
  return (code.match(/"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g) ?? []).filter((text) => !/\s/.test(text));
}

function isSocket(target: string): boolean {
  return ["node:http", "node:https", "node:net", "node:tls", "node:dgram"].includes(target);
}

/** Folders that tools make and git ignores. */
const MADE_BY_TOOLS = ["node_modules", "build", "dist", "dist-tools", "coverage"];

/** Names of files that said nothing to a stranger, none may come back. */
const FORMER_NAMES =
  /\/(meet|memory|knots|promise|places|picture|removal-ways|mentioned|pointers|continued|closest|mirror|inverse|claim|course|lately|look|custody|twins|answers|by-hand|spot|marks|marking|remarks|sayable|meaning|notation|concrete|kept-code|optimisation|pace|command-making|tally|allowance|paint|fold|pictures)\.ts$/;

/** Words of ours that are fields of some kind as well: an order, the URL of a response, the beginning of a token of any kind. */
const OWN_WORDS = ["rank", "url", "prefix"];

/** A string that is one word, unless it names the purpose of a request, or a property of a value with the fields of a resource. */
const NAMED_FIELD = /(?<!purpose: )"([a-z_]+)"|\b(?:row|fields)\??\.([a-z_]+)\b/g;

/** The fields of a kind's resources that its row names. */
function fieldsOf({ identity, lifecycle, rule, fields }: Kind): readonly string[] {
  const { disable, exclusive, atLeastOnePer, derivedFromPosition, required } = lifecycle;
  const single = [identity.displayName, identity.pin, disable, exclusive, atLeastOnePer, derivedFromPosition];
  return [
    ...single,
    ...identity.keys,
    ...(required ?? []),
    ...Object.values(rule ?? {}),
    ...Object.keys(fields ?? {}),
  ].filter((name) => name !== undefined && name !== "id" && !OWN_WORDS.includes(name));
}
