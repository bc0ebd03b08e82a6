/** Curves over one axis: one plot with flags and a capacity, or small multiples. */
import { scale, type Scale, type TimeTick } from "../base/axis";
import { crosshair, type Frame } from "../base/crosshair";
import { h, type Child, type Life } from "../base/dom";
import { figure } from "../base/figure";
import { fit, width } from "../base/measure";
import { largest } from "../base/numbers";
import { hovered, place } from "../base/selection";
import { circle, line, path, px, rect, svg, text } from "../base/svg";
import { tipOver } from "../base/tooltip";
import { FLAG_GAP, layoutFlags, type Plot } from "../parts/flags";
import { stack } from "../parts/labels";
import { NAME_FONT, VALUE_FONT } from "../parts/lines";
import { type LineStyle } from "../parts/sample";
import { type Curves, type Line, type Panel } from "../page";
import { apart, readings, snapped, valueAt, visible } from "./lines";
import { momentMarks } from "./moments";
import { multiples } from "./multiples";
import { pathOf, xAxis, yAxis } from "./plot";
import { crossOf, isTime, scaleOf, valueTicks, write, xTicks } from "./units";

export interface Drawn {
  label: string;
  height: number;
  /** Selected spans of time. */
  bands: () => [number, number][];
}

/** Drawn of a line: band, area, stroke, dots. */
export function lineMarks(l: Line, style: LineStyle, x: Scale, y: Scale): Child[] {
  const seen = visible(l, x);
  const at = (values: (number | null | undefined)[]) =>
    seen.map((i): [number, number | null] => {
      const v = values[i];
      return [x(l.x[i]!), v === null || v === undefined ? null : y(v)];
    });
  const stroke = at(l.y);
  const band =
    l.low && l.high && l.low.length > 0
      ? `${pathOf(at(l.high))}${pathOf(at(l.low).reverse()).replace("M", "L")}Z`
      : null;
  const [first, last] = [stroke[0], stroke.at(-1)];
  const area =
    l.area && first && last
      ? `${pathOf(stroke, l.steps)}V${y(0).toFixed(1)}H${first[0].toFixed(1)}Z`
      : null;
  const fill = l.kind === "risk" ? "var(--risk-band)" : "var(--ink-band)";
  const d = pathOf(stroke, l.steps);
  const dash = style.dash.join(" ") || null;
  return [
    band !== null && path(band, { fill, stroke: "none" }),
    area !== null && path(area, { fill: style.stroke, "fill-opacity": 0.13 }),
    path(d, {
      stroke: style.stroke,
      "stroke-width": style.width,
      "stroke-dasharray": dash,
      "stroke-linejoin": "round",
    }),
    ...(l.dots
      ? stroke.map(([cx, cy]) => cy !== null && circle(cx, cy, 2.6, { fill: style.stroke }))
      : []),
  ];
}

interface Layout {
  plot: Plot;
  x: Scale;
  y: Scale;
  ticks: TimeTick[];
  styles: LineStyle[];
}

/** A line whose flag stands at its end has its words beside the plot. */
const atEnd = (l: Line, { to, from }: { to: number; from: number }): boolean =>
  !l.flag || l.flag.at >= to - 0.01 * (to - from);

const GAP = 10;

function layout({ x: axis, moments }: Curves, panel: Panel, w: number, height: number): Layout {
  const { lines, unit, capacity } = panel;
  const most = largest(
    lines.flatMap((l) => [...l.y.map((v) => v ?? 0), ...(l.high ?? [])]),
    capacity && capacity.at > 0 ? capacity.at : 0,
  );
  const ticks = valueTicks(unit, most || 1);
  const left = Math.ceil(largest(ticks.map((t) => width(t.label)))) + 10;
  const beside = lines.filter((l) => l.name !== "" && atEnd(l, axis));
  const room = largest(
    beside.map(
      (l) => (l.flag ? width(l.flag.value, VALUE_FONT) + FLAG_GAP : 0) + width(l.name, NAME_FONT),
    ),
  );
  const margin = beside.length > 0 ? Math.min(w * 0.36, room + GAP + 4) : 8;
  const top = moments.length > 0 ? 30 : 14;
  const plot = { left, right: w - margin, top, bottom: height - 24 };
  return {
    plot,
    x: scaleOf(axis, left, plot.right),
    y: scale(0, ticks.at(-1)?.at ?? 1, plot.bottom, plot.top),
    ticks,
    styles: apart(lines),
  };
}

/** Value and name of each line beside the plot, at its end's height. */
function endLabels(lines: Line[], { plot, x, y, styles }: Layout, w: number): Child[] {
  const all = lines.flatMap((l, i) => {
    const last = [...l.y].reverse().find((v) => v !== null);
    return l.name !== "" && atEnd(l, x) && last !== undefined && last !== null
      ? [{ l, y: y(last), style: styles[i]! }]
      : [];
  });
  const ys = stack(
    all.map((a) => a.y),
    17,
    plot.top,
    plot.bottom - 4,
  );
  return all.flatMap(({ l, style }, i): Child[] => {
    const left = plot.right + GAP;
    const value = l.flag?.value ?? "";
    const wide = value ? width(value, VALUE_FONT) + FLAG_GAP : 0;
    return [
      value !== "" && text(left, ys[i]! + 4, value, "b", { style: `fill:${style.ink}` }),
      text(left + wide, ys[i]! + 4, fit(l.name, w - left - wide, NAME_FONT), "s"),
    ];
  });
}

/** Flags that stand on the curve itself. */
function flagMarks(lines: Line[], { plot, x, y, styles }: Layout, w: number): Child[] {
  const flagged = lines.flatMap((l, i) =>
    l.flag && !atEnd(l, x) && l.flag.at >= x.from
      ? [{ l, at: l.flag.at, value: l.flag.value, style: styles[i]! }]
      : [],
  );
  flagged.sort((a, b) => a.at - b.at);
  const flags = flagged.map(({ l, at, value }) => ({
    x: x(at),
    width: width(value, VALUE_FONT) + FLAG_GAP + width(l.name, NAME_FONT),
    over: Math.min(...lines.map((other) => y(valueAt(other, at) ?? 0))),
  }));
  const placed = layoutFlags(flags, { ...plot, right: w - 4 });
  return flagged.flatMap(({ l, at, value, style }, i): Child[] => {
    const foot = y(valueAt(l, at) ?? 0);
    const dot = circle(x(at), foot, 3.5, { fill: style.stroke });
    const label = placed[i];
    if (!label) return [dot];
    return [
      line(px(x(at)), foot, px(x(at)), label.y - 5, { stroke: style.stroke, opacity: 0.55 }),
      dot,
      text(label.left, label.y + 4, value, "b o", { style: `fill:${style.ink}` }),
      text(label.left + width(value, VALUE_FONT) + FLAG_GAP, label.y + 4, l.name, "s o"),
    ];
  });
}

/** A level that the lines cannot pass: dashed, its name on it at the left. */
function capacityMark({ capacity }: Panel, { plot, y }: Layout): Child[] {
  if (!capacity || capacity.at <= 0) return [];
  const at = px(y(capacity.at));
  return [
    line(plot.left, at, plot.right, at, { stroke: "var(--ink3)", "stroke-dasharray": "5 3" }),
    text(plot.left + 6, at - 5, fit(capacity.name, plot.right - plot.left - 12), "s o"),
  ];
}

/** Where a line passes a level, in pixels: the first such place. */
function crossing(l: Line, level: number, x: Scale): number | null {
  for (let i = 1; i < l.x.length; i++) {
    const [a, b] = [l.y[i - 1], l.y[i]];
    if (a === null || b === null || a === undefined || b === undefined) continue;
    if (a <= level !== b <= level) {
      const [from, to] = [x(l.x[i - 1]!), x(l.x[i]!)];
      return from + ((level - a) / (b - a)) * (to - from);
    }
  }
  return null;
}

/** At this share of the first line's height its reason stands. */
const REASON_AT = [0.62, 0.74, 0.86, 0.5];

/** The reason beside the first line, where nothing is: left of lines that rise, right of those that
 * fall. Null: no room, so it goes below the picture. */
function reasonMarks({ reason, lines }: Panel, { plot, x, y }: Layout): Child[] | null {
  const first = lines[0];
  if (reason === "" || !first) return [];
  const most = largest(first.y.map((v) => v ?? 0));
  const rises = (first.y.at(-1) ?? 0) > (first.y[0] ?? 0);
  const wide = width(reason);
  for (const share of REASON_AT) {
    const level = share * most;
    const own = crossing(first, level, x);
    const all = lines.map((l) => crossing(l, level, x) ?? own).filter((v) => v !== null);
    if (own === null || all.length === 0) continue;
    // Lines bend within the height of the letters.
    const edge = rises ? Math.min(...all) - 26 : Math.max(...all) + 26;
    const left = rises ? edge - wide : edge;
    if (left < plot.left + 4 || left + wide > plot.right) continue;
    const base = y(level);
    const to = rises ? edge + 4 : edge - 4;
    return [
      line(to, px(base), own + (rises ? -3 : 3), px(base), { stroke: "var(--ink3)" }),
      text(left, base + 4, reason, "s o"),
    ];
  }
  return null;
}

function draw(
  data: Curves,
  panel: Panel,
  w: number,
  options: Drawn,
): [SVGSVGElement, Frame, boolean] {
  const height = options.height + (data.moments.length > 0 ? 16 : 0);
  const made = layout(data, panel, w, height);
  const { plot, x, y, styles } = made;
  const reason = reasonMarks(panel, made);
  const picks = isTime(data.x)
    ? options.bands().map(([a, b]) =>
        rect(x(Math.max(a, x.from)), plot.top, x(b) - x(Math.max(a, x.from)), y(0) - plot.top, {
          fill: "var(--pick)",
        }),
      )
    : [];
  const drawing = svg(
    w,
    height + (isTime(data.x) || data.x.name === "" ? 0 : 10),
    options.label,
    ...picks,
    ...yAxis(plot, y, made.ticks),
    ...xAxis(plot, data.x, x, xTicks(data.x, x, plot.right - plot.left)),
    ...capacityMark(panel, made),
    ...panel.lines
      .map((l, i) => [l, styles[i]!] as const)
      .reverse()
      .flatMap(([l, style]) => lineMarks(l, style, x, y)),
    ...momentMarks(data.moments, x, 12, plot.top, plot.bottom, [plot.left, w]),
    ...flagMarks(panel.lines, made, w),
    ...endLabels(panel.lines, made, w),
    ...(reason ?? []),
  );
  return [drawing, { x, ...plot }, reason === null];
}

/** One panel is drawn large, several as small multiples. */
export function curves(life: Life, host: HTMLElement, data: Curves, options: Drawn): void {
  if (data.panels.length !== 1) return multiples(life, host, data, options);
  const panel = data.panels[0]!;
  const { lines, unit } = panel;
  const axis = crossOf(data.x);
  const styles = apart(lines);
  let frame: Frame | null = null;
  const below = h("p", { class: "note", hidden: true }, panel.reason);
  host.after(below);
  figure(
    life,
    host,
    (w) => {
      const [drawing, made, left] = draw(data, panel, w, options);
      frame = made;
      below.hidden = !left;
      return drawing;
    },
    [place],
  );
  crosshair(life, host, {
    axis,
    frames: () => (frame ? [frame] : []),
    chip: true,
    read: (t, event) =>
      tipOver(host, event, t === null || !frame ? null : frame.x(t), () => [
        axis ? axis.say(snapped(lines, t ?? 0)) : write("s", hovered.value ?? 0),
        ...readings(lines, styles, unit, snapped(lines, t ?? 0)),
      ]),
    keys: {
      step: () => (data.x.to - data.x.from) / 100,
      label: options.label,
      say: (t) => lines.map((l) => `${l.name} ${write(unit, valueAt(l, t) ?? 0)}`).join(", "),
    },
  });
}
