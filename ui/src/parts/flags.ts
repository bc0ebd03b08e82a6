/** Where the labels of curves' ends stand: on lines up from the finish, staggered in the empty
 * half. */

export interface Flag {
  /** The finish, in pixels. */
  x: number;
  /** Width of its label. */
  width: number;
  /** The highest curve over the label's span, in pixels from above: labels stay over it. */
  over: number;
}

export interface Plot {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

export interface PlacedFlag {
  /** The label's middle. */
  y: number;
  /** Its left end. */
  left: number;
  anchor: "left" | "right";
}

/** From the line to its label, and from label to label. */
export const FLAG_GAP = 6;
export const FLAG_STEP = 18;

/** Shares of the plot's height: four stand at 27, 45, 63 and 81 %. */
function wanted(i: number, n: number): number {
  const step = n > 1 ? Math.min(0.18, 0.54 / (n - 1)) : 0;
  return (n === 1 ? 0.6 : 0.81) - step * (n - 1 - i);
}

/** Flags in the order of their finishes. A later one always stands lower, so that no line crosses a
 * label; one that finds no room is null, and its value stands in the table only. */
export function layoutFlags(flags: Flag[], plot: Plot): (PlacedFlag | null)[] {
  const height = plot.bottom - plot.top;
  const placed: (PlacedFlag | null)[] = flags.map(() => null);
  let below = Infinity;
  for (let i = flags.length - 1; i >= 0; i--) {
    const flag = flags[i];
    if (!flag) continue;
    const want = plot.top + height * wanted(i, flags.length);
    const y = Math.min(want, flag.over - 10, below - FLAG_STEP, plot.bottom - 14);
    if (y < plot.top + 6) continue;
    const fits = flag.x + FLAG_GAP + flag.width <= plot.right;
    const left = fits ? flag.x + FLAG_GAP : flag.x - FLAG_GAP - flag.width;
    placed[i] = { y, left, anchor: fits ? "left" : "right" };
    below = y;
  }
  return placed;
}

/** Whether a note's rectangle meets a flag's line or label. */
export function meets(
  note: { left: number; right: number; y: number },
  flag: Flag,
  placed: PlacedFlag,
): boolean {
  const high = note.y - 11;
  const low = note.y + 11;
  const onLine = flag.x > note.left - 4 && flag.x < note.right + 4 && placed.y - 5 < low;
  const apart = placed.left > note.right || placed.left + flag.width < note.left;
  return onLine || (!apart && placed.y + 9 > high && placed.y - 9 < low);
}
