/** Latencies along a logarithmic axis; y is the share of requests that took no longer, stretched
 * towards the slow end: 50, 90, 99, 99.9 %. */
import { scale, type Scale } from "../base/axis";
import { crosshair, type Frame } from "../base/crosshair";
import { h, type Child, type Life } from "../base/dom";
import { figure } from "../base/figure";
import { fit, width } from "../base/measure";
import { largest, num, NB } from "../base/numbers";
import { circle, line, path, px, right, svg, text } from "../base/svg";
import { tipOver } from "../base/tooltip";
import { sample, type LineStyle } from "../parts/sample";
import { type Axis, type Distribution, type Latency } from "../page";
import { apart, sampleAt } from "./lines";
import { pathOf, xAxis } from "./plot";
import { crossOf, scaleOf, write, xTicks } from "./units";

const LEFT = 52;
const COLUMN = 68;

/** How many nines: 0 at 0 %, 1 at 90 %, 2 at 99 %. */
export const nines = (share: number, most: number): number =>
  Math.min(most, -Math.log10(Math.max(1e-9, 1 - share)));

const LEVELS = [0, 0.5, 0.9, 0.99, 0.999, 0.9999];

/** The axis that all distributions need. */
export function axisOf({ series, unit }: Latency): Axis {
  const most = depth(series);
  const all = series.flatMap((d) => {
    const over = d.share.findIndex((v) => 1 - v <= 10 ** -most);
    return over < 0 ? d.at : d.at.slice(0, over + 1);
  });
  const [from, to] = [Math.min(...all, Infinity), largest(all)];
  const log = from > 0 && Number.isFinite(from);
  return { name: "", unit, from: log ? from : 0, to: to || 1, log };
}

/** The most nines that the requests can tell. */
const depth = (series: Distribution[]): number =>
  Math.min(
    4,
    Math.max(
      1,
      Math.floor(
        Math.log10(
          largest(
            series.map((d) => d.count),
            10,
          ),
        ),
      ),
    ),
  );

/** The share of requests that took no longer. */
function shareAt({ at, share }: Distribution, value: number): number {
  if (at.length === 0 || value < at[0]!) return 0;
  let i = sampleAt(at, value);
  if (at[i]! > value) i--;
  return share[i] ?? 0;
}

/** Name, p50 and p99 of each line, in columns right of the plot. */
function legend({ series, unit }: Latency, styles: LineStyle[], left: number, w: number): Child[] {
  const [p50, p99] = [w - COLUMN, w];
  return [
    right(p50, 24, "p50", "h"),
    right(p99, 24, "p99", "h"),
    ...series.flatMap((d, i): Child[] => {
      const y = 46 + i * 24;
      const style = styles[i]!;
      const tell = (v: number | null) => (v === null ? "–" : write(unit, v));
      const dash = style.dash.join(" ") || null;
      return [
        line(left, px(y - 4), left + 20, px(y - 4), {
          stroke: style.stroke,
          "stroke-width": style.width,
          "stroke-dasharray": dash,
        }),
        text(left + 27, y, fit(d.name, p50 - COLUMN + 14 - left - 27), "s"),
        right(p50, y, tell(d.p50), "s"),
        right(p99, y, tell(d.p99), "v"),
      ];
    }),
  ];
}

function draw(data: Latency, w: number, height: number, label: string): [SVGSVGElement, Frame] {
  const { series } = data;
  const styles = apart(series);
  const names = largest(series.map((d) => width(d.name)));
  const table = Math.min(w * 0.48, names + 27 + 2 * COLUMN + 18);
  const plot = { left: LEFT, right: w - table - 20, top: 12, bottom: height - 24 };
  const axis = axisOf(data);
  const x = scaleOf(axis, plot.left, plot.right);
  const most = depth(series);
  const y: Scale = scale(0, most, plot.bottom, plot.top);
  const level = (share: number) => px(y(nines(share, most)));
  const levels = LEVELS.filter((v) => -Math.log10(1 - v) <= most + 1e-9);
  const curves = series.map((d, i) => {
    // The line ends where the picture does: what is above is one slow request in many.
    const over = d.share.findIndex((v) => 1 - v <= 10 ** -most);
    const kept = over < 0 ? d.at : d.at.slice(0, over + 1);
    const points = kept.map((v, k): [number, number] => [x(v), y(nines(d.share[k]!, most))]);
    const style = styles[i]!;
    const marks = [
      [d.p50, 0.5],
      [d.p99, 0.99],
    ].map(
      ([v, share]) =>
        v !== null &&
        circle(x(v!), y(nines(share!, most)), 3.2, {
          fill: "var(--page)",
          stroke: style.stroke,
          "stroke-width": 1.5,
        }),
    );
    return [
      path(pathOf([[points[0]?.[0] ?? plot.left, y(0)], ...points]), {
        stroke: style.stroke,
        "stroke-width": style.width,
        "stroke-dasharray": style.dash.join(" ") || null,
        "stroke-linejoin": "round",
      }),
      ...marks,
    ];
  });
  const drawing = svg(
    w,
    height,
    label,
    ...levels.flatMap((v) => [
      line(plot.left, level(v), plot.right, level(v), { class: "grid" }),
      right(
        plot.left - 8,
        level(v) + 4,
        num(v * 100, v > 0.99 ? (v > 0.999 ? 2 : 1) : 0) + (v === levels.at(-1) ? `${NB}%` : ""),
      ),
    ]),
    ...xAxis(plot, axis, x, xTicks(axis, x, plot.right - plot.left)),
    ...curves.flat().reverse(),
    ...legend(data, styles, plot.right + 20, w),
  );
  return [drawing, { x, ...plot }];
}

export function latency(
  life: Life,
  host: HTMLElement,
  data: Latency,
  label: string,
  height: number,
): void {
  const styles = apart(data.series);
  let frame: Frame | null = null;
  figure(life, host, (w) => {
    const [drawing, made] = draw(data, w, height, label);
    frame = made;
    return drawing;
  });
  const axis = crossOf({ ...axisOf(data), log: true, name: label });
  const told = (d: Distribution, v: number) => `${num(100 * shareAt(d, v), 1)}${NB}%`;
  const own = axis && { ...axis, say: (v: number) => write(data.unit, v) };
  crosshair(life, host, {
    axis: own,
    frames: () => (frame ? [frame] : []),
    chip: true,
    read: (v, event) =>
      tipOver(host, event, v === null || !frame ? null : frame.x(v), () => [
        `No longer than ${write(data.unit, v ?? 0)}`,
        ...data.series.map((d, i) =>
          h(
            "div",
            { class: "row2" },
            h("span", {}, sample(styles[i]!), ` ${d.name}`),
            h("b", {}, told(d, v ?? 0)),
          ),
        ),
      ]),
    keys: {
      step: () => ((frame?.x.to ?? 1) - (frame?.x.from ?? 0)) / 100,
      label,
      say: (v) => data.series.map((d) => `${d.name} ${told(d, v)}`).join(", "),
    },
  });
}
