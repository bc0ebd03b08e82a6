/** Compare: a row a variant, opened by the sample of its line. */
import { rangeTicks, scale, timeUnit } from "../base/axis";
import { h, s, type Child } from "../base/dom";
import { shortName } from "../base/keys";
import { largest, NONE, num, pct, plusMinus } from "../base/numbers";
import { type Stat, type Variant } from "../report";
import { lineStyles, sample, type LineStyle } from "./sample";
import { swatch, unbroken } from "./spans";

interface Column {
  head: string;
  kind?: string;
  cell: (v: Variant, style: LineStyle) => Child;
}

/** Metrics by the names that the run gives them; a column stands where any variant has it. */
const METRICS: { name: string; head: string; show: (stat: Stat) => string }[] = [
  { name: "blocks_lost", head: "Blocks\nlost", show: (m) => num(m.mean, fewDigits(m.mean)) },
  {
    name: "at_one_replica_s",
    head: "Time at\n1\u00a0replica,\u00a0s",
    show: (m) => num(m.mean, 1),
  },
  { name: "send_max_over_mean", head: "Send\nmax/mean", show: (m) => num(m.mean, 2) },
  { name: "receive_max_over_mean", head: "Receive\nmax/mean", show: (m) => num(m.mean, 2) },
  { name: "disk_max_over_mean", head: "Disk\nmax/mean", show: (m) => num(m.mean, 2) },
  { name: "busiest_disk", head: "Busiest\ndisk", show: (m) => pct(m.mean) },
];

/** A mean of counts: what is rare needs more decimals. */
const fewDigits = (mean: number): number => (mean % 1 === 0 ? 0 : mean < 1 ? 2 : 1);

const grey = (words: string): HTMLElement => h("span", { class: "u" }, words);
const dim = (words: string): HTMLElement => h("span", { class: "dim" }, words);

/** All times of the table in one unit of so many seconds. */
interface Unit {
  size: number;
  unit: string;
}

const interval = (mean: number, ci95: number, seeds: number, { size }: Unit): HTMLElement =>
  h("span", {}, num(mean / size, 1), seeds > 1 && grey(` ± ${num(ci95 / size, 1)}`));

/** Mean of the seeds that became redundant; 0 of none. */
const meanOf = ({ per_seed_s }: Variant): number =>
  per_seed_s.reduce((a, t) => a + t, 0) / Math.max(1, per_seed_s.length);

function recovery(variant: Variant, unit: Unit): Child {
  const { recovery_s, per_seed_s, seeds } = variant;
  if (recovery_s) return interval(recovery_s.mean, recovery_s.ci95, seeds, unit);
  const safe = per_seed_s.length;
  if (safe === 0 || safe === seeds) return dim("not redundant");
  const title = `not redundant in ${seeds - safe} of ${seeds} seeds; mean of the others`;
  const words = ` in ${safe} of ${seeds}`;
  return h("span", { title }, num(meanOf(variant) / unit.size, 1), grey(words));
}

function against({ against_now, seeds }: Variant, unit: Unit): Child {
  if (!against_now) return dim(NONE);
  const { mean, ci95, verdict } = against_now;
  const sign = mean > 0 ? "+" : "";
  if (verdict !== "no difference") return h("span", {}, sign, interval(mean, ci95, seeds, unit));
  return dim(`no difference\u2002${sign}${plusMinus(mean / unit.size, ci95 / unit.size)}`);
}

/** How likely some block is lost, with the interval of so few seeds. */
export function lossOf({ loss, seeds }: Variant): Child {
  if (!loss || seeds < 2) return dim(NONE);
  const [low, high] = [num(loss.low * 100), num(loss.high * 100)];
  const of = `${num(loss.seeds)} of ${num(seeds)} seeds`;
  const title = `blocks are lost in ${of}; 95\u00a0% interval by Wilson`;
  return h("span", { title }, pct(loss.probability), grey(` ${low}–${high}`));
}

/** The causes that matter most: up to two, from 10 % on, the first always. */
export function heldMost(variant: Variant): Child {
  const most = [...variant.shares].sort((a, b) => b.share - a.share).filter((x) => x.share > 0);
  const named = most.filter((x, i) => i === 0 || (i === 1 && x.share >= 0.1));
  const [first] = named;
  if (!first) return dim(NONE);
  const words = named.map((x) => `${shortName(x.name)} ${x.percent}\u00a0%`).join(", ");
  const title = named.map((x) => x.name).join(", ");
  return h("span", { title }, swatch(first.kind), words);
}

const STRIP = 150;

/** The range of all seeds, in round numbers of the unit. */
function stripRange(variants: Variant[], { size }: Unit): [number, number] | null {
  const all = variants.flatMap((v) => v.per_seed_s.map((t) => t / size));
  if (all.length === 0) return null;
  const [low, high] = [Math.min(...all), largest(all)];
  const step = (rangeTicks(0, Math.max(high - low, high * 0.02), 8)[1] ?? 1) || 1;
  return [Math.floor(low / step) * step, Math.ceil(high / step) * step];
}

function strip(
  { per_seed_s, recovery_s }: Variant,
  { stroke }: LineStyle,
  [from, to]: [number, number],
  { size }: Unit,
): SVGElement {
  const x = scale(from * size, to * size, 4, STRIP - 4);
  const mean = recovery_s && Math.round(x(recovery_s.mean)) + 0.5;
  return s(
    "svg",
    {
      width: STRIP,
      height: 20,
      role: "img",
      "aria-label": per_seed_s.map((t) => num(t, 1)).join(", "),
    },
    s("line", { x1: 4, x2: STRIP - 4, y1: 10, y2: 10, class: "hair" }),
    ...per_seed_s.map((t) =>
      s("circle", { cx: x(t), cy: 10, r: 2.6, fill: stroke, opacity: 0.55 }),
    ),
    mean !== null && s("line", { x1: mean, x2: mean, y1: 4, y2: 16, stroke, "stroke-width": 1.5 }),
  );
}

function columnsOf(variants: Variant[]): Column[] {
  const seeds = largest(variants.map((v) => v.seeds));
  const many = seeds > 1;
  const unit = timeUnit(largest(variants.map((v) => v.recovery_s?.mean ?? meanOf(v))));
  const range = many ? stripRange(variants, unit) : null;
  const ci = many ? "\n± 95 %" : "";
  const span =
    range && `${seeds} seeds, ${num(range[0])} to ${num(range[1])}\u00a0${unit.unit}\nline: mean`;
  const known = METRICS.filter((m) => variants.some((v) => v.metrics[m.name]));
  const busiest = known.some((m) => m.name === "busiest_disk");
  const metrics = known.filter((m) => !busiest || m.name !== "disk_max_over_mean");
  return [
    {
      head: "Variant",
      cell: (v, style) =>
        h("span", { class: "variant" }, sample(style), h("span", {}, ...unbroken(v.name))),
    },
    { head: `Recovery, ${unit.unit}${ci}`, cell: (v) => recovery(v, unit) },
    ...(variants.length > 1
      ? [{ head: `Against now, ${unit.unit}${ci}`, cell: (v: Variant) => against(v, unit) }]
      : []),
    ...(range && span
      ? [
          {
            head: span,
            kind: "strip",
            cell: (v: Variant, style: LineStyle) => strip(v, style, range, unit),
          },
        ]
      : []),
    { head: "Held up most by", kind: "l", cell: heldMost },
    ...(many && variants.some((v) => (v.loss?.seeds ?? 0) > 0)
      ? [{ head: "Data loss,\nprobability", cell: lossOf }]
      : []),
    ...metrics.map((m) => ({
      head: m.head,
      cell: (v: Variant) => {
        const stat = v.metrics[m.name];
        return stat ? m.show(stat) : dim(NONE);
      },
    })),
  ];
}

export function compareTable(variants: Variant[]): HTMLElement {
  const columns = columnsOf(variants);
  const styles = lineStyles(variants);
  const heads = columns.map((c) => h("th", { scope: "col", class: c.kind ?? null }, c.head));
  const rows = variants.map((v, i) => {
    const style = styles[i]!;
    const cells = columns.map((c) => h("td", { class: c.kind ?? null }, c.cell(v, style)));
    return h("tr", { class: v.role === "recommended" ? "pick" : null }, ...cells);
  });
  return h("table", {}, h("thead", {}, h("tr", {}, ...heads)), h("tbody", {}, ...rows));
}
