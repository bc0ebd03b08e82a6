/** The analyser's pages as the binary writes them from a real job's history and from a simulated
 * run: every view is drawn, and each is reached as a reader reaches it. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type Page as Tab } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Browser, settle } from "../../fixtures/browser";
import { type Page } from "../../src/page";
import { emptyFigures, overflow, overlaps } from "./look";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const target = resolve(root, process.env["CARGO_TARGET_DIR"] ?? "target");
const tenbin = join(target, "debug/tenbin");
const folder = mkdtempSync(join(tmpdir(), "tenbin-job-"));
const browser = new Browser();
const pages: Record<string, { html: string; page: Page }> = {};

beforeAll(() => {
  if (!existsSync(tenbin)) throw new Error(`${tenbin} is missing: run cargo build -p tenbin`);
  const run = (...line: string[]): void => {
    execFileSync(tenbin, line, { stdio: ["ignore", "ignore", "inherit"] });
  };
  const small = ["jobs=2", "input_bytes=1GB", "maps=8", "reduces=4"];
  const sets = small.flatMap((set) => ["--set", `workload.${set}`]);
  run("import", "mapreduce", join(root, "examples/terasort"), "-o", join(folder, "real"));
  run("run", join(root, "scenarios/mapreduce-lab.toml"), ...sets, "-o", join(folder, "simulated"));
  for (const name of ["real", "simulated"]) {
    const read = (file: string) => readFileSync(join(folder, name, file), "utf8");
    pages[name] = { html: read("report.html"), page: JSON.parse(read("report.json")) };
  }
});
afterAll(async () => {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
});

const hash = (tab: Tab): Promise<string> => tab.evaluate(() => location.hash);
const open = (name: string, width = 1280, at = "") =>
  browser.open(pages[name]!.html, { width }, at);

describe.each(["real", "simulated"])("%s", (name) => {
  test.each([1280, 800])("every view is drawn at %i", async (width) => {
    const { page: data } = pages[name]!;
    const views = [{ at: "", sections: data.sections }].concat(
      data.drill.map((below) => ({ at: `#/${below.path}`, sections: below.sections })),
    );
    for (const { at, sections } of views) {
      const { page, troubles } = await open(name, width, at);
      const parts = await page.$$eval("section[data-part]", (all) =>
        all.map((n) => n.getAttribute("data-part")),
      );
      expect(parts, at).toEqual(sections.map((s) => s.id));
      const empty = (await page.evaluate(emptyFigures)).filter((part) => part !== "why");
      expect(empty, at).toEqual([]);
      expect(await page.evaluate(overlaps), at).toEqual([]);
      expect(await page.evaluate(overflow, width < 1024), at).toEqual([]);
      expect(troubles, at).toEqual([]);
      await page.close();
    }
  });
});

describe("the job's page", () => {
  test("a task is found by its name and shows its attempts; back leads to all", async () => {
    const { page, troubles } = await open("real");
    await page.keyboard.press("/");
    await page.keyboard.type("m_000003");
    await settle(page);
    expect(await page.locator("[data-part=find] li a").allTextContents()).toEqual(["m_000003"]);
    await page.keyboard.press("Enter");
    await settle(page);
    expect(await hash(page)).toBe("#/task/job_1795197530166_0002/m_000003");
    expect(await page.textContent("h1")).toContain("m_000003");
    expect(await page.locator("[data-part=attempts] [data-mark]").count()).toBeGreaterThan(0);
    await page.click("[data-part=back]");
    await settle(page);
    expect(await page.locator("[data-part=path]").count()).toBe(1);
    expect(troubles).toEqual([]);
    await page.close();
  });

  test("what is not there is said, Esc clears, and keys of charts are not typed", async () => {
    const { page } = await open("real");
    await page.fill("[data-part=find] input", "wasd");
    await settle(page);
    expect(await page.textContent("[data-part=find] ul")).toBe("No match.");
    await page.keyboard.press("Escape");
    await settle(page);
    expect(await page.inputValue("[data-part=find] input")).toBe("");
    expect(await hash(page)).toBe("");
    await page.close();
  });

  test("a bar of the Gantt leads to its task, a step of the critical path too", async () => {
    const { page } = await open("real");
    const row = page.locator("[data-part=tasks] [data-mark^='row-']").first();
    for (let i = 0; i < 2; i++) {
      await row.click({ position: { x: 20, y: 8 } });
      await settle(page);
    }
    expect(await hash(page)).toMatch(/^#\/(task|node)\//);
    await page.close();
  });

  test("W zooms all charts over time, and the address keeps it", async () => {
    const { page } = await open("real");
    await page.hover("[data-part=tasks] .fig", { position: { x: 500, y: 60 } });
    await page.keyboard.press("w");
    await settle(page);
    const zoomed = await hash(page);
    expect(zoomed).toContain("t=");
    expect(await page.textContent("[data-part=path] h2")).toContain("show all");
    await page.close();
    const again = await open("real", 1280, zoomed);
    expect(await again.page.textContent("[data-part=path] h2")).toContain("show all");
    await again.page.close();
  });
});
