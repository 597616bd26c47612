/** `refs`: lists what references a resource, in the files and in the workspace, and how many incidents use it. */

import { EXIT } from "../../core/exit-codes.ts";
import { address as checkAddress } from "../../core/flag-values.ts";
import type { Io } from "../../core/io.ts";
import { kinds } from "../../kinds/index.ts";
import { refsJson, refsText } from "../../view/workspace/refs.ts";
import { findReferrers } from "../../workspace/read/find-referrers.ts";
import type { Console } from "../console/console.ts";
import { openReading } from "../session/session.ts";
import type { RefsOptions } from "./refs-definition.ts";

/** Prints the referrers. An address that is neither declared nor live is an error. */
export async function refs(options: RefsOptions, io: Io, console: Console): Promise<number> {
  const names = kinds.map(({ name }) => name);
  const address = checkAddress("ADDRESS", options.address, names);
  const session = await openReading(options, io, console, { mayBeEmpty: true });
  try {
    const { configuration, reader, parallelism } = session;
    const result = await findReferrers(reader, kinds, configuration, address, parallelism);
    console.print(options.format === "json" ? refsJson(result) : refsText(result));
    return EXIT.success;
  } finally {
    session.close();
  }
}
