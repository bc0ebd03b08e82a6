/** Balance: a dot a node at load/mean, the mean as a line, max/mean on the right. */
import { scale, type Scale } from "../base/axis";
import { type Child, type Life } from "../base/dom";
import { figure, mark } from "../base/figure";
import { width, wrap } from "../base/measure";
import { bytes, largest, num } from "../base/numbers";
import { circle, group, line, middle, px, rect, right, svg, text } from "../base/svg";
import { DOTS_UP_TO, histogram, swarm, topOf } from "./swarm";

export interface BalanceRow {
  name: string;
  /** Load / mean by node; null where a node does not take part. */
  loads: (number | null)[];
}

export interface BalancePanel {
  title: string;
  mean_bytes: number;
  rows: BalanceRow[];
}

export interface BalanceOptions {
  panels: BalancePanel[];
  nodes: string[];
  /** Where a click on a node leads. */
  open: (node: number) => () => void;
  /** Nodes that share the cause. */
  marked: Set<number>;
}

/** Bold from here on. */
const UNEVEN = 1.5;
const LABEL = [64, 124] as const;
const GAP = 28;
const RADIUS = 2.3;

const dotStyle = (filled: boolean) => ({
  fill: filled ? "var(--ink)" : "var(--page)",
  stroke: filled ? "var(--ink)" : "var(--ink3)",
  "stroke-width": 1,
});

/** Ticks at 0, the mean and round multiples. */
export function balanceTicks(top: number): number[] {
  if (top < 3.2) return [0, 1, 2];
  const step = [2, 5, 10, 20, 50, 100, 200, 500, 1000].find((s) => top / s < 3) ?? top;
  return [0, 1, ...[1, 2].map((k) => k * step).filter((t) => t <= top && t > top / 8)];
}

interface Place {
  x: Scale;
  cy: number;
  half: number;
}

function nodeDot(
  options: BalanceOptions,
  panel: BalancePanel,
  row: BalanceRow,
  node: number,
  cx: number,
  cy: number,
): SVGElement {
  const name = options.nodes[node] ?? "?";
  const load = row.loads[node] ?? 0;
  const value = `${num(load, 2)} × the mean, ${bytes(load * panel.mean_bytes)}`;
  return mark(circle(cx, cy, RADIUS - 0.2, dotStyle(options.marked.has(node))), {
    id: `${panel.title}-${row.name}-${node}`,
    label: `${name}, ${row.name}: ${panel.title.toLowerCase()} ${value}`,
    tip: () => [name, value, `${panel.title.toLowerCase()}, ${row.name}`],
    open: options.open(node),
  });
}

/** Few nodes as dots, many as a histogram with the five highest. */
function distribution(
  options: BalanceOptions,
  panel: BalancePanel,
  row: BalanceRow,
  { x, cy, half }: Place,
): Child[] {
  const live = row.loads.flatMap((load, node) => (load === null ? [] : [{ load, node }]));
  const loads = live.map((d) => d.load);
  const dot = (i: number, dy: number) => {
    const d = live[i];
    return d ? nodeDot(options, panel, row, d.node, x(d.load), cy + dy) : null;
  };
  if (live.length <= DOTS_UP_TO)
    return swarm(
      loads.map((v) => x(v)),
      RADIUS,
      half,
    ).map((d) => dot(d.i, d.dy));
  const bins = histogram(loads, x.to, Math.max(12, Math.round((x(x.to) - x(0)) / 5)));
  const high = largest(
    bins.map((b) => b.n),
    1,
  );
  const foot = cy + half * 0.8;
  const bars = bins
    .filter((b) => b.n > 0)
    .map((b) => {
      const tall = Math.max(1, (b.n / high) * half * 1.6);
      return rect(x(b.from) + 0.5, foot - tall, x(b.to) - x(b.from) - 1, tall, {
        fill: "var(--done)",
      });
    });
  return [
    ...bars,
    line(x(0), px(foot), x(x.to), px(foot), { class: "hair" }),
    ...topOf(loads).map((i) => dot(i, half * 0.8 - 4)),
  ];
}

function panelOf(
  options: BalanceOptions,
  panel: BalancePanel,
  box: { x0: number; w: number; y: number; high: number; top: number },
): Child[] {
  const { x0, w, y, high } = box;
  const x = scale(0, box.top, x0, x0 + w - 46);
  const first = y + 18;
  const last = first + panel.rows.length * high;
  const ticks = balanceTicks(box.top);
  return [
    right(x0 + w, y + 11, "max/mean", "h"),
    ...ticks.map((t) =>
      line(px(x(t)), first, px(x(t)), last, { class: t === 1 ? "axis" : "hair" }),
    ),
    ...panel.rows.flatMap((row, i) => {
      const cy = first + i * high + high / 2;
      const most = largest(row.loads.filter((v) => v !== null));
      return [
        ...distribution(options, panel, row, { x, cy, half: high / 2 - 4 }),
        right(x0 + w, cy + 4, num(most, 2), most >= UNEVEN ? "bb" : "v"),
      ];
    }),
    ...tickLabels(ticks, x, last + 14, panel.mean_bytes),
  ];
}

/** Where the mean stands close to 0 its label takes the place of both. */
function tickLabels(ticks: number[], x: Scale, y: number, mean_bytes: number): Child[] {
  const mean = `mean ${bytes(mean_bytes)}`;
  const half = width(mean) / 2;
  const close = x(1) - half < x(0) + 10;
  const end = close ? x(0) + 2 * half : x(1) + half;
  const rest = ticks.filter((t) => t > 1 && x(t) - 14 > end);
  return [
    close ? text(x(0), y, mean) : middle(x(1), y, mean),
    !close && middle(x(0), y, "0"),
    ...rest.map((t) => middle(x(t), y, `${num(t)}×`)),
  ];
}

/** All panels share one x axis. */
function draw(options: BalanceOptions, w: number): SVGSVGElement {
  const { panels } = options;
  const beside = w > 500;
  const rows = panels[0]?.rows ?? [];
  const longest = largest(rows.map((r) => width(r.name))) + 12;
  const label = Math.min(LABEL[1], Math.max(LABEL[0], longest));
  const wide = beside ? (w - label - GAP * (panels.length - 1)) / panels.length : w - label;
  const high = beside
    ? rows.length > 4
      ? 250 / rows.length
      : 63
    : rows.length > 4
      ? 200 / rows.length
      : 50;
  const loads = panels.flatMap((p) => p.rows.flatMap((r) => r.loads)).filter((v) => v !== null);
  const top = Math.max(2.3, largest(loads) * 1.08);
  const full = rows.length * high + 46;
  const parts = panels.map((panel, i) => {
    const x0 = label + (beside ? i * (wide + GAP) : 0);
    const y = beside ? 0 : i * full;
    const names = rows.flatMap((row, k) => {
      const lines = wrap(row.name, label - 6);
      const first = y + 22 + k * high + high / 2 - (lines.length - 1) * 7.5;
      return lines.map((words, n) => text(0, first + n * 15, words, "s"));
    });
    return group(
      {},
      text(beside ? x0 : 0, y + 11, panel.title, "b"),
      ...(beside && i > 0 ? [] : names),
      ...panelOf(options, panel, { x0, w: wide, y, high, top }),
    );
  });
  return svg(
    w,
    (beside ? full : full * panels.length) - 10,
    "Bytes sent and received by node, over the mean",
    ...parts,
  );
}

export function balance(life: Life, host: HTMLElement, options: BalanceOptions): void {
  figure(life, host, (w) => draw(options, w));
}
