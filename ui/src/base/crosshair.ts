/** One crosshair through all charts of the same time axis; drag zooms, double click resets. */
import { type Scale } from "./axis";
import { h, type Life, type Signal } from "./dom";
import { duration } from "./numbers";
import { hovered, pick, zoom } from "./selection";

/** A plot inside a figure, in pixels, and its time axis. */
export interface Frame {
  x: Scale;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** An axis that is not the page's time: it has its own line, and no zoom. */
export interface OwnAxis {
  hovered: Signal<number | null>;
  /** What the chip says. */
  say: (value: number) => string;
}

export interface Cross {
  axis?: OwnAxis | undefined;
  /** A figure may draw two plots over one axis, side by side. */
  frames: () => Frame[];
  /** The time stands below the line here. */
  chip: boolean;
  /** Shows values at this time; null when the pointer leaves. */
  read?: (seconds: number | null, event: PointerEvent | null) => void;
  /** With a step, arrows move the line, and this says what they meet. */
  keys?: { step: () => number; label: string; say: (seconds: number) => string };
}

const TIME: OwnAxis = { hovered, say: (t) => duration(t) };

interface Hit {
  frame: Frame;
  t: number;
}

/** The plot and the time at a pointer, or null outside. */
function hitAt(host: HTMLElement, frames: Frame[], event: PointerEvent): Hit | null {
  const x = event.clientX - host.getBoundingClientRect().left;
  const frame = frames.find((f) => x >= f.left - 2 && x <= f.right + 2);
  if (!frame) return null;
  const { from, to } = frame.x;
  return { frame, t: Math.min(to, Math.max(from, frame.x.invert(x))) };
}

const box = (left: number, width: number, { top, bottom }: Frame): string =>
  `left:${left}px;width:${width}px;top:${top}px;height:${bottom - top}px`;

export function crosshair(life: Life, host: HTMLElement, cross: Cross): void {
  let shown: HTMLElement[] = [];
  const { hovered, say } = cross.axis ?? TIME;
  hovered.on(life, (t) => {
    for (const node of shown) node.remove();
    shown =
      t === null
        ? []
        : cross.frames().flatMap((frame) => linesAt(frame, t, cross.chip ? say(t) : null));
    host.append(...shown);
  });
  host.addEventListener("pointermove", (event) => {
    const t = hitAt(host, cross.frames(), event)?.t ?? null;
    hovered.set(t);
    cross.read?.(t, event);
  });
  host.addEventListener("pointerleave", () => {
    hovered.set(null);
    cross.read?.(null, null);
  });
  if (!cross.axis) dragToZoom(host, cross);
  if (cross.keys) steer(life, host, cross, cross.keys);
}

function linesAt(frame: Frame, t: number, words: string | null): HTMLElement[] {
  if (t < frame.x.from || t > frame.x.to) return [];
  const x = Math.round(frame.x(t));
  const line = h("div", { class: "cross", style: box(x, 1, frame) });
  const chip = h("div", { class: "chip", style: `left:${x}px;top:${frame.bottom + 5}px` });
  chip.textContent = words;
  return words === null ? [line] : [line, chip];
}

function dragToZoom(host: HTMLElement, { frames }: Cross): void {
  const band = h("div", { class: "drag" });
  let start: Hit | null = null;
  let dragged: [number, number] | null = null;
  host.addEventListener("pointerdown", (event) => {
    start = event.button === 0 ? hitAt(host, frames(), event) : null;
    dragged = null;
  });
  host.addEventListener("pointermove", (event) => {
    const hit = start && hitAt(host, [start.frame], event);
    if (!start || !hit) return;
    const times: [number, number] = [Math.min(start.t, hit.t), Math.max(start.t, hit.t)];
    const [left, right] = times.map(start.frame.x) as [number, number];
    if (right - left < 6) return;
    dragged = times;
    band.style.cssText = box(left, right - left, start.frame);
    host.append(band);
  });
  const end = () => {
    band.remove();
    if (start && dragged) zoom(...dragged);
    start = null;
  };
  host.addEventListener("pointerup", end);
  host.addEventListener("pointerleave", end);
  // What a drag ends on is not meant to be opened.
  host.addEventListener("click", (event) => dragged && event.stopPropagation(), true);
  host.addEventListener("dblclick", () => pick({ t: null }));
}

/** Where a key leads on the time axis, or null if it is none of ours. */
function stepped(event: KeyboardEvent, now: number, step: number, x: Scale): number | null {
  const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (event.key === "Home") return x.from;
  if (event.key === "End") return x.to;
  if (way === undefined) return null;
  return Math.min(x.to, Math.max(x.from, now + way * step * (event.shiftKey ? 10 : 1)));
}

/** A slider for the keyboard: arrows, ten steps with Shift, Home and End. */
function steer(
  life: Life,
  host: HTMLElement,
  cross: Cross,
  { step, label, say }: NonNullable<Cross["keys"]>,
): void {
  const axis = cross.axis ?? TIME;
  const { hovered } = axis;
  host.tabIndex = 0;
  host.setAttribute("role", "slider");
  host.setAttribute("aria-label", label);
  host.setAttribute("aria-valuenow", "0");
  hovered.on(life, (t) => {
    if (t === null || document.activeElement !== host) return;
    host.setAttribute("aria-valuenow", t.toFixed(1));
    host.setAttribute("aria-valuetext", `${axis.say(t)}: ${say(t)}`);
  });
  host.addEventListener("keydown", (event) => {
    const [frame] = cross.frames();
    if (!frame || event.target !== host) return;
    const t = stepped(event, hovered.value ?? frame.x.from, step(), frame.x);
    if (t === null) return;
    event.preventDefault();
    hovered.set(t);
    cross.read?.(t, null);
  });
  host.addEventListener("blur", () => {
    hovered.set(null);
    cross.read?.(null, null);
  });
}
