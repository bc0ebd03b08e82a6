/** Measured against a document: ours filled, the document's hollow, error bars, lines that join. */
import { type Scale } from "../base/axis";
import { type Child, type Life } from "../base/dom";
import { figure, mark } from "../base/figure";
import { fit, width } from "../base/measure";
import { largest } from "../base/numbers";
import { circle, line, path, px, svg, text } from "../base/svg";
import { type Plot } from "../parts/flags";
import { stack } from "../parts/labels";
import { lineStyles, type LineStyle } from "../parts/sample";
import { type Axis, type Points, type Scatter } from "../page";
import { pathOf, xAxis, yAxis } from "./plot";
import { scaleOf, valueTicks, write, writeRange, xTicks } from "./units";

/** A document's lines are dashed; of several of ours without a hue each has a dash of its own. */
function stylesOf(series: Points[]): LineStyle[] {
  const hued = ({ kind }: Points) => kind !== null && kind !== "unexplained";
  const ours = series.filter((of) => of.origin !== "document" && !hued(of));
  const plain = lineStyles(ours.map((_, i) => ({ role: i === 0 ? "recommended" : "other" })));
  return series.map((of) => {
    const document = of.origin === "document";
    const stroke = hued(of) ? `var(--${of.kind})` : document ? "var(--ink3)" : "var(--ink)";
    const own = plain[ours.indexOf(of)];
    return own ?? { stroke, ink: stroke, width: document ? 1.25 : 2, dash: document ? [6, 4] : [] };
  });
}

const sideways = (axis: Axis, top: number): Axis => ({ ...axis, to: top });

function pointMarks(
  data: Scatter,
  k: number,
  hue: string,
  x: Scale,
  y: Scale,
  plot: Plot,
): Child[] {
  const of = data.series[k]!;
  const hollow = of.origin === "document";
  return of.points.flatMap(({ x: at, y: value, low, high, name }, i): Child[] => {
    const [cx, cy] = [x(at), y(value)];
    const interval =
      low !== null && high !== null ? ` (${writeRange(data.y.unit, low, high)})` : "";
    const what = `${write(data.x.unit, at)} ${data.x.name}`.trim();
    const words = `${write(data.y.unit, value)}${interval}`;
    const dot = circle(cx, cy, hollow ? 4 : 3.6, {
      fill: hollow ? "var(--page)" : hue,
      stroke: hue,
      "stroke-width": 1.5,
    });
    const bar = (v: number) => line(cx - 3, px(y(v)), cx + 3, px(y(v)), { stroke: hue });
    const before = cx + 8 + width(name) > plot.right;
    return [
      low !== null && high !== null && line(px(cx), y(low), px(cx), y(high), { stroke: hue }),
      low !== null && bar(low),
      high !== null && bar(high),
      mark(dot, {
        id: `point-${k}-${i}`,
        label: `${of.name}, ${name || what}: ${words}`,
        tip: () => [[of.name, name].filter(Boolean).join(", "), `${what}: ${words}`],
      }),
      name !== "" && text(before ? cx - 8 - width(name) : cx + 8, cy + 4, name, "s o"),
    ];
  });
}

/** Each series' name beside its last point. */
function names(series: Points[], y: Scale, plot: Plot, w: number): Child[] {
  const ends = series.flatMap((of) => {
    const last = of.points.reduce<Points["points"][number] | null>(
      (a, p) => (a && a.x > p.x ? a : p),
      null,
    );
    return last ? [{ of, y: y(last.y) }] : [];
  });
  const ys = stack(
    ends.map((e) => e.y),
    17,
    plot.top,
    plot.bottom,
  );
  return ends.map(({ of }, i) =>
    text(
      plot.right + 12,
      ys[i]! + 4,
      fit(of.name, w - plot.right - 12),
      of.origin === "ours" ? "b" : "s",
    ),
  );
}

function draw(data: Scatter, w: number, height: number, label: string): SVGSVGElement {
  const { series } = data;
  const styles = stylesOf(series);
  const top = largest(
    series.flatMap((of) => of.points.map((p) => p.high ?? p.y)),
    data.y.to,
  );
  const ticks = data.y.log ? null : valueTicks(data.y.unit, top);
  const left = ticks ? Math.ceil(largest(ticks.map((t) => width(t.label)))) + 10 : 56;
  const margin = Math.min(
    w * 0.34,
    largest(series.map((of) => width(of.name, "620 12px Inter"))) + 18,
  );
  const plot = { left, right: w - margin, top: 14, bottom: height - 34 };
  const room = data.x.log ? 1.06 : 1;
  const x = scaleOf({ ...data.x, to: data.x.to * room }, left, plot.right);
  const yTo = ticks?.at(-1)?.at ?? data.y.to;
  const y = scaleOf(sideways(data.y, yTo), plot.bottom, plot.top);
  const levels = ticks ?? xTicks(data.y, y, plot.bottom - plot.top);
  const equal = Math.min(x.to, y.to);
  return svg(
    w,
    height,
    label,
    ...yAxis(plot, y, levels),
    ...xAxis(plot, data.x, x, xTicks({ ...data.x }, x, plot.right - plot.left)),
    data.diagonal &&
      line(x(Math.max(x.from, y.from)), y(Math.max(x.from, y.from)), x(equal), y(equal), {
        stroke: "var(--ink3)",
        "stroke-dasharray": "1.5 2.5",
      }),
    ...series.map(
      (of, k) =>
        of.joined &&
        path(pathOf(of.points.map((p): [number, number] => [x(p.x), y(p.y)])), {
          stroke: styles[k]!.stroke,
          "stroke-width": styles[k]!.width,
          "stroke-dasharray": styles[k]!.dash.join(" ") || null,
        }),
    ),
    ...styles
      .map(({ stroke }, k) => [stroke, k] as const)
      .reverse()
      .flatMap(([stroke, k]) => pointMarks(data, k, stroke, x, y, plot)),
    ...names(series, y, plot, w),
  );
}

export function scatter(
  life: Life,
  host: HTMLElement,
  data: Scatter,
  label: string,
  height: number,
): void {
  figure(life, host, (w) => draw(data, w, height, label));
}
