/** A hand-drawn figure: drawn to its width, drawn again when that or a signal changes, with one tab
 * stop for all its marks. */
import { type Child, type Life, type Signal } from "./dom";
import { hideTip, tip } from "./tooltip";

export interface MarkOptions {
  /** Unique within the figure: focus survives a repaint. */
  id: string;
  label: string;
  tip?: () => Child[];
  /** What a click or Enter does. */
  open?: () => void;
  pressed?: boolean;
}

/** Makes a shape reachable: by pointer, by focus, by Enter. */
export function mark<E extends SVGElement>(node: E, options: MarkOptions): E {
  node.dataset["mark"] = options.id;
  node.setAttribute("tabindex", "-1");
  node.setAttribute("aria-label", options.label);
  node.setAttribute("role", options.open ? "button" : "img");
  if (options.pressed !== undefined) node.setAttribute("aria-pressed", String(options.pressed));
  if (options.tip) tip(node, options.tip);
  const { open } = options;
  if (open) {
    node.dataset["open"] = "";
    node.addEventListener("click", () => {
      hideTip();
      open();
    });
    node.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      hideTip();
      open();
    });
  }
  return node;
}

const marksOf = (host: Element): SVGElement[] => [
  ...host.querySelectorAll<SVGElement>("[data-mark]"),
];

const STEP: Record<string, number> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

/** Arrows move between the marks of a figure, Home and End jump. */
function rove(host: HTMLElement): void {
  host.addEventListener("keydown", (event) => {
    if (event.defaultPrevented) return;
    const marks = marksOf(host);
    const at = marks.indexOf(document.activeElement as SVGElement);
    if (at < 0) return;
    const step = STEP[event.key];
    const ends: Record<string, number> = { Home: 0, End: marks.length - 1 };
    const next = step === undefined ? ends[event.key] : at + step;
    if (next === undefined || !marks[next]) return;
    event.preventDefault();
    marks[next].focus();
  });
  host.addEventListener("focusin", (event) => {
    for (const m of marksOf(host)) m.setAttribute("tabindex", m === event.target ? "0" : "-1");
  });
}

/** Calls `draw` with the figure's width now and whenever something changes. */
export function figure(
  life: Life,
  host: HTMLElement,
  draw: (width: number) => Node | Node[],
  redraw: Signal<any>[] = [],
): void {
  let drawn = 0;
  const paint = () => {
    const width = host.clientWidth;
    if (width === 0) return;
    drawn = width;
    const focus = host.contains(document.activeElement)
      ? (document.activeElement as SVGElement).dataset["mark"]
      : undefined;
    host.replaceChildren(...[draw(width)].flat());
    const marks = marksOf(host);
    const again = marks.find((m) => m.dataset["mark"] === focus);
    (again ?? marks[0])?.setAttribute("tabindex", "0");
    if (focus !== undefined) again?.focus();
  };
  rove(host);
  const watch = new ResizeObserver(() => {
    if (host.clientWidth !== drawn && !matchMedia("print").matches) paint();
  });
  watch.observe(host);
  life.add(() => watch.disconnect());
  for (const signal of redraw) signal.on(life, paint);
}
