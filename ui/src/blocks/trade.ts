/** What settings gain against what they cost: a dot a setting, the front joined by steps and
 * named. */
import { scale, timeEnd, timeTicks, type Scale, type TimeTick } from "../base/axis";
import { h, type Child, type Life } from "../base/dom";
import { figure, mark } from "../base/figure";
import { shortName } from "../base/keys";
import { BOLD, fit, MONO, width, WORDS } from "../base/measure";
import { largest, pct, sec } from "../base/numbers";
import { circle, group, line, middle, path, px, rect, right, svg, text } from "../base/svg";
import { placeLabels, stack, type Box, type PlacedLabel } from "../parts/labels";
import { type Mean, type Trade, type TradePoint } from "../page";
import { valueTicks, write } from "./units";

export interface TradeOptions {
  label: string;
  height: number;
  trade: Trade;
}

interface Layout {
  plot: Box;
  x: Scale;
  y: Scale;
  times: TimeTick[];
  levels: TimeTick[];
}

/** Words beside the plot, and between them. */
const GAP = 8;
const STEP = 16;
const SWATCH = 8;
const NAME_ROOM = 300;
/** Beyond the y axis's title, in the first line. */
const AFTER_TITLE = 90;

/** The first in the table's order of roles, then the front. */
const named = ({ role, front }: TradePoint): boolean => front || role !== "other";

/** Points of the front whose names stand in the picture: both ends, and one between. */
const NAMES = 3;

/** The present settings, what is recommended, and a few of the front; tips have all. */
function namesOf(points: TradePoint[]): Set<TradePoint> {
  const front = points
    .filter((p) => p.front && p.role === "other")
    .sort((a, b) => a.x.mean - b.x.mean);
  const step = (front.length - 1) / (NAMES - 1);
  const few = front.length <= NAMES ? front : [0, step, 2 * step].map((i) => front[Math.round(i)]!);
  return new Set([...points.filter((p) => p.role !== "other"), ...few]);
}

function levelsOf({ without, most_y, y: [, unit] }: Trade): { at: number; words: string }[] {
  const wish =
    most_y === null ? [] : [{ at: most_y, words: `goal: at most ${write(unit, most_y)}` }];
  if (!without) return wish;
  const [at, name] = without;
  return [...wish, { at, words: `${name}: ${write(unit, at)}` }];
}

function layout({ trade, height }: TradeOptions, w: number): Layout {
  const { points, most_x } = trade;
  const rooms = levelsOf(trade);
  const highest = points.map(({ y }) => y.mean + y.ci95);
  const longest = points.map(({ x }) => x.mean + x.ci95);
  const levels = valueTicks(trade.y[1], largest([...highest, ...rooms.map((l) => l.at)]));
  const most = largest(longest, 1e-9);
  const end = timeEnd(
    most_x !== null && most_x < 1.5 * most ? Math.max(most, 1.02 * most_x) : most,
  );
  const left = Math.ceil(largest(levels.map((t) => width(t.label)))) + 10;
  const margin = Math.ceil(largest(rooms.map((l) => width(l.words)))) + GAP;
  const plot = { left, right: w - margin, top: 24, bottom: height - 40 };
  const x = scale(0, end, plot.left, plot.right);
  const wide = plot.right - plot.left;
  return {
    plot,
    x,
    y: scale(0, levels.at(-1)?.at ?? 1, plot.bottom, plot.top),
    times: trade.x[1] === "s" ? timeTicks(0, end, wide) : valueTicks(trade.x[1], end),
    levels,
  };
}

/** What the wishes allow, as ground with its edges. */
function wishes({ most_y, most_x }: Trade, { plot, x, y }: Layout): Child[] {
  if (most_y === null && most_x === null) return [];
  const top = most_y === null ? plot.top : y(most_y);
  const end = most_x === null ? plot.right : Math.min(plot.right, x(most_x));
  const edge = { stroke: "var(--ink3)", "stroke-width": 1 };
  return [
    rect(plot.left, top, end - plot.left, plot.bottom - top, { fill: "var(--pick)" }),
    most_y !== null && line(plot.left, px(top), plot.right, px(top), edge),
    most_x !== null && end < plot.right && line(px(end), plot.top, px(end), plot.bottom, edge),
  ];
}

/** An arrow's head at the end of a short line. */
const arrow = (x: number, y: number, dx: number, dy: number): Child =>
  path(
    `M${x - dx * 12},${y - dy * 12}L${x},${y}` +
      `M${x - dx * 4 - dy * 3},${y - dy * 4 - dx * 3}L${x},${y}` +
      `L${x - dx * 4 + dy * 3},${y - dy * 4 + dx * 3}`,
    { stroke: "var(--ink2)", "stroke-width": 1.25 },
  );

/** Axes with what they are, and which way is better. */
function axes(trade: Trade, { plot, x, y, times, levels }: Layout): Child[] {
  const [[across], [up]] = [trade.x, trade.y];
  const [sooner, gentler] = trade.better;
  const low = plot.bottom + 33;
  return [
    ...levels.flatMap(({ at, label }) => [
      line(plot.left, px(y(at)), plot.right, px(y(at)), { class: at === 0 ? "axis" : "grid" }),
      right(plot.left - 8, y(at) + 4, label),
    ]),
    ...times.flatMap(({ at, label }, i) => [
      line(px(x(at)), plot.bottom, px(x(at)), plot.bottom + 4, { class: "axis" }),
      i === times.length - 1 && x(at) > plot.right - 12
        ? right(x(at) + 4, plot.bottom + 17, label)
        : middle(x(at), plot.bottom + 17, label),
    ]),
    text(0, 12, up, "s"),
    arrow(width(up) + 14, 14, 0, 1),
    text(width(up) + 22, 12, gentler, "b"),
    arrow(plot.left, low - 4, -1, 0),
    text(plot.left + 18, low, sooner, "b"),
    right(plot.right, low, across, "s"),
  ];
}

/** The level without a repair, and the words of all levels beside the plot. */
function references(trade: Trade, { plot, x, y }: Layout): Child[] {
  const levels = levelsOf(trade);
  const ys = stack(
    levels.map((l) => y(l.at)),
    STEP,
    plot.top,
    plot.bottom - 4,
  );
  const { without, most_x } = trade;
  const wish = most_x === null ? "" : `goal: within ${write(trade.x[1], most_x)}`;
  const title = width(trade.y[0]) + AFTER_TITLE;
  const most = plot.right - width(wish);
  const over = most_x === null ? 0 : x(most_x) - width(wish) / 2;
  return [
    without !== null &&
      line(plot.left, px(y(without[0])), plot.right, px(y(without[0])), {
        stroke: "var(--ink2)",
        "stroke-width": 1,
        "stroke-dasharray": "5 4",
      }),
    ...levels.map((l, i) => text(plot.right + GAP, ys[i]! + 4, l.words, "s")),
    wish !== "" && text(Math.min(most, Math.max(title, over)), 12, wish, "s"),
  ];
}

/** From each point of the front right to the next, and down: what can be had. */
function steps(points: TradePoint[], { x, y }: Layout): [number, number][] {
  const front = points
    .filter((p) => p.front)
    .sort((a, b) => a.x.mean - b.x.mean || b.y.mean - a.y.mean)
    .map((p): [number, number] => [x(p.x.mean), y(p.y.mean)]);
  return front.flatMap(([px, py], i): [number, number][] => {
    const before = front[i - 1];
    return before
      ? [
          [px, before[1]],
          [px, py],
        ]
      : [[px, py]];
  });
}

const stepLine = (corners: [number, number][]): Child =>
  corners.length > 0 &&
  path(`M${corners.map((c) => c.map((v) => v.toFixed(1)).join(",")).join("L")}`, {
    stroke: "var(--ink3)",
    "stroke-width": 1,
  });

/** Halves of the intervals, in pixels. */
const halves = (point: TradePoint, { x, y }: Layout): [number, number] => [
  x(point.x.ci95) - x(0),
  y(0) - y(point.y.ci95),
];

function bars(point: TradePoint, made: Layout): Child[] {
  const { x, y } = made;
  const [cx, cy] = [x(point.x.mean), y(point.y.mean)];
  const stroke = {
    stroke: point.role === "now" ? "var(--risk)" : "var(--ink3)",
    "stroke-width": 1,
  };
  const [wide, high] = halves(point, made);
  return [
    line(cx - wide, cy, cx + wide, cy, stroke),
    line(cx, cy - high, cx, Math.min(y(0), cy + high), stroke),
  ];
}

const R = { now: 5, recommended: 5, other: 3.5 };

function dot(point: TradePoint, cx: number, cy: number): Child {
  const { role, front, hollow } = point;
  if (role !== "other") {
    const fill = role === "now" ? "var(--risk)" : "var(--ink)";
    return circle(cx, cy, R[role], { fill, stroke: "var(--page)", "stroke-width": 1.5 });
  }
  if (front) return circle(cx, cy, R.other, { fill: "var(--ink2)" });
  const grey = { stroke: "var(--ink4)", "stroke-width": 1.25 };
  return circle(cx, cy, 2.5, { ...grey, fill: hollow ? "var(--page)" : "var(--ink4)" });
}

const ROLES = { now: "present settings", recommended: "recommended", other: "" };

/** 48.0 s ± 0.8 s, not 800 ms. */
const spread = (unit: string, mean: number, ci95: number): string =>
  unit === "s" && mean >= 9.995 && mean < 599.5 ? sec(ci95) : write(unit, ci95);

function tipOf(point: TradePoint, trade: Trade): string[] {
  const { name, role, limit, hollow, front } = point;
  const told = ({ mean, ci95 }: Mean, unit: string) =>
    write(unit, mean) + (ci95 > 0 ? ` ± ${spread(unit, mean, ci95)}` : "");
  const [level, what] = trade.without ?? [0, ""];
  const more = level > 0 ? point.y.mean / level - 1 : 0;
  const against = `, ${more < 0 ? "" : "+"}${pct(more)} against ${what}`;
  const about = [
    role !== "other" && ROLES[role],
    hollow && trade.hollow,
    front && `no other is both ${trade.better.join(" and ")}`,
  ].filter((words) => words !== false);
  return [
    name === ROLES[role] || about.length === 0 ? name : `${name}: ${about.join("; ")}`,
    `${trade.x[0]} ${told(point.x, trade.x[1])}`,
    `${trade.y[0]} ${told(point.y, trade.y[1])}${level > 0 ? against : ""}`,
    limit === null ? "no limit" : `limited by ${limit}`,
  ];
}

function pointOf(point: TradePoint, i: number, trade: Trade, made: Layout): Child {
  const [cx, cy] = [made.x(point.x.mean), made.y(point.y.mean)];
  const tip = tipOf(point, trade);
  return mark(
    group(
      {},
      circle(cx, cy, named(point) ? 11 : 6, { class: "hit" }),
      ...(named(point) ? bars(point, made) : []),
      dot(point, cx, cy),
    ),
    { id: `trade-${i}`, label: tip.join(", "), tip: () => tip },
  );
}

interface Words {
  point: TradePoint;
  name: string;
  /** "max-streams = 2"; empty where nothing limits, or where there is no room. */
  limit: string;
}

/** A key by its short name, with its value. */
function limitOf({ limit, kind }: TradePoint): string {
  if (limit === null) return "";
  const value = limit.split(" = ")[1];
  return kind === "setting" && value ? `${shortName(limit)} = ${value}` : shortName(limit);
}

const strong = ({ role }: TradePoint): boolean => role !== "other";
const limitFont = ({ kind }: TradePoint): string => (kind === "setting" ? MONO : WORDS);
const nameWidth = ({ name, point }: Words): number => width(name, strong(point) ? BOLD : WORDS);
const wordsWidth = (words: Words): number =>
  nameWidth(words) +
  (words.limit === "" ? 0 : 10 + SWATCH + 5 + width(words.limit, limitFont(words.point)));

function wordsOf(point: TradePoint): Words {
  const name = point.role === "recommended" ? `${point.name}, recommended` : point.name;
  return { point, name: fit(name, NAME_ROOM), limit: limitOf(point) };
}

function labelOf(words: Words, { left, y, leader }: PlacedLabel): Child[] {
  const { point, name, limit } = words;
  const at = left + nameWidth(words) + 10;
  const hue = point.kind === "unexplained" ? "ink3" : point.kind;
  const ink = `fill:var(--${point.kind}-ink)`;
  const kind = point.role === "now" ? { style: "fill:var(--risk-ink)" } : {};
  return [
    leader && line(...leader, { stroke: "var(--ink4)", "stroke-width": 1 }),
    // Lines that pass below end at its sides.
    rect(left - 3, y - 8, wordsWidth(words) + 6, 16, { fill: "var(--page)", rx: 2 }),
    text(left, y + 4, name, strong(point) ? "b o" : "s o", kind),
    limit !== "" &&
      rect(at, y - SWATCH / 2, SWATCH, SWATCH, {
        fill: point.kind === "unexplained" ? "none" : `var(--${hue})`,
        stroke: point.kind === "unexplained" ? "var(--ink3)" : null,
        rx: 1.5,
      }),
    limit !== "" &&
      text(at + SWATCH + 5, y + 4, limit, point.kind === "setting" ? "k o" : "o", { style: ink }),
  ];
}

const around = (cx: number, cy: number, rx: number, ry = rx): Box => ({
  left: cx - rx,
  right: cx + rx,
  top: cy - ry,
  bottom: cy + ry,
});

/** What a label had better not cover: the grey dots, the steps, the bars, the levels. */
function soft(trade: Trade, made: Layout): Box[] {
  const { points } = trade;
  const spot = (p: TradePoint) => [made.x(p.x.mean), made.y(p.y.mean)] as const;
  const corners = steps(points, made);
  const lines = corners.slice(1).map(([bx, by], i) => {
    const [ax, ay] = corners[i]!;
    return around(
      (ax + bx) / 2,
      (ay + by) / 2,
      Math.abs(bx - ax) / 2 + 1,
      Math.abs(by - ay) / 2 + 1,
    );
  });
  const marks = points.map((p) =>
    named(p) ? around(...spot(p), 1, halves(p, made)[1]) : around(...spot(p), 3),
  );
  const levels = levelsOf(trade).map(({ at }) => ({
    ...made.plot,
    top: made.y(at) - 1,
    bottom: made.y(at) + 1,
  }));
  return [...lines, ...marks, ...levels];
}

/** Names of the front: what matters most chooses its place first; without room for what limits it,
 * the name alone. */
function labels(trade: Trade, made: Layout): Child[] {
  const { points } = trade;
  const { plot, x, y } = made;
  const rank = { recommended: 0, now: 1, other: 2 };
  const all = [...namesOf(points)]
    .sort((a, b) => rank[a.role] - rank[b.role] || a.x.mean - b.x.mean)
    .map(wordsOf);
  const spot = (p: TradePoint) => [x(p.x.mean), y(p.y.mean)] as const;
  const place = (words: Words[]) =>
    placeLabels(
      words.map((w) => ({
        x: spot(w.point)[0],
        y: spot(w.point)[1],
        width: wordsWidth(w),
        reach: Math.max(R[w.point.role], halves(w.point, made)[0]),
      })),
      plot,
      points.filter(named).map((p) => around(...spot(p), R[p.role])),
      soft(trade, made),
    );
  const short = place(all).map((found, i) => (found ? all[i]! : { ...all[i]!, limit: "" }));
  return place(short).flatMap((found, i) => (found ? labelOf(short[i]!, found) : []));
}

function draw(options: TradeOptions, w: number): SVGSVGElement {
  const { trade, height, label } = options;
  const made = layout(options, w);
  const order = trade.points.map((point, i) => ({ point, i }));
  const weight = ({ front, role }: TradePoint) => (role !== "other" ? 2 : front ? 1 : 0);
  order.sort((a, b) => weight(a.point) - weight(b.point));
  return svg(
    w,
    height,
    label,
    ...wishes(trade, made),
    ...axes(trade, made),
    ...references(trade, made),
    stepLine(steps(trade.points, made)),
    ...order.map(({ point, i }) => pointOf(point, i, trade, made)),
    ...labels(trade, made),
  );
}

export function tradeChart(life: Life, host: HTMLElement, options: TradeOptions): void {
  figure(life, host, (w) => draw(options, w));
}

/** What the marks are, for the title line. */
export function tradeKey({ points, hollow, better }: Trade): HTMLElement {
  const dots = [
    { words: "a setting", fill: "var(--ink4)" },
    ...(points.some((p) => p.hollow) ? [{ words: hollow, fill: "var(--page)" }] : []),
  ];
  return h(
    "span",
    { class: "legend" },
    ...dots.map(({ words, fill }) =>
      h("span", {}, h("i", { class: "pt", style: `background:${fill}` }), words),
    ),
    h("span", {}, h("i", { class: "ln" }), `none is both ${better.join(" and ")}`),
  );
}
