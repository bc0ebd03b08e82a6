/** A plot's axes, drawn by hand: hairlines and labels for y, a line with ticks for x. */
import { type Scale, type TimeTick } from "../base/axis";
import { type Child } from "../base/dom";
import { width } from "../base/measure";
import { line, middle, px, right, text } from "../base/svg";
import { type Plot } from "../parts/flags";
import { type Axis } from "../page";
import { isTime } from "./units";

export function yAxis(plot: Plot, y: Scale, ticks: TimeTick[]): Child[] {
  return ticks.flatMap((t) => [
    line(plot.left, px(y(t.at)), plot.right, px(y(t.at)), { class: "grid" }),
    right(plot.left - 8, y(t.at) + 4, t.label),
  ]);
}

/** The axis's name stands after its last tick, in the next line where there is no room. */
export function xAxis(plot: Plot, axis: Axis, x: Scale, ticks: TimeTick[]): Child[] {
  const { left, right: end, bottom } = plot;
  const name = isTime(axis) ? "" : axis.name;
  const last = ticks.at(-1);
  const labels = ticks.map((t) => {
    const half = width(t.label) / 2;
    const at = Math.min(x(t.at), end + 14 - half);
    return middle(at, bottom + 17, t.label);
  });
  const taken = last ? x(last.at) + width(last.label) / 2 : left;
  const beside = taken + 6 + width(name) <= end + 60;
  return [
    line(left, px(bottom), end, px(bottom), { class: "axis" }),
    ...ticks.map((t) => line(px(x(t.at)), bottom, px(x(t.at)), bottom + 4, { class: "axis" })),
    ...labels,
    name !== "" && (beside ? text(taken + 6, bottom + 17, name) : right(end, bottom + 31, name)),
  ];
}

/** A path through points; a gap where a value is missing. With `steps` each holds to the next. */
export function pathOf(points: [number, number | null][], steps = false): string {
  let d = "";
  let pen = "M";
  for (const [x, y] of points) {
    if (y === null) {
      pen = "M";
      continue;
    }
    const at = y.toFixed(1);
    d += steps && pen === "L" ? `H${x.toFixed(1)}V${at}` : `${pen}${x.toFixed(1)},${at}`;
    pen = "L";
  }
  return d;
}
