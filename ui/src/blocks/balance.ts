/** How even a load lies: a dot a node at load/mean; over 200 a histogram with the top 5. */
import { scale, type Scale } from "../base/axis";
import { type Child, type Life } from "../base/dom";
import { figure, mark } from "../base/figure";
import { href } from "../base/selection";
import { fit, width, wrap } from "../base/measure";
import { largest, num } from "../base/numbers";
import { circle, line, middle, px, rect, right, svg, text } from "../base/svg";
import { DOTS_UP_TO, histogram, swarm, topOf } from "../parts/swarm";
import { type Balance, type BalancePanel, type BalanceRow } from "../page";
import { write } from "./units";

const HEAD = 20;
const RADIUS = 2.3;
/** Bold from here on, where the panel has no limit of its own. */
const UNEVEN = 1.5;

/** Ticks at 0, the mean and round multiples. */
export function balanceTicks(top: number): number[] {
  if (top < 3.2) return [0, 1, 2];
  const step = [2, 5, 10, 20, 50, 100, 200, 500, 1000].find((s) => top / s < 3) ?? top;
  return [0, 1, ...[1, 2].map((k) => k * step).filter((t) => t <= top && t > top / 8)];
}

const known = (row: BalanceRow): number[] => row.loads.filter((v) => v !== null);

interface Box {
  x: Scale;
  cy: number;
  half: number;
}

function dot(
  data: Balance,
  panel: BalancePanel,
  row: BalanceRow,
  i: number,
  cx: number,
  cy: number,
) {
  const load = row.loads[i] ?? 0;
  const name = data.names[i] ?? `${row.name}, ${i + 1} of ${row.loads.length}`;
  const filled = data.marked.includes(i);
  const amount = panel.at !== null ? `, ${write(panel.unit, load * panel.at)}` : "";
  const over = panel.limit !== null && load >= panel.limit;
  const ink = over ? "var(--risk)" : filled ? "var(--ink)" : "var(--ink3)";
  const words = `${num(load, 2)} × the ${panel.centre}${amount}`;
  const style = { fill: filled || over ? ink : "var(--page)", stroke: ink, "stroke-width": 1.1 };
  return mark(circle(cx, cy, RADIUS, style), {
    id: `${panel.title}-${row.name}-${i}`,
    label: `${name}, ${row.name}: ${words}`,
    tip: () => [name, words, [panel.title, row.name].filter(Boolean).join(", ")],
    ...(data.open && data.names[i]
      ? { open: () => (location.hash = href(data.open!, data.names[i]!)) }
      : {}),
  });
}

function distribution(data: Balance, panel: BalancePanel, row: BalanceRow, box: Box): Child[] {
  const { x, cy, half } = box;
  const places = row.loads.flatMap((v, i) => (v === null ? [] : [i]));
  const loads = known(row);
  if (loads.length <= DOTS_UP_TO)
    return swarm(
      loads.map((v) => x(v)),
      RADIUS + 0.2,
      half,
    ).map((d) => dot(data, panel, row, places[d.i]!, d.x, cy + d.dy));
  const bins = histogram(loads, x.to, Math.max(12, Math.round((x(x.to) - x(0)) / 5)));
  const high = largest(
    bins.map((b) => b.n),
    1,
  );
  const foot = cy + half * 0.8;
  const bars = bins.map((b) => {
    const tall = b.n === 0 ? 0 : Math.max(1, (b.n / high) * half * 1.6);
    const wide = x(b.to) - x(b.from) - 1;
    return rect(x(b.from) + 0.5, foot - tall, wide, tall, { fill: "var(--done)" });
  });
  const top = topOf(loads).map((i) => dot(data, panel, row, places[i]!, x(loads[i]!), foot - 4));
  return [...bars, line(x(0), px(foot), x(x.to), px(foot), { class: "hair" }), ...top];
}

function rowMarks(data: Balance, panel: BalancePanel, row: BalanceRow, box: Box): Child[] {
  const { x, cy } = box;
  const most = largest(known(row));
  const last = x(most) + 12;
  // The limit's line goes through no words.
  const end = panel.limit !== null && panel.limit > most ? x(panel.limit) - 6 : x(x.to);
  return [
    ...distribution(data, panel, row, box),
    row.label !== "" && text(last, cy + 4, fit(row.label, end - last), "s o"),
  ];
}

/** The right column. */
function valuesOf(panel: BalancePanel, y: number, high: number, to: number): Child[] {
  const first = y + (panel.title === "" && panel.head === "" ? 4 : HEAD);
  return panel.rows.map((row, i) => {
    const strong = largest(known(row)) >= (panel.limit ?? UNEVEN);
    return right(to, first + (i + 0.5) * high + 4, row.value, strong ? "bb" : "v");
  });
}

/** Ticks at 0, the centre, round multiples and the limit. */
function ticksOf(panel: BalancePanel, x: Scale, top: number, low: number): Child[] {
  const centre =
    panel.at === null ? panel.centre : `${panel.centre} ${write(panel.unit, panel.at)}`;
  const ticks = [...new Set([...balanceTicks(x.to), ...(panel.limit ? [panel.limit] : [])])];
  const half = width(centre) / 2;
  const close = x(1) - half < x(0) + 10;
  const end = close ? x(0) + 2 * half : x(1) + half;
  return ticks.flatMap((t) => {
    const limit = t === panel.limit;
    const upright = line(px(x(t)), top, px(x(t)), low, {
      class: t === 1 ? "axis" : "hair",
      style: limit ? "stroke:var(--risk);stroke-width:1.5" : null,
    });
    if (t === 0) return [upright, !close && middle(x(0), low + 14, "0")];
    if (t === 1)
      return [upright, close ? text(x(0), low + 14, centre) : middle(x(1), low + 14, centre)];
    return [upright, x(t) - 12 > end && middle(x(t), low + 14, `${num(t)}×`)];
  });
}

const HEIGHT = 30;
/** Panels stand beside each other in a figure that is so wide. */
const BESIDE = 500;
const GAP = 28;

/** A panel: its title, its rows, its axis. */
function panelMarks(
  data: Balance,
  panel: BalancePanel,
  y: number,
  high: number,
  x: Scale,
): Child[] {
  const first = y + (panel.title === "" && panel.head === "" ? 4 : HEAD);
  const low = first + panel.rows.length * high;
  const rows = panel.rows.flatMap((row, i) => {
    const box = { x, cy: first + (i + 0.5) * high, half: high / 2 - 4 };
    return rowMarks(data, panel, row, box);
  });
  return [...ticksOf(panel, x, first, low), ...rows];
}

/** Names of rows, broken into two lines where they are long. */
function namesOf(panel: BalancePanel, y: number, high: number, room: number): Child[] {
  const first = y + (panel.title === "" && panel.head === "" ? 4 : HEAD);
  return panel.rows.flatMap((row, i) => {
    const lines = wrap(row.name, room);
    const base = first + (i + 0.5) * high + 4 - (lines.length - 1) * 7.5;
    return lines.map((words, k) => text(0, base + k * 15, words, "s"));
  });
}

/** Rows of distributions end on one line with what stands beside them: they share its height. */
function draw(data: Balance, w: number, label: string, height: number): SVGSVGElement {
  const { panels } = data;
  const rows = panels.reduce((a, p) => a + p.rows.length, 0);
  const crowd = largest(panels.flatMap((p) => p.rows.map((r) => known(r).length)));
  const loads = panels.flatMap((p) => [p.limit ?? 0, ...p.rows.flatMap(known)]);
  const names = panels.flatMap((p) => p.rows.map((r) => width(r.name)));
  const values = largest(
    panels.flatMap((p) => p.rows.map((r) => width(r.value, "680 12px Inter"))),
    40,
  );
  const top = Math.max(2.2, largest(loads) * 1.1);
  const beside = panels.length > 1 && w > BESIDE;
  const each = beside ? largest(panels.map((p) => p.rows.length)) : rows;
  const spare = (height - (beside ? 1 : panels.length) * (HEAD + HEIGHT)) / Math.max(1, each);
  const most = panels[0] && panels[0].rows.length > 4 ? 200 / panels[0].rows.length : 50;
  const least = crowd > 12 ? Math.max(40, most) : 26;
  const high = Math.max(least, Math.min(63, spare));
  const longest = largest(names, 50) + 14;
  const left = panels.length > 1 ? Math.min(124, longest) : Math.min(w * 0.34, longest);
  const wide = beside ? (w - left - GAP * (panels.length - 1)) / panels.length : w - left;
  let y = 0;
  const parts = panels.flatMap((panel, i) => {
    const from = left + (beside ? i * (wide + GAP) : 0);
    const to = from + wide;
    const marks = [
      text(beside ? from : 0, y + 11, panel.title, "b"),
      right(to, y + 11, panel.head, "h"),
      ...(beside && i > 0 ? [] : namesOf(panel, y, high, left - 8)),
      ...panelMarks(data, panel, y, high, scale(0, top, from, to - values - 18)),
      ...valuesOf(panel, y, high, to),
    ];
    if (!beside || i === panels.length - 1)
      y += (panel.title === "" && panel.head === "" ? 4 : HEAD) + panel.rows.length * high + 30;
    return marks;
  });
  return svg(w, y - 8, label, ...parts);
}

export function balance(
  life: Life,
  host: HTMLElement,
  data: Balance,
  label: string,
  height: number,
): void {
  figure(life, host, (w) => draw(data, w, label, height));
}
