/** What all screens share. */
import { h, type Child, type Life } from "../base/dom";
import { href } from "../base/selection";
import { provenance } from "../parts/provenance";
import { top } from "../parts/top";
import { type Report } from "../report";

export interface Screen {
  report: Report;
  life: Life;
  /** "2" of "#/rack/2". */
  argument: string;
}

/** A screen below the first: where one is, a way back, a sentence, figures, provenance. */
export function below(
  report: Report,
  crumb: string,
  facts: Child[],
  sentence: Child[],
  body: Child[],
): Child[] {
  return [
    ...top(report, [crumb]),
    h("a", { class: "back", href: href(), "data-part": "back" }, "‹ Back to the verdict"),
    h(
      "p",
      { class: "facts", "data-part": "facts" },
      ...facts.flatMap((f, i) => [i > 0 && h("i", {}, "·"), f]),
    ),
    h("h1", { class: "small" }, ...sentence),
    h("div", { class: "row" }, ...body),
    provenance(report),
  ];
}

/** An address that leads nowhere. */
export const nowhere = (report: Report, what: string): Child[] =>
  below(report, what, [], [`There is no ${what} in this report.`], []);

export const link = (words: string, ...path: (string | number)[]): HTMLElement =>
  h("a", { href: href(...path) }, words);
