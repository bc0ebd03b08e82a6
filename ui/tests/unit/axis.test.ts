import { describe, expect, test } from "vitest";
import { countTicks, rangeTicks, roundUp, scale, timeEnd, timeTicks } from "../../src/base/axis";
import { NB } from "../../src/base/numbers";

const labels = (from: number, to: number, pixels: number, end?: number) =>
  timeTicks(from, to, pixels, end).map((t) => t.label);

describe("axes", () => {
  test("a scale goes there and back", () => {
    const x = scale(10, 20, 100, 300);
    expect(x(15)).toBe(200);
    expect(x.invert(x(13.7))).toBeCloseTo(13.7, 9);
    expect(scale(5, 5, 0, 10)(5)).toBe(0);
  });

  test("counts get 3 or 4 round ticks that reach over the largest", () => {
    expect(countTicks(898)).toEqual([0, 300, 600, 900]);
    expect(countTicks(2400)).toEqual([0, 800, 1600, 2400]);
    expect(countTicks(1)).toEqual([0, 1, 2]);
    for (let max = 1; max < 5000; max += 7) {
      const ticks = countTicks(max);
      expect(ticks.length).toBeGreaterThanOrEqual(3);
      expect(ticks.at(-1)!).toBeGreaterThanOrEqual(max);
      expect(ticks.every(Number.isInteger)).toBe(true);
      if (max > 10) expect(ticks.at(-1)! / max).toBeLessThan(1.6);
    }
  });

  test("the unit stands once, on the last tick", () => {
    expect(labels(0, 60, 480)).toEqual(["0", "10", "20", "30", "40", "50", `60${NB}s`]);
    expect(labels(0, 1800, 480).at(-1)).toBe(`30${NB}min`);
    expect(labels(0, 36_001, 480).at(-1)).toBe(`10${NB}h`);
  });

  test("a run's own end is a tick, and pushes a close one away", () => {
    expect(labels(0, 58.1, 600, 58.1)).toEqual(["0", "10", "20", "30", "40", "50", `58.1${NB}s`]);
    expect(labels(0, 41, 500, 41)).not.toContain("40");
    expect(labels(0, 41, 500, 41).at(-1)).toBe(`41${NB}s`);
  });

  test("tick labels keep 40 pixels between them", () => {
    for (let end = 0.3; end < 50_000; end *= 1.37) {
      const ticks = timeTicks(0, end, 400, end);
      for (let i = 1; i < ticks.length; i++) {
        expect(((ticks[i]!.at - ticks[i - 1]!.at) / end) * 400).toBeGreaterThanOrEqual(39.9);
      }
    }
  });

  test("round ends", () => {
    expect(timeEnd(41.3)).toBe(42);
    expect(timeEnd(48)).toBe(48);
    expect(timeEnd(50.0001)).toBe(52);
    expect(roundUp(0)).toBe(1);
    expect(rangeTicks(45.5, 52.6)).toEqual([46, 48, 50, 52]);
    expect(rangeTicks(27.4, 30.6)).toEqual([28, 29, 30]);
  });
});
