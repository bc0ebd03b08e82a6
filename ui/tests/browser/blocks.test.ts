/** Pages of blocks in a browser: every section is drawn, by pointer and by keyboard. */
import { type Page as Tab } from "playwright-core";
import { afterAll, describe, expect, test } from "vitest";
import { Browser, settle } from "../../fixtures/browser";
import { fill, template } from "../../fixtures/page";
import { PAGES } from "../../fixtures/pages";
import { type Page, type Section } from "../../src/page";
import { emptyFigures, overflow, overlaps } from "./look";

const browser = new Browser();
afterAll(() => browser.close());
const open = (page: Page, width: number, hash = "", theme: "light" | "dark" = "light") =>
  browser.open(fill(template(), page), { width, theme }, hash);
const hash = (tab: Tab): Promise<string> => tab.evaluate(() => location.hash);

describe.each(["metadata", "job", "ozone"])("%s", (name) => {
  const data = PAGES[name]!();
  const hashes = ["", ...data.drill.map((b) => `#/${b.path}`)];
  test.each([
    [1280, "light"],
    [1280, "dark"],
    [1920, "light"],
    [800, "light"],
  ] as const)("is drawn at %i, %s", async (width, theme) => {
    for (const at of hashes) {
      const { page, troubles } = await open(data, width, at, theme);
      expect(troubles).toEqual([]);
      const pictures = (await page.evaluate(emptyFigures)).filter((part) => part !== "why");
      expect(pictures).toEqual([]);
      expect(await page.evaluate(overlaps)).toEqual([]);
      expect(await page.evaluate(overflow, width < 1024)).toEqual([]);
      const parts = await page.$$eval("section[data-part]", (all) =>
        all.map((n) => n.getAttribute("data-part")),
      );
      const sections = at === "" ? data.sections : data.drill[hashes.indexOf(at) - 1]!.sections;
      expect(parts).toEqual(sections.map((s) => s.id));
      await page.close();
    }
  });

  test("the first screen holds the verdict, what to do, and the first picture", async () => {
    const { page } = await open(data, 1280);
    const bottoms = await page.$$eval("[data-part]", (all) =>
      Object.fromEntries(
        all.map((n) => [n.getAttribute("data-part")!, n.getBoundingClientRect().bottom]),
      ),
    );
    for (const part of ["verdict", "held-up", "do", "certainty", "assumed", data.sections[0]!.id])
      expect(bottoms[part], part).toBeLessThan(900);
    await page.close();
  });
});

test("a bar opens its intervals, marked in all charts over time; Esc clears", async () => {
  const { page } = await open(PAGES["metadata"]!(), 1280);
  const bands = () => page.$$eval("[data-part=busy] rect[stroke='var(--ink)']", (a) => a.length);
  expect(await bands()).toBe(0);
  await page.click("[data-part=shares] [data-mark=share-0]");
  await settle(page);
  expect(await hash(page)).toBe("#/?shares=0");
  expect(await page.textContent("[data-part=shares]")).toContain("partition 0 of /a not split");
  expect(await bands()).toBe(1);
  await page.keyboard.press("Escape");
  await settle(page);
  expect(await hash(page)).toBe("#/");
  expect(await bands()).toBe(0);
  await page.close();
});

test("one crosshair goes through all charts of one axis, and no other", async () => {
  const { page } = await open(PAGES["job"]!(), 1280, "#/node/nm-36727");
  await page.hover("[data-part=resources] .fig", { position: { x: 500, y: 60 } });
  await settle(page);
  const lines = await page.$$eval(".cross", (all) =>
    all.map((n) => [
      n.closest("[data-part]")!.getAttribute("data-part"),
      Math.round(n.getBoundingClientRect().left),
    ]),
  );
  expect(lines.map(([part]) => part).sort()).toEqual(["resources", "tasks"]);
  expect(lines[0]![1]).toBe(lines[1]![1]);
  await page.close();
  const other = (await open(PAGES["metadata"]!(), 1280)).page;
  await other.hover("[data-part=throughput] .fig", { position: { x: 200, y: 90 } });
  await settle(other);
  const parts = await other.$$eval(".cross", (all) =>
    all.map((n) => n.closest("[data-part]")!.getAttribute("data-part")),
  );
  expect(parts).toEqual(["throughput"]);
  await other.close();
});

test("the keyboard reaches marks, reads a curve, and follows a row to its page", async () => {
  const { page, troubles } = await open(PAGES["metadata"]!(), 1280);
  await page.focus("[data-part=throughput] .fig");
  await page.keyboard.press("ArrowRight");
  const said = await page.getAttribute("[data-part=throughput] .fig", "aria-valuetext");
  expect(said).toContain("now");
  await page.focus("[data-part=busy] [data-mark=row-0-0]");
  for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await settle(page);
  expect(await hash(page)).toBe("#/server/3");
  expect(await page.textContent("h1")).toContain("Server 3");
  await page.click("[data-part=back]");
  await settle(page);
  expect(await page.locator("[data-part=throughput]").count()).toBe(1);
  expect(troubles).toEqual([]);
  await page.close();
});

test("W and S zoom, A and D move, all charts over time follow; the wheel does not", async () => {
  const { page } = await open(PAGES["job"]!(), 1280);
  await page.hover("[data-part=tasks] .fig", { position: { x: 500, y: 100 } });
  await page.mouse.wheel(0, 200);
  await settle(page);
  expect(await hash(page)).toBe("");
  await page.hover("[data-part=tasks] .fig", { position: { x: 500, y: 100 } });
  const span = async (): Promise<[number, number]> => {
    const t = new URLSearchParams((await hash(page)).split("?")[1]).get("t")!;
    return t.split("~").map(Number) as [number, number];
  };
  await page.keyboard.press("w");
  await settle(page);
  const [from, to] = await span();
  expect(to - from).toBeCloseTo(58.1 / 1.5, 1);
  expect(await page.textContent("[data-part=path] h2")).toContain("show all");
  await page.keyboard.press("d");
  await settle(page);
  expect((await span())[0]).toBeGreaterThan(from);
  await page.keyboard.press("s");
  await settle(page);
  expect(await hash(page)).not.toContain("t=");
  await page.close();
});

test("what is zoomed is cut at the edges of the plot", async () => {
  const { page } = await open(PAGES["job"]!(), 1280, "#/?t=20~50");
  const out = await page.$$eval("[data-part=tasks] .fig > svg", (all) => {
    const drawing = all.at(-1)!;
    const grid = [...drawing.querySelectorAll("line.grid")].map((n) => n.getBoundingClientRect());
    const edge = Math.max(...grid.map((b) => b.right)) + 2;
    const marks = drawing.querySelectorAll("[data-mark] path, [data-mark] rect:not(.hit)");
    return [...marks].filter((n) => n.getBoundingClientRect().right > edge).length;
  });
  expect(out).toBe(0);
  const steps = await page.$$eval("[data-part=path] [data-mark]", (all) =>
    all.map((n) => n.getAttribute("aria-label")!.replaceAll("\u00a0", " ")),
  );
  expect(steps[0]).toContain("m_000007: 27.7 s");
  await page.close();
});

test("a row is selected in the address, and a second click opens its page", async () => {
  const { page } = await open(PAGES["job"]!(), 1280);
  await page.click("[data-part=tasks] [data-mark='row-1.1']", { position: { x: 20, y: 10 } });
  await settle(page);
  expect(await hash(page)).toBe("#/?tasks=1.1");
  await page.click("[data-part=tasks] [data-mark='row-1.1']", { position: { x: 20, y: 10 } });
  await settle(page);
  expect(await hash(page)).toBe("#/node/nm-36727");
  await page.close();
});

test("of 100 000 tasks only what is seen is drawn, and soon", async () => {
  const { page, troubles } = await open(PAGES["huge"]!(), 1280);
  const marks = () => page.$$eval("[data-part=tasks] [data-mark]", (all) => all.length);
  expect(await marks()).toBeLessThan(150);
  await page.click("[data-part=tasks] [data-mark=group-2]");
  await settle(page);
  expect(await hash(page)).toBe("#/?tasks-open=2");
  expect(await page.$$eval("[data-mark^='row-2.']", (all) => all.length)).toBeGreaterThan(10);
  await page.evaluate(() => scrollTo(0, 6000));
  await settle(page);
  await page.waitForFunction(() => !document.querySelector("[data-mark=group-0]"));
  const visible = await page.$$eval(
    "[data-mark^=group-]",
    (all) =>
      all.filter((n) => {
        const { top, bottom } = n.getBoundingClientRect();
        return bottom > 0 && top < innerHeight;
      }).length,
  );
  expect(visible).toBeGreaterThan(25);
  expect(await marks()).toBeLessThan(200);
  const took = await page.evaluate(async () => {
    const fig = document.querySelector<HTMLElement>("[data-part=tasks] .fig")!;
    fig.dispatchEvent(new PointerEvent("pointerenter"));
    const start = performance.now();
    dispatchEvent(new KeyboardEvent("keydown", { key: "w" }));
    await new Promise((done) => setTimeout(done, 0));
    return performance.now() - start;
  });
  expect(took).toBeLessThan(1500);
  expect(troubles).toEqual([]);
  await page.close();
});

test("what is empty says why, and an unknown address leads on", async () => {
  const { page } = await open(PAGES["job"]!(), 1280, "#/node/nm-36727");
  const words = await page.textContent("[data-part=disks]");
  expect(words).toContain("No curves of single disks given.");
  expect(words).toContain("--curves");
  expect(await page.locator("[data-part=resources] h2 .tag").first().textContent()).toContain(
    "Invented",
  );
  await page.close();
  const lost = (await open(PAGES["job"]!(), 1280, "#/node/none")).page;
  expect(await lost.textContent("h1")).toContain("node/none");
  expect(await lost.textContent("[data-part=near]")).toContain("nm:36727");
  await lost.close();
});

test("paper has the light colours and no controls", async () => {
  const { page } = await open(PAGES["job"]!(), 1280, "", "dark");
  await page.emulateMedia({ media: "print" });
  expect(await page.locator("header nav").isVisible()).toBe(false);
  const ground = await page.evaluate(
    () => getComputedStyle(document.documentElement).backgroundColor,
  );
  expect(ground).toBe("rgb(255, 255, 255)");
  await page.close();
});

/** Bars and a table of two columns, each over the whole page. */
function full(): Page {
  const page = PAGES["metadata"]!();
  const of = (kind: string) => page.sections.find((s) => s.kind === kind)!;
  const { wide: _, ...bars } = { ...of("shares"), width: "full" as const };
  const number = { is: "number", value: 12, ci95: null, signed: false } as const;
  const text = { is: "text", text: [{ t: "a network without delay" }], kind: null } as const;
  const table = {
    ...{ ...bars, id: "few", kind: "table" },
    columns: [
      { head: "with", unit: "", align: "left", digits: 0 },
      { head: "at most", unit: "1/s", align: "right", digits: 0 },
      { head: "no row says it", unit: "", align: "right", digits: 0 },
    ],
    rows: [{ role: null, cells: [text, number, { is: "none" }], open: null }],
  } as unknown as Section;
  return { ...page, sections: [bars, table, { ...bars, id: "alone" }], drill: [] };
}

test.each([1280, 1920])("bars and small tables are no wider than they need at %i", async (w) => {
  const { page } = await open(full(), w);
  const boxes = await page.$$eval("section[data-part]", (all) =>
    all.map((n) => n.getBoundingClientRect()).map(({ top, width }) => ({ top, width })),
  );
  expect(boxes.map(({ width }) => width).every((width) => width < w / 2)).toBe(true);
  expect(boxes[1]!.top).toBe(boxes[0]!.top);
  expect(await page.$$eval("[data-part=few] th", (all) => all.map((n) => n.textContent))).toEqual([
    "With",
    "At most\n1/s",
  ]);
  await page.close();
});

test("on a telephone curves and rows have most of the width", async () => {
  const { page } = await open(PAGES["job"]!(), 390, "#/node/nm-36727");
  for (const part of ["resources", "tasks"]) {
    const widths = await page.$$eval(`[data-part=${part}] svg line.axis`, (all) =>
      all.map((n) => n.getBoundingClientRect().width),
    );
    expect(Math.max(...widths), part).toBeGreaterThan(200);
  }
  await page.close();
});

test.each([390, 1280])("a claim unfolds to its alternatives at %i", async (width) => {
  const { page, troubles } = await open(PAGES["ozone"]!(), width);
  await page.click("#claim-C1 summary");
  await settle(page);
  expect(await page.$$eval("#claim-C1 .band circle", (all) => all.length)).toBe(3);
  expect(await page.textContent("#claim-C1 dl")).toContain("hardware.nic = 25Gbit/s");
  expect(await page.evaluate(overlaps)).toEqual([]);
  expect(troubles).toEqual([]);
  await page.close();
});
