import { describe, expect, test } from "vitest";
import { crewOf as crew, TWO as two } from "../../fixtures/threads";
import { figuresOf, namedEach, rowHeight, unitOf } from "../../src/blocks/threads";

const TWO = { deals: 0, alone: 0, ...two };
const crewOf = (ranks: number, each: number) => ({ ...TWO, ...crew(ranks, each) });

const words = (all: string[]): string[] =>
  all.map((t) => t.replaceAll("\u00a0", " ").replaceAll("\u2060", "").replaceAll("\u2009", " "));

describe("the run's own time", () => {
  test("rows share the room, and are never less than a thin line", () => {
    expect([1, 2, 19, 20, 25, 32, 64, 128, 1000].map(rowHeight)).toEqual([
      20, 20, 20, 19, 15, 12, 6, 3, 3,
    ]);
  });

  test("names have room; of several processes each is named first", () => {
    for (const [threads, ranks] of [
      [2, 1],
      [26, 1],
      [64, 1],
      [64, 8],
      [64, 32],
      [65, 8],
      [512, 16],
    ] as const) {
      const each = namedEach(threads, ranks);
      expect(each * rowHeight(threads)).toBeGreaterThanOrEqual(15);
      if (ranks > 1 && threads % ranks === 0) {
        const own = threads / ranks;
        expect(each % own).toBe(0);
      }
    }
    expect([namedEach(25, 5), namedEach(64, 1), namedEach(64, 8)]).toEqual([1, 4, 8]);
  });

  test("times have one unit and three digits that count", () => {
    expect([0.04, 0.99, 1, 60, 599, 1200, 72_000].map(unitOf)).toEqual([
      { size: 0.001, unit: "ms", digits: 1 },
      { size: 0.001, unit: "ms", digits: 0 },
      { size: 1, unit: "s", digits: 2 },
      { size: 1, unit: "s", digits: 1 },
      { size: 1, unit: "s", digits: 0 },
      { size: 60, unit: "min", digits: 1 },
      { size: 3600, unit: "h", digits: 1 },
    ]);
  });

  test("the line of figures: who, how often they met, what stands, what it took", () => {
    expect(words(figuresOf(TWO))).toEqual([
      "conservative",
      "2 threads",
      "12 345 rounds, 40.5 events a thread in each",
      "1 000 000 events committed",
      "efficiency 100 %",
      "at most 512 MB of memory",
    ]);
    const many = words(figuresOf(crewOf(2, 4)));
    expect([many[1], many[5]]).toEqual([
      "2 processes × 4 threads",
      "at most 7.3 GB of memory in rank 0",
    ]);
    const odd = { ...crewOf(1, 7), ranks: 3, peak_rss_bytes: 0 };
    expect(words(figuresOf(odd))[1]).toBe("7 threads in 3 processes");
    expect(figuresOf(odd)).toHaveLength(5);
  });

  test("efficiency is what stands of what was done, and not all where one event was undone", () => {
    const of = (committed: number, rolled_back: number) => {
      const threads = TWO.threads.map((t) => ({ ...t, committed, rolled_back }));
      return words(figuresOf({ ...TWO, threads }))[4];
    };
    expect(of(3, 1)).toBe("efficiency 75 %");
    expect(of(1_000_000, 1)).toBe("efficiency 99.9 %");
    expect(of(0, 5)).toBe("efficiency 0 %");
    expect(of(0, 0)).toBe("efficiency –");
  });
});
