/** Where the time of the run itself went: a bar a thread, of work that stands, work that was
 * undone, and waiting. Many threads are thin bars in the same order; the table has all figures. */
import { rangeTicks, scale, timeUnit, type Scale } from "../base/axis";
import { h, s, type Child, type Life } from "../base/dom";
import { figure, mark } from "../base/figure";
import { fit, width } from "../base/measure";
import { bytes, count, decimals, duration, largest, NB, NONE, num, pct } from "../base/numbers";
import { group, line, middle, px, rect, right, svg, text, type Mark } from "../base/svg";
import { type Thread, type Threads } from "../page";

type Times = [worked: number, undone: number, waited: number];

const NAMES = ["worked", "undone", "waited"] as const;
/** Undone work is work, too, so it has the same hue; the hatch says that it does not stand. */
const FILLS = ["var(--cpu)", "url(#undone)", "var(--wait)"] as const;
const HEAD = 16;
const ALL = 30;
const FOOT = 24;
/** Of a row; many rows share the room. */
const ROW = 20;
const THIN = 3;
const ROOM = 384;
/** A row below this has no room for words. */
const WORDS = 15;
const SWATCH = 8;

/** A column's head with its swatch; heads are smaller than other words. */
const headWidth = (words: string): number => (width(words) * 11.5) / 12 + SWATCH + 5;

const timesOf = ({ worked_s, undone_s, waited_s }: Thread): Times => [worked_s, undone_s, waited_s];
const total = (times: number[]): number => times.reduce((a, b) => a + b, 0);
const sum = ({ threads }: Threads, of: (t: Thread) => number): number => total(threads.map(of));

/** All times in one unit, and with one count of decimals. */
export interface Unit {
  size: number;
  unit: string;
  digits: number;
}

/** Milliseconds below a second, else as the page's other times. */
export function unitOf(most: number): Unit {
  const { size, unit } = most < 1 ? { size: 0.001, unit: "ms" } : timeUnit(most);
  return { size, unit, digits: decimals(most / size) };
}

const shown = (v: number, { size, digits }: Unit): string =>
  v === 0 ? "0" : num(v / size, digits);

/** Rows are as high as they need while there is room, then thinner. */
export const rowHeight = (threads: number): number =>
  Math.max(THIN, Math.min(ROW, Math.floor(ROOM / Math.max(1, threads))));

/** Each so many-th row is named: as many as have room, of several processes the first of each. */
export function namedEach(threads: number, ranks: number): number {
  const least = Math.ceil(WORDS / rowHeight(threads));
  if (least === 1) return 1;
  const each = ranks > 1 && threads % ranks === 0 ? threads / ranks : 1;
  let step = each;
  while (step < least) step *= 2;
  return step;
}

/** 87.4 %: never rounded up to all. */
function efficiency(data: Threads): string {
  const committed = sum(data, (t) => t.committed);
  const done = committed + sum(data, (t) => t.rolled_back);
  if (done === 0) return NONE;
  const percent = Math.floor((1000 * committed) / done) / 10;
  return `${num(percent, percent % 1 === 0 ? 0 : 1)}${NB}%`;
}

function crew({ ranks, threads }: Threads): string {
  const n = threads.length;
  if (ranks <= 1) return count(n, "thread");
  return n % ranks === 0
    ? `${num(ranks)} processes × ${count(n / ranks, "thread")}`
    : `${count(n, "thread")} in ${num(ranks)} processes`;
}

/** How all threads met, what stands, what it took. */
export function figuresOf(data: Threads): string[] {
  const { scheduler, ranks, rounds, deals, alone, threads, peak_rss_bytes } = data;
  const events = sum(data, (t) => t.committed);
  const each = events / Math.max(1, threads.length) / Math.max(1, rounds);
  const memory = `at most ${bytes(peak_rss_bytes)} of memory${ranks > 1 ? " in rank 0" : ""}`;
  return [
    scheduler,
    crew(data),
    `${count(rounds, "round")}, ${num(each, Math.min(1, decimals(each)))} events a thread in each`,
    ...(alone > 0 ? [`${num(alone)} of them by one thread alone`] : []),
    ...(deals > 0 ? [`processes redistributed ${count(deals, "time")}`] : []),
    `${num(events)} events committed`,
    `efficiency ${efficiency(data)}`,
    ...(peak_rss_bytes > 0 ? [memory] : []),
  ];
}

function ownFigures(data: Threads): HTMLElement {
  const parts = figuresOf(data).flatMap((words, i, { length }): Child[] => [
    h("span", { class: "one" }, words, i < length - 1 && h("i", {}, "·")),
    h("wbr"),
  ]);
  return h("p", { class: "facts" }, ...parts);
}

/** The sentence; what one can type is set so. */
function said({ sentence }: Threads): HTMLElement {
  const parts = sentence.split(/(--[a-z][a-z-]* \w+)/);
  return h("p", { class: "said" }, ...parts.map((t, i) => (i % 2 ? h("code", {}, t) : t)));
}

function tipOf(thread: Thread): string[] {
  const { name, lps, committed, ahead, rolled_back, longest_history } = thread;
  const times = timesOf(thread).map((v, i) => `${NAMES[i]} ${duration(v, v < 1 ? 3 : 2)}`);
  const events = `${count(committed, "event")} committed`;
  const history = longest_history > 0 ? `; longest history ${num(longest_history)}` : "";
  return [
    `${name}: ${count(lps, "LP")}`,
    times.join(", "),
    events + history,
    ahead + rolled_back === 0
      ? "none speculative"
      : `${num(ahead)} speculative, ${num(rolled_back)} of them rolled back`,
  ];
}

/** The parts of a bar, one after the other. */
function parts(times: Times, x: Scale, y: number, high: number): Mark[] {
  let from = 0;
  return times.map((v, i) => {
    const bar = rect(x(from), y, x(from + v) - x(from), high, { fill: FILLS[i] });
    from += v;
    return bar;
  });
}

const hatch = (): Child =>
  s(
    "defs",
    {},
    s(
      "pattern",
      {
        ...{ id: "undone", width: 4, height: 4 },
        ...{ patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
      },
      rect(0, 0, 4, 4, { fill: "var(--page)" }),
      rect(0, 0, 2, 4, { fill: "var(--cpu)" }),
    ),
  );

interface Layout {
  w: number;
  x: Scale;
  /** Right edges of the three columns. */
  columns: number[];
  names: number;
  unit: Unit;
  row: number;
  named: number;
}

function layout({ threads, ranks }: Threads, w: number): Layout {
  const end = largest(threads.map((t) => total(timesOf(t))));
  const unit = unitOf(end);
  const heads = NAMES.map((name) => headWidth(`${name}, ${unit.unit}`));
  const values = threads.flatMap((t) => timesOf(t).map((v) => width(shown(v, unit))));
  const column = Math.ceil(largest([...heads, ...values])) + 16;
  const widest = largest(
    threads.map((t) => width(t.name)),
    width("all threads"),
  );
  const names = Math.min(w * 0.25, Math.ceil(widest) + 12);
  return {
    w,
    x: scale(0, end || 1, names, w - 3 * column - 8),
    columns: [w - 2 * column, w - column, w],
    names,
    unit,
    row: rowHeight(threads.length),
    named: namedEach(threads.length, ranks),
  };
}

/** What the columns are: their heads are the key to the bars, too. */
const heads = ({ columns, unit }: Layout): Child[] =>
  NAMES.flatMap((name, i) => {
    const words = `${name}, ${unit.unit}`;
    const left = columns[i]! - headWidth(words);
    return [rect(left, 2, SWATCH, SWATCH, { fill: FILLS[i] }), right(columns[i]!, 10, words, "h")];
  });

/** The mean of all threads, and what part of all time that is: rounded as in the sentence. */
function all(data: Threads, made: Layout): Mark {
  const { x, columns, w } = made;
  const n = data.threads.length;
  const times = NAMES.map((_, i) => sum(data, (t) => timesOf(t)[i]!) / n) as Times;
  const of = total(times) || 1;
  const shares = times.map((v) => pct(v / of));
  const most = times.indexOf(Math.max(...times));
  const node = group(
    {},
    rect(-6, HEAD, w + 12, ALL - 8, { class: "hit", rx: 2 }),
    text(0, HEAD + 15, "all threads", "b"),
    ...parts(times, x, HEAD + 4, 14),
    ...shares.map((share, i) => right(columns[i]!, HEAD + 15, share, i === most ? "bb" : "v")),
  );
  const label = `all threads: ${NAMES.map((name, i) => `${name} ${shares[i]}`).join(", ")}`;
  const mean = NAMES.map((name, i) => `${name} ${duration(times[i]!, times[i]! < 1 ? 3 : 2)}`);
  return mark(node, { id: "all", label, tip: () => [label, `mean: ${mean.join(", ")}`] });
}

function rowOf(thread: Thread, i: number, made: Layout): Mark {
  const { w, x, columns, names, unit, row, named } = made;
  const y = HEAD + ALL + i * row;
  const gap = row >= WORDS ? 6 : 1;
  const base = y + row / 2 + 4;
  const tip = tipOf(thread);
  const node = group(
    {},
    rect(-6, y, w + 12, row, { class: "hit", rx: 2 }),
    i % named === 0 && text(0, base, fit(thread.name, names - 8), "s"),
    ...parts(timesOf(thread), x, y + gap / 2, row - gap),
    ...(row < WORDS
      ? []
      : timesOf(thread).map((v, k) => right(columns[k]!, base, shown(v, unit), "v"))),
  );
  return mark(node, { id: `thread-${i}`, label: tip.join("; "), tip: () => tip });
}

/** Lines behind the bars, and their times below. */
function axis({ x, unit: { size, unit } }: Layout, low: number): [Child[], Child[]] {
  const most = Math.max(2, Math.min(8, Math.floor((x(x.to) - x(x.from)) / 80)));
  const ticks = rangeTicks(0, x.to / size, most);
  const digits = (String(ticks[1] ?? 0).split(".")[1] ?? "").length;
  return [
    ticks.map((t) => line(px(x(t * size)), HEAD, px(x(t * size)), low, { class: "grid" })),
    ticks.map((t, i) => {
      const last = i === ticks.length - 1 ? NB + unit : "";
      return middle(x(t * size), low + 15, num(t, t === 0 ? 0 : digits) + last);
    }),
  ];
}

function draw(data: Threads, w: number): SVGSVGElement {
  const made = layout(data, w);
  const low = HEAD + ALL + data.threads.length * made.row;
  const [lines, times] = axis(made, low);
  return svg(
    w,
    low + FOOT,
    "Wall-clock time by thread",
    hatch(),
    ...heads(made),
    ...lines,
    line(0, px(HEAD + ALL - 7), w, px(HEAD + ALL - 7), { class: "hair" }),
    all(data, made),
    ...data.threads.map((thread, i) => rowOf(thread, i, made)),
    line(made.x(0), px(low), made.x(made.x.to), px(low), { class: "axis" }),
    ...times,
  );
}

/** The sentence and the line of figures stand above the bars, the table below them. */
export function threads(life: Life, host: HTMLElement, data: Threads): void {
  host.before(said(data), ownFigures(data));
  figure(life, host, (w) => draw(data, w));
  host.after(ownTable(data));
}

/** All figures of all threads, in their order; unfolds. */
function ownTable({ threads }: Threads): HTMLElement {
  const unit = unitOf(largest(threads.map((t) => total(timesOf(t)))));
  const names = ["LPs", "Events\ncommitted", "Speculative", "Undone", "Longest\nhistory"];
  const times = ["Worked", "Rolled\nback", "Waited"];
  const heads = ["Thread", ...names, ...times.map((head) => `${head}, ${unit.unit}`)];
  const row = (t: Thread) => [
    t.name,
    ...[t.lps, t.committed, t.ahead, t.rolled_back, t.longest_history].map((v) => num(v)),
    ...timesOf(t).map((v) => shown(v, unit)),
  ];
  const table = h(
    "table",
    {},
    h("thead", {}, h("tr", {}, ...heads.map((head) => h("th", { scope: "col" }, head)))),
    h(
      "tbody",
      { class: "rows" },
      ...threads.map((t) => h("tr", {}, ...row(t).map((cell) => h("td", {}, cell)))),
    ),
  );
  const summary = h("summary", {}, "Figures by thread");
  return h("details", {}, summary, h("div", { class: "scroll" }, table));
}
