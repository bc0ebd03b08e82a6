import { describe, expect, test } from "vitest";
import { shortName } from "../../src/base/keys";
import { fit, fitKey, fitName, wrap } from "../../src/base/measure";
import { same, shortened, spread } from "../../src/parts/assumed";
import { balanceTicks } from "../../src/blocks/balance";
import { heatClass, heatFill, merged, mergeFactor } from "../../src/parts/cells";
import { capped } from "../../src/parts/heatmap";
import { sorted } from "../../src/parts/rows";
import { lineStyles } from "../../src/parts/sample";
import { histogram, swarm, topOf } from "../../src/parts/swarm";
import { drawable, kindOfLine } from "../../fixtures/blocks";
import { type Share, type Variant } from "../../fixtures/report";
import { endsOf, runningAt } from "../../src/blocks/lanes";
import { valueAt as valueOf } from "../../src/blocks/lines";
import { stepPoints } from "../../src/fleet/node";
import { type GanttRow, type HeatGroup } from "../../src/page";

const wide = (words: string) => words.length * 7;

describe("heat", () => {
  test("six classes up to 2, 5, 10, 25, 50 and 100 %, idle below 0.5 %", () => {
    const at = [0, 0.0049, 0.005, 0.0199, 0.02, 0.049, 0.05, 0.1, 0.24, 0.25, 0.49, 0.5, 1];
    expect(at.map(heatClass)).toEqual([0, 0, 1, 1, 2, 2, 3, 4, 4, 5, 5, 6, 6]);
    expect(heatFill("disk", 0)).toBe("var(--idle)");
    expect(heatFill("network", 6)).toBe("var(--network6)");
  });

  test("cells are merged so that none is narrower than 4 pixels, and the mean is kept", () => {
    for (const [cells, width] of [
      [49, 500],
      [600, 500],
      [7000, 500],
      [100_000, 300],
    ] as const) {
      const k = mergeFactor(cells, width);
      expect(width / Math.ceil(cells / k)).toBeGreaterThanOrEqual(3.9);
    }
    expect(mergeFactor(49, 500)).toBe(1);
    expect(merged([1, 3, 5, 7, 9], 2)).toEqual([2, 6, 9]);
  });

  test("never more than 60 rows", () => {
    const group = (n: number): HeatGroup => ({
      title: "",
      columns: ["peak", "mean"],
      rows: Array.from({ length: n }, () => ({
        kind: "disk",
        name: "",
        cells: [],
        peak: 0,
        mean: 0,
        strong: false,
        open: null,
      })),
    });
    expect(capped([group(30), group(25), group(20), group(5)]).map((g) => g.rows.length)).toEqual([
      30, 25, 5,
    ]);
  });
});

describe("balance", () => {
  test("dots keep apart and keep their value", () => {
    const xs = Array.from({ length: 40 }, (_, i) => 100 + (i % 10) * 1.5);
    const dots = swarm(xs, 2.3, 60);
    expect(dots.map((d) => d.i).sort((a, b) => a - b)).toEqual(xs.map((_, i) => i));
    for (const d of dots) expect(d.x).toBe(xs[d.i]);
    for (let a = 0; a < dots.length; a++) {
      for (let b = 0; b < a; b++)
        expect(Math.hypot(dots[a]!.x - dots[b]!.x, dots[a]!.dy - dots[b]!.dy)).toBeGreaterThan(4.5);
    }
  });

  test("dots never leave their row", () => {
    expect(
      Math.max(...swarm(new Array(200).fill(5), 2.3, 20).map((d) => Math.abs(d.dy))),
    ).toBeLessThanOrEqual(21);
  });

  test("a histogram of more than 200 nodes loses none", () => {
    const loads = Array.from({ length: 999 }, (_, i) => ((i * 37) % 100) / 40);
    const bins = histogram(loads, 2.3, 46);
    expect(bins.reduce((a, b) => a + b.n, 0)).toBe(999);
    expect(bins[0]!.n).toBe(loads.filter((v) => v < 0.05).length);
    expect(topOf([3, 9, 1, 9, 7, 2, 8], 3)).toEqual([1, 3, 6]);
  });

  test("ticks of large imbalance", () => {
    expect(balanceTicks(2.3)).toEqual([0, 1, 2]);
    expect(balanceTicks(10)).toEqual([0, 1, 5, 10]);
    expect(balanceTicks(45)).toEqual([0, 1, 20, 40]);
  });
});

describe("curves", () => {
  test("now, the recommended and the fastest are drawn", () => {
    const variant = (role: Variant["role"], mean: number): Variant =>
      ({ role, recovery_s: { mean, ci95: 0, min: mean, max: mean } }) as Variant;
    const all = [
      variant("now", 48),
      variant("other", 60),
      variant("other", 40),
      variant("recommended", 26),
      variant("other", 50),
    ];
    expect(drawable(all, 3)).toEqual([0, 2, 3]);
    expect(lineStyles(all).map((s) => s.dash.join(" "))).toEqual([
      "",
      "6 4",
      "1.5 2.5",
      "",
      "10 3 2 3",
    ]);
    expect(lineStyles(all)[0]!.stroke).toBe("var(--risk)");
  });

  test("small multiples hold each value for its cell", () => {
    const points = stepPoints([10, 20], 2);
    expect(points).toEqual({ x: [0, 2, 4], y: [10, 20, 20] });
    const line = { name: "", role: "now" as const, kind: null, steps: true, ...points };
    expect([0, 1.9, 2, 3.9].map((t) => valueOf(line, t))).toEqual([10, 10, 20, 20]);
  });
});

describe("gantt", () => {
  test("counts how many run", () => {
    const row = (from: number, to: number): GanttRow => ({
      ...{ name: "", values: [], bars: [{ from, to, style: "runs" }] },
    });
    const ends = endsOf([row(0, 2), row(1, 2), row(2, 3)]);
    expect([0, 1, 1.9, 2, 3].map((t) => runningAt(ends, t))).toEqual([1, 2, 2, 1, 0]);
  });
});

describe("assumed", () => {
  test("a long note shows its first sentence, a short one all", () => {
    const short = [{ t: "Halved and doubled. Edit " }, { t: "[hardware]" }, { t: "." }];
    expect(shortened(short)).toEqual([short, []]);
    const list = ` Defaults: ${"network.mtu 1500 B, ".repeat(20)}`;
    const [first, more] = shortened([{ t: `Halved and doubled.${list}` }, { t: "explain" }]);
    expect(first).toEqual([{ t: "Halved and doubled." }]);
    expect(more).toEqual([{ t: list.trimStart() }, { t: "explain" }]);
  });

  const row = (half: number | null, now: number, double: number | null) => ({
    name: "",
    value: "",
    key: "",
    half,
    now,
    double,
  });
  test("its range holds all cases and is never only noise", () => {
    const [from, to] = spread([row(52, 48, 47.4), row(48, 48, 48)]);
    expect(from).toBeLessThan(47.4);
    expect(to).toBeGreaterThan(52);
    const [low, high] = spread([row(48.001, 48, 48)]);
    expect(high - low).toBeGreaterThan(3);
    expect(same(48, 48.2)).toBe(true);
    expect(same(48, 48.4)).toBe(false);
    expect(same(48, null)).toBe(false);
  });
});

describe("words", () => {
  test("keys are shortened at their start, piece by piece", () => {
    const key = "dfs.namenode.replication.max-streams = 2";
    expect(fitKey(key, 999, "", wide)).toBe(key);
    expect(fitKey(key, 220, "", wide)).toBe("…replication.max-streams = 2");
    expect(fitKey(key, 130, "", wide)).toBe("…max-streams = 2");
    expect(fit("multiplier 4 alone", 80, "", wide)).toBe("multiplier…");
    expect(fit("ring", 80, "", wide)).toBe("ring");
  });

  test("hosts are shortened in their domain, names broken between words", () => {
    expect(fitName("dn-1.r2.example.com disk 6", 170, "", wide)).toBe("dn-1.r2.example… disk 6");
    expect(fitName("dn-1.r2.example.com disk 6", 100, "", wide)).toBe("dn-1… disk 6");
    expect(fitName("dn-1.r2.example.com disk 6", 999, "", wide)).toBe("dn-1.r2.example.com disk 6");
    expect(wrap("ring, multiplier 8, max-streams 8", 140, 2, wide)).toEqual([
      "ring, multiplier 8,",
      "max-streams 8",
    ]);
    expect(wrap("a very very very long name of a variant", 70, 2, wide)).toEqual([
      "a very",
      "very very…",
    ]);
    expect(wrap("ring", 70, 2, wide)).toEqual(["ring"]);
  });

  test("short names of settings", () => {
    expect(shortName("dfs.namenode.replication.max-streams = 2")).toBe("max-streams");
    expect(shortName("dfs.some.unknown.key = 3s")).toBe("unknown.key");
    expect(["Disk", "NIC, uplinks", "unexplained"].map(shortName)).toEqual([
      "disk",
      "NIC, uplinks",
      "unexplained",
    ]);
  });

  test("a line of Held up by finds its hue", () => {
    const shares = [
      { kind: "disk", name: "Disk" },
      { kind: "setting", name: "dfs.a.b = 2" },
      { kind: "network", name: "Rack uplink" },
    ] as Share[];
    expect(kindOfLine([{ t: "80 %" }, { t: "dfs.a.b = 2", s: "key" }], 0, shares)).toBe("setting");
    expect(kindOfLine([{ t: "70 % rack uplink" }], 0, shares)).toBe("network");
    expect(kindOfLine([{ t: "70 % of nothing known" }], 0, shares)).toBe("disk");
  });

  test("rows sort by number and by name, and keep their order if equal", () => {
    expect(sorted([3, 1, 2], (v) => v, true)).toEqual([3, 2, 1]);
    expect(sorted(["b1", "a2", "a1"], (v) => v.charAt(0), false)).toEqual(["a2", "a1", "b1"]);
  });
});
