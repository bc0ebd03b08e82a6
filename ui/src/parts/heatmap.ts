/** Busy: groups of rows over one time axis; hue says what, lightness how much. */
import { scale, timeTicks, type Scale } from "../base/axis";
import { crosshair, type Frame } from "../base/crosshair";
import { h, type Child, type Life } from "../base/dom";
import { figure, mark } from "../base/figure";
import { fit, fitName, width } from "../base/measure";
import { largest, pct, range, span } from "../base/numbers";
import { hovered, href, place, zoomed } from "../base/selection";
import { group, line, middle, px, rect, right, svg, text, type Mark } from "../base/svg";
import { theme } from "../base/theme";
import { showTip } from "../base/tooltip";
import { type HeatGroup, type HeatRow, type Moment } from "../page";
import { momentMarks } from "../blocks/moments";
import {
  CANVAS_ABOVE,
  cellCanvas,
  cellPaths,
  heatClass,
  heatFill,
  merged,
  mergeFactor,
  type Cell,
  type Ramp,
} from "./cells";

export interface HeatOptions {
  label: string;
  groups: HeatGroup[];
  cell_s: number;
  /** Selected spans of time. */
  bands?: () => [number, number][];
  /** What a cell's value says, if not "busy". */
  word?: string;
  /** Where the first cell begins, if not at 0. */
  from?: number;
  /** What happened, as labelled lines. */
  moments?: Moment[];
}

/** Never more rows than these. */
export const MOST_ROWS = 60;
const RIGHT = 92;
const WIDE = 1200;
const HEAD = 18;
const BETWEEN = 10;

/** Groups with at most 60 rows in all: the last ones are cut. */
export function capped(groups: HeatGroup[], most = MOST_ROWS): HeatGroup[] {
  let left = most;
  return groups.flatMap((g) => {
    const rows = g.rows.slice(0, left);
    left -= rows.length;
    return rows.length > 0 ? [{ ...g, rows }] : [];
  });
}

interface Column {
  groups: { group: HeatGroup; high: number }[];
  x0: number;
  w: number;
}

interface Made {
  cells: Cell[];
  nodes: Child[];
  frames: Frame[];
  height: number;
}

/** The kinds of rows: those of racks stand higher than single resources. */
const rowHeight = (g: HeatGroup): number => (g.rows.length > 12 ? 14 : 17);
const heightOf = (groups: Column["groups"]): number =>
  groups.reduce((a, { group: g, high }) => a + HEAD + BETWEEN + g.rows.length * high, 0);

/** Wide figures stand in two columns that end on one line: the short groups are stretched. */
export function columns(groups: HeatGroup[], w: number): Column[] {
  const all = groups.map((g) => ({ group: g, high: rowHeight(g) }));
  const longest = all.reduce(
    (a, b) => (b.group.rows.length >= a.group.rows.length ? b : a),
    all[0]!,
  );
  const rest = all.filter((g) => g !== longest);
  if (w < WIDE || rest.length === 0) return [{ groups: all, x0: 0, w }];
  const half = (w - 24) / 2;
  const rows = rest.reduce((a, { group: g }) => a + g.rows.length, 0);
  const spare = heightOf([longest]) - heightOf(rest);
  const grown = rest.map((g) => ({ ...g, high: Math.min(36, g.high + Math.max(0, spare / rows)) }));
  return [
    { groups: grown, x0: 0, w: half },
    { groups: [longest], x0: half + 24, w: half },
  ];
}

const gutter = (groups: HeatGroup[]): number =>
  Math.min(
    190,
    Math.max(110, largest(groups.flatMap((g) => g.rows.map((r) => width(r.name)))) + 12),
  );

interface Grid {
  x: Scale;
  cell_s: number;
  merge: number;
  left: number;
  /** Cells of the longest row: shorter ones were idle at the end. */
  cells: number;
  /** Where the first begins. */
  start: number;
}

/** The row's own mark: reached by focus, its cells by arrows. */
function rowMark(
  row: HeatRow,
  id: string,
  y: number,
  high: number,
  column: Column,
  grid: Grid,
  options: HeatOptions,
): Mark {
  const { x0, w } = column;
  const { x, cell_s, merge, start } = grid;
  const style = high < 16 ? "font-size:11.5px" : null;
  const base = y + high / 2 + 3.5;
  const { open } = row;
  const node = group(
    {},
    rect(x0 - 4, y - 0.5, w + 8, high, { class: "hit", rx: 1 }),
    text(x0, base, fitName(row.name, grid.left - x0 - 8), row.strong ? "v" : "s", { style }),
    right(x0 + w - 44, base, pct(row.peak), "s", { style }),
    right(x0 + w, base, pct(row.mean), "v", { style }),
  );
  const size = cell_s * merge;
  const cells = merged(row.cells, merge);
  const linesAt = (i: number): Child[] => {
    const words = range(start + i * size, start + (i + 1) * size, size < 1 ? 2 : 0);
    return [
      row.name,
      `${pct(cells[i] ?? 0)} ${options.word ?? "busy"}, ${words}`,
      `${row.kind}, peak ${pct(row.peak)}, mean ${pct(row.mean)}`,
    ];
  };
  const cellAt = (t: number) =>
    Math.min(cells.length - 1, Math.max(0, Math.floor((t - start) / size)));
  node.addEventListener("pointermove", (event) => {
    if (hovered.value !== null)
      showTip(event.clientX, event.clientY, linesAt(cellAt(hovered.value)));
  });
  arrows(node, x, size, (t) => {
    const at = node.getBoundingClientRect();
    showTip(at.left + x(t) - x0, at.bottom, linesAt(cellAt(t)));
  });
  return mark(node, {
    id,
    label: `${row.name}: peak ${pct(row.peak)}, mean ${pct(row.mean)}`,
    tip: () => linesAt(cellAt(hovered.value ?? start + peakAt(cells) * size)),
    ...(open === null ? {} : { open: () => (location.hash = href(...open.split("/"))) }),
  });
}

const peakAt = (cells: number[]): number => cells.indexOf(largest(cells));

/** Left and right walk over the cells of the row that has the focus. */
function arrows(node: SVGElement, x: Scale, size: number, show: (t: number) => void): void {
  node.addEventListener("keydown", (event) => {
    const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (way === undefined) return;
    event.preventDefault();
    const next = (hovered.value ?? x.from - (way * size) / 2) + way * size;
    const t = Math.min(x.to - size / 2, Math.max(x.from + size / 2, next));
    hovered.set(t);
    show(t);
  });
  node.addEventListener("blur", () => hovered.set(null));
}

function heads(g: HeatGroup, merge: number, cell_s: number, y: number, { x0, w }: Column): Child[] {
  const each = merge > 1 ? `; a cell: mean of ${span(cell_s * merge, 0)}` : "";
  return [
    text(x0, y + 11, fit(g.title + each, w - RIGHT - 8, "500 11.5px Inter"), "t"),
    right(x0 + w - 44, y + 11, g.columns[0], "h"),
    right(x0 + w, y + 11, g.columns[1], "h"),
  ];
}

function cellsOf(
  row: HeatRow,
  y: number,
  high: number,
  { x, cell_s, merge, cells, start }: Grid,
): Cell[] {
  const size = cell_s * merge;
  const idle = new Array<number>(Math.max(0, cells - row.cells.length)).fill(0);
  const w = x(size) - x(0);
  return merged([...row.cells, ...idle], merge).flatMap((v, i) => {
    const at = start + i * size;
    if (at < x.from - 1e-9 || at + size / 2 > x.to) return [];
    return [{ x: x(at), y, w, h: high, fill: heatFill(row.kind, heatClass(v)) }];
  });
}

function timeAxis({ x }: Grid, w: number, y: number, end: number): Child[] {
  const ticks = timeTicks(x.from, x.to, w, end);
  return [
    line(x(x.from), px(y), x(x.to), px(y), { class: "axis" }),
    ...ticks.flatMap((t) => [
      line(px(x(t.at)), y, px(x(t.at)), y + 4, { class: "axis" }),
      middle(x(t.at), y + 17, t.label),
    ]),
  ];
}

function drawColumn(column: Column, options: HeatOptions, label: number, id: number): Made {
  const { x0, w, groups } = column;
  const { cell_s, bands, moments = [] } = options;
  const rows = groups.flatMap(({ group: g }) => g.rows);
  const count = largest(
    rows.map((r) => r.cells.length),
    1,
  );
  const start = options.from ?? 0;
  const end = start + count * cell_s;
  const [from, to] = zoomed(start) ?? [start, end];
  const left = x0 + label;
  const plot = w - label - RIGHT;
  const shown = Math.max(1, (to - from) / cell_s);
  const grid = {
    x: scale(from, to, left, left + plot),
    cell_s,
    merge: mergeFactor(shown, plot),
    left,
    cells: count,
    start,
  };
  const made: Made = { cells: [], nodes: [], frames: [], height: 0 };
  const marks: Child[] = [];
  const head = moments.length > 0 ? 20 : 0;
  let y = head;
  for (const { group: g, high } of groups) {
    made.nodes.push(...heads(g, grid.merge, cell_s, y, column));
    y += HEAD;
    for (const row of g.rows) {
      made.cells.push(...cellsOf(row, y, high, grid));
      marks.push(rowMark(row, `row-${id}-${marks.length}`, y, high, column, grid, options));
      y += high;
    }
    y += BETWEEN;
  }
  y -= 6;
  const picks = (bands?.() ?? []).map(([a, b]) =>
    rect(
      grid.x(Math.max(from, a)),
      head + HEAD - 2,
      grid.x(Math.min(to, b)) - grid.x(Math.max(from, a)),
      y - head - HEAD,
      {
        fill: "none",
        stroke: "var(--ink)",
      },
    ),
  );
  const happened = momentMarks(moments, grid.x, head - 8, head, y, [left, x0 + w]);
  made.nodes.push(...marks, ...picks, ...happened, ...timeAxis(grid, plot, y, Math.min(end, to)));
  made.frames.push({ x: grid.x, left, right: left + plot, top: HEAD, bottom: y });
  made.height = y + 20;
  return made;
}

export function heatmap(life: Life, host: HTMLElement, options: HeatOptions): void {
  const groups = capped(options.groups);
  let frames: Frame[] = [];
  figure(
    life,
    host,
    (w) => {
      const label = gutter(groups);
      const made = columns(groups, w).map((column, i) => drawColumn(column, options, label, i));
      frames = made.flatMap((m) => m.frames);
      const cells = made.flatMap((m) => m.cells);
      const height = largest(made.map((m) => m.height));
      const many = cells.length > CANVAS_ABOVE;
      const drawing = svg(
        w,
        height,
        options.label,
        ...(many ? [] : cellPaths(cells)),
        ...made.flatMap((m) => m.nodes),
      );
      return many ? [cellCanvas(cells, w, height), drawing] : drawing;
    },
    [place, theme],
  );
  crosshair(life, host, { frames: () => frames, chip: false });
}

/** The ramps, for the title line. */
export function heatKey(kinds: Ramp[]): HTMLElement {
  const ramp = (kind: Ramp): Child[] => [
    kind === "cpu" ? "CPU" : kind,
    h(
      "span",
      {},
      ...[1, 2, 3, 4, 5, 6].map((k) => h("i", { style: `background:var(--${kind}${k})` })),
    ),
  ];
  return h("span", { class: "ramp" }, ...kinds.flatMap(ramp), "up to 2, 5, 10, 25, 50, 100\u00a0%");
}
