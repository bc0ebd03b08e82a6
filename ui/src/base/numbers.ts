/** Numbers as people read them: three digits that count, thin spaces, a real minus, units that
 * do not break away. */

/** No-break: a thin space (thousands), a space (units); a minus that is as wide as a plus. */
export const THIN = "\u2060\u2009\u2060";
export const NB = "\u00a0";
export const MINUS = "\u2212";
/** Not applicable, and not in the input. */
export const NONE = "–";

/** 12 000 · −1.6 · never "1.2e4". */
export function num(value: number, digits = 0): string {
  const fixed = Math.abs(value).toFixed(digits);
  const [whole = "0", fraction] = fixed.split(".");
  const sign = value < 0 && Number(fixed) !== 0 ? MINUS : "";
  return sign + whole.replace(/\B(?=(\d{3})+$)/g, THIN) + (fraction ? `.${fraction}` : "");
}

/** How many decimals leave three digits that count: 48.0, 4.80, 480. */
export function decimals(value: number): number {
  const size = Math.abs(value);
  if (size === 0 || size >= 99.95) return 0;
  return size >= 9.995 ? 1 : 2;
}

/** 48.0 s · 10 min 30 s · 2 h 5 min: for sentences and labels. */
export function duration(seconds: number, digits = 1): string {
  const size = Math.abs(seconds);
  if (size < 1e-9) return "0";
  if (size < 599.5) return `${num(seconds, size >= 99.95 ? 0 : digits)}${NB}s`;
  const sign = seconds < 0 ? MINUS : "";
  const whole = Math.round(size);
  if (whole < 3600) return sign + two(Math.floor(whole / 60), "min", whole % 60, "s");
  const minutes = Math.round(whole / 60);
  return sign + two(Math.floor(minutes / 60), "h", minutes % 60, "min");
}

function two(large: number, unit: string, small: number, smaller: string): string {
  const head = `${num(large)}${NB}${unit}`;
  return small === 0 ? head : `${head}${NB}${small}${NB}${smaller}`;
}

/** 48.0 s, 12 ms: widths of cells in runs of any length. */
export function span(seconds: number, digits = 1): string {
  if (seconds >= 0.095 || seconds === 0) return duration(seconds, digits);
  return `${Number((seconds * 1e3).toPrecision(2))}${NB}ms`;
}

/** Seconds with their unit, one decimal count: 48.0 s. */
export const sec = (value: number, digits = 1): string => `${num(value, digits)}${NB}s`;

/** 38 %, of a share 0–1. */
export const pct = (share: number, digits = 0): string => `${num(share * 100, digits)}${NB}%`;

/** −22.4 ± 0.6; without the interval where there is none. */
export const plusMinus = (mean: number, ci: number, digits = 1): string =>
  num(mean, digits) + (ci > 0 ? ` ± ${num(ci, digits)}` : "");

/** 46.8–50.0 s, 7.20–7.60 ms, or one value where both ends read the same. */
export function range(low: number, high: number, digits = 1): string {
  const isShort = high > 0 && high < 0.095;
  const [size, unit, places] = isShort ? [1e-3, "ms", 2] : [1, "s", digits];
  const [a, b] = [num(low / size, places), num(high / size, places)];
  return a === b ? `${a}${NB}${unit}` : `${a}–${b}${NB}${unit}`;
}

const SIZES: [number, string][] = [
  [1e15, "PB"],
  [1e12, "TB"],
  [1e9, "GB"],
  [1e6, "MB"],
  [1e3, "kB"],
];

/** 2.5 MB: decimal units, as everywhere in Tenbin. */
export function bytes(value: number): string {
  if (value === 0) return "0";
  for (const [size, unit] of SIZES) {
    if (Math.abs(value) >= size * 0.9995) {
      const scaled = value / size;
      return `${num(scaled, Math.min(1, decimals(scaled)))}${NB}${unit}`;
    }
  }
  return `${num(value)}${NB}B`;
}

/** 1.25 GB/s: up to three digits that count. */
export function rate(perSecond: number): string {
  const [size, unit] = SIZES.find(([s]) => perSecond >= s * 0.9995) ?? [1, "B"];
  const scaled = perSecond / size;
  const short = Number(scaled.toFixed(decimals(scaled)));
  return `${num(short, (String(short).split(".")[1] ?? "").length)}${NB}${unit}/s`;
}

/** "each second", "each 5 s": how wide a cell is. */
export const each = (seconds: number): string =>
  seconds === 1
    ? "each second"
    : `each ${span(seconds, (String(seconds).split(".")[1] ?? "").slice(0, 2).length)}`;

/** 12 blocks · 1 block. */
export const count = (n: number, one: string, many = `${one}s`): string =>
  `${num(n)} ${n === 1 ? one : many}`;

/** Whole percents that sum to 100, by largest remainder; all 0 where there is nothing. */
export function wholePercents(parts: number[]): number[] {
  const sum = parts.reduce((a, b) => a + b, 0);
  if (!(sum > 0)) return parts.map(() => 0);
  const exact = parts.map((p) => (100 * p) / sum);
  const whole = exact.map(Math.floor);
  const missing = 100 - whole.reduce((a, b) => a + b, 0);
  const byRemainder = exact
    .map((e, i) => ({ i, rest: e - Math.floor(e) }))
    .sort((a, b) => b.rest - a.rest || a.i - b.i);
  for (const { i } of byRemainder.slice(0, missing)) whole[i] = (whole[i] ?? 0) + 1;
  return whole;
}

/** The value below which a share q of the sorted values lies. */
export function quantile(sorted: number[], q: number): number {
  const at = q * (sorted.length - 1);
  const low = sorted[Math.floor(at)] ?? 0;
  return low + ((sorted[Math.ceil(at)] ?? low) - low) * (at % 1);
}

export const mean = (values: number[]): number =>
  values.length === 0 ? 0 : values.reduce((a, b) => a + b, 0) / values.length;

/** Of any number of values: spread arguments end at some 100 000. */
export const largest = (values: Iterable<number>, least = 0): number => {
  let top = least;
  for (const v of values) if (v > top) top = v;
  return top;
};

/** As a name or a sentence begins. */
export const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
