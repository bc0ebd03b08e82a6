/** What clients waited over the run: 99 of 100 requests, and half of them; the level before. */
import { latencyTicks, scale, type Scale, type TimeTick } from "../base/axis";
import { crosshair, type Frame } from "../base/crosshair";
import { h, type Life } from "../base/dom";
import { chart, curve, overlay, words } from "../base/echarts";
import { fit, width } from "../base/measure";
import { largest, latency, num } from "../base/numbers";
import { place, zoomed } from "../base/selection";
import { tipOver } from "../base/tooltip";
import { type Latencies, type LatencyPoint } from "../report";
import { type Plot } from "./flags";
import { stack } from "./labels";
import { NAME_FONT, VALUE_FONT } from "./lines";
import { timeAxes } from "./time-axes";

export interface LatencyOptions {
  label: string;
  height: number;
  data: Latencies;
  /** What happened at 0: "declared dead". */
  start: string;
  /** When all was safe again in this run; null: it was not. */
  safe_s: number | null;
}

/** Between labels beside the plot. */
const STEP = 17;
const GAP = 8;
const ENDS = ["p99", "p50"] as const;
type Percentile = (typeof ENDS)[number];
const STROKES = {
  p99: { color: "var(--ink)", width: 2 },
  p50: { color: "var(--ink2)", width: 1.25 },
};
const at = (point: LatencyPoint, which: Percentile): number =>
  which === "p99" ? point.p99_ms : point.p50_ms;

/** The line, broken where no request ended. */
export function broken({ points, step_s }: Latencies, which: Percentile): [number, number][] {
  return points.flatMap((point, i): [number, number][] => {
    const before = points[i - 1];
    const gap = before !== undefined && point.at_s - before.at_s > 1.5 * step_s;
    const here: [number, number] = [point.at_s, at(point, which)];
    return gap ? [[point.at_s - step_s, NaN], here] : [here];
  });
}

/** Points that no line reaches. */
const alone = (line: [number, number][]): [number, number][] =>
  line.filter(([, v], i) => {
    const joined = (other?: [number, number]) => other !== undefined && !Number.isNaN(other[1]);
    return !Number.isNaN(v) && !joined(line[i - 1]) && !joined(line[i + 1]);
  });

/** The stretch that a time lies in, or the nearest. */
export function nearest({ points }: Latencies, t: number): LatencyPoint | null {
  const off = (p: LatencyPoint) => Math.abs(p.at_s - t);
  return points.reduce<LatencyPoint | null>((a, p) => (a && off(a) <= off(p) ? a : p), null);
}

interface Layout {
  plot: Plot;
  x: Scale;
  y: Scale;
  ticks: TimeTick[];
}

const beforeWords = (ms: number): string => `before ${latency(ms)}`;

function layout({ data, height, safe_s }: LatencyOptions, w: number): Layout {
  const { points, before_p99_ms, step_s } = data;
  const values = points.map((p) => p.p99_ms);
  const ticks = latencyTicks(largest([...values, before_p99_ms ?? 0]));
  const left = Math.ceil(largest(ticks.map((t) => width(t.label)))) + 10;
  const beside = [width("p99", VALUE_FONT), width(beforeWords(before_p99_ms ?? 0))];
  const plot = { left, right: w - largest(beside) - GAP - 2, top: 24, bottom: height - 24 };
  const end = Math.max((points.at(-1)?.at_s ?? 1) + step_s / 2, safe_s ?? 0);
  const [from, to] = zoomed(-Infinity) ?? [(points[0]?.at_s ?? 0) - step_s / 2, end];
  const x = scale(Math.min(from, to - step_s), to, plot.left, plot.right);
  return { plot, x, y: scale(0, ticks.at(-1)?.at ?? 1, plot.bottom, plot.top), ticks };
}

/** Names beside the plot: each line's at its last value, the level's at its height. */
function beside({ data }: LatencyOptions, { plot, x, y }: Layout): object[] {
  const inside = data.points.filter((p) => p.at_s >= x.from && p.at_s <= x.to);
  const last = inside.at(-1) ?? data.points.at(-1);
  const ends = ENDS.map((name) => ({
    words: name as string,
    y: last ? y(at(last, name)) : plot.bottom,
    style: { fill: STROKES[name].color, font: name === "p99" ? VALUE_FONT : NAME_FONT },
  }));
  const level = data.before_p99_ms;
  const before =
    level === null
      ? []
      : [{ words: beforeWords(level), y: y(level), style: { fill: "var(--ink3)" } }];
  const all = [...ends, ...before];
  const ys = stack(
    all.map((label) => label.y),
    STEP,
    plot.top + 4,
    plot.bottom - 4,
  );
  return all.map((label, i) => words(plot.right + GAP, ys[i]!, label.words, label.style));
}

function upright(x: number, { top, bottom }: Plot): object {
  return {
    type: "line",
    shape: { x1: x, y1: top - 6, x2: x, y2: bottom },
    style: { stroke: "var(--ink3)", lineWidth: 1 },
  };
}

/** The moments, with their names above: the first's left of its line where there is room. */
function moments({ start, safe_s }: LatencyOptions, { plot, x }: Layout, w: number): object[] {
  const place = (t: number) => Math.round(x(t)) + 0.5;
  const seen = (t: number | null): t is number => t !== null && t >= x.from && t <= x.to;
  const shapes: object[] = [];
  let taken = -Infinity;
  if (seen(0)) {
    const wide = width(start);
    const before = place(0) - 6 - wide >= 0;
    const name = before ? start : fit(start, (w - place(0)) / 2);
    const left = before ? place(0) - 6 - wide : place(0) + 6;
    taken = left + width(name);
    shapes.push(upright(place(0), plot), words(left, plot.top - 12, name, {}));
  }
  if (seen(safe_s)) {
    const wide = width("all safe");
    const at = place(safe_s);
    const left = at + 6 + wide <= w ? at + 6 : at - 6 - wide;
    shapes.push(upright(at, plot));
    if (left > taken + 6) shapes.push(words(left, plot.top - 12, "all safe", {}));
  }
  return shapes;
}

function level({ data }: LatencyOptions, { plot, y }: Layout): object[] {
  if (data.before_p99_ms === null) return [];
  const at = Math.round(y(data.before_p99_ms)) + 0.5;
  return [
    {
      type: "line",
      shape: { x1: plot.left, y1: at, x2: plot.right, y2: at },
      style: { stroke: "var(--ink3)", lineWidth: 1, lineDash: [4, 3] },
    },
  ];
}

function dots({ data }: LatencyOptions, { x, y }: Layout): object[] {
  return ENDS.flatMap((which) =>
    alone(broken(data, which))
      .filter(([t]) => t >= x.from && t <= x.to)
      .map(([t, v]) => ({
        type: "circle",
        shape: { cx: x(t), cy: y(v), r: STROKES[which].width },
        style: { fill: STROKES[which].color },
      })),
  );
}

function readings({ data }: LatencyOptions, t: number): HTMLElement[] {
  const point = nearest(data, t);
  if (!point) return [];
  const row = (name: string, value: string, more = "") =>
    h("div", { class: "row2" }, h("span", {}, name), h("span", {}, h("b", {}, value), more));
  const of = `${num(point.requests)} ${point.requests === 1 ? "request" : "requests"}`;
  const few = point.requests < 100 ? " (the longest)" : "";
  return [
    row("99 of 100", latency(point.p99_ms), few),
    row("half", latency(point.p50_ms)),
    h("div", { class: "row2" }, h("span", {}, of)),
  ];
}

export function latencies(life: Life, host: HTMLElement, options: LatencyOptions): void {
  const { data, height, label } = options;
  let frame: Frame | null = null;
  const option = (w: number) => {
    const made = layout(options, w);
    const { plot, x, ticks } = made;
    frame = { x, ...plot };
    const lines = [...ENDS]
      .reverse()
      .map((which) => curve(broken(data, which), { lineStyle: STROKES[which], clip: true }));
    const over = [...dots(options, made), ...moments(options, made, w), ...beside(options, made)];
    return {
      grid: { left: plot.left, right: w - plot.right, top: plot.top, bottom: 24 },
      ...timeAxes(plot, x, ticks),
      series: [overlay(level(options, made), { z: 1 }), ...lines, overlay(over)],
    };
  };
  chart(life, host, height, option, [place]);
  crosshair(life, host, {
    frames: () => (frame ? [frame] : []),
    chip: true,
    read: (t, event) =>
      tipOver(host, event, t === null || !frame ? null : frame.x(t), () =>
        readings(options, t ?? 0),
      ),
    keys: {
      step: () => data.step_s,
      label,
      say: (t) => {
        const point = nearest(data, t);
        return point ? `p99 ${latency(point.p99_ms)}, p50 ${latency(point.p50_ms)}` : "no request";
      },
    },
  });
}
