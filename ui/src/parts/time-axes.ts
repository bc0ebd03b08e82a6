/** The axes of curves over time: x with ticks on a line, y with labels at hairlines. */
import { timeTicks, type Scale, type TimeTick } from "../base/axis";
import { axis, FONT } from "../base/echarts";
import { type Plot } from "./flags";

const LABEL = { color: "var(--ink3)", fontFamily: FONT, fontSize: 12 };

/** `ticks` are those of y, evenly spaced from 0. */
export function timeAxes(plot: Plot, x: Scale, ticks: TimeTick[]): object {
  const times = timeTicks(x.from, x.to, plot.right - plot.left);
  const tick = {
    show: true,
    length: 4,
    lineStyle: { color: "var(--ink3)" },
    customValues: times.map((t) => t.at),
  };
  const names = new Map(times.map((t) => [t.at, t.label]));
  const level = (v: number) => ticks.find((t) => Math.abs(t.at - v) < 1e-9 * (1 + v))?.label ?? "";
  return {
    xAxis: axis({
      min: x.from,
      max: x.to,
      splitLine: { show: false },
      axisLine: { show: true, onZero: false, lineStyle: { color: "var(--ink3)" } },
      axisTick: tick,
      axisLabel: {
        ...LABEL,
        customValues: tick.customValues,
        alignMaxLabel: times.at(-1)?.at === x.to ? "right" : null,
        formatter: (v: number) => names.get(v) ?? "",
      },
    }),
    yAxis: axis({
      min: 0,
      max: ticks.at(-1)?.at,
      interval: ticks[1]?.at,
      axisLabel: { ...LABEL, formatter: level },
    }),
  };
}
