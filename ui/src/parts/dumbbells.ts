/** Two runs node by node: the first a filled dot, the second a hollow one, a line between them, and
 * a bar where 95 % of seeds have all of theirs. */
import { countTicks, scale, type Scale } from "../base/axis";
import { type Child, type Life } from "../base/dom";
import { figure, mark } from "../base/figure";
import { fit, width } from "../base/measure";
import { bytes, largest, num } from "../base/numbers";
import { circle, group, line, middle, px, rect, right, svg, text } from "../base/svg";
import { type Carry, type DiffNode, type Two } from "../diff";

export interface DumbbellsOptions {
  /** What the two runs are called. */
  runs: Two<string>;
  nodes: DiffNode[];
}

type Way = "sent" | "received";
const WAYS: Two<Way> = ["sent", "received"];
const ROW = 20;
const HEAD = 18;
const VALUES = 56;
const GAP = 28;

const high = ({ copies, range }: Carry): number => Math.max(copies, range?.[1] ?? 0);
/** Means of seeds have a decimal. */
const shown = ({ copies, range }: Carry): string => num(copies, range ? 1 : 0);

function tipOf({ runs }: DumbbellsOptions, node: DiffNode, way: Way): string[] {
  const one = (carry: Carry, i: number) => {
    const range = carry.range ? ` (95 %: ${num(carry.range[0], 1)}–${num(carry.range[1], 1)})` : "";
    return `${runs[i] ?? ""}: ${shown(carry)}${range}, ${bytes(carry.bytes)}`;
  };
  return [`${node.name}, copies ${way}`, ...node[way].map(one)];
}

function row(options: DumbbellsOptions, node: DiffNode, way: Way, x: Scale, cy: number): Child {
  const [a, b] = node[way];
  const bars = [a, b].flatMap(({ range }) =>
    range
      ? [rect(x(range[0]), cy - 6, x(range[1]) - x(range[0]), 12, { fill: "var(--done)", rx: 2 })]
      : [],
  );
  const out = node.inside[WAYS.indexOf(way)] === false;
  const tip = tipOf(options, node, way);
  return mark(
    group(
      {},
      rect(x(x.from) - 4, cy - ROW / 2, x(x.to) - x(x.from) + 8, ROW, { fill: "transparent" }),
      ...bars,
      line(x(a.copies), cy, x(b.copies), cy, { stroke: "var(--ink3)", "stroke-width": 1 }),
      circle(x(b.copies), cy, 4, {
        fill: "var(--page)",
        stroke: "var(--ink)",
        "stroke-width": 1.75,
      }),
      circle(x(a.copies), cy, out ? 4.5 : 3.5, { fill: "var(--risk)" }),
    ),
    { id: `${way}-${node.name}`, label: tip.join(", "), tip: () => tip },
  );
}

function panel(
  options: DumbbellsOptions,
  way: Way,
  box: { x0: number; w: number; ticks: number[] },
): Child[] {
  const { x0, w, ticks } = box;
  const x = scale(0, ticks.at(-1) ?? 1, x0 + 6, x0 + w - 2 * VALUES);
  const low = HEAD + options.nodes.length * ROW;
  return [
    text(x0, 11, way === "sent" ? "Copies sent" : "Copies received", "b"),
    ...options.runs.map((run, i) =>
      right(x0 + w - (1 - i) * VALUES, 11, fit(run, VALUES - 8), "h"),
    ),
    ...ticks.map((t) => line(px(x(t)), HEAD, px(x(t)), low, { class: "hair" })),
    ...options.nodes.flatMap((node, i) => {
      const cy = HEAD + i * ROW + ROW / 2;
      const out = node.inside[WAYS.indexOf(way)] === false;
      return [
        row(options, node, way, x, cy),
        right(x0 + w - VALUES, cy + 4, shown(node[way][0]), out ? "bb" : "v"),
        right(x0 + w, cy + 4, shown(node[way][1]), "v"),
      ];
    }),
    ...ticks.map((t) => middle(x(t), low + 15, num(t))),
  ];
}

function draw(options: DumbbellsOptions, w: number): SVGSVGElement {
  const { nodes } = options;
  const label = Math.min(w * 0.2, largest(nodes.map((n) => width(n.name))) + 12);
  const wide = (w - label - GAP) / 2;
  const most = largest(nodes.flatMap((n) => [...n.sent, ...n.received].map(high)));
  const ticks = countTicks(Math.max(1, most));
  const names = nodes.map((n, i) =>
    text(0, HEAD + i * ROW + ROW / 2 + 4, fit(n.name, label - 8), "s"),
  );
  return svg(
    w,
    HEAD + nodes.length * ROW + 22,
    "Copies sent and received by node, in both runs",
    ...names,
    ...panel(options, "sent", { x0: label, w: wide, ticks }),
    ...panel(options, "received", { x0: label + wide + GAP, w: wide, ticks }),
  );
}

export function dumbbells(life: Life, host: HTMLElement, options: DumbbellsOptions): void {
  figure(life, host, (w) => draw(options, w));
}
