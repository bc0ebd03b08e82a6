/** How a variant's line looks: variants have no hue but "now". The same sample opens the row in the
 * table; it is the legend. */
import { s } from "../base/dom";
import { type Role } from "../page";

export interface LineStyle {
  stroke: string;
  /** Colour of text that names the line. */
  ink: string;
  width: number;
  dash: number[];
}

const NOW: LineStyle = { stroke: "var(--risk)", ink: "var(--risk-ink)", width: 2.25, dash: [] };
const RECOMMENDED: LineStyle = { stroke: "var(--ink)", ink: "var(--ink)", width: 2, dash: [] };
const OTHERS: LineStyle[] = [
  { stroke: "var(--ink2)", ink: "var(--ink2)", width: 1.5, dash: [6, 4] },
  { stroke: "var(--ink3)", ink: "var(--ink3)", width: 1.5, dash: [1.5, 2.5] },
  { stroke: "var(--ink2)", ink: "var(--ink2)", width: 1.5, dash: [10, 3, 2, 3] },
  { stroke: "var(--ink3)", ink: "var(--ink3)", width: 1.5, dash: [3, 3] },
  { stroke: "var(--ink2)", ink: "var(--ink2)", width: 1.5, dash: [14, 4] },
  { stroke: "var(--ink3)", ink: "var(--ink3)", width: 1.5, dash: [6, 2, 1.5, 2, 1.5, 2] },
];

/** A style for each variant, in their order. Beyond eight they repeat. */
export function lineStyles(variants: { role: Role }[]): LineStyle[] {
  let others = 0;
  return variants.map(({ role }) => {
    if (role === "now") return NOW;
    if (role === "recommended") return RECOMMENDED;
    return OTHERS[others++ % OTHERS.length] ?? RECOMMENDED;
  });
}

export const sample = ({ stroke, width, dash }: LineStyle): SVGSVGElement =>
  s(
    "svg",
    { class: "sample", width: 26, height: 10, "aria-hidden": "true" },
    s("line", {
      x1: 1,
      x2: 25,
      y1: 5,
      y2: 5,
      stroke,
      "stroke-width": width,
      "stroke-dasharray": dash.join(" ") || null,
    }),
  );
