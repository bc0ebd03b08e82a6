/** Small multiples: panels of one height over one axis, the value at the crosshair on the right. */
import { scale, type Scale } from "../base/axis";
import { crosshair, type Frame } from "../base/crosshair";
import { type Child, type Life } from "../base/dom";
import { figure } from "../base/figure";
import { fit, width } from "../base/measure";
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

const topOf = ({ capacity, lines, unit }: Panel): number => {
  if (capacity && capacity.at > 0) return capacity.at;
  const most = largest(lines.flatMap((l) => l.y.map((v) => v ?? 0)));
  return valueTicks(unit, most || 1).at(-1)?.at ?? 1;
};

function panelMarks(panel: Panel, x: Scale, y0: number, w: number): Child[] {
  const top = topOf(panel);
  const y = scale(0, top, y0 + HIGH, y0);
  const styles = apart(panel.lines);
  const at = (v: number, label: string) => [
    line(LEFT, px(y(v)), w - RIGHT, px(y(v)), { class: v === 0 ? "axis" : "grid" }),
    right(LEFT - 6, y(v) + (v === 0 ? 1 : 8), label, "small"),
  ];
  const unit = ["%", "B", "B/s", "s"].includes(panel.unit) ? panel.unit : "";
  const most = write(unit, top);
  const room = LEFT - width(most) - 14;
  return [
    text(0, y0 + 26, fit(panel.name, room), "b"),
    text(0, y0 + 42, fit(panel.of, LEFT - 10), "h"),
    ...at(top, most),
    ...at(0, "0"),
    ...panel.lines.flatMap((l, i) => lineMarks(l, styles[i]!, x, y)),
    text(w - RIGHT + 16, y0 + 42, fit(panel.reading, RIGHT - 16), "s"),
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
  const x = scaleOf(data.x, LEFT, w - RIGHT);
  const top = moments.length > 0 ? 22 : 6;
  const bottom = top + panels.length * (HIGH + GAP) - GAP;
  const plot = { left: LEFT, right: w - RIGHT, top, bottom };
  const values = panels.map((_, i) => text(w - RIGHT + 16, top + i * (HIGH + GAP) + 24, "", "b"));
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
    ...panels.flatMap((panel, i) => panelMarks(panel, x, top + i * (HIGH + GAP), w)),
    ...values,
    ...momentMarks(moments, x, 12, top, bottom, [LEFT, w]),
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
