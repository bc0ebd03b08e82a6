/** How a page's lines look, what they say at a place, and which part of them is seen. */
import { type Scale } from "../base/axis";
import { h } from "../base/dom";
import { lineStyles, sample, type LineStyle } from "../parts/sample";
import { type Line, type Role, type Unit } from "../page";
import { write, writeRange } from "./units";

/** By role; a hue takes the place of ink. *Now* is a risk curve's red only where it says so. */
export function stylesOf(lines: { role: Role; kind: Line["kind"] }[]): LineStyle[] {
  return lineStyles(lines).map((style, i) => {
    const { role, kind } = lines[i]!;
    if (role === "now" && kind === "risk") return style;
    if (kind === "unexplained") return { ...style, stroke: "var(--ink3)", ink: "var(--ink2)" };
    if (kind) return { ...style, stroke: `var(--${kind})`, ink: `var(--${kind}-ink)`, width: 1.75 };
    return role === "now" ? { ...style, stroke: "var(--ink)", ink: "var(--ink)" } : style;
  });
}

/** *Now* and the recommended would both be ink: where both stand, the first is the thicker, grey
 * one. */
export function apart(lines: { role: Role; kind: Line["kind"] }[]): LineStyle[] {
  const both = lines.some((l) => l.role === "now") && lines.some((l) => l.role === "recommended");
  return stylesOf(lines).map((style, i) => {
    const { role, kind } = lines[i]!;
    return both && role === "now" && !kind ? { ...style, stroke: "var(--ink3)", width: 3 } : style;
  });
}

/** The place of the sample at or before a value, or the nearest where none is. */
export function sampleAt(xs: number[], at: number): number {
  let [low, high] = [0, xs.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (xs[middle]! <= at) low = middle;
    else high = middle - 1;
  }
  const next = xs[low + 1];
  return next !== undefined && next - at < at - xs[low]! ? low + 1 : low;
}

/** Where the readings stand: at a sample, if each was measured by itself. */
export const snapped = ([first]: Line[], at: number): number =>
  first?.dots ? (first.x[sampleAt(first.x, at)] ?? at) : at;

/** The value at a place; null outside of the line. */
export function valueAt({ x, y, steps }: Line, at: number): number | null {
  if (x.length === 0 || at < x[0]! || at > x.at(-1)!) return null;
  let i = sampleAt(x, at);
  if (steps && x[i]! > at) i--;
  return y[i] ?? null;
}

export function readings(
  lines: Line[],
  styles: LineStyle[],
  unit: Unit,
  at: number,
): HTMLElement[] {
  return lines.flatMap((line, i) => {
    const value = valueAt(line, at);
    if (value === null) return [];
    const k = sampleAt(line.x, at);
    const [low, high] = [line.low?.[k], line.high?.[k]];
    const band =
      low !== undefined && high !== undefined && low !== high
        ? ` (${writeRange(unit, low, high)})`
        : "";
    const note = line.notes?.[k];
    return [
      h(
        "div",
        { class: "row2" },
        h("span", {}, sample(styles[i]!), ` ${line.name}`),
        h("span", {}, h("b", {}, write(unit, value)), band, note ? ` ${note}` : ""),
      ),
    ];
  });
}

/** Indexes of the samples that are seen, with one more at each end; of very many every k-th. */
export function visible({ x }: Line, scale: Scale, most = 4000): number[] {
  let from = x.findIndex((v) => v >= scale.from);
  if (from < 0) return [];
  from = Math.max(0, from - 1);
  let to = from;
  while (to < x.length - 1 && x[to]! <= scale.to) to++;
  const step = Math.max(1, Math.ceil((to - from) / most));
  const all: number[] = [];
  for (let i = from; i < to; i += step) all.push(i);
  all.push(to);
  return all;
}

/** Places of lines, those first that lie higher in the mean: two may end at one height. */
export function fromUpper(lines: readonly Line[]): number[] {
  const mean = ({ y }: Line): number => {
    const known = y.filter((v) => v !== null);
    return known.reduce((sum, v) => sum + v, 0) / Math.max(known.length, 1);
  };
  return lines.map((_, i) => i).sort((a, b) => mean(lines[b]!) - mean(lines[a]!));
}
