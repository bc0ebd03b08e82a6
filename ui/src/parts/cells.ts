/** The cells of a heat map: six classes of lightness, one shape a class, on canvas when they are
 * many. */
import { path, type Mark } from "../base/svg";
import { type Kind } from "../page";

/** Over these marks a canvas is drawn. */
export const CANVAS_ABOVE = 5000;
const GAP = 0.75;
const LIMITS = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5];

/** 0: idle (under 0.5 %); 1 to 6: up to 2, 5, 10, 25, 50, 100 %. */
export function heatClass(share: number): number {
  let level = 0;
  for (const limit of LIMITS) if (share >= limit) level++;
  return level;
}

/** The ramps that there are. */
export type Ramp = "disk" | "network" | "cpu";
export const rampOf = (kind: Kind): Ramp => (kind === "disk" || kind === "network" ? kind : "cpu");

export const heatFill = (kind: Kind, level: number): string =>
  level === 0 ? "var(--idle)" : `var(--${rampOf(kind)}${level})`;

/** Means of k neighbours, so that no cell is narrower than 4 px. */
export function merged(cells: number[], k: number): number[] {
  if (k <= 1) return cells;
  const out: number[] = [];
  for (let i = 0; i < cells.length; i += k) {
    const part = cells.slice(i, i + k);
    out.push(part.reduce((a, b) => a + b, 0) / part.length);
  }
  return out;
}

/** How many cells become one, in round numbers. */
export function mergeFactor(cells: number, width: number, least = 4): number {
  const needed = (cells * least) / Math.max(1, width);
  return (
    [1, 2, 5, 10, 20, 30, 60, 100, 120, 300, 600].find((k) => k >= needed) ?? Math.ceil(needed)
  );
}

export interface Cell {
  x: number;
  y: number;
  w: number;
  h: number;
  fill: string;
}

/** One path a colour: 60 rows of 100 cells are 14 elements. */
export function cellPaths(cells: Cell[]): Mark[] {
  const byFill = new Map<string, string[]>();
  for (const { x, y, w, h, fill } of cells) {
    const part = `M${x.toFixed(2)},${y}h${(w - GAP).toFixed(2)}v${h - 1}h${(GAP - w).toFixed(2)}z`;
    const parts = byFill.get(fill);
    if (parts) parts.push(part);
    else byFill.set(fill, [part]);
  }
  return [...byFill].map(([fill, parts]) => path(parts.join(""), { fill }));
}

/** The same on a canvas, in the colours of the present theme. */
export function cellCanvas(cells: Cell[], width: number, height: number): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  const density = devicePixelRatio || 1;
  canvas.width = width * density;
  canvas.height = height * density;
  canvas.style.cssText = `width:${width}px;height:${height}px`;
  const pen = canvas.getContext("2d");
  const style = getComputedStyle(document.documentElement);
  const colours = new Map<string, string>();
  const colour = (fill: string): string => {
    const known = colours.get(fill) ?? style.getPropertyValue(fill.slice(4, -1)).trim();
    colours.set(fill, known);
    return known;
  };
  pen?.scale(density, density);
  for (const { x, y, w, h, fill } of cells) {
    if (!pen) break;
    pen.fillStyle = colour(fill);
    pen.fillRect(x, y, w - GAP, h - 1);
  }
  return canvas;
}
