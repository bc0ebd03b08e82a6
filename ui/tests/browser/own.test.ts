/** Where the time of the run itself went: a bar a thread. */
import { afterAll, describe, expect, test } from "vitest";
import { Browser, settle } from "../../fixtures/browser";
import { FIXTURES } from "../../fixtures/index";
import { fill, template } from "../../fixtures/page";
import { crewOf, TWO, withThreads } from "../../fixtures/threads";
import { type Parallel } from "../../fixtures/report";
import { emptyFigures, overflow, overlaps } from "./look";

const PART = "[data-part=own]";
const browser = new Browser();
afterAll(() => browser.close());
const base = FIXTURES["single"]!();
const open = (parallel: Parallel, look: { width: number; theme?: "light" | "dark" }) =>
  browser.open(fill(template(), withThreads(base, parallel)), look);
const words = (text: string | null): string =>
  (text ?? "").replaceAll("\u00a0", " ").replaceAll("\u2060", "").replaceAll("\u2009", " ");

test("of one thread there is no such part; else it is the last, before provenance", async () => {
  const { page } = await browser.open(fill(template(), base), { width: 1280 });
  expect(await page.locator(PART).count()).toBe(0);
  for (const width of [800, 1280, 1920]) {
    const { page } = await open(TWO, { width });
    const parts = await page.$$eval("main [data-part]", (all) =>
      all.map((n) => ({ part: n.getAttribute("data-part"), top: n.getBoundingClientRect().top })),
    );
    expect(parts.slice(-3).map((p) => p.part)).toEqual(["compare", "own", "provenance"]);
    expect(parts.slice(0, -2).every((p) => p.top < parts.at(-2)!.top)).toBe(true);
    expect(parts.at(-2)!.top).toBeLessThan(parts.at(-1)!.top);
    await page.close();
  }
});

describe("bars", () => {
  const barsOf = async (parallel: Parallel) => {
    const { page } = await open(parallel, { width: 1280 });
    return page.$$eval(`${PART} [data-mark^=thread-]`, (all) =>
      all.map((mark) => ({
        top: mark.getBoundingClientRect().top,
        parts: [...mark.querySelectorAll("rect:not(.hit)")].map((n) => {
          const { left, right } = n.getBoundingClientRect();
          return [left, right] as [number, number];
        }),
      })),
    );
  };

  test.each([
    [2, TWO],
    [64, crewOf(1, 64)],
    [64, crewOf(8, 8)],
  ])("%i threads in their order, as long as their times, end to end", async (n, parallel) => {
    const bars = await barsOf(parallel);
    expect(bars).toHaveLength(n);
    const of = (i: number) => {
      const { worked_s, undone_s, waited_s } = parallel.threads[i]!;
      return [worked_s, undone_s, waited_s];
    };
    const whole = (i: number) => of(i).reduce((a, b) => a + b, 0);
    const [first] = bars;
    const perSecond = (first!.parts[2]![1] - first!.parts[0]![0]) / whole(0);
    bars.forEach(({ top, parts }, i) => {
      if (i > 0) expect(top).toBeGreaterThan(bars[i - 1]!.top);
      expect(parts[0]![0]).toBeCloseTo(first!.parts[0]![0], 1);
      parts.forEach(([left, right], k) => {
        expect(Math.abs(right - left - of(i)[k]! * perSecond)).toBeLessThan(0.1);
        if (k > 0) expect(left).toBeCloseTo(parts[k - 1]![1], 1);
      });
    });
  });

  test("few threads have their times beside them, 64 are thin and fit the window", async () => {
    const few = await open(TWO, { width: 1280 });
    const said = words(await few.page.textContent(`${PART} .fig`));
    for (const t of ["worked, s", "undone, s", "waited, s", "60 %", "40 %", "thread 1", "8.0"])
      expect(said).toContain(t);
    const many = await open(crewOf(8, 8), { width: 1280 });
    const high = await many.page.$eval(PART, (n) => n.getBoundingClientRect().height);
    expect(high).toBeLessThan(600);
    const names = await many.page.$$eval(`${PART} [data-mark^=thread-] text`, (all) =>
      all.map((n) => n.textContent),
    );
    expect(names).toEqual(Array.from({ length: 8 }, (_, i) => `rank ${i}, thread 0`));
  });

  test("shares of all time are those of the sentence", async () => {
    const parallel = crewOf(1, 64);
    const { page } = await open(parallel, { width: 1280 });
    const label = words(await page.getAttribute(`${PART} [data-mark=all]`, "aria-label"));
    const undone = words(parallel.sentence).match(/^\d+ %/)![0];
    expect(label).toContain(`undone ${undone}`);
  });
});

describe("words", () => {
  test("a sentence first, what one can type set so, then the figures", async () => {
    const { page } = await open(crewOf(2, 4), { width: 1280 });
    expect(await page.textContent(`${PART} .said`)).toBe(crewOf(2, 4).sentence);
    expect(await page.$$eval(`${PART} .said code`, (all) => all.map((n) => n.textContent))).toEqual(
      ["--scheduler conservative"],
    );
    expect(words(await page.textContent(`${PART} .facts`))).toMatch(
      /^optimistic·2 processes × 4 threads·98 765 rounds, .*committed·efficiency \d+\.\d %·at most/,
    );
  });

  test("all figures of a thread are reached by pointer and key", async () => {
    const { page } = await open(crewOf(1, 64), { width: 1280 });
    await page.focus(`${PART} [data-mark][tabindex='0']`);
    await page.keyboard.press("End");
    await settle(page);
    expect(await page.evaluate(() => (document.activeElement as SVGElement).dataset["mark"])).toBe(
      "thread-63",
    );
    const shown = words(await page.textContent(".tip"));
    for (const line of [
      /thread 63: \d+ LPs/,
      /worked \d+\.\d\d s, undone \d+\.\d\d s, waited \d+\.\d\d s/,
      /[\d ]+ events committed; longest history [\d ]+/,
      /[\d ]+ speculative, [\d ]+ of them rolled back/,
    ])
      expect(shown).toMatch(line);
    await page.keyboard.press("Escape");
    await page.hover(`${PART} [data-mark=thread-0]`);
    expect(words(await page.textContent(".tip"))).toContain("thread 0: ");
    const plain = await open(TWO, { width: 1280 });
    await plain.page.hover(`${PART} [data-mark=thread-1]`);
    expect(words(await plain.page.textContent(".tip"))).toContain("none speculative");
  });

  test("the table unfolds, a row a thread, in their order", async () => {
    const parallel = crewOf(8, 8);
    const { page, troubles } = await open(parallel, { width: 800 });
    await page.click(`${PART} summary`);
    await settle(page);
    const rows = await page.$$eval(`${PART} tbody tr`, (all) =>
      all.map((row) => [...row.querySelectorAll("td")].map((cell) => cell.textContent)),
    );
    expect(rows.map((r) => r[0])).toEqual(parallel.threads.map((t) => t.name));
    const { lps, committed, worked_s } = parallel.threads[9]!;
    const digits = (t: string | null | undefined) => Number(words(t ?? "").replaceAll(" ", ""));
    expect([1, 2, 6].map((i) => digits(rows[9]![i]))).toEqual([
      lps,
      committed,
      Number(worked_s.toFixed(1)),
    ]);
    expect(await page.evaluate(overflow, true)).toEqual([]);
    expect(troubles).toEqual([]);
  });
});

describe.each(["light", "dark"] as const)("%s", (theme) => {
  test.each([800, 1280, 1920])("nothing lies on another at %i", async (width) => {
    const [thread] = TWO.threads;
    const still = { ...thread!, committed: 0, worked_s: 0, undone_s: 0, waited_s: 0 };
    const edges = [TWO, crewOf(1, 25), crewOf(1, 64), crewOf(2, 100)];
    const idle = { ...TWO, rounds: 0, sentence: "", threads: [still, still] };
    for (const parallel of [...edges, idle, { ...TWO, threads: [] }]) {
      const { page, troubles } = await open(parallel, { width, theme });
      expect(await page.evaluate(overlaps)).toEqual([]);
      expect(await page.evaluate(overflow, width < 1024)).toEqual([]);
      expect(await page.evaluate(emptyFigures)).toEqual([]);
      expect(await page.textContent(PART)).not.toMatch(/NaN|Infinity|undefined/);
      expect(troubles).toEqual([]);
      await page.close();
    }
  });
});

test("paper has the bars, and no table that is folded", async () => {
  const { page } = await open(crewOf(8, 8), { width: 1280, theme: "dark" });
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  expect(await page.isVisible(`${PART} svg text`)).toBe(true);
  expect(await page.isVisible(`${PART} summary`)).toBe(false);
  expect(await page.evaluate(overlaps)).toEqual([]);
  const pdf = await page.pdf({ preferCSSPageSize: true });
  const sheets = pdf.toString("latin1").match(/\/Type\s*\/Page\b/g)?.length ?? 0;
  expect(sheets).toBeGreaterThanOrEqual(2);
  expect(sheets).toBeLessThanOrEqual(5);
});
