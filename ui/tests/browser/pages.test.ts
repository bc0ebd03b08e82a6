/** Every fixture on every screen: each chart is there and drawn, nothing leaves the file, nothing
 * overflows, no label lies on another. */
import { statSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Browser } from "../../fixtures/browser";
import { FIXTURES } from "../../fixtures/index";
import { fill, PLACEHOLDER, TEMPLATE, template } from "../../fixtures/page";
import { emptyFigures, overflow, overlaps } from "./look";

const MB = 1e6;
const browser = new Browser();
const pages: Record<string, string> = {};
beforeAll(() => {
  for (const [name, make] of Object.entries(FIXTURES)) pages[name] = fill(template(), make());
});
afterAll(() => browser.close());

const FIRST = ["risk", "shares", "heat", "balance", "compare"];
/** What these fixtures' first screens have besides. */
const MORE: Record<string, string[]> = {
  clients: ["clients"],
  plan: ["clients", "trade"],
  threads: ["own"],
  ranks: ["own"],
};
const NARROW = ["wordy", "shop", ...Object.keys(MORE)];
const SCREENS: [string, string, string[]][] = [
  ["first", "", FIRST],
  ["intervals", "#/?shares=0", FIRST],
  ["zoomed", "#/?t=5.00~15.00", FIRST],
  ["rack", "#/rack/0", ["heat", "nodes"]],
  ["node", "#/node/3", ["gantt", "multiples"]],
  ["transfers", "#/transfers", ["waited", "transfers"]],
  ["nodes", "#/nodes", ["nodes"]],
];

describe("the template", () => {
  test("is small, has one place for data, and names no other address", () => {
    const html = template();
    expect(statSync(TEMPLATE).size).toBeLessThan(1.5 * MB);
    expect(html.split(PLACEHOLDER)).toHaveLength(2);
    expect(html).not.toMatch(/(src|href)="(https?:)?\/\//);
    expect(html).not.toContain("sourceMappingURL");
  });

  test("says so when it has no data, or data that it cannot draw", async () => {
    const empty = await browser.open(template(), { width: 1280 });
    expect(await empty.page.textContent("h1")).toBe("No data in this file.");
    expect(empty.troubles).toEqual([]);
    const cut = await browser.open(
      template().replace("{}</script>", '{"version": 1, "screen": </script>'),
      { width: 1280 },
    );
    expect(await cut.page.textContent("[data-part=lost]")).toMatch(
      /cannot be shown.*may be incomplete/s,
    );
    expect(cut.troubles).toEqual([]);
  });

  test("with the data of 40 nodes it stays below 5 MB", () => {
    for (const name of ["shop", "large"]) expect(pages[name]!.length).toBeLessThan(5 * MB);
  });
});

test("the checks see what they look for", async () => {
  const { page } = await browser.open(pages["small"]!, { width: 1280 });
  await page.evaluate(() => {
    const [a, b] = document.querySelectorAll("[data-part=heat] svg text");
    for (const name of ["x", "y"]) a!.setAttribute(name, b!.getAttribute(name)!);
    document.querySelector("[data-part=risk] .fig")!.replaceChildren();
    (document.querySelector("h1") as HTMLElement).style.minWidth = "2000px";
  });
  expect(await page.evaluate(overlaps)).toHaveLength(1);
  expect(await page.evaluate(emptyFigures)).toEqual(["risk"]);
  expect((await page.evaluate(overflow, false)).length).toBeGreaterThan(0);
});

describe.each(Object.keys(FIXTURES))("%s", (name) => {
  const screens =
    name === "shop"
      ? SCREENS
      : ["nothing", "wordy"].includes(name)
        ? SCREENS.slice(0, 1)
        : name in MORE
          ? SCREENS.slice(0, 3)
          : SCREENS.filter(([s]) => s !== "zoomed");
  test.each(screens)("%s", async (_, hash, parts) => {
    for (const width of NARROW.includes(name) ? [800, 1280, 1920] : [1280, 1920]) {
      const { page, troubles } = await browser.open(pages[name]!, { width }, hash);
      const where = `${name}${hash} at ${width}`;
      expect(
        await page.$$eval("section[data-part]", (all) =>
          all.map((s) => s.getAttribute("data-part")).sort(),
        ),
        where,
      ).toEqual([...parts, ...(MORE[name] ?? [])].sort());
      expect(await page.evaluate(emptyFigures), where).toEqual([]);
      expect(await page.evaluate(overflow, width < 1024), where).toEqual([]);
      expect(await page.evaluate(overlaps), where).toEqual([]);
      expect(troubles, where).toEqual([]);
      await page.close();
    }
  });
});

test.each(Object.keys(FIXTURES))(
  "%s on a telephone: nothing stands out at the side",
  async (name) => {
    for (const [screen, hash] of name === "shop" ? SCREENS : SCREENS.slice(0, 1)) {
      const { page, troubles } = await browser.open(pages[name]!, { width: 390 }, hash);
      expect(await page.evaluate(overflow, true), `${name}, ${screen}`).toEqual([]);
      expect(troubles).toEqual([]);
      await page.close();
    }
  },
);
