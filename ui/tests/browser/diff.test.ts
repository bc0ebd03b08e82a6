/** Two runs on one page: drawn, inside the window, no label on another. */
import { afterAll, describe, expect, test } from "vitest";
import { Browser } from "../../fixtures/browser";
import { makeDiff } from "../../fixtures/diff";
import { fill, template } from "../../fixtures/page";
import { emptyFigures, overflow, overlaps } from "./look";

const browser = new Browser();
afterAll(() => browser.close());

describe.each([
  ["a log against seeds", { nodes: 6, seeds: 20 }],
  ["many nodes", { nodes: 300, seeds: 20 }],
  ["two single runs", { nodes: 6, seeds: 1 }],
  ["no node in common", { nodes: 0, seeds: 3 }],
])("%s", (_, setup) => {
  test.each([800, 1280, 1920])("at %i pixels", async (width) => {
    const html = fill(template(), makeDiff(setup));
    const { page, troubles } = await browser.open(html, { width });
    expect(troubles).toEqual([]);
    expect(await page.evaluate(emptyFigures)).toEqual([]);
    expect(await page.evaluate(overflow, width < 1024)).toEqual([]);
    expect(await page.evaluate(overlaps)).toEqual([]);
    expect(await page.locator("section[data-part]").count()).toBe(4);
    expect(await page.locator("[data-part=nodes] [data-mark]").count()).toBe(
      2 * Math.min(40, setup.nodes),
    );
    await page.close();
  });
});
