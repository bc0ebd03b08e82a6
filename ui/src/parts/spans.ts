/** Pieces of sentences, as the data has them. */
import { h, type Child } from "../base/dom";
import { href } from "../base/selection";
import { type Kind, type Span } from "../page";

function piece({ t, s, open }: Span): Child {
  if (open !== undefined) return h("a", { href: href(...open.split("/")) }, t);
  switch (s) {
    case "strong":
    case "number":
      return h("b", {}, ...unbroken(t));
    case "key":
      return h("span", { class: "key" }, t);
    case "code":
      return h("code", {}, t);
    case "dim":
      return h("span", { class: "u" }, ...unbroken(t));
    default:
      return h("span", {}, ...unbroken(t));
  }
}

/** Names like "dn-r2-05" and "max-streams" do not break at their hyphens; very long ones may. */
export function unbroken(words: string): Child[] {
  return words
    .split(/(\s+)/)
    .map((word) =>
      /\w-\w/.test(word) && word.length < 40 ? h("span", { class: "one" }, word) : word,
    );
}

export const sentence = (spans: Span[]): Child[] => spans.map(piece);
export const plain = (spans: Span[]): string => spans.map((p) => p.t).join("");

/** The square that says what kind of thing it is. */
export const swatch = (kind: Kind): HTMLElement =>
  kind === "unexplained"
    ? h("i", { class: "sw hollow" })
    : h("i", { class: "sw", style: `background:var(--${kind})` });
