/** Pieces of sentences, as the data has them. */
import { h, type Child } from "../base/dom";
import { type HolderKind, type Share, type Span } from "../report";

function piece({ t, s }: Span): Child {
  switch (s) {
    case "strong":
    case "number":
      return h("b", {}, ...unbroken(t));
    case "key":
      return h("span", { class: "key" }, t);
    case "code":
      return h("code", {}, t);
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
export const swatch = (kind: HolderKind | "risk"): HTMLElement =>
  kind === "unexplained"
    ? h("i", { class: "sw hollow" })
    : h("i", { class: "sw", style: `background:var(--${kind})` });

/** What a line of "Held up by" is about: the share whose key or name it has, else the one in its
 * place. */
export function kindOfLine(line: Span[], place: number, shares: Share[]): HolderKind | null {
  const key = line.find((p) => p.s === "key")?.t.replace(/^…/, "");
  if (key) {
    const named = shares.find((share) => share.name.includes(key) || key.includes(share.name));
    return named?.kind ?? "setting";
  }
  const words = plain(line).toLowerCase();
  const named = shares.find((share) => words.includes(share.name.toLowerCase()));
  return (named ?? shares[place])?.kind ?? null;
}
