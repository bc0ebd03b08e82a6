/** ECharts, stripped to what the house wants: no legend, no symbols, our fonts, rules and colours.
 * Colours are CSS variables, so that theme and print need no new drawing. */
import { CustomChart, LineChart } from "echarts/charts";
import { GridComponent, MarkAreaComponent } from "echarts/components";
import { init, use, type EChartsCoreOption } from "echarts/core";
import { SVGRenderer } from "echarts/renderers";
import { type Life, type Signal } from "./dom";

use([LineChart, CustomChart, GridComponent, MarkAreaComponent, SVGRenderer]);

export const FONT = "Inter, sans-serif";
export const FONT_SIZE = 12;

/** A value axis: grey labels on hairlines, no line, no box. */
export const axis = (more: object): object => ({
  type: "value",
  axisLine: { show: false },
  axisTick: { show: false },
  axisLabel: { color: "var(--ink3)", fontFamily: FONT, fontSize: FONT_SIZE },
  splitLine: { lineStyle: { color: "var(--grid)", width: 1 } },
  ...more,
});

/** A line of points [x, y]. */
export const curve = (data: [number, number][], more: object = {}): object => ({
  type: "line",
  data,
  symbol: "none",
  silent: true,
  animation: false,
  ...more,
});

/** Shapes at pixel places, above the curves. */
export const overlay = (shapes: object[], more: object = {}): object => ({
  type: "custom",
  silent: true,
  clip: false,
  animation: false,
  data: [[0, 0]],
  renderItem: () => ({ type: "group", children: shapes }),
  z: 5,
  ...more,
});

export const words = (x: number, y: number, text: string, style: object): object => ({
  type: "text",
  style: {
    x,
    y,
    text,
    fill: "var(--ink2)",
    font: `400 ${FONT_SIZE}px ${FONT}`,
    textVerticalAlign: "middle",
    ...style,
  },
});

/** Draws now and whenever the width or a signal changes. */
export function chart(
  life: Life,
  host: HTMLElement,
  height: number,
  option: (width: number) => EChartsCoreOption,
  redraw: Signal<any>[] = [],
): void {
  const inner = host.appendChild(document.createElement("div"));
  host.classList.add("chart");
  inner.style.height = `${height}px`;
  let drawing: ReturnType<typeof init> | null = null;
  let drawn = 0;
  const paint = () => {
    const width = host.clientWidth;
    if (width === 0) return;
    drawn = width;
    drawing ??= init(inner, null, { renderer: "svg", width, height });
    drawing.resize({ width, height });
    drawing.setOption({ animation: false, ...option(width) }, true);
    // Paper shrinks the drawing, which needs a view box for it.
    inner.querySelector("svg")?.setAttribute("viewBox", `0 0 ${width} ${height}`);
  };
  const watch = new ResizeObserver(() => {
    if (host.clientWidth !== drawn && !matchMedia("print").matches) paint();
  });
  watch.observe(host);
  for (const signal of redraw) signal.on(life, paint);
  life.add(() => {
    watch.disconnect();
    drawing?.dispose();
  });
}
