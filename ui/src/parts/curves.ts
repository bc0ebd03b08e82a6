/** Curves that fall to zero: lines told apart by stroke, a band, flags on the finish, one
 * crosshair. */
import { crosshair, type Frame } from "../base/crosshair";
import { h, type Life } from "../base/dom";
import { chart, curve, overlay, words } from "../base/echarts";
import { width } from "../base/measure";
import { num } from "../base/numbers";
import { place } from "../base/selection";
import { tipOver } from "../base/tooltip";
import { FLAG_GAP, meets } from "./flags";
import {
  highOf,
  layout,
  NAME_FONT,
  points,
  VALUE_FONT,
  valueAt,
  type Layout,
  type Line,
} from "./lines";
import { sample } from "./sample";
import { timeAxes } from "./time-axes";

export interface CurvesOptions {
  label: string;
  height: number;
  lines: Line[];
  /** A reason written on the first line. */
  note: string | null;
  /** Selected spans of time. */
  bands: () => [number, number][];
}

/** The note stands at this share of the axis. */
const NOTE_AT = 0.855;

function flagShapes({ flags }: Layout): object[] {
  return flags.flatMap(({ line, name, flag, placed, y }) => {
    const { style, value } = line;
    const dot = {
      type: "circle",
      shape: { cx: flag.x, cy: y, r: 3.5 },
      style: { fill: style.stroke },
    };
    if (!placed) return [dot];
    const x = Math.round(flag.x) + 0.5;
    const ground = { stroke: "var(--page)", lineWidth: 4 };
    const valueWidth = width(value, VALUE_FONT);
    return [
      {
        type: "line",
        shape: { x1: x, y1: y, x2: x, y2: placed.y - 5 },
        style: { stroke: style.stroke, lineWidth: 1, opacity: 0.55 },
      },
      dot,
      words(placed.left, placed.y, value, { fill: style.ink, font: VALUE_FONT, ...ground }),
      words(placed.left + valueWidth + FLAG_GAP, placed.y, name, {
        font: NAME_FONT,
        ...ground,
      }),
    ];
  });
}

/** The note with its leader from the first line, or null where it finds no room. */
function noteShapes(
  note: string,
  lines: Line[],
  { plot, x, y, ticks, flags }: Layout,
): object[] | null {
  const first = lines[0];
  const level = (ticks.at(-1) ?? 1) * NOTE_AT;
  if (!first || x.from > 0) return null;
  const crossing = (values: number[], step: number) => {
    const i = values.findIndex((v) => v < level);
    return i < 0 ? null : x(i * step);
  };
  const from = crossing(first.values, first.step_s);
  const ends = lines.map((l) => crossing(highOf(l), l.step_s));
  if (from === null || ends.includes(null)) return null;
  const leader = Math.max(from + 24, ...(ends as number[]).map((e) => e + 8));
  const rect = { left: leader + 5, right: leader + 5 + width(note), y: y(level) };
  const free = flags.every(({ flag, placed }) => !placed || !meets(rect, flag, placed));
  if (rect.right > plot.right || !free) return null;
  return [
    {
      type: "line",
      shape: { x1: from + 3, y1: rect.y, x2: leader, y2: rect.y },
      style: { stroke: "var(--ink3)", lineWidth: 1 },
    },
    words(rect.left, rect.y, note, { stroke: "var(--page)", lineWidth: 4 }),
  ];
}

function seriesOf(lines: Line[], bands: [number, number][]): object[] {
  const ranges = lines.flatMap(({ band, step_s }, i) => {
    if (!band) return [];
    const none = { stack: `band ${i}`, lineStyle: { width: 0 } };
    const high = points(band.high, step_s).map(([t, v], i): [number, number] => [
      t,
      v - (band.low[i] ?? 0),
    ]);
    const low = high.map(([t], i): [number, number] => [t, band.low[i] ?? 0]);
    return [
      curve(low, none),
      curve(high, { ...none, areaStyle: { color: band.fill ?? "var(--risk-band)" } }),
    ];
  });
  const strokes = [...lines].reverse().map((l) =>
    curve(points(l.values, l.step_s), {
      lineStyle: {
        color: l.style.stroke,
        width: l.style.width,
        type: l.style.dash.length ? l.style.dash : "solid",
        cap: "round",
      },
    }),
  );
  const picks = curve([], {
    markArea: {
      silent: true,
      itemStyle: { color: "var(--pick)" },
      data: bands.map(([a, b]) => [{ xAxis: a }, { xAxis: b }]),
    },
    z: 0,
  });
  return [picks, ...ranges, ...strokes];
}

function readings(lines: Line[], t: number): HTMLElement[] {
  return lines.map((l) => {
    const at = (values: number[]) => num(valueAt(values, l.step_s, t));
    const { band } = l;
    const spread =
      band && at(band.low) !== at(band.high) ? ` (${at(band.low)}–${at(band.high)})` : "";
    return h(
      "div",
      { class: "row2" },
      h("span", {}, sample(l.style), ` ${l.name}`),
      h("span", {}, h("b", {}, at(l.values)), spread),
    );
  });
}

/** Draws the curves. A note that finds no room on the curve goes below it. */
export function curves(life: Life, host: HTMLElement, options: CurvesOptions): void {
  const { lines, height, note, bands, label } = options;
  let frame: Frame | null = null;
  const below = h("p", { class: "note", hidden: true }, note ?? "");
  chart(
    life,
    host,
    height,
    (w) => {
      const made = layout(lines, w, height);
      const noted = note === null ? null : noteShapes(note, lines, made);
      below.hidden = note === null || noted !== null;
      frame = { x: made.x, ...made.plot };
      const { left, right, top } = made.plot;
      return {
        grid: { left, right: w - right, top, bottom: 24 },
        ...timeAxes(
          made.plot,
          made.x,
          made.ticks.map((at) => ({ at, label: num(at) })),
        ),
        series: [...seriesOf(lines, bands()), overlay([...flagShapes(made), ...(noted ?? [])])],
      };
    },
    [place],
  );
  host.after(below);
  crosshair(life, host, {
    frames: () => (frame ? [frame] : []),
    chip: true,
    read: (t, event) =>
      tipOver(host, event, t === null || !frame ? null : frame.x(t), () => readings(lines, t ?? 0)),
    keys: {
      step: () => lines[0]?.step_s ?? 1,
      label,
      say: (t) => lines.map((l) => `${l.name} ${num(valueAt(l.values, l.step_s, t))}`).join(", "),
    },
  });
}
