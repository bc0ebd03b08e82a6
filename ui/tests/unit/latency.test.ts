import { describe, expect, test } from "vitest";
import { pageOf } from "../../fixtures/blocks";
import { FIXTURES } from "../../fixtures/index";
import { place, zoomed } from "../../src/base/selection";
import { valueAt } from "../../src/blocks/lines";
import { valueTicks, write } from "../../src/blocks/units";

const NB = "\u00a0";

describe("latencies", () => {
  test("are said in three digits, in seconds from one second on", () => {
    const said = [0, 0.0042, 0.5564, 0.9994, 0.9996, 1.169, 12].map((v) => write("s", v));
    expect(said).toEqual(
      ["0", "4.20 ms", "556 ms", "999 ms", "1.00 s", "1.17 s", "12.0 s"].map((words) =>
        words.replace(" ", NB),
      ),
    );
  });

  test("an axis begins at 0, reaches over the most, and has its unit on its last tick", () => {
    const labels = (most: number) => valueTicks("s", most).map((t) => t.label.replace(NB, " "));
    expect(labels(0.923)).toEqual(["0", "500", "1\u2060\u2009\u2060000 ms"]);
    expect(labels(1.3)).toEqual(["0", "0.5", "1.0", "1.5 s"]);
    expect(labels(5.291)).toEqual(["0", "2", "4", "6 s"]);
    expect(labels(0.0004).at(-1)).toMatch(/ ms$/);
    for (const most of [3e-5, 4e-4, 0.007, 0.088, 0.923, 1, 1.3, 5.291, 64]) {
      const ticks = valueTicks("s", most).map((t) => t.at);
      expect(ticks[0]).toBe(0);
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(most);
      expect(ticks.at(-1)).toBeLessThanOrEqual(2 * most);
    }
  });

  test("a line breaks where no request ended, and each sample tells of how many", () => {
    const report = FIXTURES["clients"]!();
    const section = pageOf(report).sections.find((s) => s.id === "clients")!;
    const [p99] = section.kind === "curves" ? section.panels[0]!.lines : [];
    const gaps = p99!.x.filter((_, i) => p99!.y[i] === null);
    expect(gaps).toEqual([-9.5, -7.5]);
    expect(p99!.y.filter((v) => v !== null)).toHaveLength(report.foreground!.points.length);
    expect(valueAt(p99!, -9.5)).toBe(null);
    expect(
      p99!.notes!.filter((note) => /^(the longest )?of \d+ requests$/.test(note)),
    ).toHaveLength(report.foreground!.points.length);
  });

  test("a zoom before the declaration is for the charts that have it", () => {
    const at = (t: string) => place.set({ path: [], picks: { t } });
    at("-20.00~5.00");
    expect([zoomed(), zoomed(-Infinity)]).toEqual([
      [0, 5],
      [-20, 5],
    ]);
    at("-20.00~-5.00");
    expect([zoomed(), zoomed(-Infinity)]).toEqual([null, [-20, -5]]);
    at("5.00~15.00");
    expect([zoomed(), zoomed(-Infinity)]).toEqual([
      [5, 15],
      [5, 15],
    ]);
    place.set({ path: [], picks: {} });
    expect(zoomed(-Infinity)).toBe(null);
  });
});
