/** The verdict: one sentence with one number, then always the same labels. */
import { h, type Child } from "../base/dom";
import { showTip, hideTip } from "../base/tooltip";
import { type Report, type Share, type Span } from "../report";
import { command } from "./copy";
import { kindOfLine, sentence, swatch } from "./spans";

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

function heldUp(lines: Span[][], shares: Share[]): Child[] {
  return lines.map((line, i) => {
    const kind = kindOfLine(line, i, shares);
    return h("p", { class: i === 0 ? "" : "more" }, kind && swatch(kind), ...sentence(line));
  });
}

/** A label and what it says; nothing where there is nothing to say. */
export function entry(part: string, label: string, body: Child[], kind = ""): Child[] {
  if (body.length === 0) return [];
  return [h("dt", {}, label), h("dd", { class: kind || null, "data-part": part }, ...body)];
}

/** The sentence with its one number, over the page's whole width. */
export const verdict = (report: Report): HTMLElement =>
  h(
    "div",
    { class: "c12", "data-part": "verdict" },
    facts(report.facts),
    h("h1", {}, ...sentence(report.verdict)),
    report.sub.length > 0 && h("p", { class: "sub" }, ...sentence(report.sub)),
  );

/** Held up by, do, not enough, certainty. */
export function points(report: Report): HTMLElement {
  const { do: act, certainty: sure } = report;
  const shares = report.variants[0]?.shares ?? [];
  const doing: Child[] = act
    ? [
        h(
          "p",
          {},
          ...sentence(act.point),
          " ",
          h("span", { class: "more" }, ...sentence(act.more)),
        ),
        act.command !== null && command(act.command),
      ]
    : [];
  return h(
    "dl",
    { class: "c8", "data-part": "points" },
    ...entry("held-up", "Held up by", heldUp(report.held_up, shares)),
    ...entry("do", "Do", doing),
    ...entry("not-enough", "Not enough", sentence(report.not_enough), "more"),
    ...entry(
      "certainty",
      "Certainty",
      [certainty(sure.level), `${sure.level}: `, ...sentence(sure.reason)],
      "more",
    ),
  );
}
