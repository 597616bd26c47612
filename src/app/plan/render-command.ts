/** `render`: prints the effective configuration. It uses no network. */

import { effectiveDocument } from "../../config/edit/effective-document.ts";
import { documentText } from "../../config/edit/yaml-writer.ts";
import { EXIT } from "../../core/exit-codes.ts";
import type { Io } from "../../core/io.ts";
import { MASK } from "../../core/value-text.ts";
import { kinds } from "../../kinds/index.ts";
import { prettyJson } from "../../view/format/json.ts";
import type { Console } from "../console/console.ts";
import { loadConfiguration } from "../session/load-configuration.ts";
import type { RenderOptions } from "./render-definition.ts";

/** Prints the configuration with overlays and variables resolved. Values from the environment are masked. */
export async function render(options: RenderOptions, io: Io, console: Console): Promise<number> {
  const document = effectiveDocument(await loadConfiguration(options, io, console), kinds, MASK);
  console.print(options.format === "json" ? prettyJson(document) : documentText(document));
  return EXIT.success;
}
