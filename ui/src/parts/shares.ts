/** What held it up: a bar a cause, its key above, waited time and share on the right, a sum. A
 * click opens the intervals behind a bar. */
import { scale, timeTicks } from "../base/axis";
import { h, type Child, type Life } from "../base/dom";
import { figure, mark } from "../base/figure";
import { fit, fitKey, width } from "../base/measure";
import { duration, largest, NB, num, sec } from "../base/numbers";
import { hrefWith, pick, pickedNumber, place } from "../base/selection";
import { group, hollow, line, middle, px, rect, right, svg, text, type Mark } from "../base/svg";
import { type Share } from "../report";

export interface SharesOptions {
  label: string;
  height: number;
  shares: Share[];
  /** A list of all its intervals, if there is one. */
  all?: (share: Share) => { path: string[]; picks: Record<string, string> } | null;
}

/** Right edge of the waited times, from the right. */
const SHARE = 52;
const GAP = 10;
const TOP = 16;
const FOOT = 26;

/** One digit count for the column of waited times. */
const waited = (v: number): string =>
  v < 0.05 ? "0" : v < 599.5 ? sec(v, v >= 99.95 ? 0 : 1) : duration(v);

function barOf({ kind, share }: Share, y: number, full: number): Mark {
  if (share * full < 1) return line(0.5, y, 0.5, y + 12, { class: "axis" });
  const long = Math.max(2, share * full);
  return kind === "unexplained"
    ? hollow(0, y, Math.max(4, long), 12)
    : rect(0, y, long, 12, { fill: `var(--${kind})`, rx: 1.5 });
}

/** A setting's name is typed as it is; other names start a line. */
function nameOf({ kind, name }: Share, y: number, w: number): Mark {
  return kind === "setting"
    ? text(0, y, fitKey(name, w - 4), "k setting")
    : text(0, y, fit(name.charAt(0).toUpperCase() + name.slice(1), w - 4), "s");
}

/** Room on the right of the bars: the widest of the waited times, and the shares. */
const rightOf = (shares: Share[], total: number): number =>
  SHARE +
  GAP +
  Math.ceil(
    largest(
      [total, ...shares.map((s) => s.waited_s)].map((v) => width(waited(v))),
      42,
    ),
  );

function row(share: Share, i: number, y: number, high: number, w: number, full: number): Mark {
  const base = y + Math.min(21, high - 16);
  const picked = pickedNumber("cause") === i;
  const { name, waited_s, percent, intervals } = share;
  const value = `${percent}${NB}%`;
  const node = group(
    {},
    rect(-6, y, w + 12, high, { class: "hit", rx: 2 }),
    nameOf(share, base - 7, w),
    barOf(share, base, full),
    right(w - SHARE, base + 10, waited(waited_s), "s"),
    right(w, base + 10, value, i === 0 ? "bb" : "v"),
  );
  const source =
    intervals.length > 0 ? "Click for the intervals behind it" : "No interval of its own";
  return mark(node, {
    id: `share-${i}`,
    label: `${name}: ${waited(waited_s)}, ${value}`,
    tip: () => [name, `${waited(waited_s)}, ${value} of the wait`, source],
    open: () => pick({ cause: picked ? null : String(i) }),
    pressed: picked,
  });
}

/** The longest intervals of one cause, over the same kind of time axis as the curves. */
function intervalsOf({ kind, intervals }: Share, w: number, y0: number): [Child[], number] {
  const label = Math.min(
    w * 0.42,
    largest(
      intervals.map((v) => width(v.label)),
      40,
    ) + 12,
  );
  const end = largest(
    intervals.map((v) => v.end_s),
    1e-9,
  );
  const x = scale(0, end, label, w - 60);
  const rows = intervals.flatMap((v, i) => {
    const y = y0 + i * 18;
    const bar = { fill: `var(--${kind === "unexplained" ? "done" : kind})`, rx: 1 };
    return [
      text(0, y + 12, fit(v.label, label - 8), "s"),
      rect(x(v.start_s), y + 3, Math.max(1.5, x(v.end_s) - x(v.start_s)), 10, bar),
      right(w, y + 12, waited(v.end_s - v.start_s), "v"),
    ];
  });
  const foot = px(y0 + intervals.length * 18 + 2);
  const ticks = timeTicks(0, end, w - 60 - label).flatMap((t) => [
    line(px(x(t.at)), foot, px(x(t.at)), foot + 4, { class: "axis" }),
    middle(x(t.at), foot + 17, t.label),
  ]);
  return [[...rows, line(x(0), foot, x(end), foot, { class: "axis" }), ...ticks], foot + 22];
}

function draw({ shares, height, label }: SharesOptions, w: number): SVGSVGElement {
  const high = Math.min(45, Math.max(36, (height - TOP - FOOT) / Math.max(1, shares.length)));
  const sum = TOP + shares.length * high + 2;
  const total = shares.reduce((a, share) => a + share.waited_s, 0);
  const full = w - rightOf(shares, total);
  const percent = shares.reduce((a, share) => a + share.percent, 0);
  const open = shares[pickedNumber("cause") ?? -1];
  const [more, low] = open?.intervals.length
    ? intervalsOf(open, w, sum + 48)
    : [[] as Child[], sum + (open ? 46 : 24)];
  const heading = open && fit(`Longest waits for ${open.name}`, w);
  const none = `No interval of its own is kept for ${open?.name ?? ""}.`;
  return svg(
    w,
    low,
    label,
    right(w - SHARE, 10, "waited", "h"),
    right(w, 10, "share", "h"),
    ...shares.map((share, i) => row(share, i, TOP + i * high, high, w, full)),
    line(0, px(sum), w, px(sum), { class: "hair" }),
    text(0, sum + 18, "Sum", "s"),
    right(w - SHARE, sum + 18, waited(total), "s"),
    right(w, sum + 18, `${num(percent)}${NB}%`, "v"),
    heading && text(0, sum + 42, open.intervals.length ? heading : fit(none, w), "t"),
    ...more,
  );
}

export function shares(life: Life, host: HTMLElement, options: SharesOptions): void {
  figure(
    life,
    host,
    (w) => {
      const drawing = draw(options, w);
      const open = options.shares[pickedNumber("cause") ?? -1];
      const all = open && options.all?.(open);
      if (!all) return drawing;
      const address = hrefWith(all.path, all.picks);
      return [
        drawing,
        h("p", { class: "note" }, h("a", { href: address }, "All transfers that waited for it")),
      ];
    },
    [place],
  );
}
