import { describe, expect, test } from "vitest";
import {
  bytes,
  count,
  decimals,
  duration,
  each,
  MINUS,
  NB,
  num,
  pct,
  plusMinus,
  quantile,
  range,
  rate,
  sec,
  THIN,
  wholePercents,
} from "../../src/base/numbers";

describe("numbers", () => {
  test("thin spaces in thousands, a real minus, no minus before nothing", () => {
    expect(num(12_000)).toBe(`12${THIN}000`);
    expect(num(999)).toBe("999");
    expect(num(1_234_567.89, 1)).toBe(`1${THIN}234${THIN}567.9`);
    expect(num(-22.4, 1)).toBe(`${MINUS}22.4`);
    expect(MINUS).toBe("\u2212");
    expect(THIN).toContain("\u2009");
    expect(num(-0.04, 1)).toBe("0.0");
  });

  test("units do not break away", () => {
    expect(sec(48)).toBe(`48.0${NB}s`);
    expect(pct(0.38)).toBe(`38${NB}%`);
    expect(range(46.8, 50)).toBe(`46.8–50.0${NB}s`);
    expect(range(46.81, 46.83)).toBe(`46.8${NB}s`);
  });

  test("durations change their unit", () => {
    expect(duration(0)).toBe("0");
    expect(duration(48)).toBe(`48.0${NB}s`);
    expect(duration(120)).toBe(`120${NB}s`);
    expect(duration(630)).toBe(`10${NB}min${NB}30${NB}s`);
    expect(duration(660)).toBe(`11${NB}min`);
    expect(duration(7500)).toBe(`2${NB}h${NB}5${NB}min`);
    expect(duration(7199)).toBe(`2${NB}h`);
    expect(duration(-630)).toBe(`${MINUS}10${NB}min${NB}30${NB}s`);
  });

  test("sizes are decimal", () => {
    expect(bytes(0)).toBe("0");
    expect(bytes(2.5e6)).toBe(`2.5${NB}MB`);
    expect(bytes(134e6)).toBe(`134${NB}MB`);
    expect(bytes(999.9e6)).toBe(`1.0${NB}GB`);
    expect(bytes(12)).toBe(`12${NB}B`);
    expect(rate(1.25e9)).toBe(`1.25${NB}GB/s`);
    expect(rate(150e6)).toBe(`150${NB}MB/s`);
    expect(rate(5e9)).toBe(`5${NB}GB/s`);
  });

  test("an interval is written where there is one", () => {
    expect(plusMinus(-22.4, 0.6)).toBe(`${MINUS}22.4 ± 0.6`);
    expect(plusMinus(48, 0)).toBe("48.0");
    expect(count(1, "node")).toBe("1 node");
    expect(count(2000, "node")).toBe(`2${THIN}000 nodes`);
    expect(each(1)).toBe("each second");
    expect(each(5)).toBe(`each 5${NB}s`);
    expect(each(0.0002)).toBe(`each 0.2${NB}ms`);
    expect(range(0.0072, 0.0076)).toBe(`7.20–7.60${NB}ms`);
    expect([0, 4.8, 48, 480].map(decimals)).toEqual([0, 2, 1, 0]);
  });
});

describe("whole percents", () => {
  test("the largest remainders are rounded up", () => {
    expect(wholePercents([80.4, 12.3, 5.2, 2.1])).toEqual([81, 12, 5, 2]);
    expect(wholePercents([1, 1, 1])).toEqual([34, 33, 33]);
    expect(wholePercents([])).toEqual([]);
    expect(wholePercents([0, 0])).toEqual([0, 0]);
  });

  test("they sum to 100, and none is off by 1 or more", () => {
    let state = 1;
    const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
    for (let run = 0; run < 500; run++) {
      const parts = Array.from({ length: 1 + Math.floor(random() * 12) }, () => random() ** 4);
      const sum = parts.reduce((a, b) => a + b, 0);
      const whole = wholePercents(parts);
      expect(whole.reduce((a, b) => a + b, 0)).toBe(100);
      whole.forEach((w, i) => expect(Math.abs(w - (100 * parts[i]!) / sum)).toBeLessThan(1));
    }
  });

  test("quantiles lie between neighbours", () => {
    expect(quantile([1, 2, 3, 4], 0.5)).toBe(2.5);
    expect(quantile([7], 0.9)).toBe(7);
    expect(quantile([], 0.5)).toBe(0);
  });
});
