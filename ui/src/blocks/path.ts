/** The critical path: steps end to end, name above, length inside, note below. */
import { type Scale } from "../base/axis";
import { crosshair, type Frame } from "../base/crosshair";
import { type Child, type Life } from "../base/dom";
import { figure, mark } from "../base/figure";
import { BOLD, fit, MONO, width } from "../base/measure";
import { duration } from "../base/numbers";
import { href, place } from "../base/selection";
import { group, hollow, line, px, rect, middle, right, svg, text, type Mark } from "../base/svg";
import { type Path, type Step } from "../page";
import { xAxis } from "./plot";
import { scaleOf, write, xTicks } from "./units";

const TOP = 22;
const HIGH = 34;

/** Where a label stands around its step: to its edges at most, and not over the last one. */
function around(words: string, font: string, from: number, to: number, w: number): number {
  const half = width(words, font) / 2;
  return Math.max(half, Math.min(w - half, (from + to) / 2));
}

const typed = (name: string): boolean => /_|\d/.test(name) && !name.includes(" ");

function box({ kind }: Step, from: number, long: number): Mark {
  if (kind === "unexplained") return hollow(from, TOP, long, HIGH);
  if (kind === null)
    return rect(from + 0.75, TOP + 0.75, long - 1.5, HIGH - 1.5, {
      fill: "none",
      stroke: "var(--ink3)",
      "stroke-width": 1.25,
      rx: 1.5,
    });
  return rect(from, TOP, long, HIGH, { fill: `var(--${kind})`, rx: 1.5 });
}

/** Dark words on grey, page-coloured ones on hues. */
const inkOn = ({ kind }: Step): string =>
  kind === null || kind === "unexplained"
    ? "var(--ink)"
    : kind === "wait"
      ? "var(--on-wait)"
      : "var(--page)";

function stepMark(step: Step, i: number, x: Scale, w: number, unit: string): Mark {
  const from = x(Math.max(step.from, x.from)) + 0.75;
  const to = x(Math.min(step.to, x.to)) - 0.75;
  const long = Math.max(1.5, to - from);
  const long_s = step.to - step.from;
  const took = unit === "s" && x.to - x.from >= 10 ? duration(long_s) : write(unit, long_s);
  const font = typed(step.name) ? MONO : undefined;
  const fits = (words: string, room: number, font?: string) => width(words, font) <= room;
  // A short step's name may reach over its neighbours' edge, not over their names.
  const name = fits(step.name, long + 16, font) ? step.name : fit(step.name, long, font);
  const note = fits(step.note, long + 4) ? step.note : fit(step.note, long);
  const inside = fits(took, long - 6, BOLD);
  const { open } = step;
  const node = group(
    {},
    rect(from, TOP - 3, long, HIGH + 6, { class: "hit", rx: 2 }),
    box(step, from, long),
    ...step.ticks
      .filter((t) => t >= x.from && t <= x.to)
      .map((t) =>
        line(px(x(t)), TOP - 3, px(x(t)), TOP + HIGH + 3, {
          stroke: "var(--ink)",
          "stroke-width": 1.25,
        }),
      ),
    name.length > 1 && middle(around(name, font ?? "", from, to, w), 13, name, font ? "k" : "s"),
    inside &&
      middle((from + to) / 2, TOP + HIGH / 2 + 4.5, took, "b", { style: `fill:${inkOn(step)}` }),
    note.length > 1 && middle(around(note, "", from, to, w), TOP + HIGH + 17, note, "h"),
  );
  return mark(node, {
    id: `step-${i}`,
    label: `${step.name}: ${took}. ${step.note}`,
    tip: () => [`${step.name}, ${took}`, step.note],
    ...(open === null ? {} : { open: () => (location.hash = href(...open.split("/"))) }),
  });
}

export function criticalPath(life: Life, host: HTMLElement, data: Path, label: string): void {
  let frame: Frame | null = null;
  figure(
    life,
    host,
    (w) => {
      const x = scaleOf(data.x, 0, w);
      const plot = { left: 0, right: w, top: TOP, bottom: TOP + HIGH + 28 };
      frame = { x, ...plot };
      const seen = data.steps.flatMap((step, i) =>
        step.to > x.from && step.from < x.to ? [{ step, i }] : [],
      );
      return svg(
        w,
        plot.bottom + 20,
        label,
        ...seen.map(({ step, i }) => stepMark(step, i, x, w, data.x.unit)),
        ...endless(xAxis(plot, data.x, x, xTicks(data.x, x, w)), w),
      );
    },
    [place],
  );
  crosshair(life, host, { frames: () => (frame ? [frame] : []), chip: false });
}

/** Labels at the ends of an axis as wide as the page stay on it. */
function endless(axis: Child[], w: number): Child[] {
  return axis.map((node) => {
    if (!(node instanceof SVGElement) || node.tagName !== "text") return node;
    const words = node.textContent ?? "";
    const [at, half] = [Number(node.getAttribute("x")), width(words) / 2];
    const y = Number(node.getAttribute("y"));
    if (at - half < 0) return text(0, y, words);
    return at + half > w ? right(w, y, words) : node;
  });
}
