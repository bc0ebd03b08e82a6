/** Gantt: a line a task or transfer, grouped; thin lines are waits, outlines are runs. */
import { scale, timeTicks, type Scale } from "../base/axis";
import { crosshair, type Frame } from "../base/crosshair";
import { type Child, type Life } from "../base/dom";
import { figure, mark } from "../base/figure";
import { BOLD, fit, fitName, MONO, width } from "../base/measure";
import { largest, num } from "../base/numbers";
import { place, zoomed } from "../base/selection";
import { group, line, middle, path, px, rect, right, svg, text } from "../base/svg";
import { type HolderKind } from "../report";

export interface Wait {
  from: number;
  to: number;
  kind: HolderKind;
}

export interface GanttRow {
  id: string;
  label: string;
  waits: Wait[];
  from: number;
  to: number;
  /** Hue of what limited the run itself; null: no cause of its own. */
  kind: HolderKind | null;
  selected: boolean;
  /** Values for the columns on the right. */
  values: string[];
  tip: string[];
  open: () => void;
}

export interface GanttGroup {
  title: string;
  note: string;
  rows: GanttRow[];
}

export interface GanttColumn {
  head: string;
  /** From the figure's right edge, in pixels. */
  at: number;
  /** Words from here to the right, in so many pixels. */
  room?: number;
}

export interface GanttOptions {
  label: string;
  groups: () => GanttGroup[];
  columns: GanttColumn[];
  end: number;
  left: number;
  right: number;
  bands: () => [number, number][];
}

/** Over so many rows a group folds to a lane of how many ran. */
export const FOLD_ABOVE = 200;
const ROW = 22;
const BAR = 14;
const LANE = 26;

/** Steps of how many run at a time: [time, count]. */
export function running(spans: { from: number; to: number }[]): [number, number][] {
  const events = spans.flatMap((v) => [
    { t: v.from, k: 1 },
    { t: v.to, k: -1 },
  ]);
  events.sort((a, b) => a.t - b.t || a.k - b.k);
  const steps: [number, number][] = [];
  let n = 0;
  for (const { t, k } of events) {
    n += k;
    const last = steps.at(-1);
    if (last && last[0] === t) last[1] = n;
    else steps.push([t, n]);
  }
  return steps;
}

function lane(rows: GanttRow[], x: Scale, foot: number, high: number): [Child[], number] {
  const steps = running(rows).filter(([t]) => t <= x.to);
  const most = largest(
    steps.map(([, n]) => n),
    1,
  );
  let d = `M${x(x.from)},${foot}`;
  for (const [t, n] of steps)
    d += `H${x(Math.max(x.from, t)).toFixed(1)}V${(foot - (n / most) * high).toFixed(1)}`;
  const area = path(`${d}V${foot}Z`, { fill: "var(--done)" });
  return [[area, line(x(x.from), px(foot), x(x.to), px(foot), { class: "hair" })], most];
}

/** Waits without a cause are grey and thick, held ones thin in the cause's hue. */
const waitWidth = (kind: HolderKind): number => (kind === "wait" ? 3 : 1.5);

function waitLine({ from, to, kind }: Wait, x: Scale, y: number): Child {
  const [a, b] = [Math.max(from, x.from), Math.min(to, x.to)];
  if (b <= a) return null;
  const dash = kind === "unexplained" ? "4 3" : null;
  const stroke = kind === "unexplained" ? "var(--ink3)" : `var(--${kind})`;
  return line(x(a), y, x(b), y, {
    stroke,
    "stroke-width": waitWidth(kind),
    "stroke-dasharray": dash,
  });
}

function bar({ from, to, kind, selected }: GanttRow, x: Scale, y: number): Child[] {
  const [a, b] = [Math.max(from, x.from), Math.min(to, x.to)];
  if (b < a) return [];
  const wide = Math.max(2.5, x(b) - x(a));
  const outline = {
    fill: "none",
    stroke: selected ? "var(--ink)" : "var(--ink3)",
    "stroke-width": selected ? 1.75 : 1,
    rx: 1.5,
  };
  const hue =
    kind === "disk" || kind === "network" || kind === "cpu" ? `var(--${kind})` : "var(--done)";
  return [
    rect(x(a), y, wide, BAR, { fill: "var(--page)" }),
    rect(x(a), y, wide, BAR, {
      fill: hue,
      "fill-opacity": hue === "var(--done)" ? 1 : 0.45,
      rx: 1.5,
    }),
    rect(x(a) + 0.5, y + 0.5, Math.max(1.5, wide - 1), BAR - 1, outline),
  ];
}

function rowOf(row: GanttRow, x: Scale, y: number, w: number, options: GanttOptions): Child {
  const values = row.values.map((value, i) => {
    const column = options.columns[i];
    const kind = i === 0 ? "v" : "s";
    if (!column) return null;
    const { room } = column;
    return room
      ? text(w - column.at, y + 15, fitName(value, room), "s")
      : right(w - column.at, y + 15, value, kind);
  });
  const node = group(
    {},
    rect(-4, y + 0.5, w + 8, ROW - 1, { class: "hit", rx: 2 }),
    text(0, y + 15, fit(row.label, options.left - 8, MONO), "k"),
    ...row.waits.map((wait) => waitLine(wait, x, px(y + 10.5))),
    ...bar(row, x, y + 4),
    ...values,
  );
  const label = [row.label, ...row.tip].join(", ");
  return mark(node, {
    id: row.id,
    label,
    tip: () => row.tip,
    open: row.open,
    pressed: row.selected,
  });
}

function groupHead({ title, note }: GanttGroup, y: number, w: number): Child[] {
  return [
    line(0, px(y), w, px(y), { class: "hair" }),
    text(0, y + 15, title, "b"),
    text(width(title, BOLD) + 10, y + 15, note, "h"),
  ];
}

function draw(options: GanttOptions, w: number): { drawing: SVGSVGElement; frame: Frame } {
  const { end, left } = options;
  const [from, to] = zoomed() ?? [0, end];
  const x = scale(from, to, left, w - options.right);
  const groups = options.groups();
  const [overview, most] = lane(
    groups.flatMap((g) => g.rows),
    x,
    44,
    26,
  );
  const body: Child[] = [];
  let y = 54;
  for (const g of groups) {
    body.push(...groupHead(g, y, w));
    y += 22;
    if (g.rows.length > FOLD_ABOVE) {
      const [area, peak] = lane(g.rows, x, y + LANE, LANE - 4);
      body.push(...area, text(0, y + LANE - 2, `up to ${num(peak)} at once`, "h"));
      y += LANE + 8;
      continue;
    }
    for (const row of g.rows) {
      body.push(rowOf(row, x, y, w, options));
      y += ROW;
    }
    y += 8;
  }
  const ticks = timeTicks(from, to, w - left - options.right, Math.min(end, to));
  const bands = options.bands().map(([a, b]) =>
    rect(x(Math.max(a, from)), 50, x(Math.min(b, to)) - x(Math.max(a, from)), y - 50, {
      fill: "var(--pick)",
    }),
  );
  const drawing = svg(
    w,
    y + 20,
    options.label,
    ...bands,
    ...ticks.slice(0, -1).map((t) => line(px(x(t.at)), 50, px(x(t.at)), y, { class: "grid" })),
    text(0, 42, "running", "s"),
    right(left - 8, 24, `${num(most)} at most`, "h"),
    ...overview,
    ...options.columns.map((c) =>
      c.room ? text(w - c.at, 42, c.head, "h") : right(w - c.at, 42, c.head, "h"),
    ),
    ...body,
    line(x(from), px(y), x(to), px(y), { class: "axis" }),
    ...ticks.flatMap((t) => [
      line(px(x(t.at)), y, px(x(t.at)), y + 4, { class: "axis" }),
      middle(x(t.at), y + 17, t.label),
    ]),
  );
  return { drawing, frame: { x, left, right: w - options.right, top: 18, bottom: y } };
}

export function gantt(life: Life, host: HTMLElement, options: GanttOptions): void {
  let frame: Frame | null = null;
  figure(
    life,
    host,
    (w) => {
      const made = draw(options, w);
      frame = made.frame;
      return made.drawing;
    },
    [place],
  );
  crosshair(life, host, { frames: () => (frame ? [frame] : []), chip: false });
}
