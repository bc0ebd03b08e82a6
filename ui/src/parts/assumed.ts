/** What no input says, and the result if the true value is half or double. */
import { scale, type Scale } from "../base/axis";
import { h, type Child, type Life } from "../base/dom";
import { figure, mark } from "../base/figure";
import { fit, width } from "../base/measure";
import { largest } from "../base/numbers";
import { circle, group, line, middle, px, rect, right, svg, text } from "../base/svg";
import { type Assumed, type AssumedRow, type Span } from "../page";
import { plain, sentence } from "./spans";

type Row = AssumedRow;

/** How the metric of the rows is written. */
export interface Metric {
  write: (value: number) => string;
  /** From one value to another. */
  range: (low: number, high: number) => string;
  ticks: (from: number, to: number) => { at: number; label: string }[];
  /** "Recovery". */
  name: string;
  /** Said where there is none: "not redundant". */
  never: string;
  /** So little is no difference. */
  least: number;
}
const ROW = 48;
const AXIS = 20;

/** Same to the eye: under 0.05 s, or half a percent. */
export const same = (a: number, b: number | null, least = 0.05): boolean =>
  b !== null && Math.abs(a - b) < Math.max(least, 0.005 * a);

/** A range that holds all cases, and is never so narrow that noise fills it. */
export function spread(rows: Row[]): [number, number] {
  const values = rows.flatMap((r) => [r.half, r.now, r.double]).filter((v) => v !== null);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const least = 0.08 * high;
  const room = Math.max(high - low, least);
  const middleOf = (low + high) / 2;
  return [
    Math.max(0, Math.min(low, middleOf - room / 2) - room * 0.12),
    Math.max(high, middleOf + room / 2) + room * 0.12,
  ];
}

/** Half and double under their rings; side by side where they would meet. */
function ringLabels(half: number | null, double: number | null, y: number): Child[] {
  if (half !== null && double !== null && Math.abs(half - double) < 44) {
    const [left, rightmost] = half < double ? ["half", "double"] : ["double", "half"];
    return [
      right(Math.min(half, double) + 4, y, left, "s"),
      text(Math.max(half, double) - 4 + (Math.abs(half - double) < 12 ? 10 : 0), y, rightmost, "s"),
    ];
  }
  return [
    half !== null && middle(half, y, "half", "s"),
    double !== null && middle(double, y, "double", "s"),
  ];
}

function marks(row: Row, x: Scale, y: number, metric: Metric): Child[] {
  const { half, now, double } = row;
  const at = x(now);
  const dot = circle(at, y, 4, { fill: "var(--ink)" });
  if (same(now, half, metric.least) && same(now, double, metric.least)) {
    const room = width("no difference") + 12;
    const fits = at + room < x(x.to);
    return [
      fits
        ? text(at + 12, y + 4, "no difference", "s")
        : right(at - 12, y + 4, "no difference", "s"),
      dot,
    ];
  }
  const [low, high] = [half, double].map((v) => (v === null ? null : x(v))) as (number | null)[];
  const ends = [low, at, high].filter((v) => v !== null && v !== undefined) as number[];
  const ring = (cx: number) =>
    circle(cx, y, 3.5, { fill: "var(--sunken)", stroke: "var(--ink)", "stroke-width": 1.5 });
  const never = [half === null && "half", double === null && "double"].filter(Boolean).join(", ");
  return [
    line(Math.min(...ends), y, Math.max(...ends), y, {
      stroke: "var(--ink3)",
      "stroke-width": 1.5,
    }),
    low != null && ring(low),
    high != null && ring(high),
    ...ringLabels(low ?? null, high ?? null, y + 18),
    dot,
    never && text(Math.max(...ends) + 10, y + 4, `${never}: ${metric.never}`, "s"),
  ];
}

function rowOf(row: Row, i: number, x: Scale, w: number, metric: Metric): SVGElement {
  const y = AXIS + 22 + i * ROW;
  const say = (v: number | null) => (v === null ? metric.never : metric.write(v));
  const [half, now, double] = [row.half, row.now, row.double].map(say);
  const words = `half: ${half}, as assumed: ${now}, double: ${double}`;
  const node = group(
    {},
    rect(-6, y - 18, w + 12, ROW - 4, { class: "hit", rx: 2 }),
    text(0, y - 2, fit(row.name, x(x.from) - 10), "v"),
    text(0, y + 14, fit(row.value, x(x.from) - 10), "s"),
    ...marks(row, x, y, metric),
  );
  return mark(node, {
    id: row.key,
    label: `${row.name}, assumed ${row.value}. ${metric.name} at ${words}`,
    tip: () => [
      `${row.key} = ${row.value}`,
      `At half ${half}, as assumed ${now}`,
      `At double ${double}`,
    ],
  });
}

/** Some of the rows, over the range of all. */
function draw(rows: Row[], w: number, all: Row[], metric: Metric): SVGSVGElement {
  const label = Math.min(w * 0.5, 190);
  const [from, to] = spread(all);
  const x = scale(from, to, label, w - 18);
  const low = AXIS + rows.length * ROW - 8;
  return svg(
    w,
    AXIS + rows.length * ROW,
    `${metric.name} at half and double of each assumed input`,
    ...metric
      .ticks(from, to)
      .flatMap((t) => [
        line(px(x(t.at)), AXIS, px(x(t.at)), low, { class: "hair" }),
        middle(x(t.at), 12, t.label, "h"),
      ]),
    ...rows.map((row, i) => rowOf(row, i, x, w, metric)),
  );
}

/** Drawn beside the verdict: so many inputs, those that make a difference first. */
const DRAWN = 3;

/** The inputs that are drawn at once, and those that a line sums up; both in their order. */
export function folded(rows: Row[], least?: number): { drawn: Row[]; rest: Row[] } {
  const matters = rows.filter((r) => !same(r.now, r.half, least) || !same(r.now, r.double, least));
  const drawn = matters.slice(0, DRAWN);
  return { drawn, rest: rows.filter((r) => !drawn.includes(r)) };
}

/** "NIC, latency in a rack: no difference". */
export function summary(rows: Row[], metric: Metric): string {
  const names = rows.map(({ name }, i) =>
    i === 0 || /^[A-Z]{2}/.test(name) ? name : name.charAt(0).toLowerCase() + name.slice(1),
  );
  const cases = rows.flatMap((r) => [r.half, r.double]);
  const never = cases.some((v) => v === null) ? `, or ${metric.never}` : "";
  const known = [...cases.filter((v) => v !== null), ...rows.map((r) => r.now)];
  const alike = rows.every(
    (r) => same(r.now, r.half, metric.least) && same(r.now, r.double, metric.least),
  );
  const says = alike ? "no difference" : metric.range(Math.min(...known), largest(known)) + never;
  return `${names.join(", ")}: ${says}`;
}

function fold(life: Life, rows: Row[], all: Row[], metric: Metric): HTMLElement {
  const fig = h("div", { class: "fig" });
  figure(life, fig, (w) => draw(rows, w, all, metric));
  return h("details", {}, h("summary", {}, summary(rows, metric)), fig);
}

/** A note of more characters shows its first sentence, and unfolds to the rest. */
const LONG = 200;

/** A note's first sentence and the rest; all of it where it is short. */
export function shortened(note: Span[]): [Span[], Span[]] {
  if (plain(note).length <= LONG) return [note, []];
  const at = note.findIndex(({ t }) => /\.\s/.test(t));
  const one = note[at];
  if (!one) return [note, []];
  const end = one.t.search(/\.\s/) + 1;
  return [
    [...note.slice(0, at), { ...one, t: one.t.slice(0, end) }],
    [{ ...one, t: one.t.slice(end).trimStart() }, ...note.slice(at + 1)],
  ];
}

export function assumed(life: Life, { rows, note }: Assumed, metric: Metric): HTMLElement {
  const nothing = note.length > 0 ? "" : "none: the inputs have all values";
  const title = rows.length > 0 ? "not in your files" : nothing;
  const { drawn, rest } = folded(rows, metric.least);
  const [first, more] = shortened(note);
  const fig = h("div", { class: "fig" });
  if (drawn.length > 0) figure(life, fig, (w) => draw(drawn, w, rows, metric));
  return h(
    "aside",
    { class: "c4 assumed", "data-part": "assumed", "aria-label": "Assumed" },
    h("h2", {}, "Assumed", h("small", { class: "q" }, title)),
    drawn.length > 0 && fig,
    rest.length > 0 && fold(life, rest, rows, metric),
    first.length > 0 && h("p", {}, ...sentence(first)),
    more.length > 0 &&
      h("details", {}, h("summary", {}, "All assumed values"), h("p", {}, ...sentence(more))),
  );
}
