/** Where the page's numbers come from, and the command that makes them again. */
import { h } from "../base/dom";
import { type Foot } from "../page";
import { command } from "./copy";

/** Hashes are set as what one could type, and long ones by their ends. */
function valueOf(value: string): HTMLElement {
  if (!/^[0-9a-f…]{6,}$/i.test(value)) return h("b", {}, value);
  const short = value.length > 16 ? `${value.slice(0, 4)}…${value.slice(-4)}` : value;
  return h("b", { class: "mono", title: value }, short);
}

export function provenance({
  provenance: rows,
  command: words,
}: Pick<Foot, "provenance" | "command">): HTMLElement {
  return h(
    "footer",
    { "data-part": "provenance" },
    ...rows.map(({ name, value }) => h("span", {}, `${name} `, valueOf(value))),
    h("span", { class: "gap" }),
    command(words),
  );
}
