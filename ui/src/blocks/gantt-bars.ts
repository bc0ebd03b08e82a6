/** The bars of a Gantt chart, as shapes or, when they are very many, on a canvas. */
import { type Scale } from "../base/axis";
import { type Child } from "../base/dom";
import { fit, fitKey, MONO, width } from "../base/measure";
import { line, path, px, rect, text } from "../base/svg";
import { type Bar, type GanttRow, type Kind } from "../page";

const HIGH = 14;

export const hueOf = ({ style, kind }: { style: Bar["style"]; kind?: Kind | null }): string => {
  if (kind && kind !== "unexplained") return `var(--${kind})`;
  if (style === "held") return "var(--setting)";
  return style === "wait" ? "var(--wait)" : "var(--done)";
};

/** A wait's or a hold's line, its reason on it where there is room. */
function lineBar(bar: Bar, a: number, b: number, y: number): Child[] {
  const mid = y + HIGH / 2;
  const held = bar.style === "held";
  const at = bar.kind === "unexplained" ? "var(--ink3)" : hueOf(bar);
  const dash = bar.kind === "unexplained" ? "4 3" : null;
  const stroke = (from: number, to: number) =>
    line(from, mid, to, mid, {
      stroke: at,
      "stroke-width": held ? 1.5 : 3,
      "stroke-dasharray": dash,
    });
  const room = b - a - 40;
  if (!bar.label || room < 60) return [stroke(a, b)];
  const words = held ? fitKey(bar.label, room) : fit(bar.label, room);
  const wide = width(words, held ? MONO : undefined);
  const left = (a + b) / 2 - wide / 2;
  const label = text(left, y + 11, words, held ? "k setting o" : "s o");
  // No line goes through its own words.
  return [stroke(a, left - 5), label, stroke(left + wide + 5, b)];
}

/** The part of a curve of progress that is seen; at an edge it has the value between. */
export function cut(points: [number, number][], { from, to }: Scale): [number, number][] {
  return points.flatMap(([t, v], i): [number, number][] => {
    const before = points[i - 1];
    const edges = before
      ? [from, to].flatMap((e): [number, number][] =>
          before[0] < e && e < t
            ? [[e, before[1] + ((e - before[0]) / (t - before[0])) * (v - before[1])]]
            : [],
        )
      : [];
    return t >= from && t <= to ? [...edges, [t, v]] : edges;
  });
}

/** How much is done, as a filled height. */
function progressOf(bar: Bar, x: Scale, y: number): Child {
  const progress = cut(bar.progress ?? [], x);
  const [first, last] = [progress[0], progress.at(-1)];
  if (!first || !last) return null;
  const points = progress.map(([t, v]) => `L${x(t).toFixed(1)},${(y + HIGH * (1 - v)).toFixed(1)}`);
  const d = `M${x(first[0]).toFixed(1)},${y + HIGH}${points.join("")}`;
  return path(`${d}L${x(last[0]).toFixed(1)},${y + HIGH}Z`, { fill: "var(--done)" });
}

function solidBar(bar: Bar, x: Scale, a: number, b: number, y: number, heavy: boolean): Child[] {
  const wide = Math.max(2, b - a);
  const hue = hueOf(bar);
  const ink = heavy ? "var(--ink)" : "var(--ink3)";
  const runs = bar.style === "runs";
  const dash = bar.kind === "unexplained" ? "4 3" : null;
  const tinted = runs && bar.kind && bar.kind !== "unexplained";
  const fill = runs ? (tinted ? hue : "var(--page)") : hue;
  const room = wide - 14;
  const inside = bar.label && room > 50 ? fit(bar.label, room) : "";
  return [
    tinted && rect(a, y, wide, HIGH, { fill: "var(--page)", rx: 1.5 }),
    rect(a, y, wide, HIGH, { fill, "fill-opacity": tinted ? 0.4 : null, rx: 1.5 }),
    progressOf(bar, x, y),
    runs &&
      rect(a + 0.5, y + 0.5, Math.max(1, wide - 1), HIGH - 1, {
        fill: "none",
        stroke: ink,
        "stroke-width": heavy ? 1.75 : 1,
        "stroke-dasharray": dash,
        rx: 1.5,
      }),
    inside !== "" && text(a + 7, y + 11, inside, "small s"),
  ];
}

/** Everything that a row shows of its time. */
export function barsOf(row: GanttRow, x: Scale, y: number, selected: boolean): Child[] {
  const heavy = (row.critical ?? false) || selected;
  const seen = row.bars.filter((b) => b.to >= x.from && b.from <= x.to);
  return seen.flatMap((bar): Child[] => {
    const [a, b] = [x(Math.max(bar.from, x.from)), x(Math.min(bar.to, x.to))];
    const lines = bar.style === "wait" || bar.style === "held";
    const ticks = (bar.ticks ?? []).filter((t) => t >= x.from && t <= x.to);
    const letters = bar.letters ?? "";
    return [
      ...(lines ? lineBar(bar, a, b, y) : solidBar(bar, x, a, b, y, heavy)),
      ...ticks.map((t) =>
        line(px(x(t)), y - 2, px(x(t)), y + HIGH + 2, {
          stroke: "var(--ink)",
          "stroke-width": 1.25,
        }),
      ),
      letters !== "" &&
        text(b + 5, y + 11, letters, "b o", {
          style: letters.includes("X") ? "fill:var(--risk-ink)" : null,
        }),
    ];
  });
}

/** Bars alone, on a canvas of their own: neighbours that meet in one pixel are drawn once. */
export function barCanvas(
  rows: { row: GanttRow; y: number }[],
  x: Scale,
  w: number,
  height: number,
): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  const density = devicePixelRatio || 1;
  canvas.width = w * density;
  canvas.height = height * density;
  canvas.style.cssText = `width:${w}px;height:${height}px`;
  const pen = canvas.getContext("2d");
  const style = getComputedStyle(document.documentElement);
  const paint = (hue: string) => style.getPropertyValue(hue.slice(4, -1)).trim();
  pen?.scale(density, density);
  for (const { row, y } of rows) {
    let done = -1;
    for (const bar of row.bars) {
      if (!pen || bar.to < x.from || bar.from > x.to) continue;
      const [a, b] = [x(Math.max(bar.from, x.from)), x(Math.min(bar.to, x.to))];
      if (b < done) continue;
      done = Math.max(b, a + 1);
      const thin = { wait: 3, held: 1.5, runs: HIGH, solid: HIGH }[bar.style];
      pen.fillStyle = paint(hueOf(bar));
      pen.fillRect(a, y + (HIGH - thin) / 2, Math.max(1, b - a), thin);
    }
  }
  return canvas;
}
