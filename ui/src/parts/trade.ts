/** Rebuild time against clients' latency: a dot a setting, the front joined by steps and named. */
import { latencyTicks, scale, timeEnd, timeTicks, type Scale, type TimeTick } from "../base/axis";
import { h, type Child, type Life } from "../base/dom";
import { figure, mark } from "../base/figure";
import { shortName } from "../base/keys";
import { BOLD, fit, MONO, width, WORDS } from "../base/measure";
import { duration, largest, latency, pct } from "../base/numbers";
import { circle, group, line, middle, path, px, rect, right, svg, text } from "../base/svg";
import { type Trade, type TradePoint } from "../report";
import { placeLabels, stack, type Box, type PlacedLabel } from "./labels";

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
/** The y axis's title takes so much of the first line. */
const TITLE = 250;

/** The first in the table's order of roles, then the front. */
const named = ({ role, front }: TradePoint): boolean => front || role !== "other";

/** Points of the front whose names stand in the picture: both ends, and one between. */
const NAMES = 3;

/** The present settings, what is recommended, and a few of the front; tips have all. */
function namesOf(points: TradePoint[]): Set<TradePoint> {
  const front = points
    .filter((p) => p.front && p.role === "other")
    .sort((a, b) => a.recovery_s.mean - b.recovery_s.mean);
  const step = (front.length - 1) / (NAMES - 1);
  const few = front.length <= NAMES ? front : [0, step, 2 * step].map((i) => front[Math.round(i)]!);
  return new Set([...points.filter((p) => p.role !== "other"), ...few]);
}

function levelsOf({ before_p99_ms, most_p99_ms }: Trade): { ms: number; words: string }[] {
  const wish =
    most_p99_ms === null
      ? []
      : [{ ms: most_p99_ms, words: `wish: at most ${latency(most_p99_ms)}` }];
  return [...wish, { ms: before_p99_ms, words: `no repair: ${latency(before_p99_ms)}` }];
}

function layout({ trade, height }: TradeOptions, w: number): Layout {
  const { points, within_s } = trade;
  const rooms = levelsOf(trade);
  const highest = points.map(({ p99_ms }) => p99_ms.mean + p99_ms.ci95);
  const longest = points.map(({ recovery_s }) => recovery_s.mean + recovery_s.ci95);
  const levels = latencyTicks(largest([...highest, ...rooms.map((l) => l.ms)]));
  const most = largest(longest, 1e-9);
  const end = timeEnd(
    within_s !== null && within_s < 1.5 * most ? Math.max(most, 1.02 * within_s) : most,
  );
  const left = Math.ceil(largest(levels.map((t) => width(t.label)))) + 10;
  const margin = Math.ceil(largest(rooms.map((l) => width(l.words)))) + GAP;
  const plot = { left, right: w - margin, top: 24, bottom: height - 40 };
  return {
    plot,
    x: scale(0, end, plot.left, plot.right),
    y: scale(0, levels.at(-1)?.at ?? 1, plot.bottom, plot.top),
    times: timeTicks(0, end, plot.right - plot.left),
    levels,
  };
}

/** What the wishes allow, as ground with its edges. */
function wishes({ most_p99_ms, within_s }: Trade, { plot, x, y }: Layout): Child[] {
  if (most_p99_ms === null && within_s === null) return [];
  const top = most_p99_ms === null ? plot.top : y(most_p99_ms);
  const end = within_s === null ? plot.right : Math.min(plot.right, x(within_s));
  const edge = { stroke: "var(--ink3)", "stroke-width": 1 };
  return [
    rect(plot.left, top, end - plot.left, plot.bottom - top, { fill: "var(--pick)" }),
    most_p99_ms !== null && line(plot.left, px(top), plot.right, px(top), edge),
    within_s !== null && end < plot.right && line(px(end), plot.top, px(end), plot.bottom, edge),
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
function axes({ plot, x, y, times, levels }: Layout): Child[] {
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
    text(0, 12, "Clients’ p99 during the repair", "s"),
    arrow(width("Clients’ p99 during the repair") + 14, 14, 0, 1),
    text(width("Clients’ p99 during the repair") + 22, 12, "gentler", "b"),
    arrow(plot.left, low - 4, -1, 0),
    text(plot.left + 18, low, "sooner", "b"),
    right(plot.right, low, "rebuild time", "s"),
  ];
}

/** The level without a repair, and the words of all levels beside the plot. */
function references(trade: Trade, { plot, x, y }: Layout): Child[] {
  const levels = levelsOf(trade);
  const ys = stack(
    levels.map((l) => y(l.ms)),
    STEP,
    plot.top,
    plot.bottom - 4,
  );
  const { before_p99_ms, within_s } = trade;
  const wish = within_s === null ? "" : `wish: within ${duration(within_s)}`;
  const most = plot.right - width(wish);
  const over = within_s === null ? 0 : x(within_s) - width(wish) / 2;
  return [
    line(plot.left, px(y(before_p99_ms)), plot.right, px(y(before_p99_ms)), {
      stroke: "var(--ink2)",
      "stroke-width": 1,
      "stroke-dasharray": "5 4",
    }),
    ...levels.map((l, i) => text(plot.right + GAP, ys[i]! + 4, l.words, "s")),
    wish !== "" && text(Math.min(most, Math.max(TITLE, over)), 12, wish, "s"),
  ];
}

/** From each point of the front right to the next, and down: what can be had. */
function steps(points: TradePoint[], { x, y }: Layout): [number, number][] {
  const front = points
    .filter((p) => p.front)
    .sort((a, b) => a.recovery_s.mean - b.recovery_s.mean || b.p99_ms.mean - a.p99_ms.mean)
    .map(({ recovery_s, p99_ms }): [number, number] => [x(recovery_s.mean), y(p99_ms.mean)]);
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
const halves = ({ recovery_s, p99_ms }: TradePoint, { x, y }: Layout): [number, number] => [
  x(recovery_s.ci95) - x(0),
  y(0) - y(p99_ms.ci95),
];

function bars(point: TradePoint, made: Layout): Child[] {
  const { recovery_s, p99_ms, role } = point;
  const { x, y } = made;
  const [cx, cy] = [x(recovery_s.mean), y(p99_ms.mean)];
  const stroke = { stroke: role === "now" ? "var(--risk)" : "var(--ink3)", "stroke-width": 1 };
  const [wide, high] = halves(point, made);
  return [
    line(cx - wide, cy, cx + wide, cy, stroke),
    line(cx, cy - high, cx, Math.min(y(0), cy + high), stroke),
  ];
}

const R = { now: 5, recommended: 5, other: 3.5 };

function dot(point: TradePoint, cx: number, cy: number): Child {
  const { role, front, needs_plugin } = point;
  if (role !== "other") {
    const fill = role === "now" ? "var(--risk)" : "var(--ink)";
    return circle(cx, cy, R[role], { fill, stroke: "var(--page)", "stroke-width": 1.5 });
  }
  if (front) return circle(cx, cy, R.other, { fill: "var(--ink2)" });
  const grey = { stroke: "var(--ink4)", "stroke-width": 1.25 };
  return circle(cx, cy, 2.5, { ...grey, fill: needs_plugin ? "var(--page)" : "var(--ink4)" });
}

const ROLES = { now: "present settings", recommended: "recommended", other: "" };

function tipOf(point: TradePoint, { before_p99_ms }: Trade): string[] {
  const { name, role, recovery_s, p99_ms, limiting, needs_plugin, front } = point;
  const spread = (ci: number, show: (value: number) => string) => (ci > 0 ? ` ± ${show(ci)}` : "");
  const more = p99_ms.mean / before_p99_ms - 1;
  const sign = more < 0 ? "" : "+";
  const about = [
    role !== "other" && ROLES[role],
    needs_plugin && "HDFS has no code",
    front && "nothing else is both sooner and gentler",
  ].filter((words) => words !== false);
  return [
    name === ROLES[role] || about.length === 0 ? name : `${name}: ${about.join("; ")}`,
    `rebuild ${duration(recovery_s.mean)}${spread(recovery_s.ci95, duration)}`,
    `clients’ p99 ${latency(p99_ms.mean)}${spread(p99_ms.ci95, latency)}` +
      (before_p99_ms > 0 ? `, ${sign}${pct(more)} against no repair` : ""),
    limiting === null ? "nothing limits it" : `limited by ${limiting}`,
  ];
}

function pointOf(point: TradePoint, i: number, trade: Trade, made: Layout): Child {
  const [cx, cy] = [made.x(point.recovery_s.mean), made.y(point.p99_ms.mean)];
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
function limitOf({ limiting, kind }: TradePoint): string {
  if (limiting === null) return "";
  const value = limiting.split(" = ")[1];
  return kind === "setting" && value ? `${shortName(limiting)} = ${value}` : shortName(limiting);
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
  const spot = ({ recovery_s, p99_ms }: TradePoint) =>
    [made.x(recovery_s.mean), made.y(p99_ms.mean)] as const;
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
  const levels = levelsOf(trade).map(({ ms }) => ({
    ...made.plot,
    top: made.y(ms) - 1,
    bottom: made.y(ms) + 1,
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
    .sort((a, b) => rank[a.role] - rank[b.role] || a.recovery_s.mean - b.recovery_s.mean)
    .map(wordsOf);
  const spot = ({ recovery_s, p99_ms }: TradePoint) =>
    [x(recovery_s.mean), y(p99_ms.mean)] as const;
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
    ...axes(made),
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
export function tradeKey({ points }: Trade): HTMLElement {
  const dots = [
    { words: "a setting", fill: "var(--ink4)" },
    ...(points.some((p) => p.needs_plugin)
      ? [{ words: "HDFS has no code", fill: "var(--page)" }]
      : []),
  ];
  return h(
    "span",
    { class: "legend" },
    ...dots.map(({ words, fill }) =>
      h("span", {}, h("i", { class: "pt", style: `background:${fill}` }), words),
    ),
    h("span", {}, h("i", { class: "ln" }), "nothing is both sooner and gentler"),
  );
}
