/** A command, with Copy. */
import { h, on } from "../base/dom";

/** Selects the text where no clipboard can be had (a file from disk, an old browser). */
function selectAll(node: Node): void {
  const all = document.createRange();
  all.selectNodeContents(node);
  getSelection()?.removeAllRanges();
  getSelection()?.addRange(all);
}

export function command(words: string): HTMLElement {
  const code = h("code", {}, words);
  const button = h("button", { type: "button", "aria-label": `Copy: ${words}` }, "Copy");
  on(button, "click", async () => {
    try {
      await navigator.clipboard.writeText(words);
      button.textContent = "Copied";
    } catch {
      selectAll(code);
      button.textContent = "Selected";
    }
    setTimeout(() => (button.textContent = "Copy"), 1500);
  });
  return h("div", { class: "cmd" }, code, button);
}
