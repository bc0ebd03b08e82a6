/** Numbers, scales and ticks by their unit, as `page::Unit` has them. */
import { countTicks, scale, timeTicks, timeUnit, type Scale, type TimeTick } from "../base/axis";
import { bytes, decimals, duration, largest, NB, num, pct, rate } from "../base/numbers";
import { Signal } from "../base/dom";
import { zoomed } from "../base/selection";
import { type OwnAxis } from "../base/crosshair";
import { type Axis, type Unit } from "../page";

const wholeOr = (value: number): number => (Number.isInteger(value) ? 0 : decimals(value));

/** A value as sentences write it. Below a second milliseconds keep three digits that count. */
export function write(unit: Unit, value: number): string {
  if (unit === "s" && value !== 0 && Math.abs(value) < 0.9995) {
    return `${num(value * 1000, wholeOr(Math.round(value * 1e6) / 1e3))}${NB}ms`;
  }
  if (unit === "s") return duration(value, Math.abs(value) < 9.995 ? 2 : 1);
  if (unit === "B") return bytes(value);
  if (unit === "B/s") return value === 0 ? "0" : rate(value);
  if (unit === "%") return pct(value, value !== 0 && Math.abs(value) < 0.01 ? 1 : 0);
  if (unit === "x") return num(value, 2);
  const digits = wholeOr(Number(value.toPrecision(6)));
  return num(value, digits) + (unit === "" ? "" : NB + unit);
}

/** 33.7–36.2 kop/s: the unit stands once. */
export function writeRange(unit: Unit, low: number, high: number): string {
  const [a, b] = [write(unit, low), write(unit, high)];
  const [bare = a, end] = a.split(NB);
  return end !== undefined && b.endsWith(NB + end) && a.split(NB).length === 2
    ? `${bare}–${b}`
    : `${a}–${b}`;
}

export const isTime = (axis: Axis): boolean => axis.unit === "s" && !axis.log;

/** An axis in pixels; time is zoomed. */
export function scaleOf(axis: Axis, left: number, right: number): Scale {
  const [from, to] = (isTime(axis) && zoomed(axis.from)) || [axis.from, axis.to];
  if (!axis.log) return scale(from, to, left, right);
  const [low, high] = [Math.max(from, 1e-12), Math.max(to, from * 1.0001, 1e-12)];
  const inner = scale(Math.log(low), Math.log(high), left, right);
  const map = (value: number) => inner(Math.log(Math.max(value, low / 10)));
  const invert = (pixel: number) => Math.exp(inner.invert(pixel));
  return Object.assign(map, { invert, from: low, to: high });
}

/** What divides a value for its labels, and what they end with. */
function prefix(unit: Unit, most: number): [number, string] {
  if (unit === "%") return [0.01, "%"];
  if (unit === "s") {
    if (most < 0.9995) return [0.001, "ms"];
    const { size, unit } = timeUnit(most);
    return [size, unit];
  }
  if (unit === "x") return [1, "×"];
  if (unit !== "B" && unit !== "B/s") return [1, unit];
  const sizes: [number, string][] = [1e15, 1e12, 1e9, 1e6, 1e3, 1].map((size, i) => [
    size,
    (["PB", "TB", "GB", "MB", "kB", "B"][i] ?? "B") + unit.slice(1),
  ]);
  return sizes.find(([size]) => most >= size) ?? [1, unit];
}

/** 3 or 4 round ticks from 0 on; the unit stands on the last. */
export function valueTicks(unit: Unit, most: number): TimeTick[] {
  const [size, name] = prefix(unit, most);
  const top = Math.max(most / size, 1e-9);
  const power = 10 ** Math.max(0, 1 - Math.floor(Math.log10(top)));
  const ticks = countTicks(top * power * (1 - 1e-9)).map((t) => t / power);
  const digits = largest(ticks.map((t) => (String(t).split(".")[1] ?? "").length));
  return ticks.map((t, i) => ({
    at: t * size,
    label: num(t, t === 0 ? 0 : digits) + (i === ticks.length - 1 && name ? NB + name : ""),
  }));
}

const LOG_ROOM = 52;
const powerOfTwo = (v: number): boolean => v >= 1 && Number.isInteger(Math.log2(v));

/** With as many decimals as it has: 0.5, 20. */
const bare = (v: number): string => num(v, (String(v).split(".")[1] ?? "").length);

/** A round value with its unit, and without zeros at its end: 0.5 ms. */
function shortest(unit: Unit, value: number): string {
  const [size, name] = prefix(unit, value);
  return bare(Number((value / size).toPrecision(3))) + (name ? NB + name : "");
}

/** Powers of two where both ends are; else 1, 2, 5 or decades, as many as find room. */
function logTicks(axis: Axis, from: number, to: number, pixels: number): TimeTick[] {
  const most = Math.max(2, Math.floor(pixels / LOG_ROOM));
  let all: number[] = [];
  if (powerOfTwo(axis.from) && powerOfTwo(axis.to)) {
    for (let v = 2 ** Math.ceil(Math.log2(from)); v <= to * 1.0001; v *= 2) all.push(v);
    const last = all.length - 1;
    // Both ends have a tick where the powers between them divide evenly.
    const least = Math.ceil(all.length / most);
    const even = [0, 1, 2].map((k) => least + k).find((k) => last % k === 0);
    const step = even ?? least;
    all = all.filter((_, i) => (last - i) % step === 0);
  } else {
    const least = Math.floor(Math.log10(from));
    const span = Math.ceil(Math.log10(to)) - least;
    const inside = (bases: number[]) =>
      Array.from({ length: span + 1 }, (_, i) => bases.map((b) => b * 10 ** (least + i)))
        .flat()
        .map((v) => Number(v.toPrecision(3)))
        .filter((v) => v >= from * 0.9999 && v <= to * 1.0001);
    const fine = inside([1, 2, 5]);
    const close = fine.length <= pixels / 36;
    all = close ? fine : inside([1]);
    const step = close ? 1 : Math.ceil(all.length / most);
    all = all.filter((_, i) => i % step === 0);
  }
  const each = ["s", "B", "B/s"].includes(axis.unit);
  return all.map((at, i) => ({
    at,
    label: each || i === all.length - 1 ? shortest(axis.unit, at) : bare(at),
  }));
}

/** Ticks of an x axis. */
export function xTicks(axis: Axis, x: Scale, pixels: number): TimeTick[] {
  if (axis.log) return logTicks(axis, x.from, x.to, pixels);
  const end = Math.min(axis.to, x.to);
  if (axis.unit === "s") return timeTicks(x.from, x.to, pixels, end);
  return valueTicks(axis.unit, x.to).filter((t) => t.at >= x.from && t.at <= x.to * 1.0001);
}

const lines = new Map<string, OwnAxis>();

/** The crosshair of an axis: the page's for time, else one for all axes of that name and unit. */
export function crossOf(axis: Axis): OwnAxis | undefined {
  if (isTime(axis)) return undefined;
  const key = `${axis.name}|${axis.unit}`;
  const known = lines.get(key);
  if (known) return known;
  const say = (v: number) => `${write(axis.unit, v >= 20 ? Math.round(v) : v)} ${axis.name}`.trim();
  const own: OwnAxis = { hovered: new Signal<number | null>(null), say };
  lines.set(key, own);
  return own;
}
