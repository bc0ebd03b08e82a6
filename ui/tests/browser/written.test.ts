/** Pages that the binary wrote, not made-up ones: what the tests of either side take for granted of
 * the other. `make test` has built it before. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Browser } from "../../fixtures/browser";
import { PLACEHOLDER, template } from "../../fixtures/page";
import { type Page } from "../../src/page";
import { emptyFigures, overflow, overlaps } from "./look";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const target = resolve(root, process.env["CARGO_TARGET_DIR"] ?? "target");
const tenbin = join(target, "debug/tenbin");

/** An example of the repository, with few enough nodes for a build that is not optimised. */
const SMALL = [
  ["cluster.nodes_per_rack", "6"],
  ["workload.blocks_on_lost_node", "40"],
].flatMap(([key, value]) => ["--set", `${key}=${value}`]);
const COMMANDS: Record<string, string[]> = {
  run: ["--scheduler", "optimistic", "--threads", "2"],
  compare: ["--seeds", "2", "--vary", "policy.rereplication=default,ring"],
};
const PARTS: Record<string, string[]> = {
  run: ["curves", "held", "heat", "balance", "without", "own"],
  compare: ["compare", "curves", "held", "heat", "balance"],
};
const SAYS: Record<string, RegExp> = {
  run: /^All 40 blocks are safe again .* after dn-r1-01 is declared dead\.$/,
  compare: /^2 seeds are too few to separate ring from default: it takes .* less\.$/,
};

const folder = mkdtempSync(join(tmpdir(), "tenbin-written-"));
const browser = new Browser();
const written: Record<string, { html: string; report: Page }> = {};
beforeAll(() => {
  if (!existsSync(tenbin)) throw new Error(`${tenbin} is missing: run cargo build -p tenbin`);
  for (const [command, more] of Object.entries(COMMANDS)) {
    const out = join(folder, command);
    const args = [command, join(root, "scenarios/s0.toml"), ...SMALL, ...more, "-o", out];
    execFileSync(tenbin, args, { stdio: ["ignore", "ignore", "inherit"] });
    const read = (name: string) => readFileSync(join(out, name), "utf8");
    written[command] = { html: read("report.html"), report: JSON.parse(read("report.json")) };
  }
});
afterAll(async () => {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
});

const words = (text: string | null): string =>
  (text ?? "").replaceAll("\u00a0", " ").replaceAll("\u2009", " ");

describe.each(Object.keys(COMMANDS))("what `tenbin %s` writes", (command) => {
  test("is the template of today with its data in it", () => {
    const { html, report } = written[command]!;
    const [head, foot] = PLACEHOLDER.split("{}") as [string, string];
    const start = html.indexOf(head) + head.length;
    const end = html.indexOf(foot, start);
    expect(JSON.parse(html.slice(start, end))).toEqual(report);
    const same = html.slice(0, start) + "{}" + html.slice(end) === template();
    expect(same, "the binary has older screens: run cargo build -p tenbin").toBe(true);
  });

  test("says its verdict and draws its charts", async () => {
    const { html, report } = written[command]!;
    const { page, troubles } = await browser.open(html, { width: 1280 });
    const said = words(await page.textContent("h1"));
    expect(said).toMatch(SAYS[command]!);
    expect(said).toBe(words(report.head.verdict.map((span) => span.t).join("")));
    const parts = await page.$$eval("section[data-part]", (all) =>
      all.map((s) => s.getAttribute("data-part")),
    );
    expect(parts).toEqual(PARTS[command]);
    // Words alone have no figure.
    const empty = await page.evaluate(emptyFigures);
    expect(empty.filter((part) => part !== "without")).toEqual([]);
    expect(await page.evaluate(overlaps)).toEqual([]);
    expect(await page.evaluate(overflow, false)).toEqual([]);
    expect(troubles).toEqual([]);
  });

  test.each(["#/rack/rack1", "#/node/dn-r1-02", "#/transfers", "#/nodes"])(
    "goes down to %s",
    async (hash) => {
      const { page, troubles } = await browser.open(written[command]!.html, { width: 1280 }, hash);
      expect(words(await page.textContent("h1"))).not.toMatch(/There is no|No data/);
      expect(await page.locator("section[data-part]").count()).toBeGreaterThan(0);
      expect(await page.evaluate(emptyFigures)).toEqual([]);
      expect(troubles).toEqual([]);
    },
  );
});

describe("what `tenbin diff` writes of two runs", () => {
  test.each([800, 1280, 1920])("answers above its curves at %i pixels", async (width) => {
    const out = join(folder, "diff");
    const args = ["diff", join(folder, "run"), join(folder, "compare"), "-o", out];
    execFileSync(tenbin, args, { stdio: ["ignore", "ignore", "inherit"] });
    const html = readFileSync(join(out, "report.html"), "utf8");
    const { page, troubles } = await browser.open(html, { width });
    const said = words(await page.textContent("h1"));
    expect(said).toMatch(/^No difference: the recovery of compare is .* than that of run/);
    const parts = await page.$$eval("section[data-part]", (all) =>
      all.map((s) => s.getAttribute("data-part")),
    );
    const wanted = ["ended", "at_risk", "settings", "parting", "held", "figures"];
    expect(parts).toEqual([...wanted, "resources", "nodes"]);
    const below = await page.locator("[data-part=ended] svg").boundingBox();
    if (width >= 1280) expect(below!.y + below!.height).toBeLessThan(900);
    // Words alone have no figure.
    const empty = await page.evaluate(emptyFigures);
    expect(empty.filter((part) => part !== "parting" && part !== "settings")).toEqual([]);
    expect(await page.evaluate(overlaps)).toEqual([]);
    expect(await page.evaluate(overflow, width < 1024)).toEqual([]);
    expect(troubles).toEqual([]);
    await page.close();
  });
});
