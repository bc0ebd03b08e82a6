/** Says in the title line that a chart shows a part of its time only, and shows all again. */
import { h, on, type Life } from "../base/dom";
import { range } from "../base/numbers";
import { pick, place, zoomed } from "../base/selection";

/** `least` is where the chart's time begins. */
export function zoomTag(life: Life, least = 0): HTMLElement {
  const tag = h("button", {
    type: "button",
    class: "tag",
    title: "Esc or a double click shows all",
  });
  const write = () => {
    const span = zoomed(least);
    tag.hidden = span === null;
    tag.textContent = span ? `only ${range(span[0], span[1])}; show all` : "";
  };
  on(tag, "click", () => pick({ t: null }));
  place.on(life, write);
  write();
  return tag;
}
