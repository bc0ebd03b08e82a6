/** A section: a rule, a title, its qualifier in grey on the same line, the figure. */
import { h, type Child } from "../base/dom";

export interface Section {
  root: HTMLElement;
  /** Where the figure goes. */
  fig: HTMLElement;
  head: HTMLElement;
}

export interface SectionOptions {
  /** Names the part for tests and for styles. */
  part: string;
  title: string;
  qualifier?: string;
  class?: string;
  /** Doubtful or reduced data. */
  tags?: string[];
  /** What stands with the tags and can be clicked. */
  control?: HTMLElement;
  /** A legend, at the right end of the title line. */
  key?: Child;
}

export const tagOf = (words: string): HTMLElement => h("span", { class: "tag" }, words);

export function section(options: SectionOptions): Section {
  const { part, title, qualifier, key, control, tags = [] } = options;
  const head = h(
    "h2",
    {},
    title,
    qualifier && h("small", { class: "q", title: qualifier }, qualifier),
    ...tags.map(tagOf),
    control,
    key && h("small", { class: "r" }, key),
  );
  const fig = h("div", { class: "fig" });
  const root = h(
    "section",
    { "data-part": part, "aria-label": title, class: options.class ?? "c12" },
    head,
    fig,
  );
  return { root, fig, head };
}

/** In place of a figure that has nothing to draw: why, and what would fill it. */
export const blank = (why: string, remedy?: string): HTMLElement =>
  h("div", { class: "blank", role: "note" }, h("p", {}, why), remedy && h("p", {}, remedy));
