/** Claims of a paper: a line each; reasons and alternatives unfold. */
import { rangeTicks, scale } from "../base/axis";
import { h, type Child, type Life } from "../base/dom";
import { figure } from "../base/figure";
import { fit, width } from "../base/measure";
import { largest, num } from "../base/numbers";
import { circle, line, px, rect, right, svg, text } from "../base/svg";
import { type ClaimRow, type Claims, type Strip, type StripPoint } from "../page";

/** Height of an alternative's row. */
const ROW = 20;
const AXIS = 26;
/** Most of the width for the names of alternatives. */
const NAMES = 0.42;

const HUES = {
  firm: "var(--cpu)",
  partly: "var(--disk)",
  against: "var(--risk)",
  open: "var(--ink4)",
} as const;

/** Of all points and limits. An interval that is wider than they are apart is cut. */
function rangeOf({ band, points }: Strip): [number, number] {
  const marks = [...points.map((p) => p.value), ...band.filter((v) => v !== null)];
  const [least, most] = [Math.min(...marks), largest(marks, -Infinity)];
  const room = (most - least || Math.abs(most) || 1) * 0.12;
  return [least - room, most + room];
}

function draw(data: Strip, w: number, label: string): SVGSVGElement {
  const { band, points, unit } = data;
  const names = Math.min(w * NAMES, largest(points.map((p) => width(p.name))) + 14);
  const words = Math.min(w * 0.3, largest(points.map((p) => width(p.word))) + 14);
  const [from, to] = rangeOf(data);
  const x = scale(from, to, names, w - words);
  const bottom = points.length * ROW + 4;
  const edge = (limit: number | null, open: number) =>
    limit === null ? open : Math.min(Math.max(x(limit), names), w - words);
  const [low, high] = [edge(band[0], names), edge(band[1], w - words)];
  const ticks = rangeTicks(from, to, Math.max(2, Math.floor((w - words - names) / 90)));
  return svg(
    w,
    bottom + AXIS,
    label,
    rect(low, 0, Math.max(1, high - low), bottom, { fill: "var(--ink-band)" }),
    ...points.flatMap((p, i) => pointMarks(p, i, x, [names, w - words], w)),
    line(names, px(bottom), w - words, px(bottom), { class: "axis" }),
    ...ticks
      .filter((tick) => tick >= from && tick <= to)
      .map((tick) => text(x(tick) - width(num(tick, 2)) / 2, bottom + 14, num(tick, 2), "small")),
    text(w - words + 8, bottom + 14, fit(unit, words - 8), "small"),
  );
}

function pointMarks(
  { name, value, spread, word, tone }: StripPoint,
  i: number,
  x: (v: number) => number,
  [from, to]: [number, number],
  w: number,
): Child[] {
  const y = i * ROW + 14;
  const hue = HUES[tone];
  const inside = (v: number) => Math.min(Math.max(x(v), from), to);
  return [
    right(from - 10, y + 4, fit(name, from - 12), i === 0 ? "b" : "s"),
    line(inside(value - spread), px(y), inside(value + spread), px(y), { stroke: hue }),
    circle(x(value), y, 4, { fill: tone === "open" ? "var(--page)" : hue, stroke: hue }),
    text(to + 8, y + 4, fit(word, w - to - 8), "s"),
  ];
}

function claim(life: Life, row: ClaimRow): HTMLElement {
  const notes = row.notes.flatMap(([label, note]) => [h("dt", {}, label), h("dd", {}, note)]);
  const fig = h("div", { class: "band" });
  const body = h("div", { class: "why" }, h("dl", {}, ...notes), fig);
  const details = h(
    "details",
    { class: "claim", id: `claim-${row.id}` },
    h(
      "summary",
      {},
      h("b", {}, row.id),
      h("span", { class: "said" }, row.statement),
      h("span", { class: "paper" }, row.document),
      h("span", { class: "ours" }, row.ours),
      h("span", { class: `verdict ${row.tone}` }, row.word),
    ),
    body,
  );
  const { strip } = row;
  if (strip.points.length > 0) {
    // A figure has no width while it is folded.
    const once = () => {
      if (fig.childElementCount === 0) {
        figure(life, fig, (w) => draw(strip, w, `${row.id}: alternatives against the band`));
      }
    };
    details.addEventListener("toggle", once);
  }
  return details;
}

export function claims(life: Life, data: Claims): HTMLElement {
  const head = ["claim", "statement", "paper", "Tenbin", "verdict"].map((word) =>
    h("span", {}, word),
  );
  return h(
    "div",
    { class: "claims" },
    h("div", { class: "claim-head", "aria-hidden": "true" }, ...head),
    ...data.claims.map((row) => claim(life, row)),
  );
}
