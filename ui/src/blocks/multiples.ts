/** Small multiples: panels of one height over one axis, the value at the crosshair on the right. */
import { scale, type Scale } from "../base/axis";
import { crosshair, type Frame } from "../base/crosshair";
import { type Child, type Life } from "../base/dom";
import { figure } from "../base/figure";
import { BOLD, fit, width } from "../base/measure";
import { largest } from "../base/numbers";
import { hovered, place } from "../base/selection";
import { line, px, rect, right, svg, text } from "../base/svg";
import { type Curves, type Panel } from "../page";
import { lineMarks, type Drawn } from "./curves";
import { apart, valueAt } from "./lines";
import { momentMarks } from "./moments";
import { xAxis } from "./plot";
import { crossOf, isTime, scaleOf, valueTicks, write, xTicks } from "./units";

/** Edges that all charts over one time axis share. */
export const LEFT = 132;
export const RIGHT = 204;
const HIGH = 58;
const GAP = 16;
/** Of less width names and values stand above their panels, and the panels have all of it. */
export const NARROW = 640;
const TITLE = 20;
/** Room of a value above its panel. */
const VALUE = 130;

interface Layout {
  left: number;
  right: number;
  /** Above each panel, for its name and its value. */
  title: number;
}

/** Ticks of all panels end where the panels begin. */
function layoutOf(panels: Panel[], w: number): Layout {
  if (w >= NARROW) return { left: LEFT, right: w - RIGHT, title: 0 };
  const ticks = panels.map((panel) => width(mostWords(panel)));
  return { left: Math.ceil(largest(ticks)) + 10, right: w - 12, title: TITLE };
}

/** The value at the top of a panel. */
function mostWords(panel: Panel): string {
  return write(["%", "B", "B/s", "s"].includes(panel.unit) ? panel.unit : "", topOf(panel));
}

const topOf = ({ capacity, lines, unit }: Panel): number => {
  if (capacity && capacity.at > 0) return capacity.at;
  const most = largest(lines.flatMap((l) => l.y.map((v) => v ?? 0)));
  return valueTicks(unit, most || 1).at(-1)?.at ?? 1;
};

/** The panel's name, what it is of, and what is read off it. */
function words(panel: Panel, y0: number, w: number, { left, right, title }: Layout): Child[] {
  const { name, of, reading } = panel;
  if (title > 0) {
    const named = width(name, BOLD) + 8;
    const all = [reading, of].filter((part) => part !== "").join("; ");
    return [text(0, y0 - 8, name, "b"), text(named, y0 - 8, fit(all, w - named - VALUE), "h")];
  }
  return [
    text(0, y0 + 26, fit(name, left - width(mostWords(panel)) - 14, BOLD), "b"),
    text(0, y0 + 42, fit(of, left - 10), "h"),
    text(right + 16, y0 + 42, fit(reading, RIGHT - 16), "s"),
  ];
}

function panelMarks(panel: Panel, x: Scale, y0: number, w: number, made: Layout): Child[] {
  const top = topOf(panel);
  const y = scale(0, top, y0 + HIGH, y0);
  const styles = apart(panel.lines);
  const at = (v: number, label: string) => [
    line(made.left, px(y(v)), made.right, px(y(v)), { class: v === 0 ? "axis" : "grid" }),
    right(made.left - 6, y(v) + (v === 0 ? 1 : 8), label, "small"),
  ];
  return [
    ...words(panel, y0, w, made),
    ...at(top, mostWords(panel)),
    ...at(0, "0"),
    ...panel.lines.flatMap((l, i) => lineMarks(l, styles[i]!, x, y)),
  ];
}

/** What stands on the right: the value under the crosshair, or else the highest. */
function valueWords({ lines, unit }: Panel, at: number | null): string {
  const first = lines[0];
  if (!first) return "";
  if (at === null) {
    const most = largest(first.y.map((v) => v ?? 0));
    return `at most ${write(unit, most)}`;
  }
  const value = valueAt(first, at);
  return value === null ? "–" : write(unit, value);
}

function draw(data: Curves, w: number, options: Drawn): [SVGSVGElement, Frame, SVGElement[]] {
  const { panels, moments } = data;
  const made = layoutOf(panels, w);
  const { left, title } = made;
  const x = scaleOf(data.x, left, made.right);
  const top = (moments.length > 0 ? 22 : 6) + title;
  const step = HIGH + GAP + title;
  const bottom = top + panels.length * step - GAP - title;
  const plot = { left, right: made.right, top, bottom };
  const values = panels.map((_, i) =>
    title > 0
      ? right(w, top + i * step - 8, "", "b")
      : text(made.right + 16, top + i * step + 24, "", "b"),
  );
  const picks = isTime(data.x) ? options.bands() : [];
  const drawing = svg(
    w,
    bottom + 22,
    options.label,
    ...picks.map(([a, b]) =>
      rect(x(Math.max(a, x.from)), top, x(b) - x(Math.max(a, x.from)), bottom - top, {
        fill: "var(--pick)",
      }),
    ),
    ...panels.flatMap((panel, i) => panelMarks(panel, x, top + i * step, w, made)),
    ...values,
    ...momentMarks(moments, x, 12, top, bottom, [left, w]),
    ...xAxis(plot, data.x, x, xTicks(data.x, x, plot.right - plot.left)),
  );
  return [drawing, { x, ...plot }, values];
}

export function multiples(life: Life, host: HTMLElement, data: Curves, options: Drawn): void {
  const axis = crossOf(data.x);
  const line = axis?.hovered ?? hovered;
  let frame: Frame | null = null;
  let values: SVGElement[] = [];
  const say = (at: number | null) =>
    values.forEach((node, i) => (node.textContent = valueWords(data.panels[i]!, at)));
  figure(
    life,
    host,
    (w) => {
      const [drawing, made, words] = draw(data, w, options);
      [frame, values] = [made, words];
      say(line.value);
      return drawing;
    },
    [place],
  );
  line.on(life, say);
  crosshair(life, host, {
    axis,
    frames: () => (frame ? [frame] : []),
    chip: true,
    keys: {
      step: () => (data.x.to - data.x.from) / 100,
      label: options.label,
      say: (t) => data.panels.map((p) => `${p.name} ${valueWords(p, t)}`).join(", "),
    },
  });
}
