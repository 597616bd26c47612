/** The commands of the program. */

import { apply } from "../apply/apply-definition.ts";
import { resume } from "../apply/resume-definition.ts";
import * as ci from "../ci/ci-definition.ts";
import { type Command, command } from "../command/definition.ts";
import { conformance } from "../conformance/conformance-definition.ts";
import { doctor } from "../doctor/doctor-definition.ts";
import { accept } from "../drift/accept-definition.ts";
import { drift } from "../drift/drift-definition.ts";
import { explain } from "../files/explain-definition.ts";
import { fmt } from "../files/fmt-definition.ts";
import { refs } from "../files/refs-definition.ts";
import { schema } from "../files/schema-definition.ts";
import { validate } from "../files/validate-definition.ts";
import { get } from "../get/get-definition.ts";
import { init } from "../init/init-definition.ts";
import { lsp } from "../lsp/lsp-definition.ts";
import { diff } from "../plan/diff-definition.ts";
import { impact } from "../plan/impact-definition.ts";
import { plan } from "../plan/plan-definition.ts";
import { render } from "../plan/render-definition.ts";
import { show } from "../plan/show-definition.ts";
import { test } from "../plan/test-definition.ts";
import { pull } from "../pull/pull-definition.ts";
import { rehearse } from "../rehearse/rehearse-definition.ts";
import { rotate } from "../rotate/rotate-definition.ts";
import { emulator, emulatorExport } from "../serve/emulator-definition.ts";
import { undo } from "../undo/undo-definition.ts";
import { completion } from "./completion-definition.ts";
import { version } from "./version-definition.ts";

/** A group of commands in the help. */
interface Group {
  readonly title: string;
  readonly commands: readonly Command[];
}

const GROUPS: readonly Group[] = [
  {
    title: "Every day",
    commands: [
      command(init, async () => (await import("../init/init-command.ts")).init),
      command(pull, async () => (await import("../pull/pull-command.ts")).pull),
      command(validate, async () => (await import("../files/validate-command.ts")).validate),
      command(plan, async () => (await import("../plan/plan-command.ts")).plan),
      command(apply, async () => (await import("../apply/apply-command.ts")).apply),
      command(drift, async () => (await import("../drift/drift-command.ts")).drift, [
        command(accept, async () => (await import("../drift/accept-command.ts")).accept),
      ]),
      command(test, async () => (await import("../plan/test-command.ts")).test),
    ],
  },
  {
    title: "Look closer",
    commands: [
      command(get, async () => (await import("../get/get-command.ts")).get),
      command(refs, async () => (await import("../files/refs-command.ts")).refs),
      command(show, async () => (await import("../plan/show-command.ts")).show),
      command(rehearse, async () => (await import("../rehearse/rehearse-command.ts")).rehearse),
      command(impact, async () => (await import("../plan/impact-command.ts")).impact),
      command(diff, async () => (await import("../plan/diff-command.ts")).diff),
      command(render, async () => (await import("../plan/render-command.ts")).render),
      command(explain, async () => (await import("../files/explain-command.ts")).explain),
    ],
  },
  {
    title: "Recover",
    commands: [
      command(resume, async () => (await import("../apply/resume-command.ts")).resume),
      command(rotate, async () => (await import("../rotate/rotate-command.ts")).rotate),
      command(undo, async () => (await import("../undo/undo-command.ts")).undo),
      command(doctor, async () => (await import("../doctor/doctor-command.ts")).doctor),
    ],
  },
  {
    title: "Build on it",
    commands: [
      command(fmt, async () => (await import("../files/fmt-command.ts")).fmt),
      command(lsp, async () => (await import("../lsp/lsp-command.ts")).lsp),
      command(schema, async () => (await import("../files/schema-command.ts")).schema),
      command(emulator, async () => (await import("../serve/emulator-command.ts")).emulator, [
        command(emulatorExport, async () => (await import("../serve/export-workspace.ts")).exportWorkspace),
      ]),
      command(ci.ci, async () => (await import("../ci/ci-command.ts")).ci, [
        command(ci.review, async () => (await import("../ci/review-command.ts")).review),
        command(ci.apply, async () => (await import("../ci/apply/apply-command.ts")).apply),
        command(ci.drift, async () => (await import("../ci/drift-command.ts")).drift),
        command(ci.pull, async () => (await import("../ci/pull-command.ts")).pull),
        command(ci.notify, async () => (await import("../ci/notify-command.ts")).notify),
      ]),
      command(conformance, async () => (await import("../conformance/conformance-command.ts")).conformance),
      command(completion, async () => (await import("./completion-command.ts")).completion),
      command(version, async () => (await import("./version-command.ts")).printVersion),
    ],
  },
];

/** Every command, in the order of the help, with its group there. */
export const COMMANDS: readonly Command[] = GROUPS.flatMap(({ title, commands }) =>
  commands.map((one) => ({ ...one, group: title })),
);
