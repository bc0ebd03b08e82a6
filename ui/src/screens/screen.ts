/** What all screens share. */
import { h, type Child, type Life } from "../base/dom";
import { nodeHref, nodeName, rackHref, rackName } from "../base/drill";
import { href } from "../base/selection";
import { provenance } from "../parts/provenance";
import { top } from "../parts/top";
import { type Drill, type Report } from "../report";

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
      ...facts.flatMap((f, i) => [i > 0 && h("i", {}, "·"), h("wbr"), f]),
    ),
    h("h1", { class: "small" }, ...sentence),
    h("div", { class: "row" }, ...body),
    provenance(report),
  ];
}

/** An address that leads nowhere, and what may have been meant. */
export function nowhere(report: Report, what: string, near: HTMLElement[] = []): Child[] {
  const links = near.flatMap((a, i): Child[] => [i > 0 && ", ", a]);
  const body =
    near.length > 0
      ? [h("p", { class: "c12", "data-part": "near" }, "Nearest: ", ...links, ".")]
      : [];
  return below(report, what, [], [`There is no ${what} in this report.`], body);
}

export const link = (words: string, address: string): HTMLElement =>
  h("a", { href: address }, words);

export const nodeLink = (drill: Drill, i: number, words = nodeName(drill, i)): HTMLElement =>
  link(words, nodeHref(drill, i));
export const rackLink = (drill: Drill, i: number): HTMLElement =>
  link(rackName(drill, i), rackHref(drill, i));
