/** Small multiples: a panel a resource over one time axis, values at the crosshair on the right. */
import { scale, timeTicks } from "../base/axis";
import { crosshair, type Frame } from "../base/crosshair";
import { s, type Life } from "../base/dom";
import { axis, chart, curve, FONT, overlay, words } from "../base/echarts";
import { fit } from "../base/measure";
import { hovered, place, zoomed } from "../base/selection";
import { circle, text, type Mark } from "../base/svg";

export interface Panel {
  name: string;
  unit: string;
  kind: "disk" | "network" | "cpu";
  /** A value a cell. */
  values: number[];
  step_s: number;
  /** The panel's top: the capacity. */
  top: number;
  show: (value: number) => string;
  /** One line that reads the curve. */
  reading: string;
}

export interface MultiplesOptions {
  label: string;
  panels: Panel[];
  end: number;
  left: number;
  right: number;
  /** Selected spans of time. */
  bands: () => [number, number][];
}

const HIGH = 58;
const GAP = 16;
const TOP = 12;
const topOf = (i: number): number => TOP + i * (HIGH + GAP);

export const valueIn = ({ values, step_s }: Panel, t: number): number =>
  values[Math.min(values.length - 1, Math.max(0, Math.floor(t / step_s)))] ?? 0;

/** A step curve: each value holds for its cell. */
export function stepPoints({ values, step_s }: Panel): [number, number][] {
  const points = values.map((v, i): [number, number] => [i * step_s, v]);
  return [...points, [values.length * step_s, values.at(-1) ?? 0]];
}

function axes({ panels, end, left, right }: MultiplesOptions, w: number): object {
  const [from, to] = zoomed() ?? [0, end];
  const ticks = timeTicks(from, to, w - left - right, Math.min(end, to));
  const names = new Map(ticks.map((t) => [t.at, t.label]));
  const label = { color: "var(--ink3)", fontFamily: FONT, fontSize: 12 };
  const customValues = ticks.map((t) => t.at);
  return {
    grid: panels.map((_, i) => ({ left, right, top: topOf(i), height: HIGH })),
    xAxis: panels.map((_, i) => {
      const last = i === panels.length - 1;
      return axis({
        gridIndex: i,
        min: from,
        max: to,
        splitLine: { show: false },
        axisLine: {
          show: true,
          onZero: false,
          lineStyle: { color: last ? "var(--ink3)" : "var(--rule)" },
        },
        axisTick: { show: last, length: 4, lineStyle: { color: "var(--ink3)" }, customValues },
        axisLabel: {
          show: last,
          ...label,
          customValues,
          formatter: (v: number) => names.get(v) ?? "",
        },
      });
    }),
    yAxis: panels.map((p, i) =>
      axis({
        gridIndex: i,
        min: 0,
        max: p.top,
        interval: p.top,
        axisLabel: {
          ...label,
          fontSize: 11.5,
          margin: 6,
          verticalAlignMinLabel: "bottom",
          verticalAlignMaxLabel: "top",
        },
      }),
    ),
  };
}

function series({ panels, left, bands }: MultiplesOptions): object[] {
  const ink = { fill: "var(--ink)", font: `500 12px ${FONT}` };
  const grey = { fill: "var(--ink3)", font: `400 11.5px ${FONT}` };
  const names = panels.flatMap((p, i) => [
    words(0, topOf(i) + HIGH / 2 - 8, fit(p.name, left - 34, "500 12px Inter"), ink),
    words(0, topOf(i) + HIGH / 2 + 8, p.unit, grey),
  ]);
  const data = bands().map(([a, b]) => [{ xAxis: a }, { xAxis: b }]);
  return [
    ...panels.map((p, i) =>
      curve(stepPoints(p), {
        xAxisIndex: i,
        yAxisIndex: i,
        step: "end",
        lineStyle: { color: `var(--${p.kind})`, width: 1.5 },
        areaStyle: { color: `var(--${p.kind})`, opacity: 0.14 },
        markArea: { silent: true, itemStyle: { color: "var(--pick)", opacity: 1 }, data },
        z: 3,
      }),
    ),
    overlay(names, { xAxisIndex: 0, yAxisIndex: 0 }),
  ];
}

/** Values on the right and dots on the curves: what changes with the crosshair. */
function readings(options: MultiplesOptions, w: number, frame: Frame, t: number | null): Mark[] {
  const { panels, right } = options;
  return panels.flatMap((p, i) => {
    const top = topOf(i);
    const x = w - right + 16;
    const value = t === null ? null : valueIn(p, t);
    const dot =
      value !== null &&
      t !== null &&
      circle(frame.x(t), top + HIGH * (1 - Math.min(1, value / p.top)), 3.5, {
        fill: `var(--${p.kind})`,
        stroke: "var(--page)",
        "stroke-width": 1.5,
      });
    const first = value === null ? [] : [text(x, top + HIGH / 2 - 4, p.show(value), "b")];
    const second = text(
      x,
      top + HIGH / 2 + (value === null ? 4 : 13),
      fit(p.reading, right - 18),
      "s",
    );
    return [...(dot ? [dot] : []), ...first, second];
  });
}

export function multiples(life: Life, host: HTMLElement, options: MultiplesOptions): void {
  const { panels, end, left, right } = options;
  const height = panels.length * (HIGH + GAP) + 34;
  const layer = s("svg", { class: "over", "aria-hidden": "true" });
  let frame: Frame | null = null;
  const write = () => {
    const w = host.clientWidth;
    if (!frame || w === 0) return;
    layer.setAttribute("viewBox", `0 0 ${w} ${height}`);
    layer.replaceChildren(...readings(options, w, frame, hovered.value));
  };
  chart(
    life,
    host,
    height,
    (w) => {
      const [from, to] = zoomed() ?? [0, end];
      frame = {
        x: scale(from, to, left, w - right),
        left,
        right: w - right,
        top: 0,
        bottom: topOf(panels.length) - GAP,
      };
      queueMicrotask(write);
      return { ...axes(options, w), series: series(options) };
    },
    [place],
  );
  host.append(layer);
  hovered.on(life, write);
  crosshair(life, host, {
    frames: () => (frame ? [frame] : []),
    chip: true,
    keys: {
      step: () => panels[0]?.step_s ?? 1,
      label: options.label,
      say: (t) => panels.map((p) => `${p.name} ${p.show(valueIn(p, t))}`).join(", "),
    },
  });
}
