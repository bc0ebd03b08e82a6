import { describe, expect, test } from "vitest";
import { latenciesOf } from "../../fixtures/clients";
import { latencyTicks } from "../../src/base/axis";
import { latency } from "../../src/base/numbers";
import { place, zoomed } from "../../src/base/selection";
import { broken, nearest } from "../../src/parts/latency";

const NB = "\u00a0";

describe("latencies", () => {
  test("are said in three digits, in seconds from one second on", () => {
    expect([0, 4.2, 556.4, 999.4, 999.6, 1169, 12_000].map(latency)).toEqual(
      ["0 ms", "4.20 ms", "556 ms", "999 ms", "1.00 s", "1.17 s", "12.0 s"].map((words) =>
        words.replace(" ", NB),
      ),
    );
  });

  test("an axis begins at 0, reaches over the most, and has its unit on its last tick", () => {
    const labels = (most: number) => latencyTicks(most).map((t) => t.label.replace(NB, " "));
    expect(labels(923)).toEqual(["0", "500", "1\u2060\u2009\u2060000 ms"]);
    expect(labels(1300)).toEqual(["0", "0.5", "1.0", "1.5 s"]);
    expect(labels(5291)).toEqual(["0", "2", "4", "6 s"]);
    expect(labels(0.4).at(-1)).toMatch(/ ms$/);
    for (const most of [0.03, 0.4, 7, 88, 923, 1000, 1300, 5291, 64_000]) {
      const ticks = latencyTicks(most).map((t) => t.at);
      expect(ticks[0]).toBe(0);
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(most);
      expect(ticks.at(-1)).toBeLessThanOrEqual(2 * most);
    }
  });

  test("a line breaks where no request ended, and a time finds its stretch", () => {
    const data = latenciesOf(20);
    const gaps = broken(data, "p99").filter(([, v]) => Number.isNaN(v));
    expect(gaps.map(([t]) => t)).toEqual([-9.5, -7.5]);
    expect(broken(data, "p99").filter(([, v]) => v > 0)).toHaveLength(data.points.length);
    expect(nearest(data, 3.2)?.at_s).toBe(3.5);
    expect(nearest(data, 999)?.at_s).toBe(19.5);
    expect(nearest({ ...data, points: [] }, 3)).toBe(null);
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
