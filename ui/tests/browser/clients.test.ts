/** What clients pay: their latencies, and what a plan's settings cost them. */
import { afterAll, describe, expect, test } from "vitest";
import { Browser, settle } from "../../fixtures/browser";
import { FIXTURES } from "../../fixtures/index";
import { fill, template } from "../../fixtures/page";
import { type Report } from "../../fixtures/report";
import { emptyFigures, overflow, overlaps } from "./look";

const browser = new Browser();
afterAll(() => browser.close());
const open = (name: string, look: { width: number; theme?: "light" | "dark" }, hash = "") =>
  browser.open(filled(FIXTURES[name]!()), look, hash);
const filled = (report: Report): string => fill(template(), report);
const words = (text: string | null): string => (text ?? "").replaceAll("\u00a0", " ");

test("reports without clients have neither part", async () => {
  const { page } = await open("shop", { width: 1280 });
  expect(await page.locator("[data-part=clients], [data-part=trade]").count()).toBe(0);
});

describe.each(["light", "dark"] as const)("%s", (theme) => {
  test.each([800, 1280, 1920])("rows are full at %i, and end together", async (width) => {
    for (const name of ["clients", "plan"]) {
      const { page, troubles } = await open(name, { width, theme });
      const right = await page.$$eval("section[data-part]", (all) => {
        const rows = new Map<number, number>();
        for (const s of all) {
          const { top, right } = s.getBoundingClientRect();
          rows.set(Math.round(top), Math.max(rows.get(Math.round(top)) ?? 0, Math.round(right)));
        }
        return [...new Set(rows.values())];
      });
      expect(right, name).toHaveLength(1);
      expect(await page.evaluate(overlaps)).toEqual([]);
      expect(troubles).toEqual([]);
      await page.close();
    }
  });
});

describe("latencies of clients", () => {
  test("the moments, the level before and the sentence stand on it", async () => {
    const { page } = await open("clients", { width: 1280 });
    const part = words(await page.textContent("[data-part=clients]"));
    for (const said of ["declared dead", "all safe", "before 556 ms", "p99", "p50", "+66 %"])
      expect(part).toContain(said);
    expect(part).toContain("each second; since declared dead; now, seed 1");
  });

  test("one crosshair with the other charts; keys and pointer say its values", async () => {
    const { page } = await open("clients", { width: 1280 });
    await page.hover("[data-part=clients] .fig", { position: { x: 420, y: 150 } });
    expect(await page.$$eval(".cross", (all) => all.length)).toBeGreaterThanOrEqual(3);
    expect(words(await page.textContent(".tip"))).toMatch(
      /^−?\d.*p99\d+ ms( the longest)? of \d+ requests p50210 ms of \d+ requests$/,
    );
    await page.focus("[data-part=clients] .fig");
    await page.keyboard.press("Home");
    const said = await page.getAttribute("[data-part=clients] .fig", "aria-valuetext");
    expect(words(said)).toMatch(/^−\d+\.\d s: p99 \d+ ms, p50 210 ms$/);
  });

  test("a zoom before the declaration leaves the other charts their own time", async () => {
    const { page, troubles } = await open("clients", { width: 1280 }, "#/?t=-10.00~5.00");
    const tag = (part: string) => page.textContent(`[data-part=${part}] h2 button`);
    expect(words(await tag("clients"))).toBe("only −10.0–5.0 s; show all");
    expect(words(await tag("risk"))).toBe("only 0.0–5.0 s; show all");
    expect(await page.evaluate(emptyFigures)).toEqual([]);
    expect(troubles).toEqual([]);
  });

  test("few requests: no level before, a point alone is a dot, none is a sentence", async () => {
    const report = FIXTURES["clients"]!();
    const data = report.foreground!;
    const [point] = data.points;
    const less = { before_p99_ms: null, before_p50_ms: null, note: [] };
    for (const points of [[point!], []]) {
      const foreground = { ...data, ...less, points };
      const { page, troubles } = await browser.open(filled({ ...report, foreground }), {
        width: 1280,
      });
      expect(await page.evaluate(emptyFigures)).toEqual([]);
      expect(await page.evaluate(overlaps)).toEqual([]);
      expect(await page.textContent("[data-part=clients]")).not.toContain("before");
      expect(troubles).toEqual([]);
    }
  });
});

describe("what the repair costs clients", () => {
  const part = "[data-part=trade]";

  test("is the first picture, whole at 1280 × 900, before all others", async () => {
    const { page } = await open("plan", { width: 1280 });
    const parts = await page.$$eval("section[data-part]", (all) =>
      all.map((s) => s.getAttribute("data-part")),
    );
    expect(parts).toEqual(["trade", "risk", "shares", "clients", "heat", "balance", "compare"]);
    const bottom = await page.$eval(
      `${part} svg[role=group]`,
      (n) => n.getBoundingClientRect().bottom,
    );
    expect(bottom).toBeLessThanOrEqual(880);
  });

  test("now, recommended and the ends of the front are named, five at most", async () => {
    for (const width of [800, 1280, 1920]) {
      const { page } = await open("plan", { width });
      const said = words(await page.textContent(`${part} .fig`));
      for (const name of ["now", "multiplier 1, max-streams 4, recommended", "gentler", "sooner"])
        expect(said).toContain(name);
      for (const level of ["no repair: 556 ms", "goal: at most 612 ms", "goal: within 90.0 s"])
        expect(said).toContain(level);
      expect(said).toContain("disk");
      expect(said).toMatch(/max-streams = \d/);
      const front = FIXTURES["plan"]!().trade!.points.filter((p) => p.front);
      const named = front.filter((p) => said.includes(p.name)).length;
      expect(named).toBeGreaterThan(1);
      expect(named).toBeLessThanOrEqual(5);
    }
  });

  test("further left is sooner and lower is gentler: dots lie as their figures", async () => {
    const { page } = await open("plan", { width: 1280 });
    const { points } = FIXTURES["plan"]!().trade!;
    const dots = await page.$$eval(`${part} [data-mark]`, (all) =>
      all.map((n) => {
        const box = n.querySelector("circle")!.getBoundingClientRect();
        const i = Number((n as SVGElement).dataset["mark"]!.replace("trade-", ""));
        return { i, x: box.x + box.width / 2, y: box.y + box.height / 2 };
      }),
    );
    expect(dots).toHaveLength(points.length);
    for (const a of dots)
      for (const b of dots) {
        const [p, q] = [points[a.i]!, points[b.i]!];
        if (p.recovery_s.mean < q.recovery_s.mean - 0.5) expect(a.x).toBeLessThan(b.x);
        if (p.p99_ms.mean < q.p99_ms.mean - 20) expect(a.y).toBeGreaterThan(b.y);
      }
  });

  test("all figures of a point are reached by pointer and key", async () => {
    const { page } = await open("plan", { width: 1280 });
    await page.focus(`${part} [data-mark][tabindex='0']`);
    await page.keyboard.press("End");
    await settle(page);
    const tip = words(await page.textContent(".tip"));
    expect(tip).toContain("now: present settings");
    expect(tip).toMatch(/rebuild time \d+\.\d s ± 0\.8 s/);
    expect(tip).toMatch(/p99 during the repair \d\.\d\d s ± 90 ms, \+\d+ % against no repair/);
    expect(tip).toContain("limited by dfs.namenode.replication.work.multiplier.per.iteration = 2");
    const all = await page.$$eval(`${part} [data-mark]`, (marks) =>
      marks.map((m) => m.getAttribute("aria-label") ?? ""),
    );
    expect(all.filter((label) => /: recommended(;|,)/.test(label))).toHaveLength(1);
    expect(all.filter((label) => label.includes("HDFS has no code"))).toHaveLength(6);
  });

  test("one point, no clients over time, no wish: still a whole page", async () => {
    const { foreground: _, trade, ...report } = FIXTURES["plan"]!();
    const points = trade!.points.filter((p) => p.role === "now");
    for (const some of [points, []]) {
      const one = { ...trade!, points: some, most_p99_ms: null, within_s: null };
      const { page, troubles } = await browser.open(filled({ ...report, trade: one }), {
        width: 1920,
      });
      expect(await page.evaluate(emptyFigures)).toEqual([]);
      expect(await page.evaluate(overflow, false)).toEqual([]);
      expect(await page.evaluate(overlaps)).toEqual([]);
      expect(troubles).toEqual([]);
    }
  });

  test("paper has both, unbroken, inside of the sheet", async () => {
    const { page } = await open("plan", { width: 1280, theme: "dark" });
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    for (const name of ["trade", "clients"])
      expect(await page.isVisible(`[data-part=${name}] svg text`)).toBe(true);
    expect(await page.evaluate(overlaps)).toEqual([]);
    const pdf = await page.pdf({ preferCSSPageSize: true });
    const sheets = pdf.toString("latin1").match(/\/Type\s*\/Page\b/g)?.length ?? 0;
    expect(sheets).toBeGreaterThanOrEqual(2);
    expect(sheets).toBeLessThanOrEqual(6);
  });
});
