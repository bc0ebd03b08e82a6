import { describe, expect, test } from "vitest";
import { dice } from "../../fixtures/toy";
import { enters, placeLabels, stack, touches, type Box } from "../../src/parts/labels";

const plot: Box = { left: 40, right: 1000, top: 20, bottom: 260 };

describe("labels of points", () => {
  test("heights keep their order and their distance inside the bounds", () => {
    expect(stack([50, 52, 100], 16, 0, 200)).toEqual([50, 66, 100]);
    expect(stack([52, 50], 16, 0, 200)).toEqual([66, 50]);
    expect(stack([195, 199], 16, 0, 200)).toEqual([184, 200]);
    expect(stack([], 16, 0, 200)).toEqual([]);
  });

  test("a segment enters a box, as a walk along it says", () => {
    const random = dice(11);
    const some = (most: number) => random() * most;
    let both = 0;
    for (let run = 0; run < 2000; run++) {
      const [left, top] = [some(80), some(80)];
      const box = { left, right: left + 1 + some(40), top, bottom: top + 1 + some(40) };
      const [x1, y1, x2, y2] = [some(120), some(120), some(120), some(120)];
      const walk = (margin: number) =>
        Array.from({ length: 501 }, (_, i) => i / 500).some((k) => {
          const [x, y] = [x1 + k * (x2 - x1), y1 + k * (y2 - y1)];
          const across = x > box.left + margin && x < box.right - margin;
          return across && y > box.top + margin && y < box.bottom - margin;
        });
      const is = enters([x1, y1, x2, y2], box);
      if (walk(0)) expect(is).toBe(true);
      if (!walk(-0.5)) expect(is).toBe(false);
      if (is) both++;
    }
    expect(both).toBeGreaterThan(200);
  });

  test("a lone point has its label at its right, at the edge at its left", () => {
    const [free] = placeLabels([{ x: 200, y: 100, width: 90, reach: 4 }], plot, []);
    expect(free).toEqual({ left: 209, y: 100, leader: null });
    const [edge] = placeLabels([{ x: 980, y: 100, width: 90, reach: 4 }], plot, []);
    expect(edge).toEqual({ left: 881, y: 100, leader: null });
  });

  test("of many none meets another, a point, a leader, or leaves the plot", () => {
    const random = dice(7);
    let placed = 0;
    for (let run = 0; run < 60; run++) {
      const labels = Array.from({ length: 2 + Math.floor(random() * 14) }, () => ({
        x: 60 + random() * 300,
        y: 30 + random() * 220,
        width: 60 + random() * 260,
        reach: 3 + random() * 10,
      }));
      const dots = labels.map(({ x, y }) => ({
        left: x - 3,
        right: x + 3,
        top: y - 3,
        bottom: y + 3,
      }));
      const found = placeLabels(labels, plot, dots);
      const boxes = found.flatMap((p, i) => {
        if (!p) return [];
        const box = {
          left: p.left,
          right: p.left + labels[i]!.width,
          top: p.y - 8,
          bottom: p.y + 8,
        };
        return [{ box, leader: p.leader }];
      });
      placed += boxes.length / labels.length / 60;
      boxes.forEach(({ box }, i) => {
        expect(box.left >= plot.left && box.right <= plot.right).toBe(true);
        expect(box.top >= plot.top && box.bottom <= plot.bottom).toBe(true);
        expect(dots.some((dot) => touches(dot, box))).toBe(false);
        boxes.forEach((other, k) => {
          if (k === i) return;
          expect(touches(box, other.box)).toBe(false);
          expect(other.leader !== null && enters(other.leader, box)).toBe(false);
        });
      });
    }
    expect(placed).toBeGreaterThan(0.6);
  });

  test("what may be covered is covered only where nothing else is near", () => {
    const label = { x: 200, y: 100, width: 90, reach: 4 };
    const grey = { left: 230, right: 236, top: 97, bottom: 103 };
    expect(placeLabels([label], plot, [], [grey])[0]).toMatchObject({ left: 101, y: 100 });
    const everywhere = [{ ...plot }];
    expect(placeLabels([label], plot, [], everywhere)[0]).toMatchObject({ left: 209 });
  });
});
