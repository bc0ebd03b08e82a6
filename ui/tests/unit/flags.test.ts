import { describe, expect, test } from "vitest";
import { FLAG_STEP, layoutFlags, meets, type Flag } from "../../src/parts/flags";

const plot = { left: 40, right: 700, top: 14, bottom: 290 };
const flag = (x: number, over = 285, width = 100): Flag => ({ x, over, width });

describe("flags on the finish", () => {
  test("four stand staggered, the earliest highest", () => {
    const ys = layoutFlags([flag(200), flag(340), flag(380), flag(400)], plot).map((p) =>
      Math.round(p!.y),
    );
    expect(ys).toEqual([89, 138, 188, 238]);
  });

  test("labels stand over the curves", () => {
    const [first] = layoutFlags([flag(200, 60), flag(400)], plot);
    expect(first!.y).toBeLessThanOrEqual(50);
  });

  test("a label that would leave the plot turns to the left", () => {
    const [placed] = layoutFlags([flag(650)], plot);
    expect(placed).toMatchObject({ anchor: "right", left: 650 - 6 - 100 });
  });

  test("none of many meets another or leaves the plot, no line crosses a label", () => {
    let state = 3;
    const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
    for (let run = 0; run < 400; run++) {
      const n = 1 + Math.floor(random() * 8);
      const flags = Array.from({ length: n }, () =>
        flag(60 + random() * 400, 200 + random() * 85),
      ).sort((a, b) => a.x - b.x);
      const placed = layoutFlags(flags, plot);
      placed.forEach((p, i) => {
        if (!p) return;
        expect(p.y).toBeGreaterThanOrEqual(plot.top);
        expect(p.left + flags[i]!.width).toBeLessThanOrEqual(plot.right);
        expect(p.y).toBeLessThanOrEqual(flags[i]!.over - 10);
        placed
          .slice(i + 1)
          .forEach((q) => q && expect(q.y - p.y).toBeGreaterThanOrEqual(FLAG_STEP - 1e-9));
      });
      if (n <= 6) expect(placed.every(Boolean)).toBe(true);
    }
  });

  test("a note sees lines and labels in its way", () => {
    const note = { left: 100, right: 400, y: 60 };
    expect(meets(note, flag(200), { y: 100, left: 206, anchor: "left" })).toBe(false);
    expect(meets(note, flag(200), { y: 66, left: 206, anchor: "left" })).toBe(true);
    expect(meets(note, flag(450), { y: 60, left: 456, anchor: "left" })).toBe(false);
    expect(meets(note, flag(300), { y: 30, left: 306, anchor: "left" })).toBe(true);
  });
});
