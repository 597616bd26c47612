/** `get`: prints what is live, in the language of the files. It reads the settings, and works beside files with errors. */

import { documentText } from "../../config/edit/yaml-writer.ts";
import { addressIncludes, emptyConfiguration } from "../../config/resources/configuration.ts";
import { EXIT, Stop } from "../../core/exit-codes.ts";
import { misuse } from "../../core/flag-values.ts";
import type { Io } from "../../core/io.ts";
import type { Fields } from "../../core/json.ts";
import { quoted, sanitised } from "../../core/sanitise.ts";
import { suggest } from "../../core/suggest.ts";
import { kinds } from "../../kinds/index.ts";
import { type Kind, kindCalled, topKindOf } from "../../kinds/model/kind.ts";
import { addressOf, kindOfAddress } from "../../kinds/model/resource.ts";
import { reader } from "../../service/http/client.ts";
import { prettyJson } from "../../view/format/json.ts";
import { attemptText } from "../../view/run/text.ts";
import { resolve } from "../../workspace/match/resolve.ts";
import type { ResolvedState } from "../../workspace/match/resolved-state.ts";
import type { Console } from "../console/console.ts";
import type { LiveFormat } from "../console/formats.ts";
import { observeKinds, topOf } from "../pull/read-live.ts";
import { openService } from "../session/connect.ts";
import { loadBesideErrors } from "../session/load-configuration.ts";
import { readLock } from "../session/lock-file.ts";
import { noteRetry } from "../session/session.ts";
import { takeTokens } from "../session/tokens.ts";
import { environmentMask } from "./environment-mask.ts";
import type { GetOptions } from "./get-definition.ts";
import { liveValues } from "./live-values.ts";

/** The kinds and resources to print. */
interface Subject {
  /** The kinds to read, without those nested in them. */
  readonly kinds: readonly Kind[];
  /** The only kind to show; default: all. */
  readonly only?: Kind;
  /** An address, or the beginning of some. */
  readonly address?: string;
}

/** Prints the live resources. Exits with 6 if a kind that is asked for cannot be read, after printing the others. */
export async function get(options: GetOptions, io: Io, console: Console): Promise<number> {
  const subject = subjectOf(options.resource);
  const tokens = takeTokens(io.env);
  console.conceal([tokens.token, tokens.adminToken]);
  const configuration = await loadBesideErrors({ ...options, paths: [] }, io);
  console.conceal(configuration.secrets, "files");
  const { settings } = configuration;
  const service = await openService(options, tokens, settings, io, {
    warn: (line) => console.note(line),
    onRetry: (retry) => noteRetry(retry, console),
    ...(options.verbose === true ? { onEnd: (attempt) => console.note(attemptText(attempt)) } : {}),
  });
  try {
    const required = options.resource === undefined ? [] : subject.kinds.map(({ name }) => name);
    const observation = await observeKinds(reader(service.writer), subject.kinds, required);
    const { state } = resolve(emptyConfiguration(settings), kinds, observation);
    const selection = {
      state,
      takes: (address: string): boolean => isTaken(address, subject),
      mask: environmentMask(state, configuration, readLock(settings) ?? {}),
    };
    const shown = shownKinds(subject, state);
    const { document, addresses } = liveValues(shown, selection);
    if (subject.address !== undefined && addresses.length === 0) throw missing(subject.address, state);
    console.print(textOf(document, addresses, options.format));
    const unread = topOf(observation.unread).filter((name) => subject.kinds.some((kind) => kind.name === name));
    if (unread.length === 0) return EXIT.success;
    console.alert(`not shown, because this token cannot read them: ${unread.join(", ")}`);
    return EXIT.cannotSee;
  } finally {
    service.close();
  }
}

function subjectOf(typed: string | undefined): Subject {
  const top = kinds.filter(({ parent }) => parent === undefined);
  if (typed === undefined) return { kinds: top };
  const [, word = "", rest = ""] = /^([^/]*)\/?(.*)$/s.exec(typed) ?? [];
  const kind = kindCalled(kinds, word);
  if (kind === undefined) {
    const names = kinds.map(({ name }) => name);
    const guess = suggest(word, names);
    const meant = guess === undefined ? "" : ` (did you mean ${quoted(guess)}?)`;
    throw misuse(`there is no kind ${quoted(word)}${meant}; there are ${names.join(", ")}`);
  }
  const read = top.filter(({ name }) => name === topKindOf(kind));
  if (rest === "") return { kinds: read, ...(kind.parent === undefined ? {} : { only: kind }) };
  const [, scope = "", key = ""] = /^([^/]*)\/?(.*)$/s.exec(rest) ?? [];
  const address = kind.parent === undefined ? `${kind.name}/${rest}` : addressOf(kind, scope, key).replace(/\/$/, "");
  return { kinds: read, address };
}

function isTaken(one: string, { only, address }: Subject): boolean {
  if (only !== undefined && kindOfAddress(one, kinds) !== only) return false;
  return address === undefined || addressIncludes(address, one);
}

/** The kinds whose lists are printed: a nested kind itself, where the files may have its list apart and only its resources are taken. */
function shownKinds(subject: Subject, state: ResolvedState): readonly Kind[] {
  const every = kinds.flatMap(({ name }) => state.all(name));
  const taken = new Set(every.filter(({ address }) => isTaken(address, subject)).map(({ kind }) => kind));
  const [kind] = taken;
  const isApart = taken.size === 1 && kind?.parent?.apart === true;
  return isApart ? [kind] : subject.kinds;
}

function missing(address: string, state: ResolvedState): Stop {
  const known = kinds.flatMap(({ name }) => state.all(name)).map((live) => live.address);
  const guess = suggest(address, known);
  const meant = guess === undefined ? "" : `; did you mean ${quoted(guess)}?`;
  return new Stop(EXIT.error, `the workspace has no ${sanitised(address)}${meant}`);
}

function textOf(document: Fields, addresses: readonly string[], format: LiveFormat = "yaml"): string {
  if (format === "json") return prettyJson(document);
  return format === "yaml" ? documentText(document) : addresses.map((address) => `${sanitised(address)}\n`).join("");
}
