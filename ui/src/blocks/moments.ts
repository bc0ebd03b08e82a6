/** What happened: labelled lines across a picture. */
import { type Scale } from "../base/axis";
import { type Child } from "../base/dom";
import { fit, width } from "../base/measure";
import { line, px, text } from "../base/svg";
import { type Moment } from "../page";

/** Each with its name above, right of its line where there is room, else left; one that finds
 * neither has its line alone. `y` is the names' base line. */
export function momentMarks(
  moments: Moment[],
  x: Scale,
  y: number,
  top: number,
  bottom: number,
  [least, most]: [number, number],
): Child[] {
  const seen = moments.filter((m) => m.at >= x.from && m.at <= x.to);
  const places = seen.map((m) => x(m.at));
  const taken: [number, number][] = [];
  const free = (from: number, to: number) =>
    from >= least && to <= most && taken.every(([a, b]) => to + 8 < a || from > b + 8);
  return seen.flatMap(({ name, kind }, i): Child[] => {
    const at = places[i]!;
    const words = fit(name, most - least);
    const wide = width(words);
    const upright = line(px(at), top - 4, px(at), bottom, {
      stroke: kind ? `var(--${kind})` : "var(--ink3)",
      "stroke-dasharray": kind ? null : "1.5 2.5",
    });
    // A label that runs over the next line leaves its side to that one's.
    const next = Math.min(...places.filter((p) => p > at), Infinity);
    const sides = [at + 4, at - 4 - wide];
    if (next < at + 4 + wide) sides.reverse();
    const left = [...sides, at - wide / 2].find((from) => free(from, from + wide));
    if (left === undefined) return [upright];
    taken.push([left, left + wide]);
    const ink = kind && kind !== "unexplained" ? `fill:var(--${kind}-ink)` : null;
    return [upright, text(left, y, words, "s o", { style: ink })];
  });
}
