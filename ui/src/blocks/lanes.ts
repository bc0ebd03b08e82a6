/** How many bars ran at a time, by pixel: the lane of a folded group, and the overview on top. */
import { type Scale } from "../base/axis";
import { type GanttRow } from "../page";

/** Times at which bars begin, and at which they end, each ascending. */
export interface Ends {
  from: Float64Array;
  to: Float64Array;
}

/** Waits are no work: they do not count. */
export function endsOf(rows: GanttRow[]): Ends {
  const from: number[] = [];
  const to: number[] = [];
  for (const row of rows)
    for (const bar of row.bars)
      if (bar.style === "runs") {
        from.push(bar.from);
        to.push(bar.to);
      }
  return { from: Float64Array.from(from).sort(), to: Float64Array.from(to).sort() };
}

/** How many of the ascending values are at most `v`. */
export function upTo(values: Float64Array, v: number): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle]! <= v) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Bars that run at a time. */
export const runningAt = ({ from, to }: Ends, t: number): number => upTo(from, t) - upTo(to, t);

/** The most that run at a time within each pixel. */
export function lane(ends: Ends, x: Scale, left: number, right: number): number[] {
  const out: number[] = [];
  for (let px = left; px < right; px++) {
    const [a, b] = [x.invert(px), x.invert(px + 1)];
    let n = runningAt(ends, a);
    let most = n;
    // Within the pixel begins come before ends where they do in time; few pixels hold many.
    let [i, k] = [upTo(ends.from, a), upTo(ends.to, a)];
    while (i < ends.from.length && ends.from[i]! < b) {
      while (k < ends.to.length && ends.to[k]! <= ends.from[i]!) {
        n--;
        k++;
      }
      n++;
      i++;
      if (n > most) most = n;
    }
    out.push(most);
  }
  return out;
}
