/** Blocks: numbers by their unit, ticks, lanes, rows that fold, and which bars are seen. */
import { describe, expect, test } from "vitest";
import { PAGES, tasks } from "../../fixtures/pages";
import { cut } from "../../src/blocks/gantt-bars";
import { FOLD_ABOVE, layRows, numbers, within } from "../../src/blocks/gantt-rows";
import { endsOf, lane, runningAt } from "../../src/blocks/lanes";
import { nines } from "../../src/blocks/latency";
import { fromUpper, sampleAt, valueAt } from "../../src/blocks/lines";
import { pathOf } from "../../src/blocks/plot";
import { shareWords } from "../../src/blocks/shares";
import { scaleOf, valueTicks, write, writeRange, xTicks } from "../../src/blocks/units";
import { scale } from "../../src/base/axis";
import { type Axis, type Gantt, type GanttRow, type Line, type Share } from "../../src/page";
import { headWords } from "../../src/blocks/layout";
import { wideClasses } from "../../src/screens/blocks";

const seen = (words: string): string =>
  words.replaceAll("\u2060\u2009\u2060", "'").replaceAll("\u00a0", "_").replaceAll("\u2212", "-");

describe("numbers", () => {
  test.each([
    ["s", 0.0042, "4.20_ms"],
    ["s", 48, "48.0_s"],
    ["s", 630, "10_min_30_s"],
    ["B", 2.5e6, "2.5_MB"],
    ["B/s", 1.25e9, "1.25_GB/s"],
    ["%", 0.384, "38_%"],
    ["%", 0.003, "0.3_%"],
    ["x", 1.36, "1.36"],
    ["op/s", 12000, "12'000_op/s"],
    ["", 8, "8"],
  ])("%s %f is %s", (unit, value, wanted) => expect(seen(write(unit, value))).toBe(wanted));

  test.each([
    ["op/s", 68.4, ["0", "25", "50", "75_op/s"]],
    ["%", 0.97, ["0", "50", "100_%"]],
    ["B/s", 1.25e9, ["0", "0.5", "1.0", "1.5_GB/s"]],
    ["s", 0.0031, ["0", "2", "4_ms"]],
    ["", 0.031, ["0", "0.02", "0.04"]],
  ])("ticks of %s up to %f reach over it and name the unit once", (unit, most, wanted) => {
    const ticks = valueTicks(unit, most);
    expect(ticks.map((t) => seen(t.label))).toEqual(wanted);
    expect(ticks.at(-1)!.at).toBeGreaterThanOrEqual(most * 0.999);
  });

  const axis = (unit: string, from: number, to: number): Axis => ({
    name: "",
    unit,
    from,
    to,
    log: true,
  });
  test.each([
    [axis("", 1, 512), 300, ["1", "8", "64", "512"]],
    [axis("", 1, 8), 300, ["1", "2", "4", "8"]],
    [axis("s", 0.0004, 0.06), 260, ["0.5_ms", "1_ms", "2_ms", "5_ms", "10_ms", "20_ms", "50_ms"]],
    [axis("B", 1e3, 1e9), 200, ["1_kB", "1_MB", "1_GB"]],
  ])("logarithmic ticks", (of, pixels, wanted) => {
    const ticks = xTicks(of, scaleOf(of, 0, pixels), pixels);
    expect(ticks.map((t) => seen(t.label))).toEqual(wanted);
  });

  test("a logarithmic scale leads back", () => {
    const x = scaleOf(axis("", 1, 512), 10, 310);
    expect(x(1)).toBeCloseTo(10);
    expect(x(512)).toBeCloseTo(310);
    for (const v of [1, 3, 64, 500]) expect(x.invert(x(v))).toBeCloseTo(v);
  });

  test("a range names its unit once", () => {
    expect(seen(writeRange("kop/s", 33.7, 36.2))).toBe("33.7–36.2_kop/s");
    expect(seen(writeRange("s", 0.5, 700))).toBe("500_ms–11_min_40_s");
  });

  test("progress is cut where the plot ends, at the value between", () => {
    const points: [number, number][] = [
      [0, 0],
      [10, 1],
    ];
    expect(cut(points, scale(2, 5, 0, 1))).toEqual([
      [2, 0.2],
      [5, 0.5],
    ]);
    expect(cut(points, scale(0, 20, 0, 1))).toEqual(points);
    expect(cut(points, scale(11, 20, 0, 1))).toEqual([]);
  });

  test("shares say what they are", () => {
    const share = { at_most: false, low: null, percent: 80 } as unknown as Share;
    expect(seen(shareWords(share))).toBe("80_%");
    expect(seen(shareWords({ ...share, at_most: true, percent: -20 }))).toBe("at most -20_%");
    expect(seen(shareWords({ ...share, low: 0, percent: -66 }))).toBe("0 to -66_%");
  });

  test("nines stretch the slow end, and stop where the picture does", () => {
    expect([0, 0.9, 0.99].map((v) => nines(v, 3))).toEqual([
      expect.closeTo(0),
      expect.closeTo(1),
      expect.closeTo(2),
    ]);
    expect(nines(1, 3)).toBe(3);
  });
});

describe("lines", () => {
  const line = (more: Partial<Line> = {}): Line => ({
    name: "",
    role: "now",
    kind: null,
    x: [0, 1, 2, 4],
    y: [5, 6, null, 8],
    ...more,
  });
  test("the nearest sample tells, with steps the one before", () => {
    expect([-1, 0.4, 0.6, 3.1, 9].map((t) => sampleAt(line().x, t))).toEqual([0, 0, 1, 3, 3]);
    expect([0.6, 2, 5].map((t) => valueAt(line(), t))).toEqual([6, null, null]);
    expect(valueAt(line({ steps: true }), 0.9)).toBe(5);
  });

  test("of two that end at one height the upper one comes first", () => {
    const [late, soon] = [
      [0, 1, null, 9],
      [0, 9, 9, 9],
    ].map((y) => line({ y }));
    expect(fromUpper([late!, soon!])).toEqual([1, 0]);
    expect(fromUpper([soon!, late!])).toEqual([0, 1]);
  });
  test("a missing value breaks the line", () => {
    expect(
      pathOf([
        [0, 1],
        [1, 2],
        [2, null],
        [3, 4],
      ]),
    ).toBe("M0.0,1.0L1.0,2.0M3.0,4.0");
    expect(
      pathOf(
        [
          [0, 1],
          [1, 2],
        ],
        true,
      ),
    ).toBe("M0.0,1.0H1.0V2.0");
  });
});

describe("lanes", () => {
  const rows = (spans: [number, number][]): GanttRow[] =>
    spans.map(([from, to]) => ({
      name: "",
      values: [],
      bars: [
        { from: from - 1, to: from, style: "wait" },
        { from, to, style: "runs" },
      ],
    }));
  test("count what runs, not what waits; an end makes room before a begin", () => {
    const ends = endsOf(
      rows([
        [0, 10],
        [2, 5],
        [5, 8],
      ]),
    );
    expect([-0.5, 1, 3, 5, 9, 11].map((t) => runningAt(ends, t))).toEqual([0, 1, 2, 2, 1, 0]);
  });
  test("agree with counting one by one, on any spans", () => {
    let seed = 7;
    const next = (n: number) => (seed = (seed * 48271) % 2147483647) % n;
    for (let round = 0; round < 50; round++) {
      const spans = Array.from({ length: 1 + next(30) }, (): [number, number] => {
        const from = next(400) / 10;
        return [from, from + 0.1 + next(90) / 10];
      });
      const x = scale(0, 50, 0, 20);
      const counts = lane(endsOf(rows(spans)), x, 0, 20);
      const slow = Array.from({ length: 20 }, (_, px) => {
        const [a, b] = [x.invert(px), x.invert(px + 1)];
        const times = [a, ...spans.map(([from]) => from).filter((t) => t > a && t < b)];
        const at = (t: number) => spans.filter(([from, to]) => from <= t && to > t).length;
        return Math.max(...times.map(at));
      });
      expect(counts).toEqual(slow);
    }
  });
});

describe("rows", () => {
  const gantt = tasks(1000) as unknown as Gantt;
  test("fold where they are many, and open by the address", () => {
    const folded = layRows(gantt, new Set());
    expect(folded.items.every((i) => i.is === "lane")).toBe(true);
    expect(folded.items).toHaveLength(gantt.groups.length);
    const open = layRows(gantt, numbers("1"));
    const rows = open.items.filter((i) => i.is === "row");
    expect(rows.map((r) => r.group)).toEqual(gantt.groups[1]!.rows.map(() => 1));
    expect(open.items.slice(0, 2).map((i) => i.is)).toEqual(["lane", "head"]);
  });
  test("few stand open", () => {
    const few = { ...gantt, groups: gantt.groups.slice(0, 3) };
    expect(few.groups.flatMap((g) => g.rows).length).toBeLessThan(FOLD_ABOVE);
    expect(layRows(few, new Set()).items.some((i) => i.is === "lane")).toBe(false);
  });
  test("a window has all that reach into it and little else", () => {
    const all = layRows(gantt, new Set([0, 5]));
    for (const from of [0, 500, 4000, all.height - 50]) {
      const inside = within(all, from, from + 300);
      const must = all.items.filter((i) => i.y + 22 > from && i.y < from + 300);
      expect(inside).toEqual(expect.arrayContaining(must));
      expect(inside.length).toBeLessThan(must.length + 4);
    }
  });
});

test("three halves make one row of a wide page, four stay two by two", () => {
  const some = (widths: string) => {
    const of = PAGES["job"]!().sections[0]!;
    const width = { h: "half", f: "full" } as const;
    return [...widths].map((c) => ({ ...of, width: width[c as "h" | "f"] }));
  };
  expect(wideClasses(some("fhhhf"))).toEqual(["", "w4", "w4", "w4", ""]);
  expect(wideClasses(some("hhhh"))).toEqual(["", "", "", ""]);
  expect(wideClasses(some("hh"))).toEqual(["", ""]);
});

test("heads begin with a capital, keys do not, and long ones are broken in their middle", () => {
  const words = (head: string, unit = "") => headWords({ head, unit });
  expect(words("row")).toBe("Row");
  expect(words("goodput", "Mbit/s ± 95 %")).toBe("Goodput\nMbit/s ± 95 %");
  expect(words("into the busiest node")).toBe("Into the\nbusiest node");
  expect(words("99 of 100 writes end in", "ms")).toBe("99 of 100\nwrites end in, ms");
  expect(words("network.latency")).toBe("network.latency");
});
