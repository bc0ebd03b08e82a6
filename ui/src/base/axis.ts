/** Scales and round ticks. */
import { NB, num } from "./numbers";

/** A straight scale from values to pixels. */
export interface Scale {
  (value: number): number;
  invert(pixel: number): number;
  from: number;
  to: number;
}

export function scale(from: number, to: number, pixelFrom: number, pixelTo: number): Scale {
  const span = to - from || 1;
  const run = pixelTo - pixelFrom;
  const map = (value: number) => pixelFrom + ((value - from) / span) * run;
  const invert = (pixel: number) => from + ((pixel - pixelFrom) / (run || 1)) * span;
  return Object.assign(map, { invert, from, to });
}

/** For counts, whose top should lie close; and for scales that are read between ticks. */
const CLOSE = [1, 2, 2.5, 3, 4, 5, 6, 8, 10];
const ROUND = [1, 2, 5, 10];

/** The least round number that is not below `value`. */
export function roundUp(value: number, rounds = ROUND): number {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return rounds.map((r) => r * power).find((r) => r >= value * (1 - 1e-9)) ?? 10 * power;
}

/** 3 or 4 ticks from 0 that reach over `max`, with the least waste: 0, 300, 600, 900. */
export function countTicks(max: number): number[] {
  const [two, three] = [2, 3].map((n) => Math.max(1, Math.ceil(roundUp(max / n, CLOSE)))) as [
    number,
    number,
  ];
  const n = two * 2 < three * 3 ? 2 : 3;
  const step = n === 2 ? two : three;
  return Array.from({ length: n + 1 }, (_, i) => i * step);
}

/** Up to `most` round ticks inside a range, for values that need not start at 0. */
export function rangeTicks(from: number, to: number, most = 4): number[] {
  let step = roundUp((to - from) / most);
  while ((to - from) / step > most) step = roundUp(step * 1.01);
  const first = Math.ceil(from / step - 1e-9);
  const ticks: number[] = [];
  for (let i = first; i * step <= to + step * 1e-9; i++)
    ticks.push(Number((i * step).toPrecision(12)));
  return ticks;
}

/** Seconds below ten minutes, then minutes, then hours; on axes below 0.5 s milliseconds. */
const MILLIS = { size: 1e-3, unit: "ms" };
const SECONDS = { size: 1, unit: "s" };
const MINUTES = { size: 60, unit: "min" };
const HOURS = { size: 3600, unit: "h" };

/** The unit of an axis or column that goes up to so many seconds. */
export function timeUnit(most: number): { size: number; unit: string } {
  if (most <= 600) return SECONDS;
  return most <= 36_000 ? MINUTES : HOURS;
}

const STEPS = [
  0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 20, 30, 60, 100, 120, 200, 300, 500, 1000, 2000, 5000,
];

/** Between the middles of two tick labels, in pixels. */
const LABEL_ROOM = 40;

export interface TimeTick {
  at: number;
  label: string;
}

/** Ticks of a time axis: the unit stands once, on the last; with `end` the run's end is the last
 * tick. `pixels` is the axis's length. */
export function timeTicks(from: number, to: number, pixels: number, end?: number): TimeTick[] {
  const { size, unit } = to < 0.5 ? MILLIS : timeUnit(to);
  const most = Math.max(2, Math.floor(pixels / 64));
  const span = (to - from) / size;
  const step = STEPS.find((s) => span / s <= most) ?? roundUp(span / most);
  const digits = step < 1 ? 1 : 0;
  const ticks: TimeTick[] = [];
  for (let i = Math.ceil(from / size / step - 1e-9); i * step <= to / size + 1e-9; i++) {
    ticks.push({ at: i * step * size, label: num(i * step, digits) });
  }
  if (end !== undefined && end > from && end <= to + 1e-9) {
    const room = ((to - from) * LABEL_ROOM) / pixels;
    while (ticks.length > 1 && end - (ticks.at(-1)?.at ?? 0) < room) ticks.pop();
    ticks.push({ at: end, label: endLabel(end / size) });
  }
  const last = ticks.at(-1);
  if (last) last.label += NB + unit;
  return ticks;
}

/** A run's own end: 58.1, but 41 where it is whole. */
const endLabel = (value: number): string =>
  num(value, value >= 99.95 || Math.abs(value - Math.round(value)) < 1e-6 ? 0 : 1);

/** The least fifth of a tick's step that is not below `least`: 41.3 s end at 42 s. */
export function timeEnd(least: number): number {
  const { size } = timeUnit(least);
  const span = least / size;
  const step = (STEPS.find((s) => span / s <= 6) ?? roundUp(span / 6)) / 5;
  return Math.max(step, Math.ceil(span / step - 1e-9) * step) * size;
}
