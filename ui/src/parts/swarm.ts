/** Where the dots of a distribution stand: x is the value, y only keeps dots apart. */

export interface Dot {
  x: number;
  dy: number;
  /** Its place in the data. */
  i: number;
}

const STEP = 2.4;

/** Dots beside each other, at most `half` away from the line; more than that lie on each other. */
export function swarm(xs: number[], radius: number, half: number): Dot[] {
  const order = xs.map((x, i) => ({ x, i })).sort((a, b) => a.x - b.x || a.i - b.i);
  const most = 2 * Math.floor(half / STEP) + 1;
  const placed: Dot[] = [];
  let first = 0;
  for (const { x, i } of order) {
    while (placed[first] && x - placed[first]!.x > 2 * radius + 0.2) first++;
    const near = placed.slice(first);
    let dy = 0;
    for (let k = 0; k < most; k++) {
      dy = (k % 2 ? 1 : -1) * Math.ceil(k / 2) * STEP;
      if (near.every((p) => Math.hypot(p.x - x, p.dy - dy) >= 2 * radius + 0.2)) break;
    }
    placed.push({ x, dy, i });
  }
  return placed;
}

/** A dot a node up to this many; beyond, a histogram with the top 5. */
export const DOTS_UP_TO = 200;
export const TOP_DOTS = 5;

export interface Bin {
  from: number;
  to: number;
  n: number;
}

/** Equal bins from 0 to `to`. */
export function histogram(values: number[], to: number, bins: number): Bin[] {
  const size = to / bins;
  const out = Array.from({ length: bins }, (_, i) => ({
    from: i * size,
    to: (i + 1) * size,
    n: 0,
  }));
  for (const v of values) {
    const bin = out[Math.min(bins - 1, Math.max(0, Math.floor(v / size)))];
    if (bin) bin.n++;
  }
  return out;
}

/** Places of the largest values. */
export const topOf = (values: number[], n = TOP_DOTS): number[] =>
  values
    .map((v, i) => ({ v, i }))
    .sort((a, b) => b.v - a.v || a.i - b.i)
    .slice(0, n)
    .map(({ i }) => i);
