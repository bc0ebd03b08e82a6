/** Gantt: a line a task, grouped; of very many rows only those in the window are drawn. W and S
 * zoom, A and D move, a drag selects a stretch; the wheel scrolls the page. */
import { type Scale } from "../base/axis";
import { crosshair, type Frame } from "../base/crosshair";
import { h, type Child, type Life } from "../base/dom";
import { figure, mark } from "../base/figure";
import { BOLD, fit, MONO, width } from "../base/measure";
import { count, largest, num } from "../base/numbers";
import { href, pick, picked, place } from "../base/selection";
import { group as g, line, middle, path, px, rect, right, svg, text } from "../base/svg";
import { theme } from "../base/theme";
import { type Axis, type Gantt, type GanttRow } from "../page";
import { barCanvas, barsOf, hueOf } from "./gantt-bars";
import { layRows, LANE, numbers, ROW, rowId, within, type Item, type Rows } from "./gantt-rows";
import { endsOf, lane, type Ends } from "./lanes";
import { momentMarks } from "./moments";
import { LEFT, NARROW, RIGHT } from "./multiples";
import { xAxis } from "./plot";
import { scaleOf, write, xTicks } from "./units";

export interface GanttOptions {
  label: string;
  id: string;
  bands: () => [number, number][];
}

const CANVAS_ABOVE = 5000;
/** Above and below the window so much is drawn. */
const AROUND = 800;
/** A chart up to this height is drawn as a whole. */
const WHOLE = 4000;

interface Made {
  data: Gantt;
  rows: Rows;
  x: Scale;
  w: number;
  left: number;
  edge: number;
  /** Right ends of the columns. */
  ends: number[];
  /** By group. */
  lanes: Ends[];
  all: Ends;
}

/** The row that the address selects. */
export function selectedRow({ groups }: Gantt, id: string): GanttRow | null {
  const [at, place] = (picked(id) ?? "").split(".").map(Number);
  return groups[at ?? -1]?.rows[place ?? -1] ?? null;
}

/** The time of the selected row, for the other charts. */
export function selectedSpan(data: Gantt, id: string): [number, number] | null {
  const bars = selectedRow(data, id)?.bars.filter((b) => b.style === "runs" || b.style === "solid");
  const [first, last] = [bars?.[0], bars?.at(-1)];
  return first && last ? [first.from, last.to] : null;
}

/** A column's width: its head, or the widest of its first values. */
function columnsOf({ columns, groups }: Gantt): number[] {
  const some = groups.flatMap((group) => group.rows.slice(0, 60)).slice(0, 300);
  return columns.map(({ head }, i) => {
    const values = some.map((r) => width(r.values[i] ?? "", BOLD));
    return Math.max(width(head, "500 11.5px Inter"), largest(values)) + 16;
  });
}

function prepare(data: Gantt, w: number, id: string, lanes: Ends[], all: Ends): Made {
  // A narrow page has no room for the rows' numbers: a row's tip has them.
  const narrow = w < NARROW;
  const wide = narrow ? [] : columnsOf(data);
  const needed = wide.reduce((a, b) => a + b, 0) + 8;
  const edge = w - (narrow ? 12 : Math.max(RIGHT, needed));
  const names = data.groups.flatMap((group) => group.rows.slice(0, 200).map((r) => r.name));
  const longest = largest(names.slice(0, 400).map((name) => width(name, MONO))) + 14;
  const left = Math.max(narrow ? 0 : LEFT, Math.min(w * (narrow ? 0.35 : 0.24), longest));
  const gap = (Math.max(RIGHT, needed) - needed) / Math.max(1, wide.length);
  let at = edge + 8;
  const ends = wide.map((v) => (at += v + gap));
  const rows = layRows(data, numbers(picked(`${id}-open`)));
  return { data, rows, x: scaleOf(data.x, left, edge), w, left, edge, ends, lanes, all };
}

function laneArea(ends: Ends, made: Made, foot: number, high: number): [Child, number, number] {
  const { x, left, edge } = made;
  const counts = lane(ends, x, left, edge);
  const most = largest(counts, 1);
  let d = `M${left},${foot}`;
  let last = -1;
  counts.forEach((n, i) => {
    if (n === last) return;
    d += `H${left + i}V${(foot - (n / most) * high).toFixed(1)}`;
    last = n;
  });
  const at = left + counts.indexOf(most);
  return [path(`${d}H${edge}V${foot}Z`, { fill: "var(--done)" }), most, at];
}

/** Above the rows: how many ran, moments, and the heads of the columns. */
function headOf(made: Made, y0: number): [Child[], number] {
  const { data, left, edge, ends } = made;
  const heads = ends.map((end, i) => right(end, y0 + 18, data.columns[i]?.head ?? "", "h"));
  if (data.overview === "") return [heads, y0 + (heads.length > 0 ? 26 : 4)];
  const foot = y0 + 36;
  const [area, most, at] = laneArea(made.all, made, foot, 22);
  const label = num(most);
  const to = Math.min(edge - width(label) / 2, Math.max(left + 8, at + 8));
  return [
    [
      area,
      line(left, px(foot), edge, px(foot), { class: "hair" }),
      text(0, foot - 4, data.overview, "s"),
      middle(to, foot - 25, label, "b o"),
      ...heads,
    ],
    foot + 6,
  ];
}

/** Opens or folds a group. */
function toggled(node: SVGElement, group: number, made: Made, id: string): SVGElement {
  const open = numbers(picked(`${id}-open`));
  const is = open.has(group);
  const { title, note, rows } = made.data.groups[group]!;
  const words = [note, count(rows.length, "row")].filter(Boolean).join(", ");
  node.setAttribute("aria-expanded", String(is));
  return mark(node, {
    id: `group-${group}`,
    label: `${title}: ${words}`,
    tip: () => [title, words, is ? "Click to fold" : "Click for its rows"],
    open: () => {
      if (is) open.delete(group);
      else open.add(group);
      pick({ [`${id}-open`]: [...open].sort((a, b) => a - b).join(",") });
    },
  });
}

/** A group's head: title, note and, where it folds, what a click does. */
function groupHead(item: Extract<Item, { is: "head" }>, y: number, made: Made, id: string): Child {
  const { title, note } = made.data.groups[item.group]!;
  const name = item.folds ? `▾ ${title}` : title;
  const wide = width(name, BOLD);
  const node = g(
    {},
    item.folds && rect(-4, y + 1, made.w + 8, 20, { class: "hit", rx: 2 }),
    line(0, px(y), made.w, px(y), { class: "hair" }),
    text(0, y + 15, name, "b"),
    text(wide + 10, y + 15, fit(note, made.edge - wide - 20), "h"),
  );
  return item.folds ? toggled(node, item.group, made, id) : node;
}

/** A folded group in one line: its name, how many ran, how many rows there are. */
function laneMark(item: Extract<Item, { is: "lane" }>, y: number, made: Made, id: string): Child {
  const { title, rows } = made.data.groups[item.group]!;
  const [area, most] = laneArea(made.lanes[item.group]!, made, y + LANE - 3, LANE - 8);
  const node = g(
    {},
    rect(-4, y, made.w + 8, LANE - 1, { class: "hit", rx: 2 }),
    text(0, y + 17, fit(`▸ ${title}`, made.left - 8, BOLD), "v"),
    area,
    line(made.left, px(y + LANE - 3), made.edge, px(y + LANE - 3), { class: "hair" }),
    made.w - made.edge >= RIGHT &&
      right(made.w, y + 17, `${count(rows.length, "row")}, up to ${num(most)} at once`, "h"),
  );
  return toggled(node, item.group, made, id);
}

const spanWords = (row: GanttRow, axis: Axis): string[] =>
  row.bars.slice(0, 3).map((b) => {
    const what = { wait: "waits", held: "held", runs: "runs", solid: b.label || "busy" }[b.style];
    const reason = b.label && b.style !== "solid" ? `: ${b.label}` : "";
    const { unit } = axis;
    return `${what} ${write(unit, b.from)} to ${write(unit, b.to)}${reason}`;
  });

function rowMark(
  item: Extract<Item, { is: "row" }>,
  y: number,
  made: Made,
  id: string,
  bare: boolean,
) {
  const { row, group, place: at } = item;
  const me = rowId(group, at);
  const selected = picked(id) === me;
  const { data, w, left, ends, x } = made;
  const strong = new Set(row.strong ?? []);
  const font = row.critical ? "500 11.5px 'JetBrains Mono'" : MONO;
  const node = g(
    {},
    rect(-4, y + 0.5, w + 8, ROW - 1, { class: "hit", rx: 2 }),
    text(0, y + 15, fit(row.name, left - 8, font), "k", {
      style: row.critical || selected ? "font-weight:700;fill:var(--ink)" : null,
    }),
    ...(bare ? [] : barsOf(row, x, y + 4, selected)),
    ...row.values
      .slice(0, ends.length)
      .map((v, i) => right(ends[i] ?? w, y + 15, v, strong.has(i) ? "b" : "s")),
  );
  const heads = data.columns.map(({ head }, i) => `${head}: ${row.values[i] ?? "–"}`).join(" · ");
  const open = () => {
    if (selected && row.open) location.hash = href(...row.open.split("/"));
    else pick({ [id]: selected ? null : me });
  };
  return mark(node, {
    id: `row-${me}`,
    label: [row.name, ...spanWords(row, data.x)].join(", "),
    tip: () => [
      row.name,
      ...spanWords(row, data.x),
      ...(row.note ? [row.note] : []),
      selected && row.open ? "Click to open" : heads,
    ],
    open,
    pressed: selected,
  });
}

function itemMark(item: Item, y: number, made: Made, id: string, bare: boolean): Child[] {
  if (item.is === "head") return [groupHead(item, y, made, id)];
  if (item.is === "row") return [rowMark(item, y, made, id, bare)];
  return [laneMark(item, y, made, id)];
}

/** What is seen of the rows: a slice of heights, and its drawing. */
function slice(made: Made, from: number, to: number, top: number, options: GanttOptions): Node[] {
  const items = within(made.rows, from, to);
  const rows = items.flatMap((i) => (i.is === "row" ? [{ row: i.row, y: i.y - from + 4 }] : []));
  const marks = rows.reduce((a, { row }) => a + row.bars.length, 0);
  const bare = marks > CANVAS_ABOVE;
  const height = to - from;
  const { x } = made;
  const ticks = xTicks(made.data.x, x, made.edge - made.left);
  const bands = options.bands().flatMap(([a, b]) => {
    const [p, q] = [x(Math.max(a, x.from)), x(Math.min(b, x.to))];
    return q > p ? [rect(p, 0, q - p, height, { fill: "var(--pick)" })] : [];
  });
  const drawing = svg(
    made.w,
    height,
    options.label,
    ...bands,
    ...ticks.map((t) => line(px(x(t.at)), 0, px(x(t.at)), height, { class: "grid" })),
    ...items.flatMap((item) => itemMark(item, item.y - from, made, options.id, bare)),
    ...momentMarks(
      made.data.moments.map((m) => ({ ...m, name: "" })),
      x,
      0,
      4,
      height,
      [0, made.w],
    ),
  );
  const canvas = bare ? [barCanvas(rows, x, made.w, height)] : [];
  const all = [...canvas, drawing];
  for (const node of all) node.style.top = `${top + from}px`;
  return all;
}

/** Head, the rows' slice, and the time axis below all rows. */
class Chart {
  #frame: Frame | null = null;
  #made: Made | null = null;
  #top = 0;
  #drawn: [number, number] = [0, 0];
  #slice: Node[] = [];
  #lanes: Ends[];
  #all: Ends;

  constructor(
    readonly host: HTMLElement,
    readonly data: Gantt,
    readonly options: GanttOptions,
  ) {
    this.#lanes = data.groups.map((group) => endsOf(group.rows));
    this.#all = endsOf(data.groups.flatMap((group) => group.rows));
  }

  frames = (): Frame[] => (this.#frame ? [this.#frame] : []);

  draw(w: number): Node[] {
    const { data, options } = this;
    const made = prepare(data, w, options.id, this.#lanes, this.#all);
    this.#made = made;
    const [head, top] = headOf(made, data.moments.length > 0 ? 14 : 0);
    this.#top = top;
    const { height } = made.rows;
    this.host.classList.toggle("tall", height > WHOLE);
    const plot = { left: made.left, right: made.edge, top: 14, bottom: top + height };
    this.#frame = { x: made.x, ...plot };
    const names = momentMarks(data.moments, made.x, 9, top, top, [made.left, w]);
    const above = svg(w, top, `${options.label}, overview`, ...head, ...names);
    const axis = { ...plot, bottom: 0.5 };
    const ticks = xTicks(data.x, made.x, made.edge - made.left);
    const below = svg(w, 22, "", ...xAxis(axis, data.x, made.x, ticks));
    below.setAttribute("aria-hidden", "true");
    below.removeAttribute("role");
    const room = h("div", { class: "rows", style: `height:${height}px` });
    this.#drawn = this.#window();
    this.#slice = slice(made, ...this.#drawn, top, options);
    return [above, room, below, ...this.#slice];
  }

  /** The heights of rows to draw: all of few, of many those around the window. */
  #window(): [number, number] {
    const height = this.#made?.rows.height ?? 0;
    if (height <= WHOLE) return [0, height];
    const from = -this.host.getBoundingClientRect().top - this.#top - AROUND;
    const start = Math.max(0, Math.min(height - 1, from));
    return [start, Math.min(height, start + innerHeight + 2 * AROUND)];
  }

  /** Draws again where the page was scrolled out of what is drawn. */
  scrolled = (): void => {
    const made = this.#made;
    if (!made || made.rows.height <= WHOLE) return;
    const next = this.#window();
    if (Math.abs(next[0] - this.#drawn[0]) < AROUND / 2) return;
    for (const node of this.#slice) node.parentNode?.removeChild(node);
    this.#drawn = next;
    this.#slice = slice(made, ...next, this.#top, this.options);
    this.host.append(...this.#slice);
  };

  /** W and S zoom around the crosshair, A and D move by a fifth. */
  steer(event: KeyboardEvent, at: number | null): void {
    const x = this.#made?.x;
    const key = event.key.toLowerCase();
    if (!x || !"wasd".includes(key) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const { from, to } = this.data.x;
    const span = x.to - x.from;
    const centre = at ?? (x.from + x.to) / 2;
    const size = Math.min(to - from, span * (key === "w" ? 1 / 1.5 : key === "s" ? 1.5 : 1));
    const move = key === "a" ? -span / 5 : key === "d" ? span / 5 : 0;
    const wanted = centre - ((centre - x.from) / span) * size + move;
    const start = Math.max(from, Math.min(to - size, wanted));
    const whole = size >= (to - from) * 0.999;
    const digits = Math.max(2, 2 - Math.floor(Math.log10(size)));
    const t = `${start.toFixed(digits)}~${(start + size).toFixed(digits)}`;
    pick({ t: whole ? null : t }, true);
  }
}

export function gantt(life: Life, host: HTMLElement, data: Gantt, options: GanttOptions): void {
  host.classList.add("gantt");
  const chart = new Chart(host, data, options);
  figure(life, host, (w) => chart.draw(w), [place, theme]);
  let at: number | null = null;
  let inside = false;
  crosshair(life, host, { frames: chart.frames, chip: false, read: (t) => (at = t) });
  host.addEventListener("pointerenter", () => (inside = true));
  host.addEventListener("pointerleave", () => (inside = false));
  const keys = (event: KeyboardEvent) => {
    const typing = event.target instanceof HTMLInputElement;
    if (!typing && (inside || host.contains(document.activeElement))) chart.steer(event, at);
  };
  addEventListener("keydown", keys);
  addEventListener("scroll", chart.scrolled, { passive: true });
  life.add(() => {
    removeEventListener("keydown", keys);
    removeEventListener("scroll", chart.scrolled);
  });
}

/** What marks mean, for the title line. */
export function ganttKey({ legend }: Gantt): HTMLElement | null {
  if (legend.length === 0) return null;
  const sample = (style: Gantt["legend"][number]): HTMLElement => {
    if (style.style === null) return h("i", { class: "tick" });
    const hue = hueOf({ style: style.style, kind: style.kind });
    const thick = { wait: 3, held: 1.5, runs: 0, solid: 9 }[style.style];
    const css = thick ? `border-top:${thick}px solid ${hue}` : "";
    return h("i", { class: thick ? "" : "box", style: css });
  };
  const parts = legend.map((l) => h("span", {}, sample(l), l.name));
  return h("span", { class: "legend" }, ...parts);
}
