/** Writes a seed file from a workspace. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { declarableFields } from "../../config/edit/declarable.ts";
import { documentText } from "../../config/edit/yaml-writer.ts";
import { load } from "../../config/load/load.ts";
import type { Fields } from "../../core/json.ts";
import { kinds } from "../../kinds/index.ts";
import type { LiveResource } from "../../kinds/model/resource.ts";
import type { Reader } from "../../service/requests/connection.ts";
import { resolve } from "../../workspace/match/resolve.ts";
import { liveFiles, type OmittedValue } from "../pull/live-document.ts";
import { observeKinds, topOf } from "../pull/read-live.ts";

/** A seed file, and the values that no file can hold. */
export interface ExportedSeed {
  readonly text: string;
  readonly omitted: readonly OmittedValue[];
}

/** The seed of a workspace: its configuration, read as `pull` reads it, and its people and incidents. */
export async function exportedSeed(reader: Reader, data: Fields): Promise<ExportedSeed> {
  const top = kinds.filter(({ name }) => topOf([name]).includes(name));
  const observation = await observeKinds(
    reader,
    top,
    top.map(({ name }) => name),
  );
  const { state } = resolve(await emptyConfiguration(), kinds, observation);
  const fileFields = (resource: LiveResource) => declarableFields(resource, kinds);
  const { files, omitted } = liveFiles({ kinds: top, state, fileFields, refused: new Set() });
  const configuration = files.map(({ text }) => indented(text)).join("\n");
  const head = "version: 1\nbase: bare\n\nconfiguration:\n";
  return { text: `${head}${configuration}\n${documentText(data)}`, omitted };
}

async function emptyConfiguration(): ReturnType<typeof load> {
  const folder = await mkdtemp(join(tmpdir(), "incidentctl-export-"));
  try {
    return await load([folder], { kinds, env: {}, cwd: folder, contentOverrides: new Map() });
  } finally {
    await rm(folder, { recursive: true });
  }
}

function indented(text: string): string {
  return text.replace(/^(?=.)/gm, "  ");
}
