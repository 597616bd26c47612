import { describe, expect, test } from "vitest";
import { plan } from "../../../src/app/plan/plan-command.ts";
import { AcceptingStage, CONFIG } from "./accepting-stage.ts";

const stage = new AcceptingStage();
const { opened, rename, accepted } = stage;

/** The picture of the severities on the page of the plan: the words on each side from top to bottom, and what is drawn as moved. */
async function pictured(): Promise<{ now: string[]; planned: string[]; moved: string[] }> {
  const { exit, stdout, stderr } = await stage.world.run(plan, { paths: [], format: "html" });
  expect(exit, stderr).toBe(0);
  const [, drawing = ""] = /<svg [^>]*aria-label="severities in order[^>]*>(.*?)<\/svg>/s.exec(stdout) ?? [];
  const boxes = [
    ...drawing.matchAll(/<title>([^<]*)<\/title><rect class="rung ([a-z]*)" x="(\d+)".*?>(\d+ {2}[^<]*)<\/text>/gs),
  ];
  const side = (isFirst: boolean) =>
    boxes
      .filter(([, , , x]) => (x === "1") === isFirst)
      .map(([, , , , text = ""]) => text)
      .sort();
  const moved = boxes.filter(([, , state]) => state === "moved").map(([, address = ""]) => address);
  return { now: side(true), planned: side(false), moved: [...new Set(moved)] };
}

const order = async (...slugs: readonly string[]): Promise<void> => {
  for (const [at, slug] of slugs.entries())
    await stage.world.send("PATCH", `/api/v1/severities/${slug}`, { position: at + 1 });
};

describe("the picture of an ordered list", () => {
  test("shows the live name now, and leaves an accepted name and an accepted order as they are", async () => {
    await opened();
    await rename("critical", "SEV1");
    await order("major", "critical", "minor");
    await accepted("severities/critical");
    await stage.world.write({ "config.yaml": CONFIG.replace("name: Minor", "name: Small") });
    const list = (last: string) => ["1  Major", "2  SEV1", `3  ${last}`];
    expect(await pictured()).toEqual({ now: list("Minor"), planned: list("Small"), moved: [] });
  });

  test("marks the resources that the plan moves, and no other", async () => {
    await opened();
    await rename("critical", "SEV1");
    await order("minor", "critical", "major");
    await stage.world.send("PATCH", "/api/v1/severities/major", { enabled: false });
    const { stdout } = await stage.world.run(plan, { paths: [] });
    const moved = [...stdout.matchAll(/^ {2}> (\S+)/gm)].map(([, address]) => address);
    expect(moved).toHaveLength(1);
    const picture = await pictured();
    expect(picture.now).toEqual(["1  Minor", "2  SEV1"]);
    expect(picture.planned).toEqual(["1  Critical", "2  Major", "3  Minor"]);
    expect(picture.moved).toEqual(moved);
  });
});
