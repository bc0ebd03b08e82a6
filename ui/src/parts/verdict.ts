/** Around the verdict: who and how many, how sure, and the labels. */
import { h, type Child } from "../base/dom";
import { showTip, hideTip } from "../base/tooltip";
import { type Span } from "../page";
import { sentence } from "./spans";

const LEVELS = { low: 1, medium: 2, high: 3 } as const;
const RULE = "high: a logged duration · medium: two independent clues · low: a model";

/** Who, how many: "40 nodes · 4 racks". */
export function facts(lines: Span[][]): HTMLElement {
  const parts = lines.flatMap((line, i): Child[] => [
    i > 0 && h("i", {}, "·"),
    h("wbr"),
    ...sentence(line),
  ]);
  return h("p", { class: "facts", "data-part": "facts" }, ...parts);
}

export function certainty(level: keyof typeof LEVELS): HTMLElement {
  const bars = [1, 2, 3].map((i) => h("i", { class: i <= LEVELS[level] ? "on" : "" }));
  const sign = h(
    "span",
    { class: "cert", tabindex: 0, role: "img", "aria-label": `Certainty ${level}. ${RULE}` },
    ...bars,
  );
  const show = () => {
    const at = sign.getBoundingClientRect();
    showTip(at.left, at.bottom - 6, ["Certainty", ...RULE.split(" · ")]);
  };
  for (const name of ["pointerenter", "focus"]) sign.addEventListener(name, show);
  for (const name of ["pointerleave", "blur"]) sign.addEventListener(name, hideTip);
  return sign;
}

/** A label and what it says; nothing where there is nothing to say. */
export function entry(part: string, label: string, body: Child[], kind = ""): Child[] {
  if (body.length === 0) return [];
  return [h("dt", {}, label), h("dd", { class: kind || null, "data-part": part }, ...body)];
}
