/** The first screen: its order, its words, what a click, a key, a hover do. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Browser, settle, type Opened } from "../../fixtures/browser";
import { pageOf } from "../../fixtures/blocks";
import { FIXTURES } from "../../fixtures/index";
import { fill, template } from "../../fixtures/page";
import { type Report } from "../../fixtures/report";

const browser = new Browser();
let html = "";
beforeAll(() => {
  html = fill(template(), FIXTURES["shop"]!());
});
afterAll(() => browser.close());

const open = (hash = "", width = 1280): Promise<Opened> => browser.open(html, { width }, hash);
const hash = ({ page }: Opened): Promise<string> => page.evaluate(() => location.hash);

describe("order", () => {
  test("verdict, why, do, assumed, pictures, table, provenance: in document and page", async () => {
    const { page } = await open();
    const order = await page.$$eval("[data-part]", (all) =>
      all.map((n) => n.getAttribute("data-part")),
    );
    expect(order).toEqual([
      "top",
      "find",
      "verdict",
      "facts",
      "points",
      "held-up",
      "do",
      "not-enough",
      "certainty",
      "assumed",
      "risk",
      "shares",
      "heat",
      "balance",
      "compare",
      "provenance",
    ]);
    expect(await page.$$eval("dt", (all) => all.map((n) => n.textContent))).toEqual([
      "Held up by",
      "Do",
      "Not enough",
      "Certainty",
    ]);
    const tops = await page.$$eval("[data-part]", (all) =>
      Object.fromEntries(all.map((n) => [n.getAttribute("data-part"), n.getBoundingClientRect()])),
    );
    const below = (a: string, b: string) =>
      expect(tops[b]!.top).toBeGreaterThanOrEqual(tops[a]!.bottom - 1);
    below("top", "facts");
    below("held-up", "do");
    below("certainty", "risk");
    below("risk", "heat");
    below("heat", "compare");
    below("compare", "provenance");
    expect(tops["assumed"]!.left).toBeGreaterThan(tops["points"]!.right);
  });

  test("1280 × 900 shows the whole first picture; a wide page has three in a row", async () => {
    for (const name of ["shop", "wordy"]) {
      const long = fill(template(), FIXTURES[name]!());
      for (const theme of ["light", "dark"] as const) {
        const { page } = await browser.open(long, { width: 1280, theme });
        const bottom = await page.$eval(
          "[data-part=risk] .fig > svg",
          (n) => n.getBoundingClientRect().bottom,
        );
        expect(bottom, name).toBeLessThanOrEqual(880);
        await page.close();
      }
    }
    const wide = await open("", 1920);
    const tops = await Promise.all(
      ["risk", "shares", "balance"].map((p) =>
        wide.page.$eval(`[data-part=${p}]`, (n) => n.getBoundingClientRect().top),
      ),
    );
    expect(new Set(tops).size).toBe(1);
  });

  test("no bar covers the time that it stands for", async () => {
    const report = FIXTURES["shop"]!();
    const first = { ...report.variants[0]!.shares[0]!, share: 0.99, percent: 99, waited_s: 1365 };
    const shares = [first, ...report.variants[0]!.shares.slice(1)];
    const variants = [{ ...report.variants[0]!, shares }, ...report.variants.slice(1)];
    const full: Report = { ...report, variants };
    const { page } = await browser.open(fill(template(), full), { width: 1280 });
    const part = "[data-part=shares] svg [data-mark=share-0]";
    const bar = await page.$$eval(`${part} rect:not(.hit)`, (all) =>
      all.map((n) => n.getBoundingClientRect().right),
    );
    const time = await page.$$eval(`${part} text`, (all) =>
      all
        .filter((n) => /^22.min.45.s$/.test(n.textContent ?? ""))
        .map((n) => n.getBoundingClientRect().left),
    );
    expect([bar.length, time.length]).toEqual([1, 1]);
    expect(bar[0]!).toBeLessThan(time[0]! - 4);
  });

  test("there is one sentence with one number", async () => {
    const { page } = await open();
    expect(await page.$$eval("h1 b", (all) => all.length)).toBe(1);
    expect(await page.textContent("h1")).toMatch(
      /^All 898 blocks are safe again .* after dn-r2-05 is declared dead\.$/,
    );
  });
});

describe("other losses", () => {
  const report = FIXTURES["shop"]!();
  const stat = { mean: 0.31, ci95: 0.1, min: 0, max: 2 };
  const lossy = report.variants.map((v, i) => ({
    ...v,
    loss: { seeds: i, probability: i / 10, low: 0, high: 0.278 + i / 10, blocks: stat },
    metrics: { ...v.metrics, blocks_lost: stat },
  }));
  const since = "since HDFS checked the leaving nodes";
  const other: Report = { ...report, since, variants: lossy };
  const page = fill(template(), other);

  test("titles say what times are counted from", async () => {
    const first = await browser.open(page, { width: 1280 });
    expect(await first.page.textContent("[data-part=risk] h2")).toContain(`${since}; median`);
    const copies = await browser.open(page, { width: 1280 }, "#/transfers");
    const words = await copies.page.textContent("[data-part=transfers]");
    expect(words).toContain(`seconds ${since}; a head sorts`);
    expect([...first.troubles, ...copies.troubles]).toEqual([]);
  });

  test("the table has the probability of data loss, where some seed has it", async () => {
    const { page: with_ } = await browser.open(page, { width: 1280 });
    const words = await with_.textContent("[data-part=compare] table");
    expect(words).toContain("Data loss,\nprobability");
    expect(words).toContain("10\u00a0% 0–38");
    const wide = await with_.evaluate(() => document.documentElement.scrollWidth);
    expect(wide).toBe(1280);
    const { page: without } = await open();
    expect(await without.textContent("[data-part=compare] table")).not.toContain("Data loss");
  });
});

describe("assumed", () => {
  test("what makes no difference is a line, and unfolds", async () => {
    const { page, troubles } = await browser.open(fill(template(), FIXTURES["wordy"]!()), {
      width: 1280,
    });
    const rows = "[data-part=assumed] [data-mark]";
    expect(await page.$$eval(rows, (all) => all.length)).toBe(1);
    expect(await page.textContent("summary")).toBe(
      "NIC, latency in a rack, rack uplink, latency between racks: no difference",
    );
    await page.click("summary");
    await page.waitForFunction((r) => document.querySelectorAll(r).length === 5, rows);
    expect(troubles).toEqual([]);
  });
});

describe("selection", () => {
  test("a bar opens its intervals, the URL keeps it, Esc clears it", async () => {
    const opened = await open();
    const { page } = opened;
    await page.click("[data-mark=share-0]");
    await settle(page);
    expect(await hash(opened)).toBe("#/?shares=0");
    expect(await page.getAttribute("[data-mark=share-0]", "aria-pressed")).toBe("true");
    expect(await page.textContent("[data-part=shares]")).toContain(
      "Longest waits for dfs.namenode.replication.work.multiplier.per.iteration = 2",
    );
    await page.keyboard.press("Escape");
    await settle(page);
    expect(await hash(opened)).toBe("#/");
    expect(await page.getAttribute("[data-mark=share-0]", "aria-pressed")).toBe("false");
    expect(opened.troubles).toEqual([]);
  });

  test("its transfers are a click further", async () => {
    const opened = await open("#/?shares=3");
    await opened.page.click("text=All transfers that waited for it");
    await settle(opened.page);
    expect(await hash(opened)).toBe("#/transfers?limit=disk");
    const causes = await opened.page.$$eval("tbody td:last-child", (all) => [
      ...new Set(all.map((n) => n.textContent)),
    ]);
    expect(causes).toEqual(["Disk"]);
    const held = await open("#/?shares=1");
    await held.page.click("text=All transfers that waited for it");
    await settle(held.page);
    expect(await hash(held)).toBe("#/transfers?held=dfs.namenode.replication.max-streams+%3D+2");
    const queued = await held.page.$$eval("tbody td:nth-last-child(2)", (all) => [
      ...new Set(all.map((n) => n.textContent)),
    ]);
    expect(queued).toEqual(["…namenode.replication.max-streams = 2"]);
  });

  test("drag zooms all charts of the axis, double click resets", async () => {
    const opened = await open();
    const { page } = opened;
    const box = (await (await page.$("[data-part=risk] .fig"))!.boundingBox())!;
    await page.mouse.move(box.x + 200, box.y + 100);
    await page.mouse.down();
    await page.mouse.move(box.x + 400, box.y + 100, { steps: 4 });
    await page.mouse.up();
    await settle(page);
    expect(await hash(opened)).toMatch(/^#\/\?t=\d+\.\d\d%7E\d+\.\d\d$/);
    await page.mouse.dblclick(box.x + 300, box.y + 50);
    await settle(page);
    expect(await hash(opened)).toBe("#/");
    expect(opened.troubles).toEqual([]);
  });
});

describe("drill-down", () => {
  test("a rack, its node, a transfer, and back", async () => {
    const opened = await open();
    const { page } = opened;
    await page.click("[data-mark=row-0-1]");
    await settle(page);
    expect(await hash(opened)).toBe("#/rack/rack2");
    expect(await page.textContent("h1")).toMatch(
      /^\/rack2 received \d+\u00a0% of all copied bytes\.$/,
    );
    await page.click("[data-part=nodes] tbody tr:first-child a");
    await settle(page);
    expect(await hash(opened)).toMatch(/^#\/node\/dn-r2-\d+$/);
    const edges = await page.evaluate(() => {
      const lines = [...document.querySelectorAll("[data-part=gantt] line.axis")].map((l) =>
        l.getBoundingClientRect(),
      );
      const axis = lines.find((l) => l.width > 300)!;
      const plots = [...document.querySelectorAll("[data-part=multiples] .fig path")]
        .map((p) => p.getBoundingClientRect())
        .filter((b) => b.width > 300);
      return {
        gantt: [axis.left, axis.right],
        curves: [Math.min(...plots.map((b) => b.left)), Math.max(...plots.map((b) => b.right))],
      };
    });
    expect(Math.abs(edges.gantt[0]! - edges.curves[0]!)).toBeLessThanOrEqual(1.5);
    await page.click("[data-part=gantt] [data-mark^=row-]");
    await settle(page);
    expect(await hash(opened)).toMatch(/^#\/node\/dn-r2-\d+\?gantt=0\.\d+$/);
    await page.click("[data-part=back]");
    await settle(page);
    expect(await page.getAttribute("main", "data-screen")).toBe("first");
    expect(opened.troubles).toEqual([]);
  });

  test("the links of the top line, and what is not there", async () => {
    const opened = await open();
    const { page } = opened;
    await page.click("nav >> text=Nodes");
    await settle(page);
    expect(await page.$$eval("tbody tr", (all) => all.length)).toBe(40);
    await page.click("nav >> text=Transfers");
    await settle(page);
    expect(await page.$$eval("tbody tr", (all) => all.length)).toBe(300);
    expect(await page.$$eval("nav a", (all) => all.map((a) => a.textContent))).toEqual([
      "Nodes",
      "Transfers",
      "JSON",
      "Parquet",
      "Perfetto",
    ]);
    const lost = await open("#/rack/77");
    expect(await lost.page.textContent("h1")).toBe("There is no rack 77 in this report.");
    expect(opened.troubles).toEqual([]);
  });

  test("names written by hand lead where they mean, unknown ones name the nearest", async () => {
    for (const name of ["dn-r2-04", "DN-R2-04", "dn-r2-04:9866", "dn-r2-04.shop.example", "13"]) {
      const { page } = await open(`#/node/${name}`);
      expect(await page.textContent("h1"), name).toMatch(/^dn-r2-04 sent /);
      await page.close();
    }
    for (const name of ["rack2", "%2Frack2", "/rack2"]) {
      const { page } = await open(`#/rack/${name}`);
      expect(await page.textContent("h1"), name).toMatch(/^\/rack2 received /);
      await page.close();
    }
    const { page } = await open("#/node/dn-r2-44");
    expect(await page.textContent("h1")).toBe("There is no node dn-r2-44 in this report.");
    expect(await page.textContent("[data-part=near]")).toMatch(/^Nearest: dn-r2-04, dn-r1-04, /);
    await page.click("[data-part=near] a");
    await settle(page);
    expect(await page.textContent("h1")).toMatch(/^dn-r2-04 sent /);
  });

  test("JSON gives the numbers of the page", async () => {
    const { page } = await open();
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.click("nav >> text=JSON"),
    ]);
    expect(file.suggestedFilename()).toBe("toy-node-lost-dn-r2-05.json");
    const { readFileSync } = await import("node:fs");
    expect(JSON.parse(readFileSync((await file.path())!, "utf8"))).toEqual(
      pageOf(FIXTURES["shop"]!()),
    );
  });

  test("transfers are sorted and filtered, in the URL", async () => {
    const opened = await open("#/transfers");
    const { page } = opened;
    await page.click("[data-sort=took]");
    await settle(page);
    await page.fill(".tools input[type=search]", "dn-r2-04");
    await settle(page);
    expect(await hash(opened)).toBe("#/transfers?sort=took-&q=dn-r2-04");
    const rows = await page.$$eval("tbody tr", (all) => all.map((r) => r.textContent ?? ""));
    expect(rows.length).toBeGreaterThan(10);
    expect(rows.every((r) => r.includes("dn-r2-04"))).toBe(true);
    const took = await page.$$eval("tbody td:nth-child(7)", (all) =>
      all.map((n) => Number(n.textContent)),
    );
    expect(took).toEqual([...took].sort((a, b) => b - a));
    expect(await page.getAttribute("th:nth-child(7)", "aria-sort")).toBe("descending");
    expect(opened.troubles).toEqual([]);
  });
});

describe("reach", () => {
  test("one crosshair through the curves and the heat map, values beside it", async () => {
    const { page } = await open();
    await page.hover("[data-part=risk] .fig", { position: { x: 300, y: 150 } });
    expect(await page.$$eval(".cross", (all) => all.length)).toBe(2);
    expect(await page.textContent(".chip")).toMatch(/^\d+\.\d\u00a0s$/);
    expect(await page.$$eval(".tip .row2", (all) => all.length)).toBe(4);
  });

  test("everything on hover is reached by keys", async () => {
    const { page } = await open();
    await page.focus("[data-part=risk] .fig");
    for (let i = 0; i < 3; i++) await page.keyboard.press("Shift+ArrowRight");
    expect(await page.getAttribute("[data-part=risk] .fig", "aria-valuetext")).toMatch(
      /^\d+\.\d\u00a0s: now \(default\) \d+, ring \d+/,
    );
    await page.focus("[data-part=heat] [data-mark][tabindex='0']");
    await page.keyboard.press("ArrowDown");
    expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toMatch(
      /^\/rack2: peak/,
    );
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    expect(await page.textContent(".tip")).toMatch(/^\/rack2.* busy, 1–2\u00a0s/);
    await page.keyboard.press("Enter");
    await settle(page);
    expect(await page.evaluate(() => location.hash)).toBe("#/rack/rack2");
  });

  test("one tab stop a figure, and each mark has a name", async () => {
    const { page } = await open();
    const figures = await page.$$eval(".fig", (all) =>
      all
        .filter((f) => f.querySelector("[data-mark]"))
        .map((f) => f.querySelectorAll("[data-mark][tabindex='0']").length),
    );
    expect(figures).toEqual(figures.map(() => 1));
    expect(
      await page.$$eval(
        "[data-mark]",
        (all) => all.filter((m) => !m.getAttribute("aria-label")).length,
      ),
    ).toBe(0);
    expect(
      await page.$$eval(
        "svg[role=group]",
        (all) => all.filter((m) => !m.getAttribute("aria-label")).length,
      ),
    ).toBe(0);
  });

  test("Copy copies, or selects where it may not", async () => {
    const { page } = await open();
    await page.click("[data-part=do] button");
    await page.waitForFunction(() =>
      /Copied|Selected/.test(document.querySelector("[data-part=do] button")?.textContent ?? ""),
    );
  });
});

describe("light, dark, paper", () => {
  const ground = ({ page }: Opened) =>
    page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  test("the system's theme, a click, and ?theme=", async () => {
    const dark = await browser.open(html, { width: 1280, theme: "dark" });
    expect(await ground(dark)).toBe("rgb(21, 23, 27)");
    await dark.page.click("button.theme");
    expect(await ground(dark)).toBe("rgb(255, 255, 255)");
    await dark.page.goto(`${dark.page.url().split(/[?#]/)[0]}?theme=light`);
    await settle(dark.page);
    expect(await ground(dark)).toBe("rgb(255, 255, 255)");
    expect(dark.troubles).toEqual([]);
  });

  test("text is at least 4.5:1 on its ground in both", async () => {
    for (const theme of ["light", "dark"] as const) {
      const { page } = await browser.open(html, { width: 1280, theme });
      const low = await page.evaluate(() => {
        const style = getComputedStyle(document.documentElement);
        const colour = (name: string) => style.getPropertyValue(name).trim();
        const light = (hex: string) => {
          const [r, g, b] = [1, 3, 5]
            .map((i) => parseInt(hex.slice(i, i + 2), 16) / 255)
            .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)) as [
            number,
            number,
            number,
          ];
          return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const ratio = (a: string, b: string) =>
          (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
        const inks = [
          "--ink",
          "--ink2",
          "--ink3",
          "--setting-ink",
          "--disk-ink",
          "--network-ink",
          "--cpu-ink",
          "--risk-ink",
        ];
        return inks
          .flatMap((ink) =>
            ["--page", "--sunken"].map((on) => ({ ink, on, r: ratio(colour(ink), colour(on)) })),
          )
          .filter((x) => x.r < 4.5);
      });
      expect(low).toEqual([]);
    }
  });

  test("paper is light, has no navigation, keeps command and provenance", async () => {
    const opened = await browser.open(html, { width: 1280, theme: "dark" });
    const { page } = opened;
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    expect(await ground(opened)).toBe("rgb(255, 255, 255)");
    expect(await page.isVisible("nav")).toBe(false);
    expect(await page.isVisible("[data-part=do] code")).toBe(true);
    expect(await page.isVisible("[data-part=provenance]")).toBe(true);
    const pdf = await page.pdf({ preferCSSPageSize: true });
    const sheets = pdf.toString("latin1").match(/\/Type\s*\/Page\b/g)?.length ?? 0;
    expect(sheets).toBeGreaterThanOrEqual(2);
    expect(sheets).toBeLessThanOrEqual(5);
  });
});
