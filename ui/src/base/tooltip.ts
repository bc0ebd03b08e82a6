/** One small box for what stands behind a mark: name, value ± interval, source. */
import { h, type Child } from "./dom";

let box: HTMLElement | null = null;

/** Shows lines near a point of the window. */
export function showTip(x: number, y: number, lines: Child[]): void {
  box ??= document.body.appendChild(h("div", { class: "tip", role: "tooltip" }));
  box.replaceChildren(...lines.map((l) => (l instanceof HTMLElement ? l : h("div", {}, l))));
  box.hidden = false;
  const { width, height } = box.getBoundingClientRect();
  const left = x + 14 + width > innerWidth - 8 ? x - 14 - width : x + 14;
  const top = y + 14 + height > innerHeight - 8 ? y - 14 - height : y + 14;
  box.style.left = `${Math.max(8, left)}px`;
  box.style.top = `${Math.max(8, top)}px`;
}

/** Shows what a chart has at a place of its width, under the pointer or, from the keyboard, at its
 * top; null: nothing. */
export function tipOver(
  host: HTMLElement,
  event: PointerEvent | null | undefined,
  x: number | null,
  lines: () => Child[],
): void {
  if (x === null) return hideTip();
  const at = host.getBoundingClientRect();
  showTip(event?.clientX ?? at.left + x, event?.clientY ?? at.top + 24, lines());
}

export function hideTip(): void {
  if (box) box.hidden = true;
}

/** Hover and focus show the same. */
export function tip<E extends Element>(node: E, lines: (event: Event) => Child[]): E {
  node.addEventListener("pointermove", (event) => {
    const { clientX, clientY } = event as PointerEvent;
    showTip(clientX, clientY, lines(event));
  });
  node.addEventListener("pointerleave", hideTip);
  node.addEventListener("focus", (event) => {
    if (!node.matches(":focus-visible")) return;
    const at = node.getBoundingClientRect();
    showTip(at.left + Math.min(at.width, 240) / 2, at.bottom - 8, lines(event));
  });
  node.addEventListener("blur", hideTip);
  return node;
}

export function watchTips(): void {
  addEventListener("scroll", hideTip, { passive: true });
  addEventListener("keydown", (event) => {
    if (event.key === "Escape") hideTip();
  });
}
