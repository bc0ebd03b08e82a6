/** What held it up, a bar a cause, that sum to a whole; or bounds of what it would shrink by. */
import { scale, timeTicks, type Scale } from "../base/axis";
import { h, type Child, type Life } from "../base/dom";
import { figure, mark } from "../base/figure";
import { BOLD, fit, fitKey, width } from "../base/measure";
import { capital, largest, NB, num, sec } from "../base/numbers";
import { pick, picked, place } from "../base/selection";
import {
  group,
  hollow,
  line,
  middle,
  path,
  px,
  rect,
  right,
  svg,
  text,
  type Mark,
} from "../base/svg";
import { type Share, type Shares } from "../page";
import { write } from "./units";

export interface SharesOptions {
  label: string;
  height: number;
  /** Names the selection in the address. */
  id: string;
}

const HEAD = 16;
const PERCENT = 56;
const BAR = 16;

/** Place of the selected bar; null: none. */
export function pickedShare(id: string): number | null {
  const at = Number(picked(id) ?? NaN);
  return Number.isInteger(at) ? at : null;
}

/** One decimal count for a column of amounts: 38.5 s and 0.9 s, not 900 ms. */
function columnOf(unit: string, amounts: number[]): (v: number) => string {
  if (unit !== "s" || largest(amounts.map(Math.abs)) < 0.9995) return (v) => write(unit, v);
  return (v) => (v !== 0 && v < 0.05 ? sec(v, 2) : v < 99.95 && v > 0 ? sec(v) : write(unit, v));
}

const amountWords = ({ unit, rows }: Shares): ((v: number) => string) =>
  columnOf(
    unit,
    rows.map((r) => r.amount ?? 0),
  );

/** "at most −20 %", "0 to −66 %", "80 %". */
export function shareWords({ at_most, low, percent }: Share): string {
  const whole = `${num(percent)}${NB}%`;
  if (at_most) return `at most ${whole}`;
  return low === null ? whole : `${num(100 * low)} to ${whole}`;
}

/** Diagonal strokes: what overlaps another bar. */
function hatched(x: number, y: number, w: number, high: number, hue: string): Child[] {
  let d = "";
  for (let at = x - high; at < x + w; at += 4) {
    const [a, b] = [Math.max(at, x), Math.min(at + high, x + w)];
    if (b > a) d += `M${a},${y + high - (a - at)}L${b},${y + high - (b - at)}`;
  }
  return [
    path(d, { stroke: hue, "stroke-width": 1.25 }),
    rect(x + 0.5, y + 0.5, Math.max(2, w - 1), high - 1, { fill: "none", stroke: hue, rx: 1 }),
  ];
}

function barOf(share: Share, x: Scale, y: number, high: number): Child[] {
  const { kind, low, overlaps, known } = share;
  const [a, b] = [x(low ?? 0), x(share.share)];
  const [from, long] = [Math.min(a, b), Math.abs(b - a)];
  const hue = `var(--${kind ?? "wait"})`;
  if (long < 1) return [line(px(from), y, px(from), y + high, { class: "axis" })];
  const slivers = known.map(([of, part]) =>
    rect(from, y, Math.max(1.5, Math.abs(x(part) - x(0))), high, { fill: `var(--${of})` }),
  );
  if (kind === "unexplained") return [hollow(from, y, Math.max(5, long), high), ...slivers];
  if (overlaps) return hatched(from, y, Math.max(3, long), high, hue);
  return [rect(from, y, Math.max(2, long), high, { fill: hue, rx: 1.5 }), ...slivers];
}

/** Words on a hollow bar, or after a short one. */
function labelOf(share: Share, x: Scale, y: number, end: number): Child {
  if (share.label === "") return null;
  const after = Math.max(x(share.low ?? 0), x(share.share)) + 6;
  const inside = share.kind === "unexplained" && after - x(0) > width(share.label) + 16;
  const left = inside ? x(0) + 7 : after;
  return text(left, y, fit(share.label, end - left), inside ? "s" : "s o");
}

interface Layout {
  /** Bars run from here. */
  left: number;
  /** Names stand above their bar, not before it. */
  above: boolean;
  high: number;
  /** Where the amounts end. */
  amount: number;
  bars: number;
}

function layoutOf(data: Shares, w: number, height: number): Layout {
  const { rows, whole } = data;
  const say = amountWords(data);
  const above = whole && rows.some((r) => r.kind === "setting" || width(r.name, BOLD) > 150);
  const names = rows.flatMap((r) => [width(r.name, BOLD), width(r.source, "500 11.5px Inter")]);
  const left = above ? 0 : Math.min(w * 0.4, largest(names, 90) + 20);
  const amounts = rows.map((r) => (r.amount === null ? 0 : width(say(r.amount))));
  const told = largest(rows.map((r) => width(shareWords(r), BOLD)));
  const percent = whole ? PERCENT : told + 16;
  const bars = w - percent - (whole ? largest(amounts, 40) + 18 : 0);
  const spare = (height - HEAD - 26) / Math.max(1, rows.length);
  const high = above ? Math.min(45, Math.max(36, spare)) : 40;
  return { left, above, high, amount: w - percent, bars };
}

function nameOf(share: Share, y: number, { above, bars, left }: Layout): Child[] {
  const { kind, name, source } = share;
  const setting = kind === "setting" && /[.=]/.test(name);
  if (above) {
    const words = setting ? fitKey(name, bars) : fit(capital(name), bars);
    return [text(0, y + 14, words, setting ? "k setting" : "s")];
  }
  const low = source === "" ? y + 26 : y + 18;
  return [
    text(0, low, fit(name, left - 12, BOLD), "b"),
    source !== "" && text(0, y + 33, fit(source, left - 10), /_/.test(source) ? "k" : "h"),
  ];
}

function row(
  data: Shares,
  i: number,
  y: number,
  x: Scale,
  made: Layout,
  w: number,
  id: string,
): Mark {
  const share = data.rows[i]!;
  const { name, amount, intervals, all } = share;
  const { above, high } = made;
  const selected = pickedShare(id) === i;
  const told = shareWords(share);
  const bar = above ? y + 20 : y + 12;
  const thick = above ? 12 : BAR;
  const waited = amount === null ? "" : amountWords(data)(amount);
  const most = largest(data.rows.map((r) => r.percent));
  const strong = data.whole && share.percent === most ? "bb" : "v";
  const node = group(
    {},
    rect(-6, y, w + 12, high, { class: "hit", rx: 2 }),
    ...nameOf(share, y, made),
    ...barOf(share, x, bar, thick),
    labelOf(share, x, bar + thick / 2 + 4.5, made.bars),
    data.whole && right(made.amount, bar + thick / 2 + 4.5, waited, "s"),
    right(w, bar + thick / 2 + 4.5, told, strong),
  );
  const opens = intervals.length > 0 || all !== undefined;
  const source = intervals.length > 0 ? "Click for its intervals" : share.source;
  const open = () => pick({ [id]: selected ? null : String(i) });
  return mark(node, {
    id: `share-${i}`,
    label: [name, waited, told].filter(Boolean).join(", "),
    tip: () => [name, [waited, told].filter(Boolean).join(", "), source].filter(Boolean),
    ...(opens ? { open, pressed: selected } : {}),
  });
}

/** The longest intervals behind the selected bar, over time. */
function behind(share: Share, w: number, y0: number): [Child[], number] {
  const { intervals, kind, name } = share;
  const label = Math.min(w * 0.45, largest(intervals.map((v) => width(v.label))) + 12);
  const from = Math.min(0, ...intervals.map((v) => v.start_s));
  const end = largest(intervals.map((v) => v.end_s));
  const x = scale(from, end, label, w - 60);
  const low = y0 + 14 + intervals.length * 18;
  const hue = !kind || kind === "unexplained" ? "done" : kind;
  const rows = intervals.flatMap((v, i) => [
    text(0, y0 + 24 + i * 18, fit(v.label, label - 8), "s"),
    rect(x(v.start_s), y0 + 15 + i * 18, Math.max(1.5, x(v.end_s) - x(v.start_s)), 10, {
      fill: `var(--${hue})`,
      rx: 1,
    }),
    right(w, y0 + 24 + i * 18, write("s", v.end_s - v.start_s), "v"),
  ]);
  const ticks = timeTicks(from, end, w - 60 - label).flatMap((t) => [
    line(px(x(t.at)), low, px(x(t.at)), low + 4, { class: "axis" }),
    middle(x(t.at), low + 17, t.label),
  ]);
  const axis = line(x(from), px(low), x(end), px(low), { class: "axis" });
  return [
    [text(0, y0 + 4, fit(`Longest waits for ${name}`, w), "t"), ...rows, axis, ...ticks],
    low + 22,
  ];
}

function sum(data: Shares, y: number, w: number, amount: number): Child[] {
  const { rows } = data;
  const total = rows.reduce((a, r) => a + (r.amount ?? 0), 0);
  const percent = rows.reduce((a, r) => a + r.percent, 0);
  return [
    line(0, px(y), w, px(y), { class: "hair" }),
    text(0, y + 18, "Sum", "s"),
    right(amount, y + 18, amountWords(data)(total), "s"),
    right(w, y + 18, `${num(percent)}${NB}%`, "v"),
  ];
}

/** Round percents below the bars of bounds. */
function boundAxis(x: Scale, top: number, low: number): Child[] {
  const far = Math.abs(x.to) > Math.abs(x.from) ? x.to : x.from;
  const step = [0.05, 0.1, 0.2, 0.25, 0.5].find((s) => Math.abs(far) / s <= 4) ?? 0.5;
  const all: number[] = [];
  for (let i = 0; i * step <= Math.abs(far) + 1e-9; i++) all.push(Math.sign(far) * i * step);
  return all.flatMap((v, i) => [
    line(px(x(v)), top, px(x(v)), low, { class: v === 0 ? "axis" : "grid" }),
    middle(x(v), low + 16, num(100 * v) + (i === all.length - 1 ? `${NB}%` : "")),
  ]);
}

function draw(data: Shares, w: number, options: SharesOptions): SVGSVGElement {
  const made = layoutOf(data, w, options.height);
  const { rows, whole, head } = data;
  const ends = rows.flatMap((r) => [r.share, r.low ?? 0]);
  const [least, most] = [Math.min(0, ...ends), largest(ends)];
  const down = -least > most;
  // Bars below zero run to the right as well: what shrinks more is longer.
  const x = down
    ? scale(0, least, made.left, made.bars)
    : scale(0, whole ? Math.max(1e-9, Math.min(1, most * 1.02)) : most || 1, made.left, made.bars);
  const low = HEAD + rows.length * made.high;
  const open = rows[pickedShare(options.id) ?? -1];
  const [more, end] = open?.intervals.length
    ? behind(open, w, low + 48)
    : [[] as Child[], low + (whole ? 26 : 22)];
  return svg(
    w,
    end,
    options.label,
    whole && right(made.amount, 10, head, "h"),
    right(w, 10, whole ? "share" : head, "h"),
    ...(whole ? [] : boundAxis(x, HEAD, low)),
    ...rows.map((_, i) => row(data, i, HEAD + i * made.high, x, made, w, options.id)),
    ...(whole ? sum(data, low + 2, w, made.amount) : []),
    ...more,
  );
}

export function shares(life: Life, host: HTMLElement, data: Shares, options: SharesOptions): void {
  figure(
    life,
    host,
    (w) => {
      const drawing = draw(data, w, options);
      const all = data.rows[pickedShare(options.id) ?? -1]?.all;
      if (!all) return drawing;
      const link = h("a", { href: `#/${all.href}` }, all.name);
      return [drawing, h("p", { class: "note" }, link)];
    },
    [place],
  );
}
