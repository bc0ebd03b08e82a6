/** Curves over one axis: one plot with flags and a capacity, or small multiples. */
import { scale, type Scale, type TimeTick } from "../base/axis";
import { crosshair, type Frame } from "../base/crosshair";
import { h, type Child, type Life } from "../base/dom";
import { figure } from "../base/figure";
import { fit, NAME_FONT, VALUE_FONT, width } from "../base/measure";
import { largest, NONE } from "../base/numbers";
import { hovered, place } from "../base/selection";
import { circle, line, path, px, rect, svg, text } from "../base/svg";
import { tipOver } from "../base/tooltip";
import {
  FLAG_GAP,
  layoutFlags,
  meets,
  type Flag,
  type PlacedFlag,
  type Plot,
} from "../parts/flags";
import { stack } from "../parts/labels";
import { type LineStyle } from "../parts/sample";
import { type Curves, type Line, type Panel } from "../page";
import { apart, fromUpper, readings, sampleAt, snapped, valueAt, visible } from "./lines";
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
    ...stroke.map(([cx, cy], i) => {
      const alone = (stroke[i - 1]?.[1] ?? null) === null && (stroke[i + 1]?.[1] ?? null) === null;
      // What no line reaches has a dot of the line's width.
      const r = l.dots ? 2.6 : alone ? style.width : 0;
      return cy !== null && r > 0 && circle(cx, cy, r, { fill: style.stroke });
    }),
  ];
}

interface Layout {
  plot: Plot;
  x: Scale;
  y: Scale;
  ticks: TimeTick[];
  styles: LineStyle[];
  /** Lines whose words stand beside the plot; those of others stand on it. */
  beside: Line[];
  /** The level's name stands beside the plot, not on it. */
  levelBeside: boolean;
}

/** A line whose flag stands at its end has its words beside the plot. */
const atEnd = (l: Line, { to, from }: { to: number; from: number }): boolean =>
  !l.flag || l.flag.at >= to - 0.01 * (to - from);

const GAP = 10;
/** A flag's name is at most so wide; the table has it in full. */
const NAME_ROOM = 200;
/** So much of the width is for the curves at least. */
const LEAST_PLOT = 0.7;

const flagWidth = (l: Line, name: string): number =>
  width(l.flag?.value ?? "", VALUE_FONT) + FLAG_GAP + width(name, NAME_FONT);

/** Where a flag stands in what is seen of the axis, 0–1. */
const shareOf = (l: Line, { from, to }: Scale): number =>
  l.flag ? (l.flag.at - from) / (to - from) : 0;

/** A flag's name, cut to the margin that it would stand in. */
function nameOf(l: Line, x: Scale, full: number): string {
  const margin = full * (1 - LEAST_PLOT * shareOf(l, x)) - width(l.flag?.value ?? "", VALUE_FONT);
  return fit(l.name, Math.max(0, Math.min(NAME_ROOM, margin - 2 * FLAG_GAP - 3)), NAME_FONT);
}

/** The plot's right end: labels of late flags stand beyond the axis, in the margin. */
function rightEnd(lines: Line[], x: Scale, left: number, w: number, most: number) {
  const full = w - 4 - left;
  const late = lines.flatMap((l) => {
    const share = shareOf(l, x);
    const wide = flagWidth(l, nameOf(l, x, full));
    return share > 0 && share <= 1 ? [left + (full - wide - FLAG_GAP - 2) / share] : [];
  });
  return Math.min(most, Math.max(left + LEAST_PLOT * full, ...[Math.min(most, ...late)]));
}

function layout({ x: axis, moments }: Curves, panel: Panel, w: number, height: number): Layout {
  const { lines, unit, capacity } = panel;
  const most = largest(
    lines.flatMap((l) => [...l.y.map((v) => v ?? 0), ...(l.high ?? [])]),
    capacity && capacity.at > 0 ? capacity.at : 0,
  );
  const ticks = valueTicks(unit, most || 1);
  const left = Math.ceil(largest(ticks.map((t) => width(t.label)))) + 10;
  const beside = lines.filter((l) => l.name !== "" && atEnd(l, axis));
  const level = width(capacity?.name ?? "");
  const levelBeside = beside.length > 1 && level < MOST_LEVEL;
  const room = largest(
    beside.map(
      (l) => (l.flag ? width(l.flag.value, VALUE_FONT) + FLAG_GAP : 0) + width(l.name, NAME_FONT),
    ),
    levelBeside ? level : 0,
  );
  const margin = beside.length > 0 ? Math.min(w * 0.36, room + GAP + 4) : 8;
  const top = moments.length > 0 ? 30 : 14;
  const flagged = lines.filter((l) => !atEnd(l, axis));
  const right = rightEnd(flagged, scaleOf(axis, left, w), left, w, w - margin);
  const plot = { left, right, top, bottom: height - 24 };
  return {
    plot,
    x: scaleOf(axis, left, plot.right),
    y: scale(0, ticks.at(-1)?.at ?? 1, plot.bottom, plot.top),
    ticks,
    styles: apart(lines),
    beside,
    levelBeside,
  };
}

/** A level's name finds so much room beside the plot. */
const MOST_LEVEL = 120;

/** Value and name of each line beside the plot, at its end's height. */
function endLabels({ lines, capacity }: Panel, made: Layout, w: number): Child[] {
  const { plot, y, styles, beside, levelBeside } = made;
  const all: { name: string; value: string; y: number; style?: LineStyle }[] = fromUpper(
    lines,
  ).flatMap((i) => {
    const l = lines[i]!;
    const last = [...l.y].reverse().find((v) => v !== null);
    return beside.includes(l) && last !== undefined && last !== null
      ? [{ name: l.name, value: l.flag?.value ?? "", y: y(last), style: styles[i]! }]
      : [];
  });
  if (levelBeside && capacity) all.push({ name: capacity.name, value: "", y: y(capacity.at) });
  const ys = stack(
    all.map((a) => a.y),
    17,
    plot.top,
    plot.bottom - 4,
  );
  return all.flatMap(({ name, value, style }, i): Child[] => {
    const left = plot.right + GAP;
    const wide = value ? width(value, VALUE_FONT) + FLAG_GAP : 0;
    return [
      value !== "" && text(left, ys[i]! + 4, value, "b", { style: `fill:${style?.ink}` }),
      text(left + wide, ys[i]! + 4, fit(name, w - left - wide, NAME_FONT), "s"),
    ];
  });
}

interface Flagged {
  name: string;
  value: string;
  style: LineStyle;
  flag: Flag;
  foot: number;
  placed: PlacedFlag | null;
}

/** Flags that stand on the curve itself. */
function flagsOf(lines: Line[], { plot, x, y, styles, beside }: Layout, w: number): Flagged[] {
  const flagged = lines.flatMap((l, i) => {
    const at = l.flag?.at ?? NaN;
    if (!l.flag || beside.includes(l) || at < x.from || at > x.to) return [];
    const high = (other: Line) => other.high?.[sampleAt(other.x, at)] ?? valueAt(other, at) ?? 0;
    const over = Math.min(
      ...lines.map((other) => y(valueAt(other, at) === null ? 0 : high(other))),
    );
    const name = nameOf(l, x, w - 4 - plot.left);
    const flag = { x: x(at), width: flagWidth(l, name), over };
    return [{ name, value: l.flag.value, style: styles[i]!, flag, foot: y(valueAt(l, at) ?? 0) }];
  });
  flagged.sort((a, b) => a.flag.x - b.flag.x || a.foot - b.foot);
  const placed = layoutFlags(
    flagged.map((f) => f.flag),
    { ...plot, right: w - 4 },
  );
  return flagged.map((f, i) => ({ ...f, placed: placed[i] ?? null }));
}

const flagMarks = (flags: Flagged[]): Child[] =>
  flags.flatMap(({ name, value, style, flag, foot, placed }): Child[] => {
    const dot = circle(flag.x, foot, 3.5, { fill: style.stroke });
    if (!placed) return [dot];
    const { left, y } = placed;
    return [
      line(px(flag.x), foot, px(flag.x), y - 5, { stroke: style.stroke, opacity: 0.55 }),
      dot,
      text(left, y + 4, value, "b o", { style: `fill:${style.ink}` }),
      text(left + width(value, VALUE_FONT) + FLAG_GAP, y + 4, name, "s o"),
    ];
  });

/** A level that the lines cannot pass: dashed, its name on it at the left. */
function capacityMark({ capacity }: Panel, { plot, y, levelBeside }: Layout): Child[] {
  if (!capacity || capacity.at <= 0) return [];
  const at = px(y(capacity.at));
  return [
    line(plot.left, at, plot.right, at, { stroke: "var(--ink3)", "stroke-dasharray": "5 3" }),
    !levelBeside &&
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

/** At one of these shares of the first line's height its reason stands: of what falls near its top,
 * where no flag is. */
const REASON_AT = { rises: [0.62, 0.74, 0.86, 0.5], falls: [0.86, 0.74, 0.62, 0.5] };

/** The reason beside the first line, where nothing is: left of lines that rise, right of those that
 * fall. Null: no room, so it goes below the picture. */
function reasonMarks(
  { reason, lines }: Panel,
  { plot, x, y }: Layout,
  flags: Flagged[],
): Child[] | null {
  const first = lines[0];
  if (reason === "") return [];
  if (!first || x.from > (first.x[0] ?? 0)) return null;
  const most = largest(first.y.map((v) => v ?? 0));
  const rises = (first.y.at(-1) ?? 0) > (first.y[0] ?? 0);
  const wide = width(reason);
  for (const share of REASON_AT[rises ? "rises" : "falls"]) {
    const level = share * most;
    const own = crossing(first, level, x);
    const all = lines.map((l) => crossing(l, level, x) ?? own).filter((v) => v !== null);
    if (own === null || all.length === 0) continue;
    // Lines bend within the height of the letters.
    const edge = rises ? Math.min(...all) - 26 : Math.max(...all) + 26;
    const left = rises ? edge - wide : edge;
    if (left < plot.left + 4 || left + wide > plot.right) continue;
    const base = y(level);
    const box = { left: rises ? left : left - 5, right: left + wide, y: base };
    if (flags.some(({ flag, placed }) => placed && meets(box, flag, placed))) continue;
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
  const flags = flagsOf(panel.lines, made, w);
  const reason = reasonMarks(panel, made, flags);
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
    ...flagMarks(flags),
    ...endLabels(panel, made, w),
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
  const said = (value: number | null) => (value === null ? NONE : write(unit, value));
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
      say: (t) => lines.map((l) => `${l.name} ${said(valueAt(l, t))}`).join(", "),
    },
  });
}
