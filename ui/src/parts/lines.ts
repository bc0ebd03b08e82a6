/** Where curves that fall to zero stand: their axes, and the flags on their finish. */
import { countTicks, scale, timeEnd, type Scale } from "../base/axis";
import { FONT } from "../base/echarts";
import { fit, width } from "../base/measure";
import { largest, num } from "../base/numbers";
import { zoomed } from "../base/selection";
import { FLAG_GAP, layoutFlags, type Flag, type PlacedFlag, type Plot } from "./flags";
import { type LineStyle } from "./sample";

export interface Line {
  name: string;
  style: LineStyle;
  step_s: number;
  values: number[];
  /** `fill` is its colour, if not that of *now*. */
  band?: { low: number[]; high: number[]; fill?: string };
  /** Where its flag stands; null: it did not come to its end. */
  finish_s: number | null;
  /** "48.0 s", or what is left at its end. */
  value: string;
}

export const VALUE_FONT = `620 12.5px ${FONT}`;
export const NAME_FONT = `400 12.5px ${FONT}`;
/** The value at a time, by steps. */
export const valueAt = (values: number[], step: number, t: number): number =>
  values[Math.min(values.length - 1, Math.max(0, Math.round(t / step)))] ?? 0;

/** Points up to the first zero that nothing follows. */
export function points(values: number[], step: number): [number, number][] {
  let last = values.length - 1;
  while (last > 0 && values[last] === 0 && values[last - 1] === 0) last--;
  return values.slice(0, last + 1).map((v, i) => [i * step, v]);
}

export const highOf = (l: Line): number[] => l.band?.high ?? l.values;
const endOf = (l: Line): number => points(highOf(l), l.step_s).at(-1)?.[0] ?? 0;
/** Where its flag stands: at the finish, or where its curve ends without one. */
const flagAt = (l: Line): number => l.finish_s ?? endOf(l);
/** A flag's name is at most so wide; the table has it in full. */
const NAME_ROOM = 200;
const labelWidth = (l: Line, name: string): number =>
  width(l.value, VALUE_FONT) + FLAG_GAP + width(name, NAME_FONT);

/** The axis ends where the last curve does. */
const axisEnd = (lines: Line[]): number =>
  timeEnd(
    largest(
      lines.map((l) => Math.max(endOf(l), l.finish_s ?? 0)),
      1e-9,
    ),
  );

/** At least this share of the width is for the curves. */
const LEAST_PLOT = 0.7;

/** The plot's width of `full`, and the flags' names: labels of late flags stand beyond the axis, in
 * the margin, and their names are cut to it. */
function room(lines: Line[], from: number, to: number, full: number): [number, string[]] {
  const shares = lines.map((l) => (flagAt(l) - from) / (to - from));
  const names = lines.map((l, i) => {
    const left = full * (1 - LEAST_PLOT * shares[i]!) - width(l.value, VALUE_FONT);
    return fit(l.name, Math.min(NAME_ROOM, left - 2 * FLAG_GAP - 3), NAME_FONT);
  });
  const most = lines.map((l, i) =>
    shares[i]! > 0 && shares[i]! <= 1
      ? (full - labelWidth(l, names[i]!) - FLAG_GAP - 2) / shares[i]!
      : full,
  );
  return [Math.max(LEAST_PLOT * full, Math.min(full, ...most)), names];
}

const leftOf = (l: Line): number => l.values.at(-1) ?? 0;

export interface Layout {
  plot: Plot;
  x: Scale;
  y: Scale;
  ticks: number[];
  flags: { line: Line; name: string; flag: Flag; placed: PlacedFlag | null; y: number }[];
}

/** Places the axes and the flags. */
export function layout(lines: Line[], w: number, height: number): Layout {
  const highest = lines.map((l) => largest(highOf(l)));
  const ticks = countTicks(largest(highest, 1));
  const left = Math.ceil(largest(ticks.map((t) => width(num(t))))) + 10;
  const [from, to] = zoomed() ?? [0, axisEnd(lines)];
  const [wide, names] = room(lines, from, to, w - 4 - left);
  const plot = { left, right: left + wide, top: 14, bottom: height - 24 };
  const x = scale(from, to, plot.left, plot.right);
  const y = scale(0, ticks.at(-1) ?? 1, plot.bottom, plot.top);
  const inside = lines.filter((l) => flagAt(l) >= from && flagAt(l) <= to);
  inside.sort((a, b) => flagAt(a) - flagAt(b) || leftOf(b) - leftOf(a));
  const flags = inside.map((line) => {
    const at = flagAt(line);
    const over = y(
      largest(lines.map((l) => (at <= endOf(l) ? valueAt(highOf(l), l.step_s, at) : 0))),
    );
    const foot = line.finish_s === null ? y(valueAt(line.values, line.step_s, at)) : y(0);
    const name = names[lines.indexOf(line)] ?? "";
    return { line, name, flag: { x: x(at), width: labelWidth(line, name), over }, y: foot };
  });
  const placed = layoutFlags(
    flags.map((f) => f.flag),
    { ...plot, right: w - 4 },
  );
  return { plot, x, y, ticks, flags: flags.map((f, i) => ({ ...f, placed: placed[i] ?? null })) };
}
