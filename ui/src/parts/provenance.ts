/** Where the page's numbers come from, and the command that makes them again. */
import { h } from "../base/dom";
import { type Report } from "../report";
import { command } from "./copy";

/** Hashes and the like are set as what one could type. */
const typed = (value: string): boolean => /^[0-9a-f…]{6,}$/i.test(value);

export function provenance({ provenance: rows, command: words }: Report): HTMLElement {
  return h(
    "footer",
    { "data-part": "provenance" },
    ...rows.map(({ name, value }) =>
      h("span", {}, `${name} `, h("b", { class: typed(value) ? "mono" : "" }, value)),
    ),
    h("span", { class: "gap" }),
    command(words),
  );
}
