/** The few shapes that the hand-drawn figures are made of. */
import { s, type Attrs, type Child } from "./dom";

export type Mark = SVGElement;

export const rect = (x: number, y: number, w: number, h: number, attrs: Attrs = {}): Mark =>
  s("rect", { x, y, width: Math.max(0, w), height: Math.max(0, h), ...attrs });
export const line = (x1: number, y1: number, x2: number, y2: number, attrs: Attrs = {}): Mark =>
  s("line", { x1, y1, x2, y2, ...attrs });
export const circle = (cx: number, cy: number, r: number, attrs: Attrs = {}): Mark =>
  s("circle", { cx, cy, r, ...attrs });
export const path = (d: string, attrs: Attrs = {}): Mark =>
  s("path", { d, fill: "none", ...attrs });
/** `kind` is one of the text classes of figures.css: v (value), s (words), h (head), k (key)… */
export const text = (x: number, y: number, words: string, kind = "", attrs: Attrs = {}): Mark =>
  s("text", { x, y, class: kind || null, ...attrs }, words);
export const group = (attrs: Attrs, ...children: Child[]): Mark => s("g", attrs, ...children);

/** Text that ends at x. */
export const right = (x: number, y: number, words: string, kind = "", attrs: Attrs = {}): Mark =>
  text(x, y, words, kind, { "text-anchor": "end", ...attrs });
/** Text around x. */
export const middle = (x: number, y: number, words: string, kind = "", attrs: Attrs = {}): Mark =>
  text(x, y, words, kind, { "text-anchor": "middle", ...attrs });

/** Lines on pixel centres stay crisp. */
export const px = (value: number): number => Math.round(value) + 0.5;

/** A bar without evidence: a dashed outline. */
export const hollow = (x: number, y: number, w: number, h: number, attrs: Attrs = {}): Mark =>
  rect(x + 0.75, y + 0.75, w - 1.5, h - 1.5, {
    fill: "none",
    stroke: "var(--ink3)",
    "stroke-width": 1.25,
    "stroke-dasharray": "4 3",
    rx: 1.5,
    ...attrs,
  });

/** A picture with its name; marks inside may be reached by focus. */
export const svg = (w: number, h: number, label: string, ...children: Child[]): SVGSVGElement =>
  s(
    "svg",
    { width: w, height: h, viewBox: `0 0 ${w} ${h}`, role: "group", "aria-label": label },
    ...children,
  );
